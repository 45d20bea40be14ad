"""Players of the native protocol with real sockets, honest and not, over bare TCP and in a WebSocket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from fairplay.core import AnyGame, Fault, House, Player
from fairplay.core.chance import derived
from fairplay.match.players import house_strategy
from fairplay.net.admission import NativeTerms
from fairplay.net.native import Address, ClientConversation, join_server
from fairplay.net.server import HostedResult

from .tables import FISH, LOCAL, STRATEGY, Server, leave, only_fault

WAYS = ("tcp", "ws")


class Peer:
    """Somebody who speaks in lines over bare TCP."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def send(self, line: bytes) -> None:
        self.writer.write(line + b"\n")
        await self.writer.drain()

    async def torn(self, line: bytes) -> None:
        """Send a line one byte at a time."""
        for byte in line + b"\n":
            self.writer.write(bytes([byte]))
            await self.writer.drain()
            await asyncio.sleep(0)

    async def hear(self) -> bytes:
        """The next line; nothing where there is none any more."""
        try:
            return (await self.reader.readline()).rstrip(b"\n")
        except ConnectionError:
            return b""

    async def hang_up(self) -> None:
        self.writer.close()
        with suppress(OSError):
            await self.writer.wait_closed()

    def abort(self) -> None:
        """Vanish with a reset."""
        self.writer.transport.abort()


class WebPeer:
    """The same in a WebSocket, by the library's own client."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def send(self, line: bytes) -> None:
        await self.socket.send(line, text=True)

    async def torn(self, line: bytes) -> None:
        """Send a line in fragments of one byte."""

        async def bytewise() -> Any:
            for byte in line:
                yield chr(byte)
                await asyncio.sleep(0)

        await self.socket.send(bytewise())

    async def hear(self) -> bytes:
        try:
            said = await self.socket.recv(decode=False)
        except ConnectionClosed:
            return b""
        assert isinstance(said, bytes)
        return said

    async def hang_up(self) -> None:
        await self.socket.close()

    def abort(self) -> None:
        self.socket.transport.abort()


AnyPeer = Peer | WebPeer
Evil = Callable[[AnyPeer, bytes], Awaitable[None]]
"""What a rogue does instead of sending the right reply."""


async def reached(port: int, way: str, **options: Any) -> AnyPeer:
    if way == "tcp":
        return Peer(*await asyncio.open_connection(LOCAL, port, limit=2**24))
    return WebPeer(
        await connect(f"ws://{LOCAL}:{port}", max_size=2**24, compression=None, ping_interval=None, **options)
    )


def hello(name: str = "bad", game: AnyGame = FISH, **more: Any) -> bytes:
    fields = {"type": "hello", "version": 1, "name": name, "games": [game.name], **more}
    return json.dumps(fields).encode()


class Native(Server):
    """A server of the native protocol for so many players."""

    def __init__(self, game: AnyGame, players: int, *, terms: NativeTerms | None = None, **options: Any) -> None:
        super().__init__(game, players, native=terms or NativeTerms(grace=0), **options)

    def player(self, spec: str | None = None) -> Player:
        return House(house_strategy(self.game, spec or STRATEGY[self.game.name], derived(1, 0)))

    async def visitor(
        self,
        name: str = "good",
        spec: str | None = None,
        way: str = "tcp",
        token: str | None = None,
        tls: Any = None,
    ) -> asyncio.Task[Fault | None]:
        """One more player that does what the protocol says; waits until it is signed up."""
        visitor = ClientConversation(self.game, lambda chance, info: self.player(spec), name, token)
        scheme = "ws" if tls is None else "wss"
        address = Address(LOCAL, self.port, f"{scheme}://{LOCAL}:{self.port}" if way == "ws" else None, tls)
        task = asyncio.create_task(join_server(address, visitor))
        while visitor.session is msgspec.UNSET and not task.done():
            await asyncio.sleep(0.005)
        return task

    async def joined(self, name: str = "bad", way: str = "tcp", **more: Any) -> tuple[AnyPeer, dict[str, Any]]:
        """A peer that has signed up, and what it was told."""
        peer = await reached(self.port, way)
        await peer.send(hello(name, self.game, **more))
        said = json.loads(await peer.hear())
        assert said["type"] == "joined", said
        return peer, said

    async def refused(self, line: bytes, way: str = "tcp") -> str:
        """The reason why whoever says this first is not let in."""
        peer = await reached(self.port, way)
        await peer.send(line)
        said = json.loads(await peer.hear())
        assert await peer.hear() == b""
        await peer.hang_up()
        assert said["type"] == "refused", said
        reason: str = said["reason"]
        return reason

    async def rogue(  # type: ignore[override]  # what it does evil to is a peer, not a pair of streams
        self, kind: str, evil: Evil, /, *, after: int = 0, name: str = "bad", way: str = "tcp"
    ) -> asyncio.Task[None]:
        peer, _ = await self.joined(name, way)
        return asyncio.create_task(behave(peer, self.speaker(name), kind, after, evil))

    def speaker(self, name: str = "bad") -> ClientConversation:
        return ClientConversation(self.game, lambda chance, info: self.player(), name)


async def behave(peer: AnyPeer, speaker: ClientConversation, kind: str, after: int, evil: Evil) -> None:
    """Play well until so many lines of a kind were replied to, and then do evil."""
    try:
        while line := await peer.hear():
            if msgspec.json.decode(line)["type"] in ("out", "over"):
                return
            if not (reply := speaker.reply(line).rstrip(b"\n")):
                continue
            if msgspec.json.decode(line)["type"] == kind:
                if not after:
                    await evil(peer, reply)
                    while await peer.hear():
                        pass
                    return
                after -= 1
            await peer.send(reply)
    except (ConnectionError, ConnectionClosed):
        pass
    finally:
        await peer.hang_up()


def sending(*lines: bytes) -> Evil:
    async def evil(peer: AnyPeer, reply: bytes) -> None:
        for line in lines:
            await peer.send(line)

    return evil


async def against(
    evil: Evil, kind: str = "ask", *, after: int = 0, way: str = "tcp", game: AnyGame = FISH, **options: Any
) -> Fault:
    """The fault of a rogue among three; the others must have played on to a proper end."""
    server = Native(game, 3, **options)
    rogue = await server.rogue(kind, evil, after=after, way=way)
    hosted = await server.ended(await server.visitor("good"), await server.visitor("fair", way="ws"))
    await leave(rogue)
    return only_fault(hosted)


async def played(server: Native, *players: asyncio.Task[Any]) -> HostedResult:
    """The end of all, everybody else having been honest."""
    hosted = await server.ended(*players)
    assert [player.result() for player in players] == [None] * len(players)
    return hosted
