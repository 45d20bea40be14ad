"""A table out of outcomes: wins, ties, average score and faults, each with a 95 % interval."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from math import sqrt
from typing import NamedTuple

from msgspec import Struct

from fairplay.core import Outcome

__all__ = ["Estimate", "Standing", "Standings", "mean", "share"]

NORMAL = 1.96
STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.10)
"""The 97.5 % point of Student's distribution for 1, 2, ... degrees of freedom; later ones are near enough to 2.09."""


class Estimate(NamedTuple):
    """A figure with its 95 % interval; the interval is unbounded where nothing can be said."""

    value: float
    low: float
    high: float


class Standing(Struct, frozen=True):
    """One player's line of the table."""

    player: str
    matches: int
    wins: int
    ties: int
    losses: int
    faults: int
    win_share: Estimate
    tie_share: Estimate
    fault_share: Estimate
    average: Estimate | None  # of the first number of the score, over matches without a fault


class Standings:
    """Collects outcomes.  Matches of one unit share a deal, so the intervals count units, not matches."""

    def __init__(self, players: Sequence[str]) -> None:
        self.players = players
        self._matches: list[list[tuple[Hashable, Outcome, int]]] = [[] for _ in players]

    def add(self, unit: Hashable, line_up: Sequence[int], outcome: Outcome) -> None:
        for seat, player in enumerate(line_up):
            self._matches[player].append((unit, outcome, seat))

    def table(self) -> list[Standing]:
        """All players, the greatest share of wins first, ties counting for the rest."""
        lines = [self._line(player) for player in range(len(self.players))]
        return sorted(lines, key=lambda line: (line.win_share.value, line.tie_share.value), reverse=True)

    def _line(self, player: int) -> Standing:
        wins, ties, faults, scores = (defaultdict[Hashable, list[float]](list) for _ in range(4))
        for unit, outcome, seat in self._matches[player]:
            first = [*outcome.winners]
            wins[unit].append(first == [seat])
            ties[unit].append(seat in first and len(first) > 1)
            faults[unit].append(outcome.faults[seat] is not None)
            if (score := outcome.scores[seat]) is not None:
                scores[unit].append(score[0])
        matches = len(self._matches[player])
        won, tied, faulty = (int(sum(map(sum, units.values()))) for units in (wins, ties, faults))
        return Standing(
            self.players[player],
            matches,
            won,
            tied,
            matches - won - tied,
            faulty,
            share(averages(wins)),
            share(averages(ties)),
            share(averages(faults)),
            mean(averages(scores)) if scores else None,
        )


def averages(units: dict[Hashable, list[float]]) -> list[float]:
    return [sum(values) / len(values) for values in units.values()]


def share(values: Sequence[float]) -> Estimate:
    """The mean of values between 0 and 1 with Wilson's interval, which never pretends to be certain."""
    count = len(values)
    if not count:
        return Estimate(0.0, 0.0, 1.0)
    value, z = sum(values) / count, NORMAL
    centre = (value + z * z / (2 * count)) / (1 + z * z / count)
    spread = z / (1 + z * z / count) * sqrt(value * (1 - value) / count + z * z / (4 * count * count))
    return Estimate(value, max(0.0, centre - spread), min(1.0, centre + spread))


def mean(values: Sequence[float]) -> Estimate:
    """The mean with Student's interval; ASSUME there is a value."""
    count = len(values)
    value = sum(values) / count
    if count == 1:
        return Estimate(value, float("-inf"), float("inf"))
    deviation = sqrt(sum((each - value) ** 2 for each in values) / (count - 1))
    quantile = STUDENT[count - 2] if count - 2 < len(STUDENT) else 2.09
    return Estimate(value, value - quantile * deviation / sqrt(count), value + quantile * deviation / sqrt(count))
