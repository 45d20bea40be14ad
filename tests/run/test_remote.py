"""Orders carried out by players who may take their time: what they say is understood here or is their fault."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from fairplay.catalog import GAMES
from fairplay.core import ContestBegan, ContestEnded, Fault, FaultKind, House, Json
from fairplay.core.chance import derived, derived_seed
from fairplay.games.fish.state import PlayingAs, Setup
from fairplay.harness.stage import InlineStage
from fairplay.parts.established import Call
from fairplay.play.players import house
from fairplay.play.record import deal, match, read, recorded, replay
from fairplay.run import inline
from fairplay.run.remote import Entrant, Local, Remote, distinct, run, tournament

FISH = GAMES["fish"]
SETUP = Setup(rows=5, columns=5)  # the fish at random, so that every deal is another
SPEC = "minimax:depth=1"


class Near:
    """A peer in this process: a client of the protocol, whose answers can be spoilt."""

    def __init__(self, spoil: Callable[[Call, Json], Json] = lambda call, answer: answer) -> None:
        self.client, self.spoil = FISH.established.client(house(FISH, SPEC, derived(1)), SETUP), spoil
        self.calls: list[str] = []
        self.closed = 0

    async def exchange(self, call: Call, patience: float) -> Json | Fault:
        assert patience == 3.0
        assert not self.closed, "nobody is called after being hung up on"
        self.calls.append(call.method)
        await asyncio.sleep(0)
        return self.spoil(call, self.client.answer(call))

    def close(self) -> None:
        self.closed += 1


def remote(peer: Near) -> Remote:
    return Remote(FISH, peer, 3.0)


def spoiling(method: str, answer: Json) -> Near:
    return Near(lambda call, right: answer if call.method == method else right)


def test_a_remote_match_is_the_match_inline() -> None:
    ours, theirs = list[bytes](), list[bytes]()
    names = ("a", "b", "c")
    near = run(recorded(FISH, SETUP, 5, names, ours.append), [remote(Near()) for _ in names])
    here = [House(house(FISH, SPEC, derived(1))) for _ in names]
    assert asyncio.run(near) == inline.run(recorded(FISH, SETUP, 5, names, theirs.append), here)
    assert ours == theirs


@pytest.mark.parametrize(
    ("method", "answer", "kind"),
    [
        ("playing-as", "ok", FaultKind.MALFORMED),
        ("setup", [0, "0"], FaultKind.MALFORMED),
        ("setup", [9, 9], FaultKind.ILLEGAL),
        ("setup", [10**6, 0], FaultKind.MALFORMED),
        ("take-turn", False, FaultKind.MALFORMED),
        ("take-turn", Fault(FaultKind.TIMED_OUT, "late"), FaultKind.TIMED_OUT),
        ("playing-with", Fault(FaultKind.GONE), FaultKind.GONE),
    ],
)
def test_whoever_faults_is_hung_up_on_and_the_others_play_on(method: str, answer: Json, kind: FaultKind) -> None:
    bad, good = spoiling(method, answer), Near()
    outcome = asyncio.run(run(match(FISH, SETUP, 5, 2), [remote(bad), remote(good)]))
    assert outcome.faults[0] is not None
    assert (outcome.faults[0].kind, outcome.faults[1]) == (kind, None)
    assert outcome.winners == (1,)
    assert bad.closed
    assert not good.closed
    assert bad.calls[-1] == method


def test_a_malformed_answer_says_where() -> None:
    outcome = asyncio.run(run(match(FISH, SETUP, 5, 2), [remote(spoiling("setup", [0, "0"])), remote(Near())]))
    assert outcome.faults[0] == Fault(FaultKind.MALFORMED, "Expected int, got str at $[1]")


def test_an_observer_that_raises_is_dropped() -> None:
    seen: list[Any] = []

    def failing(event: Any) -> None:
        seen.append(event)
        raise RuntimeError

    outcome = asyncio.run(run(match(FISH, SETUP, 5, 2), [remote(Near()), remote(Near())], [failing]))
    assert len(seen) == 1
    assert outcome.faults == (None, None)


def test_news_without_a_call_needs_no_answer() -> None:
    peer = Near()
    assert asyncio.run(remote(peer).hear("something the protocol has no word for")) is None
    assert peer.calls == []
    assert asyncio.run(remote(peer).hear(PlayingAs(0))) == "void"


def test_players_of_the_house_sit_among_remote_ones() -> None:
    players: list[Any] = [remote(Near()), Local(House(house(FISH, SPEC, derived(1))))]
    outcome = asyncio.run(run(match(FISH, SETUP, 5, 2), players))
    assert outcome == inline.run(match(FISH, SETUP, 5, 2), [House(house(FISH, SPEC, derived(1)))] * 2)


def test_a_house_player_that_crashes_is_out() -> None:
    players: list[Any] = [Local(House(lambda view: 1 // 0)), remote(Near())]
    outcome = asyncio.run(run(match(FISH, SETUP, 5, 2), players))
    assert outcome.faults[0] is not None
    assert outcome.faults[0].kind is FaultKind.CRASHED


@pytest.mark.parametrize("players", [1, 2, 4, 5, 9, 21])
def test_a_tournament_is_the_knock_out_inline(players: int) -> None:
    """The same winners out of the same deals, and records that replay."""
    entrants = [Entrant(f"p{number}", remote(Near())) for number in range(players)]
    lines: dict[int, list[bytes]] = {}
    standing = asyncio.run(tournament(FISH, SETUP, 3, entrants, lambda number: lines.setdefault(number, []).append))
    deals = iter(range(1_000))

    def dealt(seats: int) -> Any:
        return deal(FISH, SETUP, derived_seed(3, "deal", next(deals)), seats)

    here = [House(house(FISH, SPEC, derived(1))) for _ in range(players)]
    assert standing == InlineStage(FISH).knock_out(here, dealt, range(2, 5))
    assert len(lines) == next(deals)
    for record in map(read, lines.values()):
        assert list(replay(FISH, record))


def test_everybody_hears_the_beginning_and_whoever_never_faulted_the_end() -> None:
    peers = [Near(), spoiling("take-turn", "pass"), spoiling("start", "ok"), Near(), spoiling("end", 7)]
    entrants = [Entrant("x", remote(peer)) for peer in peers]
    standing = asyncio.run(tournament(FISH, SETUP, 3, entrants))
    assert standing is not None
    assert [fault is not None for fault in standing.faults] == [False, True, True, False, True]
    assert all(peer.calls[0] == "start" for peer in peers)
    assert [peer.calls[-1] for peer in peers] == ["end", "take-turn", "start", "end", "end"]
    assert [bool(peer.closed) for peer in peers] == [False, True, True, False, True]
    assert 4 not in standing.winners


def test_a_winner_who_fails_at_the_end_is_none_and_nobody_takes_its_place() -> None:
    peers = [spoiling("end", None) for _ in range(2)]
    standing = asyncio.run(tournament(FISH, SETUP, 3, [Entrant("x", remote(peer)) for peer in peers]))
    assert standing is not None
    assert standing.winners == ()


def test_names_are_told_apart_for_those_who_watch() -> None:
    """Trains 11.2."""
    assert distinct(["ann", "bob", "ann", "ann"]) == ["ann", "bob", "ann-2", "ann-3"]


class TrainsPeer:
    """Proposes one map, and remembers what it hears of the end."""

    def __init__(self, map: str) -> None:
        trains = GAMES["trains"]
        assert trains.established is not None and trains.editor is not None
        self.client = trains.established.client(
            house(trains, "buy-now", derived(1)), trains.editor.setup(map, trains.variants["standard"])
        )
        self.maps: list[Json] = []
        self.heard: list[Call] = []

    async def exchange(self, call: Call, patience: float) -> Json | Fault:
        self.heard.append(call)
        if call.method == "setup":
            self.maps.append(call.arguments[0])
        return self.client.answer(call)

    def close(self) -> None: ...


@pytest.mark.parametrize(("maps", "chosen"), [(["tiny", "small", *["coast"] * 5], 1), (["coast", "small"], 0)])
def test_trains_are_played_on_the_oldest_players_map_that_suffices(maps: list[str], chosen: int) -> None:
    """Trains 9.4: tiny is enough for six, not for seven."""
    trains = GAMES["trains"]
    peers = [TrainsPeer(map) for map in maps]
    entrants = [Entrant("x", Remote(trains, peer, 2.0)) for peer in peers]
    standing = asyncio.run(tournament(trains, trains.variants["standard"], 3, entrants))
    assert standing is not None
    assert standing.faults == (None,) * len(maps)
    proposed = peers[chosen].heard[0]
    assert proposed == Call("start", [True])
    for peer in peers:
        assert peer.maps == [peers[chosen].client.answer(proposed)]


def test_without_a_map_that_suffices_everybody_is_told_the_end() -> None:
    """Trains 9.4, 14.13."""
    trains = GAMES["trains"]
    peers = [TrainsPeer("tiny") for _ in range(8)]
    entrants = [Entrant("x", Remote(trains, peer, 2.0)) for peer in peers]
    assert asyncio.run(tournament(trains, trains.variants["standard"], 3, entrants)) is None
    for peer in peers:
        assert peer.heard == [
            trains.established.wire.told(ContestBegan()),
            trains.established.wire.told(ContestEnded(won=False)),
        ]


def test_a_single_player_of_trains_wins_without_a_map() -> None:
    """Trains 9.3."""
    trains = GAMES["trains"]
    standing = asyncio.run(
        tournament(trains, trains.variants["standard"], 3, [Entrant("x", Remote(trains, TrainsPeer("tiny"), 2.0))])
    )
    assert standing is not None
    assert standing.winners == (0,)
