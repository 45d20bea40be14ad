"""Servers with short limits, honest clients and rogues, all with real sockets in one event loop."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, Fault, FaultKind
from fairplay.core.chance import derived
from fairplay.core.established import Call, Client, Period
from fairplay.core.game import established_of
from fairplay.games.trains.map import build_network
from fairplay.games.trains.maps.files import find_map, map_to_json
from fairplay.match.players import house_strategy
from fairplay.net import framing
from fairplay.net.connection import PeerConnection
from fairplay.net.established import answer_calls, sign_up_client
from fairplay.net.framing import Framer
from fairplay.net.server import HostedResult, host_knock_out
from fairplay.net.sign_up import SignUpLimits, open_listener

LOCAL = "127.0.0.1"
PATIENCE = 60.0
"""Seconds for one answer, where everybody answers."""

LAPSE = 50.0
"""Seconds for one answer that somebody lets pass in a loop that skips waits."""

Evil = Callable[[asyncio.StreamReader, asyncio.StreamWriter, bytes], Awaitable[None]]
"""What a rogue does instead of sending the right answer."""

FISH, TRAINS, LABYRINTH = (GAMES[name] for name in ("fish", "trains", "labyrinth"))
STRATEGY = {"fish": "minimax:depth=1", "trains": "buy-now", "labyrinth": "euclid"}


class Server:
    """A server for so many players that starts as soon as they are there."""

    def __init__(
        self,
        game: AnyGame,
        players: int,
        *,
        patience: float = PATIENCE,
        name_patience: float = 60.0,
        waiting: float = 300.0,
        limits: SignUpLimits | None = None,
        setup: Any = None,
        seed: int = 7,
        **options: Any,
    ) -> None:
        self.game, self.setup = game, established_of(game).sign_up.SETUP if setup is None else setup
        rules = established_of(game).sign_up.sign_up_terms(self.setup)
        periods = tuple(Period(waiting, min(period.least, players)) for period in rules.periods)
        rules = replace(rules, most=players, periods=periods, name_patience=name_patience)
        self.sock = open_listener(LOCAL, 0)
        self.port: int = self.sock.getsockname()[1]
        self.limits = limits or SignUpLimits()
        self.serving: asyncio.Task[HostedResult] = asyncio.create_task(
            host_knock_out(
                game, self.setup, seed, self.sock, sign_up=rules, patience=patience, limits=self.limits, **options
            )
        )

    def client(self, spec: str | None = None, number: int = 0) -> Client:
        strategy = house_strategy(self.game, spec or STRATEGY[self.game.name], derived(1, number))
        return established_of(self.game).client(strategy, self.setup)

    async def honest(self, name: str = "good", spec: str | None = None) -> asyncio.Task[Fault | None]:
        """One more player that does what the protocol says."""
        connection = await sign_up_client(LOCAL, self.port, name)
        return asyncio.create_task(answer_calls(connection, self.client(spec)))

    async def rogue(self, method: str, evil: Evil, /, *, after: int = 0, name: str = "bad") -> asyncio.Task[None]:
        """One that plays well until it has answered `method` so many times, and then does evil."""
        reader, writer = await asyncio.open_connection(LOCAL, self.port)
        writer.write(msgspec.json.encode(name))
        return asyncio.create_task(behave(reader, writer, self.client(), method, after, evil))

    async def deaf(self) -> tuple[socket.socket, asyncio.Task[None]]:
        """One of Trains that answers everything beforehand, legally, and never reads a byte."""
        loop, sock = asyncio.get_running_loop(), socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        sock.connect((LOCAL, self.port))
        sock.setblocking(False)
        proposed = build_network(find_map("small"))
        given_back = [list(proposed.destination(rank)) for rank in range(2, 5)]
        opening = b'"bad"' + msgspec.json.encode(map_to_json(proposed.map)) + b'"void"'

        async def flood() -> None:
            with suppress(ConnectionError):
                await loop.sock_sendall(sock, opening + msgspec.json.encode(given_back))
                await loop.sock_sendall(sock, b'"more cards""void"' * 100_000)

        return sock, asyncio.create_task(flood())

    async def ended(self, *players: asyncio.Task[Any]) -> HostedResult:
        hosted = await self.serving
        for player in players:
            with suppress(ConnectionError):
                await player
        return hosted


async def behave(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, client: Client, method: str, after: int, evil: Evil
) -> None:
    framer = Framer()
    try:
        while data := await reader.read(65_536):
            for value in framer.feed(data):
                call = Call(*msgspec.json.decode(value))
                answer = msgspec.json.encode(client.answer(call))
                if call.method == method and not after:
                    await evil(reader, writer, answer)
                    await reader.read()
                    return
                after -= call.method == method
                writer.write(answer)
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


def sending(data: bytes) -> Evil:
    async def evil(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answer: bytes) -> None:
        writer.write(data)

    return evil


async def against(evil: Evil, method: str = "setup", *, after: int = 0, game: AnyGame = FISH, **options: Any) -> Fault:
    """The fault of a rogue among three; the others must have played on to a proper end."""
    server = Server(game, 3, **options)
    rogue = await server.rogue(method, evil, after=after)
    hosted = await server.ended(await server.honest("good"), await server.honest("fair"))
    await leave(rogue)
    return only_fault(hosted, over=method == "end")


async def leave(rogue: asyncio.Task[None]) -> None:
    """End one that may wait for ever."""
    rogue.cancel()
    with suppress(asyncio.CancelledError, ConnectionError):
        await rogue


def only_fault(hosted: HostedResult, name: str = "bad", *, over: bool = False) -> Fault:
    """The one fault there is; if all was `over` before it, the winner may be the one who lost everything by it."""
    standing = hosted.standing
    assert standing is not None
    faults = dict(zip(hosted.names, standing.faults, strict=True))
    assert [other for other, fault in faults.items() if fault is not None] == [name], faults
    assert standing.winners or over, "the others played on, so somebody won"
    assert all(hosted.names[winner] != name for winner in standing.winners)
    fault = faults[name]
    assert fault is not None
    return fault


def kinds(hosted: HostedResult) -> Sequence[FaultKind | None]:
    assert hosted.standing is not None
    return [fault.kind if fault else None for fault in hosted.standing.faults]


def watch_buffers(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How much waits to be sent on a connection, noted whenever something may have been added."""
    sizes, send, update = [0], PeerConnection.send, PeerConnection.buffer_updated

    def noted(connection: PeerConnection, lines: bytes) -> None:
        send(connection, lines)
        sizes.append(connection.transport.get_write_buffer_size())

    def answered(connection: PeerConnection, nbytes: int) -> None:
        update(connection, nbytes)
        sizes.append(connection.transport.get_write_buffer_size())

    monkeypatch.setattr(PeerConnection, "send", noted)
    monkeypatch.setattr(PeerConnection, "buffer_updated", answered)
    return sizes


class Looking:
    """A pattern that counts the bytes it looks at."""

    def __init__(self, pattern: re.Pattern[bytes]) -> None:
        self.pattern, self.looked_at = pattern, 0

    def search(self, held: bytearray, at: int) -> re.Match[bytes] | None:
        found = self.pattern.search(held, at)
        self.looked_at += (found.end() if found else len(held)) - at
        return found

    def match(self, held: bytearray, at: int) -> re.Match[bytes] | None:
        found = self.pattern.match(held, at)
        self.looked_at += found.end() - at if found else 0
        return found


def count_looks(monkeypatch: pytest.MonkeyPatch) -> list[Looking]:
    """The patterns that cut values out of a stream."""
    patterns = {name: Looking(getattr(framing, name)) for name in ("BLANKS", "STRUCTURE", "STRING", "BARE")}
    for name, pattern in patterns.items():
        monkeypatch.setattr(framing, name, pattern)
    return list(patterns.values())
