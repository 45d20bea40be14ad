"""A series of matches on fresh deals, played as contests play them, and what it says about the first player in it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from fairplay.contest.contest import Contest, Effort, Entrant, Fixture, Match, Result
from fairplay.contest.schedule import number_matches
from fairplay.contest.statistics import UNKNOWN_SHARE, Estimate, wilson_interval
from fairplay.run.engines.pool import Engine, Inline, Pool

PATIENCE = 60.0  # seconds for an answer of a bot file or a program, whatever else the machine does


def start_engine(jobs: int) -> Engine:
    """What plays, in this process or in several; enter it first."""
    return Inline() if jobs == 1 else Pool(jobs)


def play_series(
    engine: Engine, game: str, setup: Any, specs: Sequence[str], numbers: Iterable[int], *, seed: int
) -> Iterator[Result]:
    """Play the matches with these numbers, each on a deal of its own, as they finish.

    specs: who plays, all of them in every match; each match moves them on by one seat.
    """
    contest = contest_of(game, setup, specs, seed)
    matches = [match_of(contest, number) for number in numbers]
    if (key := (game, bytes(contest.setup), tuple(specs))) not in READY and len(matches) > 1:
        READY.add(key)
        deque(Inline().results(contest, matches[:1]), maxlen=0)
    yield from engine.results(contest, matches)


READY: set[tuple[str, bytes, tuple[str, ...]]] = set()
"""What was played once: all is loaded and compiled, and does not count as thinking."""


def contest_of(game: str, setup: Any, specs: Sequence[str], seed: int) -> Contest:
    """The contest that the matches of a series belong to."""
    entrants = tuple(Entrant(f"{number}: {spec}", spec) for number, spec in enumerate(specs))
    encoded = msgspec.Raw(msgspec.json.encode(setup))
    return Contest(game, entrants, "gauntlet", {}, encoded, seed, PATIENCE, deals="fresh")


def match_of(contest: Contest, number: int) -> Match:
    """A match of a series by its number, which is that of its deal too."""
    fixture = Fixture(rotate_seats(len(contest.entrants), number), number)
    (match,) = number_matches(contest, [fixture], number)
    return match


def rotate_seats(players: int, number: int) -> tuple[int, ...]:
    """Who sits where in a match, by seat."""
    return tuple((seat - number) % players for seat in range(players))


class Score(Struct, frozen=True):
    """What one match says about the first player, and what its rivals took to think."""

    number: int
    share: float  # of the win
    faulted: bool  # was anybody removed?
    own: Effort | None = None  # None: it was not measured in this match
    rivals: Effort | None = None


def score_result(result: Result) -> Score:
    """What a match says about the first player."""
    seat, outcome = result.line_up.index(0), result.outcome
    share = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
    efforts = result.efforts or (None,) * len(result.line_up)
    others = [effort for at, effort in enumerate(efforts) if at != seat]
    return Score(result.number, share, any(outcome.faults), efforts[seat], add_efforts(others))


def add_efforts(efforts: Iterable[Effort | None]) -> Effort | None:
    """All that was measured; None where nothing was."""
    total: Effort | None = None
    for effort in efforts:
        if effort is not None:
            total = effort if total is None else total + effort
    return total


class SeriesScore:
    """Collects what the matches of a series say about its first player."""

    def __init__(self, scores: Iterable[Score] = ()) -> None:
        self.scores = list(scores)

    @property
    def share(self) -> Estimate:
        """Of the wins, shared ones in parts, with its 95 % interval."""
        count = len(self.scores)
        return wilson_interval(sum(score.share for score in self.scores) / count, count) if count else UNKNOWN_SHARE

    @property
    def faulted(self) -> int:
        """Matches in which somebody was removed."""
        return sum(score.faulted for score in self.scores)

    @property
    def milliseconds(self) -> float | None:
        """CPU time that the first player took for a move; None where it was not measured."""
        return milliseconds_of(add_efforts(score.own for score in self.scores))

    @property
    def rival_milliseconds(self) -> float | None:
        """CPU time that a rival took for a move; None where it was not measured."""
        return milliseconds_of(add_efforts(score.rivals for score in self.scores))


def milliseconds_of(effort: Effort | None) -> float | None:
    """CPU time a move."""
    return 1000 * effort.seconds / effort.answers if effort is not None and effort.answers else None


def show_time(milliseconds: float | None) -> str:
    """CPU time a move for people; nothing where it is not known."""
    if milliseconds is None:
        return ""
    return f"{milliseconds:.0f}" if milliseconds >= 10 else f"{milliseconds:.2g}" if milliseconds >= 0.01 else "< 0.01"
