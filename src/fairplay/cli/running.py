"""Run a contest of a store: play what is missing, stop when it is decided, and make its tables."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from fairplay.core import AnyGame, UsageError
from fairplay.play.contest import Contest, Fixture, Result
from fairplay.play.formats import expected_matches, pass_length, schedule
from fairplay.play.rounds import Rounds
from fairplay.play.scoreboard import Scoreboard, Tables
from fairplay.play.sequential import SequentialTest, Trial
from fairplay.run.contest import carry_out
from fairplay.run.pool import Engine

if TYPE_CHECKING:
    from fairplay.store.store import Store

__all__ = ["Running", "tables_of", "total_of", "trial_of"]


class Running:
    """A contest being run: iterate over its new results; what came of it can be asked at any time."""

    def __init__(self, store: Store, id: int, game: AnyGame) -> None:
        self.store, self.id = store, id
        self.contest = store.contest(id)
        self.seats = game.seats
        self.board = Scoreboard(self.contest)
        self.trial = trial_of(self.contest, game.seats)

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


def trial_of(contest: Contest, seats: range) -> Trial | None:
    """The sequential test of a contest; raises UsageError where it cannot be made."""
    stop = contest.stop
    if not stop.candidate:
        return None
    length = pass_length(contest, seats)
    if length is None or contest.options.get("removed", "stay") != "stay":
        raise UsageError("a test that stops early needs the format round-robin or gauntlet, with removed=stay")
    for name in filter(None, (stop.candidate, stop.rival)):
        if name not in contest.names:
            raise UsageError(f"--stop-when: there is no player '{name}'; there are {', '.join(contest.names)}")
    test = SequentialTest(margin=stop.margin, indifference=stop.indifference, alpha=stop.alpha, beta=stop.beta)
    rival = contest.names.index(stop.rival) if stop.rival else None
    return Trial(test, length, candidate=contest.names.index(stop.candidate), rival=rival)


def limited(rounds: Rounds, most: int | None) -> Rounds:
    """The same rounds, up to so many fixtures in all."""
    if most is None:
        return (yield from rounds)
    left, outcomes = most, None
    while left > 0:
        try:
            fixtures: list[Fixture] = rounds.send(outcomes)  # type: ignore[arg-type]  # the first one is None
        except StopIteration as done:
            winners: list[int] = done.value
            return winners
        outcomes = yield fixtures[:left]
        left -= len(fixtures)
    return []


def tables_of(contest: Contest, results: Iterable[Result], seats: range) -> tuple[Tables, Trial | None]:
    """The tables of all matches that count, and the test of the contest; ASSUME results come in order of number.

    Where the test has decided, the rest does not count: how many more were played depends on the machine.
    """
    trial, board = trial_of(contest, seats), Scoreboard(contest)
    for result in results:
        board.add(result)
        if trial is not None and trial.add(result.number, result.line_up, result.outcome) != "undecided":
            break
    return board.tables(), trial


def total_of(contest: Contest, seats: range) -> int | None:
    """How many matches there will be at most; None where nobody can say."""
    expected = expected_matches(contest, seats)
    limits = [limit for limit in (expected, contest.stop.matches) if limit is not None]
    return min(limits, default=None)
