"""Intervals that do not pretend, means over units in bounded memory, and fits."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise
from math import exp, isclose, log, sqrt
from random import Random

import choix
import pytest
from hypothesis import given, strategies as st

from contest.samples import interval, width
from fairplay.contest.statistics import (
    MIN_UNITS,
    UNKNOWN_SHARE,
    Choices,
    Comparisons,
    Estimate,
    UnitMeans,
    fit_strengths,
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


NO_PRIOR = (0.0, 0.0)
COUNTS = st.one_of(st.integers(0, 40), st.sampled_from([0, 1, 1_000_000]))


def ranking(strengths: list[float], players: tuple[int, ...], rng: Random) -> tuple[int, ...]:
    """A ranking by Plackett and Luce: the next place goes to somebody with chances as the strengths."""
    left, placed = list(players), list[int]()
    while left:
        placed.append(rng.choices(left, [exp(strengths[player]) for player in left])[0])
        left.remove(placed[-1])
    return tuple(placed)


def compared(rankings: list[tuple[int, ...]], players: int) -> Comparisons:
    wins = Counter(pair for each in rankings for pair in combinations(each, 2))
    pairs = sorted({(min(pair), max(pair)) for pair in wins})
    return Comparisons(pairs, [(wins[pair], wins[pair[::-1]]) for pair in pairs], [NO_PRIOR] * players)


def centred(values: list[float]) -> list[float]:
    return [value - sum(values) / len(values) for value in values]


@pytest.mark.parametrize(("players", "seats", "matches"), [(2, 2, 30), (5, 2, 200), (6, 3, 150), (9, 4, 150)])
def test_the_fit_is_that_of_choix(players: int, seats: int, matches: int) -> None:
    rng = Random(players)
    strengths = [rng.gauss(0, 1) for _ in range(players)]
    rankings = [ranking(strengths, tuple(rng.sample(range(players), seats)), rng) for _ in range(matches)]
    found = centred(fit_strengths(compared(rankings, players), [0.0] * players, tolerance=1e-9))
    pairs = [pair for each in rankings for pair in combinations(each, 2)]
    expected = centred(list(choix.opt_pairwise(players, pairs, method="BFGS", tol=1e-9)))
    assert all(isclose(one, other, abs_tol=1e-5) for one, other in zip(found, expected, strict=True))


def test_strengths_from_pairs_are_plackett_luce_strengths() -> None:
    """With many matches of four, both fits come to the strengths that the rankings were drawn with."""
    rng = Random(2)
    strengths = centred([1.0, 0.5, 0.0, -0.3, -1.0])
    rankings = [ranking(strengths, tuple(rng.sample(range(5), 4)), rng) for _ in range(4_000)]
    found = centred(fit_strengths(compared(rankings, 5), [0.0] * 5, tolerance=1e-9))
    expected = centred(list(choix.ilsr_rankings(5, rankings)))
    assert all(isclose(one, other, abs_tol=0.05) for one, other in zip(found, expected, strict=True))
    assert all(isclose(one, other, abs_tol=0.1) for one, other in zip(found, strengths, strict=True))


def chosen(rankings: list[tuple[int, ...]], players: int) -> Choices:
    groups = Counter(tuple(sorted(each[place:])) for each in rankings for place in range(len(each) - 1))
    wins = Counter(player for each in rankings for player in each[:-1])
    return Choices([*groups], [*groups.values()], [wins[player] for player in range(players)], [NO_PRIOR] * players)


@pytest.mark.parametrize(("players", "seats", "matches"), [(2, 2, 30), (5, 3, 100), (6, 4, 150), (12, 8, 150)])
def test_the_fit_to_rankings_is_the_plackett_luce_fit_of_choix(players: int, seats: int, matches: int) -> None:
    rng = Random(players)
    strengths = [rng.gauss(0, 1) for _ in range(players)]
    rankings = [ranking(strengths, tuple(rng.sample(range(players), seats)), rng) for _ in range(matches)]
    found = centred(fit_strengths(chosen(rankings, players), [0.0] * players, tolerance=1e-9))
    expected = centred(list(choix.ilsr_rankings(players, rankings)))
    assert all(isclose(one, other, abs_tol=1e-5) for one, other in zip(found, expected, strict=True))


def test_rankings_far_apart_do_not_overflow() -> None:
    """Each of thirty players always finished before the next ones."""
    choices = chosen([(player, *range(player + 1, 30)[:3]) for player in range(29)] * 1_000, 30)
    choices = choices._replace(prior=[(0.01, 0.01)] * 30)
    found = fit_strengths(choices, [0.0] * 30, tolerance=1e-9)
    assert all(one > other for one, other in pairwise(found))
    top = choices.log_likelihood(found)
    assert all(choices.log_likelihood([*found[:at], found[at] + 0.01, *found[at + 1 :]]) <= top for at in range(30))


def test_two_players_have_the_odds_of_their_wins() -> None:
    found = fit_strengths(Comparisons([(0, 1)], [(30, 10)], [NO_PRIOR] * 2), [0.0, 0.0], tolerance=1e-9)
    assert isclose(found[0] - found[1], log(3), rel_tol=1e-9)


def test_a_chain_of_unbeaten_players_has_finite_strengths() -> None:
    """Each one beat the next a thousand times: hardly any prior, long steps, and yet an end."""
    players = 30
    pairs = [(player, player + 1) for player in range(players - 1)]
    comparisons = Comparisons(pairs, [(1_000.0, 0.0)] * len(pairs), [(0.01, 0.01)] * players)
    found = fit_strengths(comparisons, [0.0] * players, tolerance=1e-9)
    assert all(one > other for one, other in pairwise(found))
    assert highest(comparisons, found)


@given(
    st.lists(st.tuples(COUNTS, COUNTS), min_size=6, max_size=6),
    st.floats(0.01, 2.0),
    st.lists(st.floats(-30, 30), min_size=4, max_size=4),
)
def test_no_strengths_near_by_are_likelier(won: list[tuple[float, float]], prior: float, start: list[float]) -> None:
    comparisons = Comparisons(list(combinations(range(4), 2)), won, [(prior, prior)] * 4)
    assert highest(comparisons, fit_strengths(comparisons, start, tolerance=1e-9))


def highest(comparisons: Comparisons, strengths: list[float]) -> bool:
    top = comparisons.log_likelihood(strengths)
    around = [
        [value + change * (index == player) for index, value in enumerate(strengths)]
        for player in range(len(strengths))
        for change in (-1e-3, 1e-3)
    ]
    return all(comparisons.log_likelihood(near) <= top + 1e-9 + 1e-13 * abs(top) for near in around)


def test_a_start_far_off_does_not_throw_it_further() -> None:
    """Out there the likelihood is so flat that Newton's step alone would jump out of all bounds."""
    comparisons = Comparisons([(0, 1)], [(30, 10)], [(0.01, 0.01)] * 2)
    found = fit_strengths(comparisons, [30.0, -30.0], tolerance=1e-9)
    assert isclose(found[0] - found[1], log(3), abs_tol=1e-3)


def test_nobody_is_fitted_to_nothing() -> None:
    assert fit_strengths(Comparisons([], [], []), [], tolerance=1e-9) == []
