"""Figures with 95 % intervals, over units.

A unit is one match with a deal of its own.  Matches of a paired deal share its luck, and are one unit together.
"""

from collections.abc import Hashable, Iterable
from fractions import Fraction
from math import sqrt

from msgspec import Struct

NORMAL_QUANTILE = 1.96
T_TABLE = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.10)
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
    if freedom <= len(T_TABLE):
        return T_TABLE[freedom - 1]
    return NORMAL_QUANTILE + 2.4 / freedom + 2.6 / freedom**2


class UnitSums:
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
        self._sums: dict[Hashable, UnitSums] = {}
        self._open: dict[Hashable, tuple[list[int], dict[Hashable, tuple[int, int]]]] = {}

    def add(self, unit: Hashable, seats: int, values: Iterable[tuple[Hashable, int]]) -> None:
        """Add a match of `unit`, with its value for each key that it says something about."""
        matches, totals = self._open.setdefault(unit, ([0], {}))
        for key, value in values:
            length, total = totals.get(key, (0, 0))
            if (sums := self._sums.get(key)) is None:
                sums = self._sums[key] = UnitSums()
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
