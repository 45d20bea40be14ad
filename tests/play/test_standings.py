"""Tables out of outcomes, with intervals that do not pretend."""

from __future__ import annotations

from math import inf, isclose

import pytest

from fairplay.core import Fault, FaultKind, Outcome, Seat
from fairplay.play.standings import Estimate, Standings, mean, share


def outcome(*tiers: tuple[int, ...], scores: tuple[int, ...] = (3, 1), fault: int | None = None) -> Outcome:
    return Outcome(
        tuple(tuple(map(Seat, tier)) for tier in tiers),
        tuple(None if seat == fault else (score,) for seat, score in enumerate(scores)),
        tuple(Fault(FaultKind.GONE) if seat == fault else None for seat in range(len(scores))),
        "over",
    )


def test_wins_ties_losses_faults_and_averages() -> None:
    standings = Standings(["ada", "bob"])
    standings.add(1, (0, 1), outcome((0,), (1,), scores=(7, 3)))
    standings.add(1, (1, 0), outcome((1,), (0,), scores=(2, 9)))
    standings.add(2, (0, 1), outcome((0, 1), scores=(5, 5)))
    standings.add(2, (1, 0), outcome((1,), scores=(0, 4), fault=0))
    ada, bob = standings.table()
    assert (ada.player, ada.matches, ada.wins, ada.ties, ada.losses, ada.faults) == ("ada", 4, 3, 1, 0, 0)
    assert (bob.player, bob.matches, bob.wins, bob.ties, bob.losses, bob.faults) == ("bob", 4, 0, 1, 3, 1)
    assert ada.win_share.value == 0.75
    assert ada.average is not None and ada.average.value == (8 + 4.5) / 2
    assert bob.average is not None and bob.average.value == (2.5 + 5) / 2


def test_nobody_can_be_averaged_over_nothing() -> None:
    standings = Standings(["ada", "bob", "cat"])
    standings.add(1, (0, 1), outcome((1,), fault=0))
    lines = {line.player: line for line in standings.table()}
    assert lines["ada"].average is None
    assert lines["cat"].matches == 0
    assert lines["cat"].win_share == Estimate(0.0, 0.0, 1.0)


def test_an_empty_first_tier_means_nobody_won() -> None:
    standings = Standings(["ada", "bob"])
    standings.add(1, (0, 1), outcome((), (1,), fault=0))
    assert all(line.wins == line.ties == 0 for line in standings.table())


@pytest.mark.parametrize(
    ("wins", "count", "low", "high"), [(10, 10, 0.722, 1.0), (0, 10, 0.0, 0.278), (5, 10, 0.237, 0.763)]
)
def test_wilson_interval(wins: int, count: int, low: float, high: float) -> None:
    found = share([1.0] * wins + [0.0] * (count - wins))
    assert isclose(found.low, low, abs_tol=0.001)
    assert isclose(found.high, high, abs_tol=0.001)


def test_student_interval() -> None:
    assert mean([4.0]) == Estimate(4.0, -inf, inf)
    found = mean([1.0, 2.0, 3.0, 4.0])
    assert found.value == 2.5
    assert isclose(found.high - found.low, 2 * 3.18 * 1.2910 / 2, abs_tol=0.01)
    many = mean([0.0, 1.0] * 50)
    assert isclose(many.high - many.value, 2.09 * 0.5025 / 10, abs_tol=0.001)


def test_intervals_count_units_not_matches() -> None:
    """Two matches of one deal tell little more than one: the interval must not shrink."""
    once, twice = Standings(["ada", "bob"]), Standings(["ada", "bob"])
    for unit in range(6):
        once.add(unit, (0, 1), outcome((0,), (1,)))
        twice.add(unit, (0, 1), outcome((0,), (1,)))
        twice.add(unit, (0, 1), outcome((0,), (1,)))
    assert once.table()[0].win_share == twice.table()[0].win_share
