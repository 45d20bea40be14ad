"""What a seat is told of everything that happens: all of it, once, nothing secret, and never longer lines."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import msgspec
from hypothesis import given, settings, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import Fault, FaultKind, House, Outcome, Removed, Seat, Seen, Turn
from fairplay.core.chance import derived
from fairplay.match.driver import describe_seat, report_event, see_event
from fairplay.match.players import MisbehavingPlayer, house_strategy
from fairplay.match.protocol import Hello, seen_from_json
from fairplay.match.replay import record_match, start_match
from fairplay.net.native import NativePlayer
from fairplay.run.awaited import LocalPlayer, play_awaited
from fairplay.run.inline import TrustedSeating, play_inline
from fairplay.testing.kit import Table
from fairplay.testing.walks import kit, pass_through_json, walk


def _list_seen(name: str, events: list[Any], seat: Seat) -> list[Seen]:
    """What `seat` is told of these events, as long as it is in."""
    told = []
    for number, event in enumerate(events):
        if isinstance(event, Removed) and event.seat == seat:
            break
        told.append(see_event(report_event(GAMES[name], event), number, seat))
    return told


@given(data=st.data(), seed=st.integers(0, 2**32))
def test_nothing_secret_is_told(name: str, data: st.DataObject, seed: int) -> None:
    """`public_action` leaves nothing in an action that others may not know, and makes an action of the game."""
    game, mine = GAMES[name], kit(name)
    found, rng = walk(name, data.draw(mine.tables), seed, 8, faults=True), derived(seed, "scramble")
    for seat in map(Seat, range(len(game.rules.scores(found.states[0])))):
        for number, event in enumerate(found.events):
            seen = see_event(report_event(game, event), number, seat)
            assert seen_from_json(game, pass_through_json(msgspec.to_builtins(seen))) == seen
            if isinstance(event, Turn) and event.seat != seat:
                other = msgspec.structs.replace(event, action=mine.disguise(event.action, seat, rng))
                assert see_event(report_event(game, other), number, seat) == seen
                assert isinstance(seen.action, type(event.action))
            elif isinstance(event, Turn):
                assert seen.action == event.action


@given(data=st.data())
def test_the_public_setup_holds_nothing_secret(name: str, data: st.DataObject) -> None:
    """`public_setup` takes everything out that players may not know, and makes a setup of the game."""
    game, table = GAMES[name], data.draw(kit(name).tables)
    public = game.rules.public_setup(table.setup)
    assert game.rules.public_setup(public) == public
    assert public.variant == table.setup.variant
    assert msgspec.json.decode(msgspec.json.encode(public), type=game.setup) == public
    for one, other in kit(name).alike:
        assert one != other
        assert game.rules.public_setup(one) == game.rules.public_setup(other)


def _make_bot_class(name: str, diary: list[Any]) -> type:
    """A bot with memory that plays at random and writes down what it is told."""

    class Chronicler:
        def __init__(self, seat: Seat, setup: Any, rng: Random) -> None:
            diary.append((seat, setup))
            self.strategy = house_strategy(GAMES[name], "random", rng)

        def choose(self, view: Any) -> Any:
            diary.append("ask")
            return self.strategy(view)

        def hear(self, news: object) -> None:
            diary.append(news)

        def saw(self, turn: Seen) -> None:
            diary.append(turn)

    return Chronicler


def _seat_rivals(name: str, table: Table, seed: int) -> list[Any]:
    """House players, the first of which crashes at its third question."""
    game = GAMES[name]
    players: list[Any] = [House(house_strategy(game, "random", derived(seed, number))) for number in range(table.seats)]
    return [MisbehavingPlayer(players[0], FaultKind.CRASHED, question=2), *players[1:]]


@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=10)
def test_a_bot_with_memory_sees_everything_once_and_in_order(name: str, data: st.DataObject, seed: int) -> None:
    """A player is told of every event once and in order, in this process and at a table of awaited players alike."""
    game, table = GAMES[name], data.draw(kit(name).tables)
    seat, events = Seat(table.seats - 1), list[Any]()
    info = describe_seat(game, table.setup, seat, table.seats)
    diaries: list[list[Any]] = [[], []]
    outcomes: list[Outcome] = []
    for diary in diaries:
        players = _seat_rivals(name, table, seed)
        players[seat] = TrustedSeating(game, _make_bot_class(name, diary))(derived(seed, "me"), info)
        orders = start_match(game, table.setup, seed, table.seats)
        if diary is diaries[0]:
            outcomes.append(play_inline(orders, players, [events.append]))
            continue
        seated = [LocalPlayer(player) for player in players]
        outcomes.append(asyncio.run(play_awaited(orders, seated)))
        seated[seat].end(outcomes[-1])
    assert diaries[0] == diaries[1]
    assert outcomes[0] == outcomes[1]
    assert diaries[0][0] == (seat, info.setup)
    assert [each for each in diaries[0] if isinstance(each, Seen)] == _list_seen(name, events, seat)
    assert {type(each) for each in diaries[0][1:]} <= {str, Seen, *game.news}


class _CountingPeer:
    """A peer that plays at random and counts bytes."""

    may_return = False

    def __init__(self, name: str) -> None:
        self.game, self.lines = GAMES[name], list[bytes]()
        self.strategy = house_strategy(self.game, "random", derived(1))

    def set_recap(self, recap: object) -> None: ...
    async def ready(self) -> None: ...
    def close(self, *, stays: bool = False) -> None: ...

    def say(self, lines: bytes) -> None:
        self.lines += lines.splitlines()

    async def exchange(self, lines: bytes, patience: float) -> bytes | Fault:
        self.say(lines)
        message = msgspec.json.decode(self.lines[-1])
        if message["type"] == "tell":
            return b'{"type":"heard","id":%d}' % message["id"]
        action = self.strategy(self.game.codec.view_from_json(message["view"]))
        return msgspec.json.encode({"type": "answer", "id": message["id"], "action": action})


def test_lines_do_not_grow_with_the_match(name: str) -> None:
    """What is known already is not said again: a late turn takes no more bytes than an early one, or hardly more."""
    game, table = GAMES[name], kit(name).first_table
    peer, lines = _CountingPeer(name), list[bytes]()
    remote = NativePlayer(game, peer, Hello(1, "me", (name,), turns=True), 60.0)
    remote.begin(1, describe_seat(game, table.setup, 0, table.seats), lines)
    players: list[Any] = [LocalPlayer(player) for player in _seat_rivals(name, table, 1)]
    players[0] = remote
    outcome = asyncio.run(play_awaited(record_match(game, table.setup, 1, ("x",) * table.seats, lines.append), players))
    remote.end(outcome)
    for kind in ("ask", "saw", "tell"):
        sizes = [len(line) for line in peer.lines if line.startswith(b'{"type":"%b"' % kind.encode())]
        early, late = sizes[: len(sizes) // 2 + 1], sizes[len(sizes) // 2 + 1 :]
        assert not late or max(late) <= 1.5 * max(early), (kind, sizes)
    seen = [msgspec.json.decode(line)["number"] for line in peer.lines if line.startswith(b'{"type":"saw"')]
    assert seen == [*range(len(seen))]
