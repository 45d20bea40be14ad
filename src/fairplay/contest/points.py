"""Points out of an outcome: how many of the others a seat left behind.

Half points, so that they stay whole numbers: two for each seat behind, one for each seat level with it.  Seats without
a place in the ranking (removed, or eliminated by the rules) are level with each other, behind everybody else.
A seat that is as good as the others wins half of what there is to win, whatever the number of seats.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairplay.core import Outcome

__all__ = ["half_points", "places", "removed", "tiers"]


def tiers(outcome: Outcome) -> list[tuple[int, ...]]:
    """All seats in groups of equals, best first; those without a place come last."""
    placed = {seat for tier in outcome.ranking for seat in tier}
    rest = tuple(seat for seat in range(len(outcome.faults)) if seat not in placed)
    return [tier for tier in (*outcome.ranking, rest) if tier]


def places(outcome: Outcome) -> list[int]:
    """The number of each seat's tier, from 0."""
    found = [0] * len(outcome.faults)
    for place, tier in enumerate(tiers(outcome)):
        for seat in tier:
            found[seat] = place
    return found


def half_points(outcome: Outcome) -> list[int]:
    """What each seat won, out of ``2 * (seats - 1)``."""
    found = [0] * len(outcome.faults)
    behind = len(found)
    for tier in tiers(outcome):
        behind -= len(tier)
        for seat in tier:
            found[seat] = 2 * behind + len(tier) - 1
    return found


def removed(line_up: Sequence[int], outcome: Outcome) -> list[int]:
    """The players of `line_up` that were thrown out for a fault."""
    return [player for player, fault in zip(line_up, outcome.faults, strict=True) if fault is not None]
