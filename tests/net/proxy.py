"""A bad network between a player and a server, with real sockets: bytes come in pieces, late, or never again."""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import suppress
from random import Random
from types import TracebackType
from typing import NamedTuple

LOCAL = "127.0.0.1"


class Weather(NamedTuple):
    """How bad it is.  What may arrive is counted in bytes of the player."""

    piece: int = 65_536  # bytes that travel together
    delay: float = 0.0  # seconds that a piece takes at most
    dark_after: int | None = None  # then nothing arrives any more, either way, and nobody is told
    reset_after: int | None = None  # then both ends are told that it is over


class Proxy:
    """Carries connections on to a server: ``async with Proxy(port, weather) as proxy``, and connect to `proxy.port`."""

    def __init__(self, target: int, weather: Weather, seed: int = 1) -> None:
        self.target, self.weather, self.rng = target, weather, Random(seed)
        self.writers: list[asyncio.StreamWriter] = []
        self.carried = 0  # bytes of players
        self.dark = asyncio.Event()

    async def __aenter__(self) -> Proxy:
        self.server = await asyncio.start_server(self.connected, LOCAL, 0)
        self.port: int = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.server.close()
        for writer in self.writers:
            writer.transport.abort()
        await asyncio.sleep(0)

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(LOCAL, self.target)
        self.writers += [writer, far_writer]
        for one in (writer, far_writer):
            one.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with suppress(ConnectionError, asyncio.CancelledError):
            await asyncio.gather(
                self.carry(reader, far_writer, of_player=True), self.carry(far_reader, writer, of_player=False)
            )

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, of_player: bool) -> None:
        while data := await reader.read(self.weather.piece):
            await asyncio.sleep(self.rng.random() * self.weather.delay)
            if not self.dark.is_set():
                writer.write(self.let_through(data) if of_player else data)
                await writer.drain()
        if not self.dark.is_set():
            writer.close()

    def let_through(self, data: bytes) -> bytes:
        """What arrives of this piece.  EFFECT: the lights may go out."""
        before, self.carried = self.carried, self.carried + len(data)
        dark, reset = self.weather.dark_after, self.weather.reset_after
        if dark is not None and self.carried > dark:
            self.dark.set()
        if reset is not None and self.carried > reset:
            for writer in self.writers:
                linger = struct.pack("ii", 1, 0)
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                writer.transport.abort()
            raise ConnectionResetError
        return data if dark is None else data[: dark - before]
