"""Figures with their 95 % intervals, over units: matches of one deal share their luck and count as one observation."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

__all__ = ["NORMAL", "UNKNOWN", "Estimate", "UnitMeans", "mean", "share", "student"]

NORMAL = 1.96
STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.10)
"""The 97.5 % point of Student's distribution for 1, 2, ... degrees of freedom."""


class Estimate(NamedTuple):
    """A figure with the ends of its 95 % interval, which are None where nothing can be said."""

    value: float
    low: float | None
    high: float | None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Both ends, or None where one is missing."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    def __format__(self, spec: str) -> str:
        """The value, then its interval in brackets where it has one: ``f"{estimate:.1f}"`` gives `9.5 [8.0, 11.0]`."""
        value = format(self.value, spec)
        if self.interval is None:
            return value
        low, high = self.interval
        return f"{value} [{low:{spec}}, {high:{spec}}]"


UNKNOWN = Estimate(0.0, 0.0, 1.0)
"""A share of which nothing is known."""


def share(value: float, units: int) -> Estimate:
    """The mean of values between 0 and 1 with Wilson's interval, which never pretends to be certain; ASSUME a value."""
    z = NORMAL
    centre = (value + z * z / (2 * units)) / (1 + z * z / units)
    spread = z / (1 + z * z / units) * sqrt(value * (1 - value) / units + z * z / (4 * units * units))
    return Estimate(value, max(0.0, centre - spread), min(1.0, centre + spread))


def mean(value: float, variance: float, units: int) -> Estimate:
    """The mean of values with this variance, with Student's interval; ASSUME there is a value."""
    if units == 1:
        return Estimate(value, None, None)
    spread = student(units) * sqrt(variance / units)
    return Estimate(value, value - spread, value + spread)


def student(units: int) -> float:
    """How many standard errors the 95 % interval of a mean of so many units reaches; ASSUME units >= 2."""
    freedom = units - 1
    return STUDENT[freedom - 1] if freedom <= len(STUDENT) else NORMAL + 2.4 / freedom + 2.6 / freedom**2


class Sums:
    """What the averages of many units add up to, exactly, so that their order does not matter.

    By the number of values in a unit: how many such units, the sum of their totals, the sum of the squares.
    """

    __slots__ = ("by_length",)

    def __init__(self) -> None:
        self.by_length: dict[int, list[int]] = {}

    def move(self, length: int, total: int, value: int) -> None:
        """A unit of `length` values that add up to `total` gets one more."""
        if length:
            self.count(length, total, -1)
        self.count(length + 1, total + value, 1)

    def count(self, length: int, total: int, sign: int) -> None:
        sums = self.by_length.setdefault(length, [0, 0, 0])
        sums[0] += sign
        sums[1] += sign * total
        sums[2] += sign * total * total


class UnitMeans:
    """Means of whole numbers over units, by key, in memory bounded by the keys and the units under way.

    With `rotated`, a unit is over once it has as many matches as seats, one for each rotation, and is forgotten;
    without, it goes on as long as there are matches of it.
    """

    def __init__(self, *, rotated: bool = True) -> None:
        self._rotated = rotated
        self._sums: dict[Hashable, Sums] = {}
        self._under_way: dict[Hashable, tuple[list[int], dict[Hashable, tuple[int, int]]]] = {}

    def add(self, unit: Hashable, seats: int, values: Iterable[tuple[Hashable, int]]) -> None:
        """One match of `unit`, with its value for each key that it tells something about."""
        matches, totals = self._under_way.setdefault(unit, ([0], {}))
        for key, value in values:
            length, total = totals.get(key, (0, 0))
            if (sums := self._sums.get(key)) is None:
                sums = self._sums[key] = Sums()
            sums.move(length, total, value)
            totals[key] = length + 1, total + value
        matches[0] += 1
        if self._rotated and matches[0] == seats:
            del self._under_way[unit]

    def units(self, key: Hashable) -> int:
        return sum(sums[0] for sums in self._lengths(key).values())

    def values(self, key: Hashable) -> int:
        """How many values there are in all units."""
        return sum(length * sums[0] for length, sums in self._lengths(key).items())

    def total(self, key: Hashable) -> int:
        """What all values add up to."""
        return sum(sums[1] for sums in self._lengths(key).values())

    def share(self, key: Hashable, most: int = 1) -> Estimate:
        """The mean over units of the unit's average, as a share of `most`, which no value exceeds."""
        units = self.units(key)
        return share(float(self._mean(key, units) / most), units) if units else UNKNOWN

    def mean(self, key: Hashable) -> Estimate | None:
        """The mean over units of the unit's average; None where there is no value."""
        if not (units := self.units(key)):
            return None
        middle = self._mean(key, units)
        squares = sum(Fraction(sums[2], length * length) for length, sums in self._lengths(key).items())
        variance = (squares - units * middle * middle) / max(1, units - 1)
        return mean(float(middle), float(variance), units)

    def _mean(self, key: Hashable, units: int) -> Fraction:
        return sum((Fraction(sums[1], length) for length, sums in self._lengths(key).items()), Fraction()) / units

    def _lengths(self, key: Hashable) -> dict[int, list[int]]:
        found = self._sums.get(key)
        return found.by_length if found else {}
