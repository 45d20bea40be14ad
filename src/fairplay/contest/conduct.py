"""How a contest is conducted: whether it can begin, when it stops, and what its results say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fairplay.contest.contest import Contest, Fixture, Result
from fairplay.contest.formats.formats import expected_matches, pass_length, schedule
from fairplay.contest.formats.rounds import Rounds
from fairplay.contest.scoreboard import Scoreboard, Tables
from fairplay.contest.sequential import SequentialTest, Trial
from fairplay.core import AnyGame, UsageError
from fairplay.play.record import deal

__all__ = ["check", "limited", "tables_of", "total_of", "trial_of", "verdict_of"]


def check(game: AnyGame, contest: Contest, setup: Any) -> None:
    """See that the first round can be made and dealt."""
    trial_of(contest, game.seats)
    first = next(schedule(contest, game.seats), None)
    if first is None:
        raise UsageError(f"{len(contest.players)} players are too few for a {contest.format} of {game.name}")
    for size in {len(fixture.line_up) for fixture in first}:
        deal(game, setup, contest.seed, size)


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


def verdict_of(contest: Contest, trial: Trial | None) -> dict[str, Any] | None:
    """What the sequential test of a contest says, in words and figures; None where there is none."""
    if trial is None:
        return None
    stop, test = contest.stop, trial.test
    estimate = test.estimate()
    claim = f"{stop.candidate} > {stop.rival or 'all'}" + (f" by {stop.margin:g}" if stop.margin else "")
    figures = f"share of points {estimate:.3f}"
    errors = f"error rates {stop.alpha:g} and {stop.beta:g}"
    sentence = f"{claim}: {test.verdict} after {test.observations} observations; {figures}; {errors}."
    return {"claim": claim, "verdict": test.verdict, "estimate": estimate, "sentence": sentence}
