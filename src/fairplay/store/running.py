"""Run a contest of a store: play what is missing, stop when it is decided, and keep its tables."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import msgspec

from fairplay.contest.conduct import limited
from fairplay.contest.contest import Result
from fairplay.contest.formats.formats import schedule
from fairplay.contest.scoreboard import Scoreboard, tables_of
from fairplay.contest.sequential import candidate_test
from fairplay.core import AnyGame
from fairplay.run.contest import carry_out
from fairplay.run.engines.pool import Engine

if TYPE_CHECKING:
    from fairplay.store.store import Store

__all__ = ["Running"]


class Running:
    """A contest being run: iterate over its new results; what came of it can be asked at any time."""

    def __init__(self, store: Store, id: int, game: AnyGame) -> None:
        self.store, self.id = store, id
        self.contest = store.contest(id)
        self.seats = game.seats
        self.board = Scoreboard(self.contest)
        self.trial = candidate_test(self.contest, game.seats)

    def results(self, engine: Engine) -> Generator[Result, None, None]:
        """Every new result once it is kept.  EFFECT: finishes the contest in the store where it comes to its end."""
        with self.store.lease(self.id):
            for result in self.store.results(self.id):
                self.count(result)
            rounds = limited(schedule(self.contest, self.seats), self.contest.stop.matches)
            with engine:
                for result in carry_out(self.contest, rounds, engine, self.known, self.keep):
                    self.count(result)
                    yield result
                    if self.decided:
                        break
            tables, _ = tables_of(self.contest, self.store.results(self.id), self.seats)
            self.store.finish(self.id, msgspec.json.encode(tables))

    def count(self, result: Result) -> None:
        self.board.add(result)
        if self.trial is not None:
            self.trial.add(result.number, result.line_up, result.outcome)

    @property
    def decided(self) -> bool:
        return self.trial is not None and self.trial.test.verdict != "undecided"

    def known(self, numbers: Any) -> Any:
        return self.store.outcomes(self.id, numbers)

    def keep(self, results: list[Result]) -> None:
        self.store.add(self.id, results)
