"""Two servers that exist: one whose JSON decoder chokes on a leading line feed, and one that reads lines."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from .tables import LOCAL

Reader = Callable[[asyncio.StreamReader], Awaitable[Any]]
"""Reads the next value; raises ValueError once that cannot be done."""

CALLS = (["start", [True]], ["end", [True]])


class Decoder:
    """Decodes from the very beginning of what has come, so that a blank there is never passed."""

    def __init__(self) -> None:
        self.held = ""

    async def read(self, reader: asyncio.StreamReader) -> Any:
        while True:
            try:
                value, end = json.JSONDecoder().raw_decode(self.held)
            except ValueError:
                if self.held.startswith("\n") or not (data := await reader.read(4_096)):
                    raise
                self.held += data.decode()
            else:
                self.held = self.held[end:]
                return value


async def read_line(reader: asyncio.StreamReader, seconds: float = 1.5) -> Any:
    """The value in the next line, if that is complete in time."""
    async with asyncio.timeout(seconds):
        line = await reader.readuntil(b"\n")
    return json.loads(line)


class Picky:
    """Signs one client up, calls it twice, and remembers what it heard; throws it out if it cannot be read."""

    def __init__(self, *, lines: bool) -> None:
        self.lines = lines
        self.heard: list[Any] = []
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        read = read_line if self.lines else Decoder().read
        try:
            self.heard.append(await read(reader))
            for call in CALLS:
                writer.write(json.dumps(call).encode())
                self.heard.append(await read(reader))
        except (ValueError, TimeoutError, asyncio.IncompleteReadError):
            pass
        writer.close()


@asynccontextmanager
async def picky_server(*, lines: bool) -> AsyncIterator[Picky]:
    """One of the two, while it listens."""
    picky = Picky(lines=lines)
    async with await asyncio.start_server(picky.serve, LOCAL, 0) as server:
        picky.port = server.sockets[0].getsockname()[1]
        yield picky
