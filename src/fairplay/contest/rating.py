"""How strong players are: a fit to all matches of a contest, and the running guesses by which a ladder pairs.

**The model** is that of Plackett and Luce: each player has a strength, and of any group of players the chance of one to
finish first is its share of the strengths in the group.  Players that were removed come last, level.

**The scale** is Elo's: 400 points are odds of ten to one, and the mean of all players that played is 1500.

**The fit** is to whole rankings: a match of four is three choices, the first of four, the next of three, the next of
two.
Players who tie count as all their orders, in equal parts: with two players, half a win for both.
Before the first match, every player is taken to have won once and lost once (half as often if no deal is played
twice) against an opponent of strength zero, so that players who won everything have a rating too.

**The intervals** are a cluster bootstrap over deals, since all matches of a deal share its luck: a fit is repeated
with each deal weighted by a draw from the exponential distribution, as are those two matches.
If there are few units, the interval is stretched as Student's is.  Seed and deal determine the weights.  What is
repeated is the fit to pairs: each pair of players in a match is one comparison.  For two seats it is the same fit; for
more, it estimates the same strengths with intervals up to a tenth wider, but only pairs have to be kept for each
repetition.  Their weighted counts are kept side by side in one long integer for each pair, so memory is bounded by the
number of pairs that met, and the order of adding changes no digit.  If players met in more than 200,000 different
groups, the ratings themselves are the fit to pairs, too.
"""

import struct
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb, log
from random import Random

from msgspec import Struct

from fairplay.contest.contest import places, tiers
from fairplay.contest.statistics import NORMAL_QUANTILE, Choices, Comparisons, Estimate, fit_strengths, t_quantile
from fairplay.core import Outcome
from fairplay.core.chance import derived

_ELO_SCALE = 400 / log(10)
MEAN_RATING = 1500.0


class RatingRow(Struct, frozen=True):
    """One player's row of the table; a player that has not played has a rating without bounds."""

    player: str
    matches: int
    rating: Estimate


# -- a fixed pool ------------------------------------------------------------------------------

MEAN_WEIGHT = 16
"""The mean weight of a deal: weights are whole numbers, in sixteenths."""

WEIGHT_OF_BYTE = bytes(round(-MEAN_WEIGHT * 1.0065 * log((index + 0.5) / 256)) for index in range(256))
"""An exponentially distributed weight for each value of a byte, stretched to make up for the missing tail."""

_CACHED_DEALS = 1_024
"""Deals whose weights are cached, since their matches come one after the other."""


class PoolRatings:
    """Ratings of a fixed pool: collects outcomes and fits strengths to them.

    If deals are `paired`, the matches of a deal are all rotations of a line-up; else a deal is a single match.
    """

    def __init__(self, players: Sequence[str], *, seed: int = 0, paired: bool = True) -> None:
        self.players = players
        self._seed, self._paired = seed, paired
        self._lanes = 1 + repetition_count(len(players))  # the first one counts every deal once
        self._won: dict[tuple[int, int], list[int]] = {}
        self._sat: list[Counter[int]] = [Counter() for _ in players]  # matches by the number of seats
        self._rankings = Rankings(len(players))
        self._recent: dict[int, int] = {}

    def add(self, deal: int, line_up: Sequence[int], outcome: Outcome) -> None:
        """Count one match of `deal`; the order of adding changes nothing."""
        weights = self._weights(deal)
        for player in line_up:
            self._sat[player][len(line_up)] += 1
        self._rankings.add(line_up, outcome)
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
        """All players, the strongest first; those whose ratings are equal as far as anyone sees, by name."""
        playing = [player for player, matches in enumerate(self._sat) if matches]
        found = dict(zip(playing, self._estimates(playing), strict=True)) if playing else {}
        lines = [
            RatingRow(name, self._sat[player].total(), found.get(player, Estimate(MEAN_RATING, None, None)))
            for player, name in enumerate(self.players)
        ]
        return sorted(lines, key=lambda line: (-round(line.rating.value, 3), line.player))

    def _estimates(self, playing: Sequence[int]) -> list[Estimate]:
        number = {player: index for index, player in enumerate(playing)}
        pairs = [(number[one], number[other]) for one, other in sorted(self._won)]
        won = [[self._unpacked(side) for side in self._won[pair]] for pair in sorted(self._won)]
        priors = [self._prior(player) for player in playing]
        fits: list[list[float]] = []
        for lane in range(self._lanes):
            counts = [(one[lane] / (2 * MEAN_WEIGHT), other[lane] / (2 * MEAN_WEIGHT)) for one, other in won]
            comparisons = Comparisons(pairs, counts, [prior[lane] for prior in priors])
            start, tolerance = (fits[0], _REPETITION_TOLERANCE) if lane else ([0.0] * len(playing), 1e-9)
            fits.append(fit_strengths(comparisons, start, tolerance=tolerance))
        ranked = fits[0]
        if not self._rankings.too_many and any(seats > 2 for player in playing for seats in self._sat[player]):
            choices = self._rankings.choices(playing, [prior[0] for prior in priors])
            ranked = fit_strengths(choices, ranked, tolerance=1e-9)
        values, by_pairs, *repeated = map(rate_strengths, [ranked, *fits])
        moved = (
            [value + each - pair for each in column]
            for value, pair, *column in zip(values, by_pairs, *repeated, strict=True)
        )
        units = [self._units(player) for player in playing]
        return [stretch_interval(*each) for each in zip(values, map(sorted, moved), units, strict=True)]

    def _weights(self, deal: int) -> int:
        """The weights of a deal in all repetitions, side by side."""
        if (found := self._recent.get(deal)) is None:
            drawn = derived(self._seed, "deal", deal).getrandbits(8 * self._lanes).to_bytes(self._lanes, "little")
            spread = bytearray(_LANE_BYTES * self._lanes)
            spread[::_LANE_BYTES] = bytes([MEAN_WEIGHT]) + drawn[1:].translate(WEIGHT_OF_BYTE)
            found = int.from_bytes(spread, "little")
            if len(self._recent) >= _CACHED_DEALS:
                self._recent.clear()
            self._recent[deal] = found
        return found

    def _unpacked(self, packed: int) -> tuple[int, ...]:
        return struct.unpack(f"<{self._lanes}Q", packed.to_bytes(_LANE_BYTES * self._lanes, "little"))

    def _prior(self, player: int) -> list[tuple[float, float]]:
        """What `player` is taken to have won and lost before the first match, for each lane."""
        half = 1.0 if self._paired else 0.5
        rng = derived(self._seed, "prior", player)
        drawn = [(half * _draw_exponential(rng), half * _draw_exponential(rng)) for _ in range(1, self._lanes)]
        return [(half, half), *drawn]

    def _units(self, player: int) -> int:
        """How many units `player` has played; an open one counts in full."""
        return sum(-(-count // seats) if self._paired else count for seats, count in self._sat[player].items())


class Rankings:
    """Collects matches as choices of the next best, in whole numbers, so that the order of adding changes nothing.

    If there are more different groups to choose from than `MAX_GROUPS`, nothing is kept, and pairs must do.
    """

    def __init__(self, players: int) -> None:
        self._chosen = [0] * players
        self._groups: Counter[tuple[int, ...]] = Counter()
        self.too_many = False

    def add(self, line_up: Sequence[int], outcome: Outcome) -> None:
        """Count one match."""
        if not self.too_many:
            self._add_choices(line_up, outcome)
        if len(self._groups) > MAX_GROUPS:
            self.too_many = True
            self._groups.clear()

    def _add_choices(self, line_up: Sequence[int], outcome: Outcome) -> None:
        left = sorted(line_up)
        for tier in tiers(outcome):
            if len(tier) > 1:
                left = self._add_tie(sorted(line_up[seat] for seat in tier), left)
            elif len(left) > 1:  # the last of all is not chosen, but left over
                self._groups[tuple(left)] += _CHOICE
                self._chosen[line_up[tier[0]]] += _CHOICE
                left.remove(line_up[tier[0]])

    def _add_tie(self, tied: Sequence[int], left: Sequence[int]) -> list[int]:
        """Count the choices of `tied` out of `left`, in all orders; who is left then."""
        behind = [player for player in left if player not in tied]
        last = not behind
        each = _CHOICE * (len(tied) - last) // len(tied)
        for player in tied:
            self._chosen[player] += each
        if len(tied) > _MAX_ORDERED_TIE:
            self._groups[tuple(left)] += each * len(tied)
            return behind
        for count in range(1 + last, len(tied) + 1):
            for some in combinations(tied, count):
                self._groups[tuple(sorted([*some, *behind]))] += _CHOICE // comb(len(tied), count)
        return behind

    def choices(self, playing: Sequence[int], prior: Sequence[tuple[float, float]]) -> Choices:
        """All choices among `playing`, who are numbered in this order."""
        number = {player: index for index, player in enumerate(playing)}
        groups = sorted(self._groups)
        return Choices(
            [tuple([number[player] for player in group]) for group in groups],
            [self._groups[group] / _CHOICE for group in groups],
            [self._chosen[player] / _CHOICE for player in playing],
            prior,
        )


_CHOICE = 840
"""One choice, divisible by the number of subsets of each size that eight players have."""

MAX_GROUPS = 200_000
"""Different groups that are kept, in 40 to 80 MB."""

_MAX_ORDERED_TIE = 8
"""In a larger tie, which has too many orders, all are chosen from the same group."""

_LANE_BYTES = 8  # bytes

_REPETITION_TOLERANCE = 0.02
"""A repetition ends with a step as short as this: the rest is about its square, less than a tenth of a point."""


def repetition_count(players: int) -> int:
    """How often to repeat the fit: 40 times still give an interval, and a large pool has many pairs."""
    return 200 if players <= 50 else 100 if players <= 200 else 40


def _draw_exponential(rng: Random) -> float:
    """A draw from the exponential distribution with mean 1."""
    return -log((rng.getrandbits(16) + 0.5) / (1 << 16))


def rate_strengths(strengths: Sequence[float]) -> list[float]:
    """Strengths as ratings, with the mean where it should be."""
    middle = sum(strengths) / len(strengths)
    return [MEAN_RATING + _ELO_SCALE * (strength - middle) for strength in strengths]


def stretch_interval(value: float, repeated: Sequence[float], units: int) -> Estimate:
    """`value` with the middle 95 % of `repeated`, which is sorted, stretched as Student's is if there are few units.

    There is no interval if it would be so wide that it says nothing: there are too few matches.
    """
    if units < 2:
        return Estimate(value, None, None)
    factor = t_quantile(units) / NORMAL_QUANTILE
    low = value - factor * max(0.0, value - quantile(repeated, 0.025))
    high = value + factor * max(0.0, quantile(repeated, 0.975) - value)
    return Estimate(value, low, high) if high - low <= _MAX_INTERVAL else Estimate(value, None, None)


_MAX_INTERVAL = 2_000
"""Points between the ends of an interval: odds of a hundred thousand to one."""


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of the sorted `values` lies."""
    place = min(max(0.0, (len(values) + 1) * share - 1), len(values) - 1.0)
    below = min(int(place), len(values) - 2)
    return values[below] + (place - below) * (values[below + 1] - values[below])


# -- a ladder ----------------------------------------------------------------------------------


class LadderRatings:
    """Guesses updated after every match, by which a ladder pairs; the tables show the fit to all its matches instead.

    Memory is bounded by the number of players.  The order of adding matters.
    """

    def __init__(self, players: int) -> None:
        from openskill.models import PlackettLuce

        self._model = PlackettLuce()
        self._ratings = [self._model.rating() for _ in range(players)]

    def add(self, line_up: Sequence[int], outcome: Outcome) -> None:
        """Update the ratings of the players of a match."""
        teams = [[self._ratings[player]] for player in line_up]
        ranks = [float(place) for place in places(outcome)]
        for player, (rating,) in zip(line_up, self._model.rate(teams, ranks=ranks), strict=True):
            self._ratings[player] = rating

    def mean(self, player: int) -> float:
        """The strength of `player`, on openskill's scale."""
        return self._ratings[player].mu

    def draw(self, player: int, rng: Random) -> float:
        """A strength drawn from what is believed of `player`: its mean, and a nearly normal error."""
        normal = sum(rng.getrandbits(16) for _ in range(12)) / (1 << 16) - 6
        return self._ratings[player].mu + self._ratings[player].sigma * normal
