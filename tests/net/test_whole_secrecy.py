"""Every byte that a seat is sent over a real socket, from the first of a match to the last, holds nothing hidden.

A match is played twice.  The second time the seat is shown, at every single step, a table on which all that it may not
know has been changed at random, while the real match goes on as before.  The bytes must be the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace as changed

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, House, Seat, Turn
from fairplay.core.chance import derived
from fairplay.core.established import Call
from fairplay.core.game import established_of
from fairplay.match.driver import describe_seat
from fairplay.match.players import house_strategy
from fairplay.match.protocol import LONGEST, Hello
from fairplay.match.replay import start_match
from fairplay.net.connection import PeerConnection
from fairplay.net.established import EstablishedPlayer
from fairplay.net.framing import Framer, Lines
from fairplay.net.native import ClientConversation, NativePlayer
from fairplay.net.session import Session
from fairplay.net.strangers import hash_secret
from fairplay.run.awaited import LocalPlayer, play_awaited
from kit import Table, kit

from .tables import STRATEGY
from .test_secrecy import connected

Told = Iterable[tuple[Seat, object]]


class Blurred:
    """A rule book that shows one seat everything through states with all it may not know changed."""

    def __init__(self, name: str, rules: Any, seat: Seat, rng: Random) -> None:
        self.rules, self.seat = rules, seat
        self.scramble, self.rng = kit(name).scramble, rng

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rules, name)

    def blur(self, state: Any) -> Any:
        return self.scramble(state, self.seat, self.rng)

    def view(self, state: Any, seat: Seat) -> Any:
        return self.rules.view(self.blur(state) if seat == self.seat else state, seat)

    def opening(self, state: Any, wave: int) -> Told:
        return self.mixed(self.rules.opening(state, wave), self.rules.opening(self.blur(state), wave))

    def notices(self, event: Any) -> Told:
        before, after = self.blur(event.before), self.blur(event.after)
        if isinstance(event, Turn) and event.seat == self.seat:
            after = own_cards_kept(event, after)
        return self.mixed(self.rules.notices(event), self.rules.notices(changed(event, before=before, after=after)))

    def closing(self, state: Any, ranking: Any) -> Told:
        return self.mixed(self.rules.closing(state, ranking), self.rules.closing(self.blur(state), ranking))

    def mixed(self, real: Told, blurred: Told) -> Iterator[tuple[Seat, object]]:
        """What everybody else is told for real, and this seat as it looks when all else is changed."""
        own = [news for seat, news in blurred if seat == self.seat]
        for seat, news in real:
            if seat != self.seat:
                yield seat, news
            elif own:
                yield seat, own.pop(0)
        yield from ((self.seat, news) for news in own)


def own_cards_kept(event: Any, blurred: Any) -> Any:
    """In Trains whoever draws sees what it draws: that part of the deck is no secret of this turn."""
    if not hasattr(event.after, "deck"):
        return blurred
    start, end = event.before.drawn, event.after.drawn
    return changed(blurred, deck=blurred.deck[:start] + event.after.deck[start:end] + blurred.deck[end:])


class Leaky:
    """A rule book with a fault: one seat is told what the others are told in private."""

    def __init__(self, rules: Any, seat: Seat) -> None:
        self.rules, self.seat = rules, seat

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rules, name)

    def notices(self, event: Any) -> Told:
        for seat, news in self.rules.notices(event):
            yield seat, news
            if seat != self.seat:
                yield self.seat, news


async def captured(game: AnyGame, table: Table, seed: int, seat: Seat, protocol: str) -> bytes:
    """All that `seat` is sent over one whole match."""
    connection, theirs = await connected(PeerConnection if protocol == "established" else lines_connection)
    spec = STRATEGY[game.name]
    players: list[Any] = [
        LocalPlayer(House(house_strategy(game, spec, derived(seed, number)))) for number in range(table.seats)
    ]
    if protocol == "established":
        players[seat] = EstablishedPlayer(game, connection, 20.0)
    else:
        session = Session(hash_secret("secret"), 0.0, connection)
        players[seat] = NativePlayer(game, session, Hello(1, "me", (game.name,), legal=True, turns=True), 20.0)
    players[seat].begin(7, describe_seat(game, table.setup, seat, table.seats), ())
    listening = asyncio.create_task(heard(theirs, answering(game, table, seed, protocol)))
    outcome = await play_awaited(start_match(game, table.setup, seed, table.seats), players)
    if outcome.faults[seat] is None:
        players[seat].end(outcome)
    players[seat].close()
    connection.finish()
    sent = await listening
    theirs.close()
    await asyncio.sleep(0)
    return sent


def lines_connection(room: memoryview) -> PeerConnection:
    return PeerConnection(room, Lines(longest=LONGEST))


def answering(game: AnyGame, table: Table, seed: int, protocol: str) -> Callable[[bytes], bytes]:
    """Makes answers out of the pieces of bytes that come, as a client does that knows nothing else."""
    strategy = house_strategy(game, STRATEGY[game.name], derived(seed, "me"))
    if protocol == "native":
        visitor, lines = ClientConversation(game, lambda chance, info: House(strategy), "me"), Lines(longest=2**24)
        return lambda data: b"".join(visitor.reply(line) for line in lines.feed(data))
    client, framer = established_of(game).client(strategy, table.setup), Framer()
    return lambda data: b"".join(
        msgspec.json.encode(client.answer(Call(*msgspec.json.decode(value)))) for value in framer.feed(data)
    )


async def heard(sock: Any, answer: Callable[[bytes], bytes]) -> bytes:
    loop, sent = asyncio.get_running_loop(), b""
    with suppress(ConnectionError):
        while data := await asyncio.wait_for(loop.sock_recv(sock, 65_536), 120):
            sent += data
            await loop.sock_sendall(sock, answer(data))
    return sent


def same(name: str, table: Table, seed: int, seat: Seat, protocol: str, rules: Any) -> bool:
    """Is the seat sent the same where all that it may not know is another?"""
    game = replace(GAMES[name], rules=rules)
    other = replace(game, rules=Blurred(name, rules, seat, derived(seed, "blur")))
    sent = asyncio.run(captured(game, table, seed, seat, protocol))
    assert sent
    return asyncio.run(captured(other, table, seed, seat, protocol)) == sent


PLAYED = pytest.mark.parametrize("name", ["fish", "trains", "labyrinth"])
SPOKEN = pytest.mark.parametrize("protocol", ["established", "native"])


@PLAYED
@SPOKEN
@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=20)
def test_no_byte_of_a_whole_match_depends_on_what_is_hidden(
    name: str, protocol: str, data: st.DataObject, seed: int
) -> None:
    table = data.draw(kit(name).tables)
    seat = Seat(data.draw(st.integers(0, table.seats - 1)))
    assert same(name, table, seed, seat, protocol, GAMES[name].rules)


@pytest.mark.parametrize("name", ["trains", "labyrinth"])
@SPOKEN
def test_a_leak_is_seen(name: str, protocol: str) -> None:
    """One piece of private news of a rival is enough."""
    setup = GAMES[name].variants["multi-goal" if name == "labyrinth" else "standard"]
    seat, rules = Seat(0), GAMES[name].rules
    assert same(name, Table(setup, 2), 3, seat, protocol, rules)
    assert not same(name, Table(setup, 2), 3, seat, protocol, Leaky(rules, seat))
