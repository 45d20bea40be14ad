"""Ratings: their order, their scale, and intervals that hold."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from math import isclose, log, log10
from random import Random

import choix
import pytest

from contest.samples import interval, width
from fairplay.contest import rating
from fairplay.contest.formats.rounds import Dealer
from fairplay.contest.rating import (
    MEAN_WEIGHT,
    WEIGHT_OF_BYTE,
    LadderRatings,
    PoolRatings,
    Rankings,
    RatingRow,
    quantile,
    rate_strengths,
    repetition_count,
    stretch_interval,
)
from fairplay.contest.statistics import Estimate, fit_strengths
from fairplay.core import Fault, FaultKind, Outcome, Seat

Played = tuple[int, tuple[int, ...], Outcome]


def ended(*tiers: Sequence[int], seats: int = 2) -> Outcome:
    """An outcome with these tiers of seats; who is in none of them was removed."""
    placed = {seat for tier in tiers for seat in tier}
    faults = tuple(None if seat in placed else Fault(FaultKind.GONE) for seat in range(seats))
    return Outcome(tuple(tuple(map(Seat, tier)) for tier in tiers), ((0,),) * seats, faults, "over")


def luck(rng: Random) -> float:
    """A draw from Gumbel's distribution: the greatest of strengths with such luck wins as Plackett and Luce say."""
    return -log(-log(rng.random()))


def tournament(
    strengths: Sequence[float], seats: int, games: int, seed: int, *, deal_luck: float = 0, paired: bool = True
) -> list[Played]:
    """A round robin; `deal_luck` is what a player draws with a deal, and keeps in all rotations that share it."""
    rng, dealer = Random(seed), Dealer(paired=paired)
    found: list[Played] = []
    drawn: dict[tuple[int, int], float] = {}
    for line_up in [*combinations(range(len(strengths)), seats)] * games:
        for fixture in dealer.rotate_line_up(line_up):
            for player in fixture.line_up:
                drawn.setdefault((fixture.deal, player), deal_luck * rng.gauss(0, 1))
            form = [strengths[player] + drawn[fixture.deal, player] + luck(rng) for player in fixture.line_up]
            order = sorted(range(seats), key=form.__getitem__, reverse=True)
            found.append((fixture.deal, fixture.line_up, ended(*([seat] for seat in order), seats=seats)))
    return found


def names(count: int) -> list[str]:
    return [f"player {number}" for number in range(count)]


def rated(matches: Sequence[Played], players: int, *, seed: int = 0, paired: bool = True) -> dict[int, RatingRow]:
    ratings = PoolRatings(names(players), seed=seed, paired=paired)
    for match in matches:
        ratings.add(*match)
    return {int(line.player.split()[1]): line for line in ratings.table()}


# -- a fixed pool ------------------------------------------------------------------------------


def test_the_order_of_adding_changes_no_digit() -> None:
    matches = tournament([0.5, 0.0, -0.2, -0.4], 3, 4, seed=1)
    once = rated(matches, 4)
    Random(2).shuffle(matches)
    assert rated(matches, 4) == once
    assert rated(matches, 4, seed=1) != once


def test_ten_to_one_are_400_points_around_1500() -> None:
    lost = ended([1], [0])
    matches = [(deal, (0, 1), lost if deal % 11 == 0 else ended([0], [1])) for deal in range(11_000)]
    found = rated(matches, 2, paired=False)
    assert isclose(found[0].rating.value - found[1].rating.value, 400, abs_tol=1)
    assert isclose(found[0].rating.value + found[1].rating.value, 3_000)
    assert found[0].matches == 11_000


def test_a_tie_is_half_a_win_for_both() -> None:
    ties = rated([(deal, (0, 1), ended([0, 1])) for deal in range(8)], 2, paired=False)
    assert isclose(ties[0].rating.value, 1500)
    shared = [(deal, (0, 1), ended([0, 1]) if deal % 2 else ended([0], [1])) for deal in range(800)]
    plain = [(deal, (0, 1), ended([1], [0]) if deal % 4 == 0 else ended([0], [1])) for deal in range(800)]
    assert rated(shared, 2)[0].rating.value == rated(plain, 2)[0].rating.value


def test_those_removed_come_last_and_level() -> None:
    found = rated([(deal, (0, 1, 2), ended([1], seats=3)) for deal in range(9)], 3, paired=False)
    assert found[1].rating.value > found[0].rating.value
    assert isclose(found[0].rating.value, found[2].rating.value)


def test_the_strongest_come_first_and_the_unknown_are_in_the_middle() -> None:
    ratings = PoolRatings(names(4))
    for match in tournament([-2.0, 2.0, 0.0], 2, 20, seed=3):
        ratings.add(*match)
    table = ratings.table()
    assert table[0].player == "player 1" and table[-1].player == "player 0"
    unknown = next(line for line in table if line.player == "player 3")
    assert unknown == RatingRow("player 3", 0, Estimate(1500.0, None, None))
    assert PoolRatings(names(1)).table() == [RatingRow("player 0", 0, Estimate(1500.0, None, None))]


@pytest.mark.parametrize("units", [3, 10])
def test_an_unbeaten_player_is_not_certain_to_be_anything(units: int) -> None:
    matches = [
        (deal, line_up, ended([line_up.index(0)], [line_up.index(1)]))
        for deal in range(units)
        for line_up in ((0, 1), (1, 0))
    ]
    rating = rated(matches, 2)[0].rating
    value, (low, high) = rating.value, interval(rating)
    assert 1500 < value < 2000
    assert high - value > 60
    assert value - low > 60
    assert isclose(value, 1500 + 200 * log10((units + 0.5) / 0.5), rel_tol=0.05)


def test_one_deal_gives_a_rating_but_no_interval() -> None:
    for row in rated([(0, (0, 1), ended([0], [1])), (0, (1, 0), ended([1], [0]))], 2).values():
        assert row.rating.value != 1500 and row.rating.interval is None


def test_more_units_tell_more_but_more_rotations_of_one_deal_do_not() -> None:
    def spread(matches: Sequence[Played]) -> float:
        return width(rated(matches, 2)[0].rating)

    few, many = tournament([0.2, -0.2], 2, 20, seed=4), tournament([0.2, -0.2], 2, 180, seed=4)
    assert 2.2 < spread(few) / spread(many) < 4.5
    lucky = [tournament([0.2, -0.2], 2, 60, seed=4, deal_luck=spread) for spread in (0, 8)]
    assert spread(lucky[1]) > 1.2 * spread(lucky[0])


@pytest.mark.no_cover  # other tests run the same lines
@pytest.mark.parametrize(
    ("strengths", "seats", "games", "deal_luck"),
    [([0.3, -0.3], 2, 12, 0.0), ([0.3, -0.3], 2, 25, 2.0), ([0.5, 0.2, -0.2, -0.5], 4, 12, 1.0)],
)
@pytest.mark.parametrize("paired", [True, False])
def test_intervals_hold_the_truth(
    strengths: list[float], seats: int, games: int, deal_luck: float, *, paired: bool
) -> None:
    """About 95 of 100 do; the truth is what a long tournament says."""
    truth = rated(tournament(strengths, seats, 2_000, seed=1, deal_luck=deal_luck, paired=paired), len(strengths))
    held = total = 0
    for seed in range(100):
        matches = tournament(strengths, seats, games, seed=seed + 100, deal_luck=deal_luck, paired=paired)
        for player, line in rated(matches, len(strengths), seed=seed, paired=paired).items():
            low, high = interval(line.rating)
            held += low <= truth[player].rating.value <= high
            total += 1
    assert held / total >= 0.9


def test_more_than_two_seats_are_fitted_as_whole_rankings() -> None:
    """The same strengths as a library's fit of Plackett and Luce, where a tie is all its orders in equal parts."""
    matches = tournament([0.8, 0.3, 0.0, -0.4, -0.7], 4, 3, seed=8)
    orders = [[tuple(line_up[seat] for (seat,) in outcome.ranking)] * 6 for _, line_up, outcome in matches]
    matches += [(99, (0, 1, 2, 3), ended([2], [0, 1, 3], seats=4))] * 5
    orders += [[(2, *order) for order in permutations((0, 1, 3))]] * 5
    rankings = Rankings(5)
    for _, line_up, outcome in matches:
        rankings.add(line_up, outcome)
    found = fit_strengths(rankings.choices(range(5), [(0.0, 0.0)] * 5), [0.0] * 5, tolerance=1e-9)
    expected = choix.ilsr_rankings(5, [order for each in orders for order in each])
    assert rate_strengths(found) == pytest.approx(rate_strengths(list(expected)), abs=0.01)
    by_rating = [rated(matches, 5)[player].rating.value for player in range(5)]
    assert by_rating == pytest.approx(rate_strengths(found), abs=15)  # the rest is the prior


def test_a_tie_of_very_many_is_counted_too() -> None:
    found = rated([(deal, tuple(range(12)), ended(range(1, 12), [0], seats=12)) for deal in range(9)], 12)
    assert found[1].rating.value > found[0].rating.value
    assert isclose(found[1].rating.value, found[11].rating.value)


def test_memory_is_bounded_by_the_pairs() -> None:
    ratings = PoolRatings(names(3))
    for match in tournament([0, 0, 0], 2, 1_000, seed=5):
        ratings.add(*match)
    assert len(ratings._won) == 3
    assert len(ratings._recent) <= 1_024
    assert all(side.bit_length() <= 64 * ratings._lanes for won in ratings._won.values() for side in won)


def test_too_many_groups_are_not_kept_and_pairs_do(monkeypatch: pytest.MonkeyPatch) -> None:
    matches = tournament([1.0, 0.3, 0.0, -0.4, -0.7], 4, 30, seed=8)
    whole = rated(matches, 5)
    monkeypatch.setattr(rating, "MAX_GROUPS", 10)
    rankings = Rankings(5)
    for _, line_up, outcome in matches:
        rankings.add(line_up, outcome)
    assert rankings.too_many and not rankings._groups
    by_pairs = rated(matches, 5)
    assert by_pairs == rated(matches[::-1], 5)
    for player, row in by_pairs.items():
        assert row.rating.value != whole[player].rating.value
        assert row.rating.value == pytest.approx(whole[player].rating.value, abs=60)


def test_weights_are_exponential() -> None:
    mean = sum(WEIGHT_OF_BYTE) / 256
    deviation = (sum(weight * weight for weight in WEIGHT_OF_BYTE) / 256 - mean * mean) ** 0.5
    assert isclose(mean, MEAN_WEIGHT, rel_tol=0.01)
    assert isclose(deviation, MEAN_WEIGHT, rel_tol=0.01)


def test_large_pools_are_repeated_less_often() -> None:
    assert [repetition_count(players) for players in (2, 50, 51, 200, 201, 5_000)] == [200, 200, 100, 100, 40, 40]


def test_quantiles_lie_between_the_values() -> None:
    values = [float(value) for value in range(1, 200)]
    assert quantile(values, 0.025) == 5.0
    assert quantile(values, 0.975) == 195.0
    assert quantile([1.0, 2.0], 0.001) == 1.0
    assert quantile([1.0, 2.0], 0.999) == 2.0


def test_few_units_stretch_the_interval() -> None:
    repeated = [float(value) for value in range(1, 200)]
    assert interval(stretch_interval(100.0, repeated, 1_000_000)) == pytest.approx((5.0, 195.0), abs=0.01)
    assert stretch_interval(100.0, repeated, 3).low == pytest.approx(100.0 - 95 * 4.30 / 1.96)
    assert stretch_interval(300.0, repeated, 3).high == 300.0  # never below the value itself


# -- a ladder ----------------------------------------------------------------------------------


def test_ladder_ratings_find_the_order() -> None:
    ladder = LadderRatings(4)
    for _, line_up, outcome in tournament([-1.5, 0.0, 1.5, 0.7], 3, 60, seed=6):
        ladder.add(line_up, outcome)
    assert sorted(range(4), key=ladder.mean, reverse=True) == [2, 3, 1, 0]


def test_ladder_ties_are_level_and_the_removed_last() -> None:
    ladder = LadderRatings(4)
    ladder.add((0, 1, 2, 3), ended([2], [0, 3], seats=4))
    assert ladder.mean(2) > ladder.mean(0) == ladder.mean(3) > ladder.mean(1)


def test_what_is_drawn_lies_around_the_mean() -> None:
    ladder = LadderRatings(2)
    rng = Random(7)
    drawn = [ladder.draw(0, rng) for _ in range(2_000)]
    mean = sum(drawn) / len(drawn)
    deviation = (sum((each - mean) ** 2 for each in drawn) / len(drawn)) ** 0.5
    assert isclose(mean, ladder.mean(0), abs_tol=0.6)
    assert isclose(deviation, 25 / 3, rel_tol=0.06)
