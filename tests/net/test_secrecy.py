"""Every byte that goes to a seat over a real socket stays the same when all that it may not know is changed."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import Fault, FaultKind, House, Seat
from fairplay.core.chance import derived
from fairplay.core.established import Call
from fairplay.match.referee import referee
from fairplay.net.connection import PeerConnection, read_buffer
from fairplay.net.established import EstablishedPlayer, sign_up_client
from fairplay.net.framing import Framer
from fairplay.net.sign_up import open_listener
from fairplay.run.awaited import LocalPlayer, play_awaited
from kit import kit, walk

from .tables import FISH, LOCAL, Server

QUESTIONS = {"fish": {"setup", "take-turn"}, "trains": {"pick", "play"}, "labyrinth": {"take-turn"}}


async def connected(
    make: Callable[[memoryview], PeerConnection] = PeerConnection,
) -> tuple[PeerConnection, socket.socket]:
    """Both ends of a TCP connection: ours, and the bare socket of somebody who captures every byte."""
    loop = asyncio.get_running_loop()
    with open_listener(LOCAL, 0) as listener:
        theirs = socket.create_connection(listener.getsockname())
        ours, _ = await loop.sock_accept(listener)
    ours.setblocking(False)
    theirs.setblocking(False)
    connection = make(read_buffer())
    await loop.connect_accepted_socket(lambda: connection, ours)
    return connection, theirs


async def captured(name: str, state: Any, seats: int, seat: Seat) -> bytes:
    """All that `seat` is sent in a match from `state` on, up to and with the first question it is asked."""
    game, loop = GAMES[name], asyncio.get_running_loop()
    connection, theirs = await connected()
    players: list[Any] = [LocalPlayer(House(lambda view: game.rules.legal_actions(view)[0])) for _ in range(seats)]
    players[seat] = EstablishedPlayer(game, connection, 10.0)
    running = asyncio.create_task(play_awaited(referee(game, state, seats), players))
    framer, sent, asked = Framer(), b"", False
    while not asked:
        data = await asyncio.wait_for(loop.sock_recv(theirs, 65_536), 120)
        assert data, "the seat is asked before anything ends"
        sent += data
        for value in framer.feed(data):
            asked = Call(*msgspec.json.decode(value)).method in QUESTIONS[name]
            if not asked:
                await loop.sock_sendall(theirs, b'"void"')
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    theirs.close()
    connection.close()
    await asyncio.sleep(0)
    return sent


@pytest.mark.parametrize("name", list(QUESTIONS))
@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 20))
@settings(max_examples=25)
def test_hidden_changes_do_not_reach_the_wire(name: str, data: st.DataObject, seed: int, turns: int) -> None:
    table = data.draw(kit(name).tables)
    found = walk(name, table, seed, turns, faults=True)
    seat = found.game.rules.to_move(found.state)
    assume(seat is not None)
    assert seat is not None
    other = kit(name).scramble(found.state, seat, derived(seed, "scramble"))
    sent = asyncio.run(captured(name, found.state, table.seats, seat))
    assert sent
    assert asyncio.run(captured(name, other, table.seats, seat)) == sent


def test_a_leak_would_be_seen() -> None:
    """What a seat may know does reach the wire: another hand of its own makes other bytes."""
    table = kit("trains").perft[0].table
    sent = set()
    for seed in range(4):
        found = walk("trains", table, seed, table.seats)  # everybody has picked
        seat = found.game.rules.to_move(found.state)
        assert seat is not None
        sent.add(asyncio.run(captured("trains", found.state, table.seats, seat)))
    assert len(sent) > 1


def test_whoever_is_removed_or_refused_is_told_nothing() -> None:
    """No reason, no error text: the connection just closes."""

    async def told() -> tuple[bytes, bytes]:
        server = Server(FISH, 2)
        refused = await asyncio.open_connection(LOCAL, server.port)
        refused[1].write(b'"no such name!"')
        nothing = await refused[0].read()
        removed = await asyncio.open_connection(LOCAL, server.port)
        removed[1].write(b'"bad" "nonsense"')
        honest = await server.honest("good")
        last = await removed[0].read()
        await server.ended(honest)
        for _, writer in (refused, removed):
            writer.close()
        return nothing, last

    nothing, last = asyncio.run(told())
    assert nothing == b""
    assert last == b'["start",[true]]'


def test_the_signed_up_hear_nothing_before_the_first_call() -> None:
    async def heard() -> None:
        server = Server(FISH, 2)
        connection = await sign_up_client(LOCAL, server.port, "ann")
        assert await connection.value(0.3) == Fault(FaultKind.TIMED_OUT, "no answer within 0.3 s")
        honest = await server.honest("bob")
        assert await connection.value(10.0) == ["start", [True]]
        connection.close()
        await server.ended(honest)

    asyncio.run(heard())
