"""The fit of strengths, against a library that others trust."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from math import exp, isclose, log
from random import Random

import choix
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairplay.contest.fit import Choices, Comparisons, fit_strengths

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
