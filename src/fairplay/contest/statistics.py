"""What results show, and how surely: figures with 95 % intervals, and the strengths under which results are likeliest.

A unit is one match with a deal of its own.  Matches of a paired deal share its luck, and are one unit together.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from math import exp, log, log1p, sqrt
from operator import mul
from typing import NamedTuple, Protocol, TypeAlias

from msgspec import Struct

NORMAL_QUANTILE = 1.96
_T_TABLE = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.10)
"""The 97.5 % point of Student's t distribution for 1, 2, ... degrees of freedom."""


class Estimate(Struct, frozen=True):
    """A figure with the ends of its 95 % interval, which are null if there are too few matches to say anything."""

    value: float
    low: float | None
    high: float | None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Both ends, or None if one is missing."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    def __format__(self, spec: str) -> str:
        """The value, then its interval in brackets if it has one: ``f"{estimate:.1f}"`` gives `9.5 [8.0, 11.0]`."""
        value = format(self.value, spec)
        if self.interval is None:
            return value
        low, high = self.interval
        return f"{value} [{low:{spec}}, {high:{spec}}]"


UNKNOWN_SHARE = Estimate(0.0, 0.0, 1.0)
"""A share of which nothing is known."""


def wilson_interval(value: float, units: int) -> Estimate:
    """The mean of `units` values between 0 and 1, with Wilson's interval, which is never empty; ASSUME units >= 1."""
    z = NORMAL_QUANTILE
    centre = (value + z * z / (2 * units)) / (1 + z * z / units)
    spread = z / (1 + z * z / units) * sqrt(value * (1 - value) / units + z * z / (4 * units * units))
    return Estimate(value, max(0.0, centre - spread), min(1.0, centre + spread))


def mean_interval(value: float, variance: float, units: int) -> Estimate:
    """The mean of `units` values with this variance, with Student's interval if it says something."""
    if units < MIN_UNITS:
        return Estimate(value, None, None)
    spread = t_quantile(units) * sqrt(variance / units)
    return Estimate(value, value - spread, value + spread)


MIN_UNITS = 3
"""Two values say so little of their spread that the interval would be thirteen times as wide as they are apart."""


def t_quantile(units: int) -> float:
    """How many standard errors the 95 % interval of the mean of `units` values reaches; ASSUME units >= 2."""
    freedom = units - 1
    if freedom <= len(_T_TABLE):
        return _T_TABLE[freedom - 1]
    return NORMAL_QUANTILE + 2.4 / freedom + 2.6 / freedom**2


class _UnitSums:
    """Exact sums over units, so that their order does not matter.

    By the number of values in a unit: how many such units there are, the sum of their totals, and of its squares.
    """

    __slots__ = ("by_length",)

    def __init__(self) -> None:
        self.by_length: dict[int, list[int]] = {}

    def move(self, length: int, total: int, value: int) -> None:
        """Add `value` to a unit that had `length` values with the sum `total`."""
        if length:
            self.count(length, total, -1)
        self.count(length + 1, total + value, 1)

    def count(self, length: int, total: int, sign: int) -> None:
        """Count a unit in (sign 1) or out (sign -1)."""
        sums = self.by_length.setdefault(length, [0, 0, 0])
        sums[0] += sign
        sums[1] += sign * total
        sums[2] += sign * total * total


class UnitMeans:
    """Means of whole numbers over units, by key, in memory bounded by the number of keys and of open units.

    A unit is complete, and forgotten, after one match; if deals are `paired`, after one for each rotation.
    """

    def __init__(self, *, paired: bool = True) -> None:
        self._paired = paired
        self._sums: dict[Hashable, _UnitSums] = {}
        self._open: dict[Hashable, tuple[list[int], dict[Hashable, tuple[int, int]]]] = {}

    def add(self, unit: Hashable, seats: int, values: Iterable[tuple[Hashable, int]]) -> None:
        """Add a match of `unit`, with its value for each key that it says something about."""
        matches, totals = self._open.setdefault(unit, ([0], {}))
        for key, value in values:
            length, total = totals.get(key, (0, 0))
            if (sums := self._sums.get(key)) is None:
                sums = self._sums[key] = _UnitSums()
            sums.move(length, total, value)
            totals[key] = length + 1, total + value
        matches[0] += 1
        if matches[0] == (seats if self._paired else 1):
            del self._open[unit]

    def units(self, key: Hashable) -> int:
        """How many units have a value."""
        return sum(sums[0] for sums in self._lengths(key).values())

    def values(self, key: Hashable) -> int:
        """How many values all units have together."""
        return sum(length * sums[0] for length, sums in self._lengths(key).items())

    def total(self, key: Hashable) -> int:
        """The sum of all values."""
        return sum(sums[1] for sums in self._lengths(key).values())

    def share(self, key: Hashable, most: int = 1) -> Estimate:
        """The mean of the averages of the units, as a share of `most`, which no value exceeds."""
        units = self.units(key)
        return wilson_interval(float(self._mean(key, units) / most), units) if units else UNKNOWN_SHARE

    def mean(self, key: Hashable) -> Estimate | None:
        """The mean of the averages of the units; None if there is no value."""
        if not (units := self.units(key)):
            return None
        middle = self._mean(key, units)
        squares = sum(Fraction(sums[2], length * length) for length, sums in self._lengths(key).items())
        variance = (squares - units * middle * middle) / max(1, units - 1)
        return mean_interval(float(middle), float(variance), units)

    def _mean(self, key: Hashable, units: int) -> Fraction:
        return sum((Fraction(sums[1], length) for length, sums in self._lengths(key).items()), Fraction()) / units

    def _lengths(self, key: Hashable) -> dict[int, list[int]]:
        sums = self._sums.get(key)
        return sums.by_length if sums else {}


# -- the strengths under which results are likeliest -------------------------------------------

# They are found by Newton's method, solved by conjugate gradients.  Two kinds of results can be fitted: comparisons of
# pairs, and rankings (Plackett and Luce).
#
# Why not Hunter's MM iteration, which is shorter: it converges so slowly that 50 players who all met take 500 times as
# long, and a chain of unbeaten players is thousands of points off after 100,000 iterations.

MAX_STEPS = 200
"""More than any fit takes: a limit, so that every fit ends."""

_MAX_STEP_LENGTH = 3.0
"""Further away than this, the parabola that a step assumes is no longer like the likelihood."""

_RIDGE = 1e-9
"""Curvature added for each comparison, so that the step is finite where the likelihood is flat."""

_Vector: TypeAlias = Sequence[float]


class _Parabola(NamedTuple):
    """What the likelihood looks like near some strengths: its slope, its curvature on the diagonal and as a product."""

    slope: list[float]
    diagonal: list[float]
    multiply: Callable[[_Vector], list[float]]


class _Likelihood(Protocol):
    """How likely results are under given strengths."""

    def log_likelihood(self, strengths: _Vector) -> float: ...

    def approximate(self, strengths: _Vector) -> _Parabola: ...


class Comparisons(NamedTuple):
    """Pairs of players with what each of the two won, and what each player won and lost against strength zero."""

    pairs: Sequence[tuple[int, int]]
    won: Sequence[tuple[float, float]]
    prior: Sequence[tuple[float, float]]

    def log_likelihood(self, strengths: _Vector) -> float:
        """The logarithm of the likelihood of the comparisons."""
        total = _prior_likelihood(self.prior, strengths)
        for (one, other), (won, lost) in zip(self.pairs, self.won, strict=True):
            difference = strengths[one] - strengths[other]
            total -= won * _softplus(-difference) + lost * _softplus(difference)
        return total

    def approximate(self, strengths: _Vector) -> _Parabola:
        """The parabola that the likelihood looks like at `strengths`."""
        slope, diagonal = _approximate_prior(self.prior, strengths)
        curvatures: list[float] = []
        for (one, other), (won, lost) in zip(self.pairs, self.won, strict=True):
            share = _win_chance(strengths[one] - strengths[other])
            surprise = won - (won + lost) * share
            curvature = (won + lost) * (share * (1 - share) + _RIDGE)
            slope[one] += surprise
            slope[other] -= surprise
            diagonal[one] += curvature
            diagonal[other] += curvature
            curvatures.append(curvature)

        def multiply(vector: _Vector) -> list[float]:
            product = list(map(mul, diagonal, vector))
            for (one, other), curvature in zip(self.pairs, curvatures, strict=True):
                product[one] -= curvature * vector[other]
                product[other] -= curvature * vector[one]
            return product

        return _Parabola(slope, diagonal, multiply)


class Choices(NamedTuple):
    """Rankings, as choices of the next best: how often a player was chosen, and out of each group how often one was.

    The chance of a player to be chosen out of a group is its share of the strengths in it.  A ranking of four players
    is three choices: out of all four, out of the three that are left, out of the last two.
    """

    groups: Sequence[tuple[int, ...]]
    counts: Sequence[float]  # by group
    chosen: Sequence[float]  # by player
    prior: Sequence[tuple[float, float]]  # as in `Comparisons`

    def log_likelihood(self, strengths: _Vector) -> float:
        """The logarithm of the likelihood of the choices."""
        middle, powers = _exponentials(strengths)
        total = _prior_likelihood(self.prior, strengths) + _dot_product(self.chosen, strengths)
        for group, count in zip(self.groups, self.counts, strict=True):
            total -= count * (middle + log(sum([powers[player] for player in group])))
        return total

    def approximate(self, strengths: _Vector) -> _Parabola:
        """The parabola that the likelihood looks like at `strengths`."""
        slope, diagonal = _approximate_prior(self.prior, strengths)
        slope = [each + chosen for each, chosen in zip(slope, self.chosen, strict=True)]
        straight = list(diagonal)  # the part of the curvature that is a diagonal before the products are subtracted
        _, powers = _exponentials(strengths)
        shares: list[list[float]] = []
        for group, count in zip(self.groups, self.counts, strict=True):
            scale = 1 / sum([powers[player] for player in group])
            shares.append([powers[player] * scale for player in group])
            for player, share in zip(group, shares[-1], strict=True):
                slope[player] -= count * share
                diagonal[player] += count * (share * (1 - share) + _RIDGE)
                straight[player] += count * (share + _RIDGE)

        def multiply(vector: _Vector) -> list[float]:
            product = list(map(mul, straight, vector))
            for group, count, parts in zip(self.groups, self.counts, shares, strict=True):
                along = count * sum([part * vector[player] for player, part in zip(group, parts, strict=True)])
                for player, part in zip(group, parts, strict=True):
                    product[player] -= part * along
            return product

        return _Parabola(slope, diagonal, multiply)


def fit_strengths(results: _Likelihood, start: _Vector, *, tolerance: float) -> list[float]:
    """The strengths, as logarithms, within about `tolerance`; ASSUME a prior, or that every player has won and lost."""
    strengths = list(start)
    for _ in range(MAX_STEPS):
        step = _solve_step(results.approximate(strengths))
        if (longest := max(map(abs, step), default=0.0)) > _MAX_STEP_LENGTH:
            step = [each * _MAX_STEP_LENGTH / longest for each in step]
            longest = _MAX_STEP_LENGTH
        while longest > 1 and _is_worse(results, strengths, step):
            step = [each / 2 for each in step]
            longest /= 2
        strengths = [strength + each for strength, each in zip(strengths, step, strict=True)]
        if longest < tolerance:
            break
    return strengths


def _is_worse(results: _Likelihood, strengths: _Vector, step: _Vector) -> bool:
    """Is the likelihood lower after the step?"""
    after = [strength + each for strength, each in zip(strengths, step, strict=True)]
    return results.log_likelihood(after) < results.log_likelihood(strengths)


# -- parts of a likelihood ---------------------------------------------------------------------


def _prior_likelihood(prior: Sequence[tuple[float, float]], strengths: _Vector) -> float:
    """The logarithm of the likelihood of what was won and lost against strength zero."""
    parts = zip(strengths, prior, strict=True)
    return -sum((won * _softplus(-strength) + lost * _softplus(strength) for strength, (won, lost) in parts), 0.0)


def _approximate_prior(prior: Sequence[tuple[float, float]], strengths: _Vector) -> tuple[list[float], list[float]]:
    """Slope and curvature of the likelihood of what was won and lost against strength zero."""
    slope: list[float] = []
    curvature: list[float] = []
    for strength, (won, lost) in zip(strengths, prior, strict=True):
        share = _win_chance(strength)
        slope.append(won - (won + lost) * share)
        curvature.append((won + lost) * (share * (1 - share) + _RIDGE))
    return slope, curvature


def _exponentials(strengths: _Vector) -> tuple[float, list[float]]:
    """The middle of the strengths, and the powers of e by which each differs from it, without overflow."""
    middle = (max(strengths, default=0.0) + min(strengths, default=0.0)) / 2
    return middle, [exp(max(-600.0, min(600.0, strength - middle))) for strength in strengths]


def _softplus(value: float) -> float:
    """log(1 + exp(value)), without overflow."""
    return value + log1p(exp(-value)) if value > 0 else log1p(exp(value))


def _win_chance(difference: float) -> float:
    """The chance of a player who is stronger by `difference`."""
    return 1 / (1 + exp(-difference)) if difference > -700 else 0.0


def _solve_step(parabola: _Parabola) -> list[float]:
    """The step to the top of the parabola, to a millionth: the next step corrects the rest."""
    slope, diagonal, multiply = parabola
    step = [0.0] * len(slope)
    rest = list(slope)
    scale = [1 / max(each, 1e-12) for each in diagonal]
    direction = list(map(mul, scale, rest))
    size = first = _dot_product(rest, direction)
    for _ in range(2 * len(slope) + 10):
        if size <= 1e-12 * first or not size:
            break
        bent = multiply(direction)
        if (along := _dot_product(direction, bent)) <= 0:
            break
        length = size / along
        step = [each + length * way for each, way in zip(step, direction, strict=True)]
        rest = [each - length * way for each, way in zip(rest, bent, strict=True)]
        before, size = size, _dot_product(rest, list(map(mul, scale, rest)))
        direction = [s * r + size / before * way for s, r, way in zip(scale, rest, direction, strict=True)]
    return step


def _dot_product(one: _Vector, other: _Vector) -> float:
    """The sum of the products."""
    return sum((x * y for x, y in zip(one, other, strict=True)), 0.0)
