"""Strangers who come to a table where a match has begun: nobody lets them in, and nobody at the table is hurt.

The numbers are those of the list of ways to misbehave.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from msgspec import Struct

from .conducts import LOCAL

FLOOD = 100
"""Connections that one flood makes."""

LONGEST = 300.0
"""Seconds after which a stranger that is neither refused nor hung up on has been forgotten."""


class Knock(Struct, frozen=True):
    """Where a stranger knocks: at the table of a game where somebody plays under `name`."""

    port: int
    game: str
    name: str

    def hello(self, **more: Any) -> bytes:
        fields = {"type": "hello", "version": 1, "name": "stranger", "games": [self.game], **more}
        return json.dumps(fields).encode() + b"\n"


def saying(words: Callable[[Knock], bytes]) -> Callable[[Knock], Awaitable[bytes]]:
    """Say this and nothing more; what was said back, to the end."""

    async def come(knock: Knock) -> bytes:
        reader, writer = await asyncio.open_connection(LOCAL, knock.port)
        said = bytearray()
        try:
            writer.write(words(knock))
            while piece := await reader.read(65_536):
                said += piece
        except ConnectionError:
            pass
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
        return bytes(said)

    return come


async def flood(knock: Knock) -> bytes:
    loop = asyncio.get_running_loop()
    for _ in range(FLOOD):
        with socket.socket() as sock, suppress(OSError):
            sock.setblocking(False)
            await loop.sock_connect(sock, (LOCAL, knock.port))
    return b""


HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nOrigin: https://elsewhere.example\r\n"
    b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)

STRANGERS: dict[str, Callable[[Knock], Awaitable[bytes]]] = {
    "14 says nothing": saying(lambda knock: b""),
    "14 half a hello": saying(lambda knock: knock.hello()[:20]),
    "14 half a handshake": saying(lambda knock: HANDSHAKE[:40]),
    "20 empty name": saying(lambda knock: knock.hello(name="")),
    "20 long name": saying(lambda knock: knock.hello(name="x" * 10_000)),
    "20 turned name": saying(lambda knock: knock.hello(name="a\u202eb")),
    "20 nonsense": saying(lambda knock: b"let me in\n"),
    "20 another version": saying(lambda knock: knock.hello(version=2)),
    "20 another game": saying(lambda knock: knock.hello(games=["chess"])),
    "20 too deep": saying(lambda knock: b"[" * 60_000 + b"\n"),
    "20 too long": saying(lambda knock: b" " * 70_000),
    "21 name taken": saying(lambda knock: knock.hello(name=knock.name)),
    "21 guessed session": saying(lambda knock: knock.hello(name=knock.name, session="a guess")),
    "23 flood": flood,
    "23 too late": saying(lambda knock: knock.hello()),
    "51 another origin": saying(lambda knock: HANDSHAKE + b"\x81\x80mask"),
    "51 POST": saying(lambda knock: b"POST / HTTP/1.1\r\nHost: x\r\n\r\n" + knock.hello()),
}
