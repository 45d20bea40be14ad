"""How a contest is conducted: whether it can begin, and when it stops."""

from __future__ import annotations

from typing import Any

from fairplay.contest.contest import Contest, Fixture
from fairplay.contest.formats.formats import expected_matches, schedule
from fairplay.contest.formats.rounds import Rounds
from fairplay.contest.sequential import candidate_test
from fairplay.core import AnyGame, UsageError
from fairplay.play.record import deal

__all__ = ["check", "limited", "total_of"]


def check(game: AnyGame, contest: Contest, setup: Any) -> None:
    """See that the first round can be made and dealt."""
    candidate_test(contest, game.seats)
    first = next(schedule(contest, game.seats), None)
    if first is None:
        raise UsageError(f"{len(contest.players)} players are too few for a {contest.format} of {game.name}")
    for size in {len(fixture.line_up) for fixture in first}:
        deal(game, setup, contest.seed, size)


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


def total_of(contest: Contest, seats: range) -> int | None:
    """How many matches there will be at most; None where nobody can say."""
    expected = expected_matches(contest, seats)
    limits = [limit for limit in (expected, contest.stop.matches) if limit is not None]
    return min(limits, default=None)
