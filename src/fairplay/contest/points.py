"""Points of an outcome: how many of the other seats a seat left behind.

Half points, so that they stay whole numbers: two for each seat behind, one for each seat level with it.  Seats without
a place in the ranking (removed, or eliminated by the rules) are level with each other, behind all others.
A seat that is as good as the others wins half of what can be won, whatever the number of seats.
"""

from collections.abc import Sequence

from fairplay.core import Outcome


def tiers(outcome: Outcome) -> list[tuple[int, ...]]:
    """All seats in groups of equals, best first; those without a place come last."""
    placed = {seat for tier in outcome.ranking for seat in tier}
    rest = tuple(seat for seat in range(len(outcome.faults)) if seat not in placed)
    return [tier for tier in (*outcome.ranking, rest) if tier]


def places(outcome: Outcome) -> list[int]:
    """The number of each seat's tier, from 0."""
    place_of = [0] * len(outcome.faults)
    for place, tier in enumerate(tiers(outcome)):
        for seat in tier:
            place_of[seat] = place
    return place_of


def half_points(outcome: Outcome) -> list[int]:
    """What each seat won, out of ``2 * (seats - 1)``."""
    points = [0] * len(outcome.faults)
    behind = len(points)
    for tier in tiers(outcome):
        behind -= len(tier)
        for seat in tier:
            points[seat] = 2 * behind + len(tier) - 1
    return points


def faulted_players(line_up: Sequence[int], outcome: Outcome) -> list[int]:
    """The players of `line_up` that were removed for a fault."""
    return [player for player, fault in zip(line_up, outcome.faults, strict=True) if fault is not None]
