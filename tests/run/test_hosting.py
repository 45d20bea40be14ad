"""Contests with awaited players: two calls around a format, and what becomes of everyone."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.contest.contest import Contest, Result, Stop, number_names
from fairplay.core import ContestBegan, ContestEnded, Fault, FaultKind, House, Json
from fairplay.core.chance import derived, derived_seed
from fairplay.core.established import Call
from fairplay.core.game import established_of
from fairplay.course.programs import InlineStage
from fairplay.match.players import house_strategy
from fairplay.match.record import read_record
from fairplay.match.replay import deal_state, replay_record
from fairplay.net.established import EstablishedPlayer
from fairplay.run import hosting as hosting_module
from fairplay.run.competition import Competition
from fairplay.run.engines.pool import Inline
from fairplay.run.hosting import Hosting, hold_contest
from run.contenders import Thinker
from run.contests import contest
from run.knock_outs import Guest, hold_knock_out
from run.peers import FISH, SETUP, SPEC, Near, remote, spoiling


@pytest.mark.parametrize("players", [1, 2, 4, 5, 9, 21])
def test_a_tournament_is_the_knock_out_inline(players: int) -> None:
    """The same winners out of the same deals, and records that replay."""
    entrants = [Guest(f"p{number}", remote(Near())) for number in range(players)]
    lines: dict[int, list[bytes]] = {}
    standing = asyncio.run(
        hold_knock_out(FISH, SETUP, 3, entrants, lambda match, line: lines.setdefault(match.number, []).append(line))
    )
    deals = iter(range(1_000))

    def dealt(seats: int) -> Any:
        return deal_state(FISH, SETUP, derived_seed(3, "deal", next(deals)), seats)

    here = [House(house_strategy(FISH, SPEC, derived(1))) for _ in range(players)]
    assert standing == InlineStage(FISH).play_knockout(here, dealt, range(2, 5))
    assert len(lines) == next(deals)
    for record in map(read_record, lines.values()):
        assert list(replay_record(FISH, record))


def test_everybody_hears_the_beginning_and_whoever_never_faulted_the_end() -> None:
    peers = [Near(), spoiling("take-turn", "pass"), spoiling("start", "ok"), Near(), spoiling("end", 7)]
    entrants = [Guest("x", remote(peer)) for peer in peers]
    standing = asyncio.run(hold_knock_out(FISH, SETUP, 3, entrants))
    assert standing is not None
    assert [fault is not None for fault in standing.faults] == [False, True, True, False, True]
    assert all(peer.calls[0] == "start" for peer in peers)
    assert [peer.calls[-1] for peer in peers] == ["end", "take-turn", "start", "end", "end"]
    assert [bool(peer.closed) for peer in peers] == [False, True, True, False, True]
    assert 4 not in standing.winners


def test_a_winner_who_fails_at_the_end_is_none_and_nobody_takes_its_place() -> None:
    peers = [spoiling("end", None) for _ in range(2)]
    standing = asyncio.run(hold_knock_out(FISH, SETUP, 3, [Guest("x", remote(peer)) for peer in peers]))
    assert standing is not None
    assert standing.winners == ()


def test_names_are_told_apart_for_those_who_watch() -> None:
    """Trains 11.2."""
    assert number_names(["ann", "bob", "ann", "ann"]) == ["ann", "bob", "ann-2", "ann-3"]


class TrainsPeer:
    """Proposes one map, and remembers what it hears of the end."""

    def __init__(self, map: str) -> None:
        trains = GAMES["trains"]
        self.client = established_of(trains).client(
            house_strategy(trains, "buy-now", derived(1)), msgspec.structs.replace(trains.variants["standard"], map=map)
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
    entrants = [Guest("x", EstablishedPlayer(trains, peer, 2.0)) for peer in peers]
    standing = asyncio.run(hold_knock_out(trains, trains.variants["standard"], 3, entrants))
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
    entrants = [Guest("x", EstablishedPlayer(trains, peer, 2.0)) for peer in peers]
    assert asyncio.run(hold_knock_out(trains, trains.variants["standard"], 3, entrants)) is None
    for peer in peers:
        assert peer.heard == [
            established_of(trains).wire.spell_news(ContestBegan()),
            established_of(trains).wire.spell_news(ContestEnded(won=False)),
        ]


def test_a_single_player_of_trains_wins_without_a_map() -> None:
    """Trains 9.3."""
    trains = GAMES["trains"]
    standing = asyncio.run(
        hold_knock_out(
            trains, trains.variants["standard"], 3, [Guest("x", EstablishedPlayer(trains, TrainsPeer("tiny"), 2.0))]
        )
    )
    assert standing is not None
    assert standing.winners == (0,)


def test_names_that_look_like_numbered_ones_are_told_apart_too() -> None:
    assert number_names(["a-2", "a", "a", "a-2"]) == ["a-2", "a", "a-3", "a-2-2"]


def round_robin(*specs: str) -> Contest:
    return replace(contest(*specs), format="round-robin", options={"games": 1})


def test_someone_who_was_thrown_out_once_and_stayed_hears_the_end_and_may_win() -> None:
    class Stumbling(Thinker):
        ended: bool | None = None

        async def choose(self, view: Any) -> Any:
            return Fault(FaultKind.ILLEGAL, "once") if self.log.count("begin") == 1 else await super().choose(view)

        async def hear(self, news: object) -> None:
            if isinstance(news, ContestEnded):
                self.ended = news.won

    stumbling = Stumbling("minimax:depth=2")
    hosting = Hosting(engine=Inline())
    standing = asyncio.run(
        hold_contest(FISH, replace(round_robin("random", "random"), options={"games": 5}), {0: stumbling}, hosting)
    )
    assert standing is not None
    assert standing.faults[0] == Fault(FaultKind.ILLEGAL, "once")
    assert standing.winners == (0,)
    assert stumbling.ended is True


def test_a_contest_that_is_cancelled_ends_its_matches_first() -> None:
    """However often it is cancelled; what was finished is kept."""

    async def cancelled() -> None:
        thinking, released = asyncio.Event(), asyncio.Event()

        async def before(view: Any) -> None:
            thinking.set()
            try:
                await asyncio.Event().wait()
            finally:
                await released.wait()

        thinker = Thinker(before=before)
        hosting = Hosting(engine=Inline())
        holding = asyncio.create_task(hold_contest(FISH, round_robin("random", "greedy"), {0: thinker}, hosting))
        await asyncio.wait_for(thinking.wait(), 120)
        holding.cancel()
        for _ in range(20):
            await asyncio.sleep(0.005)
            holding.cancel()
        assert not holding.done(), "a match is still ending"
        released.set()
        with pytest.raises(asyncio.CancelledError):
            await holding
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(cancelled())


def test_a_report_that_fails_stops_the_contest() -> None:
    def report(competition: Competition, result: Result) -> None:
        raise OSError("no space left")

    hosting = Hosting(engine=Inline(), report=report)
    with pytest.raises(OSError, match="no space left"):
        asyncio.run(hold_contest(FISH, round_robin("random", "greedy"), {0: Thinker()}, hosting))


def test_someone_who_is_away_at_the_end_gets_a_moment_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    class Away(Thinker):
        told = 0

        async def ready(self) -> None:
            if self.log and self.log[-1] == "end":
                await asyncio.Event().wait()

        async def hear(self, news: object) -> None:
            self.told += isinstance(news, ContestEnded)

    monkeypatch.setattr(hosting_module, "LAST_CALL", 0.05)
    away = Away()
    two = replace(round_robin("random", "greedy"), stop=Stop(matches=1))
    asyncio.run(hold_contest(FISH, two, {0: away}, Hosting(engine=Inline())))
    assert away.told == 1
