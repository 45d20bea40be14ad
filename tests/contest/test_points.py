"""Points: what a seat left behind."""

from __future__ import annotations

import pytest

from fairplay.contest.points import faulted_players, half_points, places, tiers
from fairplay.core import Fault, FaultKind, Outcome, Seat

GONE = Fault(FaultKind.GONE)


def outcome(*ranking: tuple[int, ...], faults: tuple[Fault | None, ...]) -> Outcome:
    return Outcome(tuple(tuple(map(Seat, tier)) for tier in ranking), (None,) * len(faults), faults, "over")


@pytest.mark.parametrize(
    ("ranking", "seats", "found", "points"),
    [
        (((1,), (0,)), 2, [(1,), (0,)], [0, 2]),
        (((0, 1),), 2, [(0, 1)], [1, 1]),
        (((2,), (0, 3)), 4, [(2,), (0, 3), (1,)], [3, 0, 6, 3]),
        (((), (1,)), 3, [(1,), (0, 2)], [1, 4, 1]),  # an empty first tier promotes nobody, but somebody is behind
        ((), 3, [(0, 1, 2)], [2, 2, 2]),
    ],
)
def test_points(
    ranking: tuple[tuple[int, ...], ...], seats: int, found: list[tuple[int, ...]], points: list[int]
) -> None:
    ended = outcome(*ranking, faults=(None,) * seats)
    assert tiers(ended) == found
    assert half_points(ended) == points
    assert sum(points) == seats * (seats - 1)
    assert all(seat in found[place] for seat, place in enumerate(places(ended)))


def test_the_removed_are_players_not_seats() -> None:
    assert faulted_players((7, 4, 9), outcome((0,), faults=(None, GONE, GONE))) == [4, 9]
