"""Running a contest: rounds, known results, keeping, tables, and stopping."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Self

import msgspec
import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.contest.contest import Contest, Match, Result, Stop
from fairplay.contest.scoreboard import tables_of
from fairplay.core import StoreError
from fairplay.run.competition import Competition
from fairplay.run.engines.pool import Inline, WorkerError
from fairplay.run.keeping import MemoryKeeper

from .contests import by_number, contest

FISH = GAMES["fish"]
ROUNDS = replace(contest("random", "greedy", "random", "greedy"), format="swiss", options={"rounds": 2, "games": 1})
FIRST_ROUND = range(4)
ALL = range(8)


class Backwards(Inline):
    """An engine that finishes the last match first, and may be interrupted."""

    def __init__(self, interrupted_after: int | None = None, by: type[BaseException] = KeyboardInterrupt) -> None:
        super().__init__()
        self.interrupted_after, self.by = interrupted_after, by
        self.played: list[int] = []

    def __enter__(self) -> Self:
        return self

    def results(self, contest: Contest, matches: Iterable[Match]) -> Iterator[Result]:
        for result in super().results(contest, list(matches)[::-1]):
            if len(self.played) == self.interrupted_after:
                raise self.by
            self.played.append(result.number)
            yield result


def play_all(engine: Inline, keeper: MemoryKeeper | None = None) -> tuple[list[Result], Competition]:
    competition = Competition(FISH, ROUNDS, keeper or MemoryKeeper())
    return list(competition.results(engine)), competition


def test_the_order_in_which_matches_finish_changes_nothing() -> None:
    one, competition = play_all(Inline())
    other, backwards = play_all(Backwards())
    assert by_number(one) == by_number(other)
    assert [result.number for result in one] == list(ALL)
    assert [result.number for result in other] == [*FIRST_ROUND[::-1], *ALL[4:][::-1]]
    assert competition.tables is not None
    assert competition.tables == backwards.tables
    assert competition.winners == backwards.winners != []


def test_what_was_played_before_is_not_played_again() -> None:
    everything, unbroken = play_all(Inline())
    keeper, known = MemoryKeeper(), (0, 3, 6)
    keeper.add([result for result in everything if result.number in known])
    engine = Backwards()
    again, resumed = play_all(engine, keeper)
    assert engine.played == [2, 1, 7, 5, 4]
    assert by_number(again) == [each for each in by_number(everything) if each[0] not in known]
    assert resumed.tables == unbroken.tables
    assert resumed.board.matches == len(ALL)


def test_a_result_is_kept_before_it_is_reported_and_the_tables_at_the_end() -> None:
    keeper = MemoryKeeper()
    competition = Competition(FISH, ROUNDS, keeper)
    for result in competition.results(Inline()):
        assert result.number in keeper.outcomes(ALL)
        assert competition.tables is None
    assert keeper.tables == msgspec.json.encode(tables_of(ROUNDS, keeper.results(), FISH.seats)[0])


@pytest.mark.parametrize("error", [KeyboardInterrupt, WorkerError])
def test_what_was_finished_is_kept_on_an_interrupt_or_when_the_engine_gives_up(error: type[BaseException]) -> None:
    keeper = MemoryKeeper()
    with pytest.raises(error):
        play_all(Backwards(3, error), keeper)
    assert sorted(keeper.outcomes(ALL)) == [1, 2, 3]
    assert keeper.tables == b""


def test_a_keeper_that_fails_stops_the_contest() -> None:
    class Full(MemoryKeeper):
        def add(self, results: Sequence[Result]) -> Sequence[Result]:
            raise StoreError("no space left")

    with pytest.raises(StoreError, match="no space left"):
        play_all(Inline(), Full())


def test_a_contest_that_is_decided_stops_before_its_end() -> None:
    tested = replace(
        contest("minimax:depth=1", "random"),
        options={"games": 1000},
        stop=Stop(candidate="player 0", margin=0.2, indifference=0.1),
    )
    keeper = MemoryKeeper()
    competition = Competition(FISH, tested, keeper)
    played = len(list(competition.results(Inline())))
    assert competition.is_decided
    assert played < 2000
    assert keeper.tables


def test_an_engine_is_left_when_nobody_wants_more_results() -> None:
    class Entered(Inline):
        inside = 0

        def __enter__(self) -> Self:
            self.inside += 1
            return self

        def __exit__(self, *error: object) -> None:
            self.inside -= 1

    engine = Entered()
    results = Competition(FISH, ROUNDS, MemoryKeeper()).results(engine)
    next(results)
    assert engine.inside == 1
    results.close()
    assert engine.inside == 0
