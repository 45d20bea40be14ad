"""Cheap clients of the web page: a thousand sockets in one process, and requests one after the other."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Sequence
from functools import partial
from itertools import cycle, islice
from time import monotonic
from typing import Any, Final

import msgspec

__all__ = ["Arrivals", "Watching", "ask", "opened", "watching"]

HANDSHAKE: Final = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: ZmFpcnBsYXkgd2F0Y2hlcg==\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
)
REQUEST: Final = "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

TEXT, CLOSE, PING = 1, 8, 9


class Arrivals:
    """When each message came, on the monotonic clock; the same bytes are the same message."""

    def __init__(self) -> None:
        self.times: dict[tuple[bool, bytes], list[float]] = {}
        self.count = self.bytes = 0

    def clear(self) -> None:
        self.times.clear()
        self.count = self.bytes = 0

    def came(self, packed: bool, payload: bytes) -> None:
        self.times.setdefault((packed, payload), []).append(monotonic())
        self.count += 1
        self.bytes += len(payload)

    def by_moment(self) -> dict[tuple[str, int], list[float]]:
        """The arrivals of each moment of each match; a moment that was sent twice counts from the first time."""
        found: dict[tuple[str, int], list[float]] = {}
        for (packed, payload), times in self.times.items():
            text = zlib.decompressobj(-15).decompress(payload) if packed else payload
            message = msgspec.json.decode(text, type=Sent)
            found.setdefault((message.id, message.frame.number), times)
        return found


class Numbered(msgspec.Struct):
    number: int


class Sent(msgspec.Struct):
    """What is read of a message."""

    id: str
    frame: Numbered


class Watching(asyncio.Protocol):
    """A watcher that notes when messages come and looks no further into them."""

    def __init__(self, path: str, arrivals: Arrivals) -> None:
        self.path, self.arrivals = path, arrivals
        self.greeted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._buffer = bytearray()
        self._open = False

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(HANDSHAKE.format(path=self.path).encode())

    def connection_lost(self, error: Exception | None) -> None:
        if not self.greeted.done():
            self.greeted.set_exception(ConnectionError("the server hung up on a watcher"))

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._open:
            self._accepted()
        while self._open and self._frame():
            pass

    def _accepted(self) -> None:
        end = self._buffer.find(b"\r\n\r\n")
        if end >= 0:
            assert self._buffer.startswith(b"HTTP/1.1 101 "), bytes(self._buffer[:end])
            del self._buffer[: end + 4]
            self._open = True

    def _frame(self) -> bool:
        """Take one whole frame out of what has come; False where there is none yet."""
        buffer = self._buffer
        if len(buffer) < 2:
            return False
        size, start = buffer[1], 2
        if size > 125:
            start = 4 if size == 126 else 10
            size = int.from_bytes(buffer[2:start])
        if len(buffer) < start + size:
            return False
        self._heard(buffer[0], bytes(buffer[start : start + size]))
        del buffer[: start + size]
        return True

    def _heard(self, first: int, payload: bytes) -> None:
        kind = first & 15
        if kind == TEXT:
            self.arrivals.came(bool(first & 64), payload)
            if not self.greeted.done():
                self.greeted.set_result(None)
        elif kind == PING:
            self.transport.write(bytes([0x8A, 0x80 | len(payload), 0, 0, 0, 0]) + payload)
        elif kind == CLOSE:
            self.transport.close()


async def watching(port: int, paths: list[str], arrivals: Arrivals) -> list[Watching]:
    """So many watchers, each of which has had its first message."""
    loop = asyncio.get_running_loop()
    found = []
    for path in paths:
        _, watcher = await loop.create_connection(partial(Watching, path, arrivals), "127.0.0.1", port)
        found.append(watcher)
    await asyncio.gather(*(watcher.greeted for watcher in found))
    return found


# -- requests ----------------------------------------------------------------------------------


async def ask(port: int, path: str, body: Any = None) -> bytes:
    """One request over a connection of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    content = b"" if body is None else msgspec.json.encode(body)
    request = REQUEST if body is None else REQUEST.replace("GET", "POST", 1)
    head = request.format(path=path).encode()
    if body is not None:
        head = head[:-2] + f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n".encode()
    writer.write(head + content)
    answer = await answered(reader)
    writer.close()
    return answer


async def opened(port: int, paths: Sequence[str], start: int, count: int) -> None:
    """Ask `count` times over one connection: for each of `paths` in turn, from `start` on."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for path in islice(cycle(paths), start, start + count):
        writer.write(REQUEST.format(path=path).encode())
        await answered(reader)
    writer.close()


async def answered(reader: asyncio.StreamReader) -> bytes:
    """The body of a good answer."""
    head = await reader.readuntil(b"\r\n\r\n")
    status = int(head[9:12])
    length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
    body = await reader.readexactly(int(length.partition(b":")[2]))
    assert 200 <= status < 300, body
    return body
