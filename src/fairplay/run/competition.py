"""Run a contest: rounds from its format, matches to an engine, results to a keeper, tables at the end.

This is the only thing that runs a contest, no matter who its entrants are and where its matches are played.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from time import monotonic

import msgspec

from fairplay.contest.contest import Contest, Match, Result, broken_outcome
from fairplay.contest.formats.formats import has_fixed_rounds
from fairplay.contest.schedule import schedule_of
from fairplay.contest.scoreboard import Scoreboard, Tables, tables_of
from fairplay.contest.sequential import candidate_test
from fairplay.core import AnyGame, EngineError, RuleBookError, RuleBookFailure
from fairplay.run.engines.pool import Engine
from fairplay.run.keeping import Keeper

WRITE_EVERY = 0.5
"""Seconds between two writes of finished matches."""

FLUSH_AFTER = 500
"""Results that are written at once, however little time has passed."""


class Competition:
    """A contest being run: iterate over its new results; its tables so far can be read at any time."""

    def __init__(self, game: AnyGame, contest: Contest, keeper: Keeper) -> None:
        self.contest, self.keeper, self.seats = contest, keeper, game.seats
        self.board = Scoreboard(contest)
        self.trial = candidate_test(contest, game.seats)
        self.schedule = schedule_of(contest, game.seats)
        self.broken: dict[int, RuleBookFailure] = {}  # matches that a rule book broke off, by number
        self.tables: Tables | None = None  # once it is over

    @property
    def winners(self) -> list[int]:
        """Those who won it, by number; none before it is over."""
        return self.schedule.winners

    def results(self, engine: Engine) -> Generator[Result, None, None]:
        """Play what is missing; every new result once it is kept, in any order.

        Matches that a rule book breaks off do not keep others from being played; in the end RuleBookError is raised for
        them, and the contest can be resumed.  EFFECT: finishes the contest when it comes to its end.
        """
        with self.keeper.lease():
            for result in self.keeper.results():
                self._count(result)
            with engine:
                for result in self._play(engine):
                    self._count(result)
                    yield result
                    if self.is_decided:
                        break
            if self.broken:
                raise RuleBookError(*(self.broken[number] for number in sorted(self.broken)))
            self.tables, _ = tables_of(self.contest, self.keeper.results(), self.seats)
            self.keeper.finish(msgspec.json.encode(self.tables))

    def _play(self, engine: Engine) -> Iterator[Result]:
        """Play what is missing of all rounds."""
        while matches := self.schedule.next_matches(self.contest):
            known = self.keeper.outcomes([match.number for match in matches])
            for result in self._play_round([match for match in matches if match.number not in known], engine):
                known[result.number] = result.outcome
                yield result
            if self.broken and not has_fixed_rounds(self.contest):
                return  # the next round follows from results that are not there
            self.schedule.report([known.get(match.number) or broken_outcome(len(match.line_up)) for match in matches])

    def _play_round(self, missing: Sequence[Match], engine: Engine) -> Iterator[Result]:
        if missing:
            results = self._set_broken_aside(engine.results(self.contest, missing))
            for batch in filter(None, _gather_results(results)):
                yield from self.keeper.add(batch)

    def _set_broken_aside(self, results: Iterable[Result]) -> Iterator[Result]:
        """The matches that were played to their end."""
        for result in results:
            if result.failure is None:
                yield result
            else:
                self.broken[result.number] = result.failure

    def _count(self, result: Result) -> None:
        self.board.add(result)
        if self.trial is not None:
            self.trial.add(result.number, result.line_up, result.outcome)

    @property
    def is_decided(self) -> bool:
        """Has the test that the contest stops for come to a verdict?"""
        return self.trial is not None and self.trial.test.verdict != "undecided"


def _gather_results(results: Iterable[Result]) -> Iterator[list[Result]]:
    """Results in batches worth a write; what is finished is given out even when the engine stops before its end."""
    batch: list[Result] = []
    due = monotonic() + WRITE_EVERY
    try:
        for result in results:
            batch.append(result)
            if monotonic() >= due or len(batch) >= FLUSH_AFTER:
                yield batch
                batch, due = [], monotonic() + WRITE_EVERY
    except (KeyboardInterrupt, EngineError):
        yield batch
        raise
    yield batch
