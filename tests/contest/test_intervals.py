"""Intervals that do not pretend, and means over units in bounded memory."""

from __future__ import annotations

from fractions import Fraction
from math import isclose, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contest.samples import interval, width
from fairplay.contest.intervals import (
    MIN_UNITS,
    UNKNOWN_SHARE,
    Estimate,
    UnitMeans,
    mean_interval,
    t_quantile,
    wilson_interval,
)


@pytest.mark.parametrize(
    ("wins", "count", "low", "high"), [(10, 10, 0.722, 1.0), (0, 10, 0.0, 0.278), (5, 10, 0.237, 0.763)]
)
def test_wilson_interval(wins: int, count: int, low: float, high: float) -> None:
    found = wilson_interval(wins / count, count)
    assert interval(found) == pytest.approx((low, high), abs=0.001)


def test_student_interval() -> None:
    assert mean_interval(4.0, 0.0, 1) == Estimate(4.0, None, None)
    found = mean_interval(2.5, 5 / 3, 4)
    assert found.value == 2.5
    assert isclose(width(found), 2 * 3.18 * sqrt(5 / 3) / 2)
    many = mean_interval(0.5, 0.2525, 100)
    assert isclose(width(many) / 2, 1.984 * sqrt(0.2525) / 10, rel_tol=1e-3)


def test_a_figure_is_written_with_its_interval_where_it_has_one() -> None:
    assert f"{Estimate(9.5, 8.04, 11.0):.1f}" == "9.5 [8.0, 11.0]"
    assert f"{Estimate(0.5, 0.25, 1.0):.0%}" == "50% [25%, 100%]"
    assert f"{Estimate(1500.0, None, None):.0f}" == f"{Estimate(1500.0, 1.0, None):.0f}" == "1500"


@pytest.mark.parametrize(("freedom", "point"), [(1, 12.71), (18, 2.10), (19, 2.093), (30, 2.042), (120, 1.980)])
def test_students_points(freedom: int, point: float) -> None:
    assert isclose(t_quantile(freedom + 1), point, abs_tol=0.006)


def test_nothing_is_known_of_a_key_without_values() -> None:
    means = UnitMeans()
    assert means.share("wins") == UNKNOWN_SHARE
    assert means.mean("wins") is None
    assert means.units("wins") == means.values("wins") == means.total("wins") == 0


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(-5, 5)), min_size=1, max_size=40),
    st.randoms(use_true_random=False),
)
def test_means_are_those_of_the_unit_averages_in_any_order(values: list[tuple[int, int]], random: Random) -> None:
    units: dict[int, list[int]] = {}
    for unit, value in values:
        units.setdefault(unit, []).append(value)
    averages = [Fraction(sum(each), len(each)) for each in units.values()]
    middle = sum(averages) / len(averages)
    one, other = UnitMeans(), UnitMeans()
    for unit, value in values:
        one.add(unit, 100, [("key", value)])
    random.shuffle(values)
    for unit, value in values:
        other.add(unit, 100, [("key", value)])
    found = one.mean("key")
    assert found is not None and found.value == float(middle)
    assert found == other.mean("key")
    assert (one.units("key"), one.values("key"), one.total("key")) == (
        len(units),
        len(values),
        sum(value for _, value in values),
    )
    if len(units) >= MIN_UNITS:
        variance = sum((each - middle) ** 2 for each in averages) / (len(averages) - 1)
        expected = mean_interval(float(middle), float(variance), len(units))
        assert interval(found) == pytest.approx(interval(expected), abs=1e-9)


def test_a_match_that_is_a_unit_is_forgotten_at_once() -> None:
    means = UnitMeans(paired=False)
    for unit in range(100):
        means.add(unit, 2, [("key", unit % 2)])
    assert means.units("key") == means.values("key") == 100
    assert not means._open


def test_a_paired_unit_is_forgotten_when_it_is_over() -> None:
    means = UnitMeans()
    for unit in range(1_000):
        for value in (1, 0):
            means.add(unit, 2, [("key", value)])
    assert means.share("key").value == 0.5
    assert means.units("key") == 1_000
    assert not means._open
    means.add(7, 2, [("key", 1)])
    assert list(means._open) == [7]
