"""Matches that a rule book breaks off: the others are played, and a resumption tries them again."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.contest.contest import Contest
from fairplay.core import AnyGame, RuleBookError
from fairplay.match.players import house_strategy
from fairplay.run.competition import Competition
from fairplay.run.engines.mixed import MixedEngine
from fairplay.run.engines.pool import Inline, Pool
from fairplay.run.keeping import MemoryKeeper
from faulty_games import series
from run.contenders import Thinker, TurnKeeper

pytestmark = pytest.mark.usefixtures("faulty_games")

BROKEN, PLAYED = [1, 2], [0, 3]
"""Of four matches of `faulty_apply` dealt from seeds 1 to 4."""


def play(game: AnyGame, contest: Contest, keeper: MemoryKeeper, engine: Any) -> Competition:
    competition = Competition(game, contest, keeper)
    for result in competition.results(engine):
        assert result.number in keeper.outcomes([result.number])
    return competition


@pytest.mark.parametrize("engine", [Inline, lambda: Pool(2)], ids=["here", "pool"])
def test_the_other_matches_are_played_and_a_mended_rule_book_plays_the_rest(engine: Any) -> None:
    game, keeper = GAMES["faulty_apply"], MemoryKeeper()
    contest = series(game, "random", "random")
    with pytest.raises(RuleBookError) as failed:
        play(game, contest, keeper, engine())
    told = {failure.match: (failure.seed, failure.turn) for failure in failed.value.failures}
    assert told == {f"{number} (player 0, player 1)": (1 + number, 1) for number in BROKEN}
    assert sorted(keeper.outcomes(range(4))) == PLAYED and not keeper.tables
    mended = replace(contest, game="nim")
    assert play(GAMES["nim"], mended, keeper, engine()).tables is not None
    assert sorted(keeper.outcomes(range(4))) == [0, 1, 2, 3]


def test_rounds_that_follow_from_results_wait_for_them() -> None:
    game, keeper = GAMES["faulty_apply"], MemoryKeeper()
    contest = series(game, *["random"] * 4)
    swiss = replace(contest, format="swiss", options={"rounds": 3, "games": 1})
    with pytest.raises(RuleBookError) as failed:
        play(game, swiss, keeper, Inline())
    rounds = {int(failure.match.split()[0]) // 4 for failure in failed.value.failures}
    assert len(rounds) == 1, "four matches a round, and all that broke off were of one round"
    assert {number // 4 for number in keeper.outcomes(range(12))} == set(range(max(rounds) + 1)) < {0, 1, 2}


def test_awaited_players_are_told_that_a_match_broke_off_and_play_the_next(faulty_games: None) -> None:
    game, keeper = GAMES["faulty_apply"], TurnKeeper()
    endings: list[str] = []

    class Listening(Thinker):
        def begin(self, *told: Any) -> None:
            super().begin(*told)
            self.strategy = house_strategy(game, "first", Random(1))

        def end(self, outcome: Any) -> None:
            endings.append(outcome.ending)
            super().end(outcome)

    async def work() -> None:
        player = Listening()
        contest = series(game, "connection:native", "random")
        engine = MixedEngine(game, {0: player}, Inline(), keeper, asyncio.get_running_loop())
        await asyncio.to_thread(play, game, contest, keeper, engine)

    with pytest.raises(RuleBookError) as failed:
        asyncio.run(work())
    assert len(failed.value.failures) == endings.count("broken off") > 0
    assert len(endings) == 4
