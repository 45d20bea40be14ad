"""How strong players are: a fit to all matches of a fixed pool, and ratings that follow a ladder match by match.

**The model** is Plackett and Luce's: each player has a strength, and of any two players in a match the one finishes
before the other with odds as their strengths.  Players that were removed come last, level with each other.

**The scale** is Elo's: 400 points are odds of ten to one, and the mean of all players that played is 1500.

**The fit** takes every pair of players in a match as one comparison, a tie as half a win for both.  The strengths of
that model are exactly the Plackett-Luce strengths, and pairs are all that has to be kept: the ranking of eight players
has no smaller statistic of its own than the list of all matches.  For two seats the two fits are the same.
Before the first match everybody is taken to have won half a unit and lost half a unit against somebody of strength
zero, so that also players who won everything have a rating.

**The intervals** are a cluster bootstrap over deals, for all matches of a deal share their luck: the fit is repeated
with each deal weighted by a draw from the exponential distribution, as are the two halves of the prior unit.
Where units are few the interval is stretched as Student's is.  The weights are fixed by seed and deal.  The weighted
counts of all repetitions are kept side by side in one long integer for each pair, so memory is bounded by the pairs
that met, and no order of adding can change a digit.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import log
from random import Random
from typing import Final

from msgspec import Struct

from fairplay.contest.fit import Comparisons, fitted
from fairplay.contest.intervals import NORMAL, Estimate, student
from fairplay.contest.points import places
from fairplay.core import Outcome
from fairplay.core.chance import derived

__all__ = ["OnLine", "Rating", "Ratings"]

ELO: Final = 400 / log(10)
MIDDLE: Final = 1500.0


class Rating(Struct, frozen=True):
    """One player's line of the table; a player that has not played has a rating without bounds."""

    player: str
    matches: int
    rating: Estimate


# -- a fixed pool ------------------------------------------------------------------------------

WEIGHT: Final = 16
"""The mean weight of a deal: weights are whole numbers, sixteenths."""

EXPONENTIAL: Final = bytes(round(-WEIGHT * 1.0065 * log((index + 0.5) / 256)) for index in range(256))
"""Draws from the exponential distribution for all values of a byte, stretched to make up for the cut tail."""

RECENT: Final = 1_024
"""Deals whose weights are remembered, since their matches come one after the other."""


class Ratings:
    """Collects outcomes of a fixed pool and fits strengths to them.

    With `rotated`, the matches of a deal are all rotations of a line-up; without, a deal is a single match.
    """

    def __init__(self, players: Sequence[str], *, seed: int = 0, rotated: bool = True) -> None:
        self.players = players
        self._seed, self._rotated = seed, rotated
        self._lanes = 1 + repetitions(len(players))  # the first one counts every deal once
        self._won: dict[tuple[int, int], list[int]] = {}
        self._sat: list[Counter[int]] = [Counter() for _ in players]  # matches by the number of seats
        self._recent: dict[int, int] = {}

    def add(self, deal: int, line_up: Sequence[int], outcome: Outcome) -> None:
        """Count one match of `deal`; the order of adding changes nothing."""
        weights = self._weights(deal)
        for player in line_up:
            self._sat[player][len(line_up)] += 1
        for (place, one), (behind, other) in combinations(sorted(zip(places(outcome), line_up, strict=True)), 2):
            pair, first = ((one, other), 0) if one < other else ((other, one), 1)
            if (won := self._won.get(pair)) is None:
                won = self._won[pair] = [0, 0]
            if place < behind:
                won[first] += 2 * weights
            else:
                won[0] += weights
                won[1] += weights

    def table(self) -> list[Rating]:
        """All players, the strongest first."""
        playing = [player for player, matches in enumerate(self._sat) if matches]
        found = dict(zip(playing, self._estimates(playing), strict=True)) if playing else {}
        lines = [
            Rating(name, self._sat[player].total(), found.get(player, Estimate(MIDDLE, None, None)))
            for player, name in enumerate(self.players)
        ]
        return sorted(lines, key=lambda line: line.rating.value, reverse=True)

    def _estimates(self, playing: Sequence[int]) -> list[Estimate]:
        number = {player: index for index, player in enumerate(playing)}
        pairs = [(number[one], number[other]) for one, other in sorted(self._won)]
        won = [[self._unpacked(side) for side in self._won[pair]] for pair in sorted(self._won)]
        priors = [self._prior(player) for player in playing]
        repeated: list[list[float]] = [[] for _ in playing]
        start, values = [0.0] * len(playing), list[float]()
        for lane in range(self._lanes):
            counts = [(one[lane] / (2 * WEIGHT), other[lane] / (2 * WEIGHT)) for one, other in won]
            comparisons = Comparisons(pairs, counts, [prior[lane] for prior in priors])
            strengths = fitted(comparisons, start, tolerance=LAST_STEP if lane else 1e-9)
            on_scale = [MIDDLE + ELO * strength for strength in centred(strengths)]
            if lane:
                for each, rating in zip(repeated, on_scale, strict=True):
                    each.append(rating)
            else:
                start, values = strengths, on_scale
        units = [max(2, self._units(player)) for player in playing]
        return [stretched(*each) for each in zip(values, map(sorted, repeated), units, strict=True)]

    def _weights(self, deal: int) -> int:
        """The weights of a deal in all repetitions, side by side."""
        if (found := self._recent.get(deal)) is None:
            drawn = derived(self._seed, "deal", deal).getrandbits(8 * self._lanes).to_bytes(self._lanes, "little")
            spread = bytearray(LANE * self._lanes)
            spread[::LANE] = bytes([WEIGHT]) + drawn[1:].translate(EXPONENTIAL)
            found = int.from_bytes(spread, "little")
            if len(self._recent) >= RECENT:
                self._recent.clear()
            self._recent[deal] = found
        return found

    def _unpacked(self, packed: int) -> tuple[int, ...]:
        return struct.unpack(f"<{self._lanes}Q", packed.to_bytes(LANE * self._lanes, "little"))

    def _prior(self, player: int) -> list[tuple[float, float]]:
        """What `player` won and lost before the first match, for each lane."""
        sat = self._sat[player]
        half = sum(count * (seats - 1) for seats, count in sat.items()) / self._units(player) / 2
        rng = derived(self._seed, "prior", player)
        return [(half, half), *((half * exponential(rng), half * exponential(rng)) for _ in range(1, self._lanes))]

    def _units(self, player: int) -> int:
        """How many units `player` has played, one that has begun counting in full."""
        return sum(-(-count // seats) if self._rotated else count for seats, count in self._sat[player].items())


LANE: Final = 8  # bytes

LAST_STEP: Final = 0.02
"""A repetition is fitted once a step is this short: what is left is about its square, less than a tenth of a point."""


def repetitions(players: int) -> int:
    """How often the fit is repeated: 40 still show an interval, and the pairs of a large pool are many."""
    return 200 if players <= 50 else 100 if players <= 200 else 40


def exponential(rng: Random) -> float:
    return -log((rng.getrandbits(16) + 0.5) / (1 << 16))


def centred(strengths: Sequence[float]) -> list[float]:
    middle = sum(strengths) / len(strengths)
    return [strength - middle for strength in strengths]


def stretched(value: float, repeated: Sequence[float], units: int) -> Estimate:
    """`value` with the middle 95 % of `repeated`, which is sorted, stretched as Student's is where units are few."""
    factor = student(units) / NORMAL
    low, high = quantile(repeated, 0.025), quantile(repeated, 0.975)
    return Estimate(value, value - factor * max(0.0, value - low), value + factor * max(0.0, high - value))


def quantile(values: Sequence[float], share: float) -> float:
    place = min(max(0.0, (len(values) + 1) * share - 1), len(values) - 1.0)
    below = min(int(place), len(values) - 2)
    return values[below] + (place - below) * (values[below + 1] - values[below])


# -- a ladder ----------------------------------------------------------------------------------


class OnLine:
    """Ratings after every match, in memory bounded by the players.  The order of adding matters."""

    def __init__(self, players: Sequence[str]) -> None:
        from openskill.models import PlackettLuce

        self.players = players
        self._model = PlackettLuce()
        self._ratings = [self._model.rating() for _ in players]
        self._matches = [0] * len(players)

    def add(self, line_up: Sequence[int], outcome: Outcome) -> None:
        teams = [[self._ratings[player]] for player in line_up]
        ranks = [float(place) for place in places(outcome)]
        for player, (rating,) in zip(line_up, self._model.rate(teams, ranks=ranks), strict=True):
            self._ratings[player] = rating
            self._matches[player] += 1

    def mean(self, player: int) -> float:
        return self._ratings[player].mu

    def drawn(self, player: int, rng: Random) -> float:
        """A draw from what is believed of `player`: its mean, and a nearly normal error."""
        normal = sum(rng.getrandbits(16) for _ in range(12)) / (1 << 16) - 6
        return self._ratings[player].mu + self._ratings[player].sigma * normal

    def table(self) -> list[Rating]:
        """All players, the highest first, on the scale where 1500 is where everybody starts."""
        unit = ELO / (2**0.5 * self._model.beta)  # two players without doubt differ by this for each point of openskill
        lines = []
        for name, matches, rating in zip(self.players, self._matches, self._ratings, strict=True):
            value, spread = MIDDLE + unit * (rating.mu - self._model.mu), NORMAL * unit * rating.sigma
            lines.append(Rating(name, matches, Estimate(value, value - spread, value + spread)))
        return sorted(lines, key=lambda line: line.rating.value, reverse=True)
