"""How strong players are: a fit to all matches of a fixed pool, or ratings updated after every match of a ladder.

**The model** is that of Plackett and Luce: each player has a strength, and of any two players in a match, the odds of
the first to finish before the second are the ratio of their strengths.  Players that were removed come last, level.

**The scale** is Elo's: 400 points are odds of ten to one, and the mean of all players that played is 1500.

**The fit** takes every pair of players in a match as one comparison, and a tie as half a win for both.  The strengths
of that model are the Plackett-Luce strengths, and only pairs have to be kept: for rankings of eight players there is no
smaller statistic than the list of all matches.  For two seats the two fits are the same.
Before the first match, every player is taken to have won half a unit and lost half a unit against an opponent of
strength zero, so that players who won everything have a rating too.

**The intervals** are a cluster bootstrap over deals, since all matches of a deal share its luck: the fit is repeated
with each deal weighted by a draw from the exponential distribution, as are the two halves of the prior unit.
If there are few units, the interval is stretched as Student's is.  Seed and deal determine the weights.  The weighted
counts of all repetitions are kept side by side in one long integer for each pair, so memory is bounded by the number of
pairs that met, and the order of adding changes no digit.
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

from fairplay.contest.fit import Comparisons, fit_strengths
from fairplay.contest.intervals import NORMAL_QUANTILE, Estimate, t_quantile
from fairplay.contest.points import places
from fairplay.core import Outcome
from fairplay.core.chance import derived

__all__ = ["LadderRatings", "PoolRatings", "RatingRow"]

ELO_SCALE: Final = 400 / log(10)
MEAN_RATING: Final = 1500.0


class RatingRow(Struct, frozen=True):
    """One player's row of the table; a player that has not played has a rating without bounds."""

    player: str
    matches: int
    rating: Estimate


# -- a fixed pool ------------------------------------------------------------------------------

MEAN_WEIGHT: Final = 16
"""The mean weight of a deal: weights are whole numbers, in sixteenths."""

WEIGHT_OF_BYTE: Final = bytes(round(-MEAN_WEIGHT * 1.0065 * log((index + 0.5) / 256)) for index in range(256))
"""An exponentially distributed weight for each value of a byte, stretched to make up for the missing tail."""

CACHED_DEALS: Final = 1_024
"""Deals whose weights are cached, since their matches come one after the other."""


class PoolRatings:
    """Ratings of a fixed pool: collects outcomes and fits strengths to them.

    Where deals are `paired`, the matches of a deal are all rotations of a line-up; else a deal is a single match.
    """

    def __init__(self, players: Sequence[str], *, seed: int = 0, paired: bool = True) -> None:
        self.players = players
        self._seed, self._paired = seed, paired
        self._lanes = 1 + repetition_count(len(players))  # the first one counts every deal once
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

    def table(self) -> list[RatingRow]:
        """All players, the strongest first."""
        playing = [player for player, matches in enumerate(self._sat) if matches]
        found = dict(zip(playing, self._estimates(playing), strict=True)) if playing else {}
        lines = [
            RatingRow(name, self._sat[player].total(), found.get(player, Estimate(MEAN_RATING, None, None)))
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
            counts = [(one[lane] / (2 * MEAN_WEIGHT), other[lane] / (2 * MEAN_WEIGHT)) for one, other in won]
            comparisons = Comparisons(pairs, counts, [prior[lane] for prior in priors])
            strengths = fit_strengths(comparisons, start, tolerance=REPETITION_TOLERANCE if lane else 1e-9)
            on_scale = [MEAN_RATING + ELO_SCALE * strength for strength in subtract_mean(strengths)]
            if lane:
                for each, rating in zip(repeated, on_scale, strict=True):
                    each.append(rating)
            else:
                start, values = strengths, on_scale
        units = [max(2, self._units(player)) for player in playing]
        return [stretch_interval(*each) for each in zip(values, map(sorted, repeated), units, strict=True)]

    def _weights(self, deal: int) -> int:
        """The weights of a deal in all repetitions, side by side."""
        if (found := self._recent.get(deal)) is None:
            drawn = derived(self._seed, "deal", deal).getrandbits(8 * self._lanes).to_bytes(self._lanes, "little")
            spread = bytearray(LANE_BYTES * self._lanes)
            spread[::LANE_BYTES] = bytes([MEAN_WEIGHT]) + drawn[1:].translate(WEIGHT_OF_BYTE)
            found = int.from_bytes(spread, "little")
            if len(self._recent) >= CACHED_DEALS:
                self._recent.clear()
            self._recent[deal] = found
        return found

    def _unpacked(self, packed: int) -> tuple[int, ...]:
        return struct.unpack(f"<{self._lanes}Q", packed.to_bytes(LANE_BYTES * self._lanes, "little"))

    def _prior(self, player: int) -> list[tuple[float, float]]:
        """What `player` is taken to have won and lost before the first match, for each lane."""
        sat = self._sat[player]
        half = sum(count * (seats - 1) for seats, count in sat.items()) / self._units(player) / 2
        rng = derived(self._seed, "prior", player)
        drawn = [(half * draw_exponential(rng), half * draw_exponential(rng)) for _ in range(1, self._lanes)]
        return [(half, half), *drawn]

    def _units(self, player: int) -> int:
        """How many units `player` has played; an open one counts in full."""
        return sum(-(-count // seats) if self._paired else count for seats, count in self._sat[player].items())


LANE_BYTES: Final = 8  # bytes

REPETITION_TOLERANCE: Final = 0.02
"""A repetition ends with a step as short as this: the rest is about its square, less than a tenth of a point."""


def repetition_count(players: int) -> int:
    """How often to repeat the fit: 40 times still give an interval, and a large pool has many pairs."""
    return 200 if players <= 50 else 100 if players <= 200 else 40


def draw_exponential(rng: Random) -> float:
    """A draw from the exponential distribution with mean 1."""
    return -log((rng.getrandbits(16) + 0.5) / (1 << 16))


def subtract_mean(strengths: Sequence[float]) -> list[float]:
    """The same strengths, with mean 0."""
    middle = sum(strengths) / len(strengths)
    return [strength - middle for strength in strengths]


def stretch_interval(value: float, repeated: Sequence[float], units: int) -> Estimate:
    """`value` with the middle 95 % of `repeated`, which is sorted, stretched as Student's is if there are few units."""
    factor = t_quantile(units) / NORMAL_QUANTILE
    low, high = quantile(repeated, 0.025), quantile(repeated, 0.975)
    return Estimate(value, value - factor * max(0.0, value - low), value + factor * max(0.0, high - value))


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of the sorted `values` lies."""
    place = min(max(0.0, (len(values) + 1) * share - 1), len(values) - 1.0)
    below = min(int(place), len(values) - 2)
    return values[below] + (place - below) * (values[below + 1] - values[below])


# -- a ladder ----------------------------------------------------------------------------------


class LadderRatings:
    """Ratings updated after every match, in memory bounded by the number of players.  The order of adding matters."""

    def __init__(self, players: Sequence[str]) -> None:
        from openskill.models import PlackettLuce

        self.players = players
        self._model = PlackettLuce()
        self._ratings = [self._model.rating() for _ in players]
        self._matches = [0] * len(players)

    def add(self, line_up: Sequence[int], outcome: Outcome) -> None:
        """Update the ratings of the players of a match."""
        teams = [[self._ratings[player]] for player in line_up]
        ranks = [float(place) for place in places(outcome)]
        for player, (rating,) in zip(line_up, self._model.rate(teams, ranks=ranks), strict=True):
            self._ratings[player] = rating
            self._matches[player] += 1

    def mean(self, player: int) -> float:
        """The strength of `player`, on openskill's scale."""
        return self._ratings[player].mu

    def draw(self, player: int, rng: Random) -> float:
        """A strength drawn from what is believed of `player`: its mean, and a nearly normal error."""
        normal = sum(rng.getrandbits(16) for _ in range(12)) / (1 << 16) - 6
        return self._ratings[player].mu + self._ratings[player].sigma * normal

    def table(self) -> list[RatingRow]:
        """All players, the highest first, on the scale where everyone starts with 1500."""
        unit = ELO_SCALE / (2**0.5 * self._model.beta)  # what a point of openskill is worth between certain ratings
        lines = []
        for name, matches, rating in zip(self.players, self._matches, self._ratings, strict=True):
            value, spread = MEAN_RATING + unit * (rating.mu - self._model.mu), NORMAL_QUANTILE * unit * rating.sigma
            lines.append(RatingRow(name, matches, Estimate(value, value - spread, value + spread)))
        return sorted(lines, key=lambda line: line.rating.value, reverse=True)
