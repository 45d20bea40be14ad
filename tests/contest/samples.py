"""A contest of Fish, and results of it."""

from __future__ import annotations

from typing import Any

import msgspec

from fairplay.catalog import GAMES
from fairplay.contest.contest import Contest, Entrant, Result, Stop
from fairplay.contest.statistics import Estimate
from fairplay.core import Outcome, Seat

FISH = GAMES["fish"]
SETUP = next(iter(FISH.variants.values()))
SEATS = FISH.seats
DUEL = Stop(candidate="player 0", rival="player 1")


def contest(players: int = 2, format: str = "round-robin", stop: Stop = Stop(), **options: Any) -> Contest:
    entrants = tuple(Entrant(f"player {number}", "random") for number in range(players))
    return Contest(
        "fish", entrants, format, options, msgspec.Raw(msgspec.json.encode(SETUP)), 1, 3.0, stop, matched=True
    )


def win(number: int, winner: int = 0, loser: int = 1) -> Result:
    """A match of a unit of two, in which the same player wins from both seats."""
    first = Seat(number % 2)
    line_up = (winner, loser) if first == 0 else (loser, winner)
    outcome = Outcome(((first,), (Seat(1 - first),)), ((2,), (1,)), (None, None), "over")
    return Result(number, line_up, number // 2, outcome, b"", 0.0)


def interval(estimate: Estimate | None) -> tuple[float, float]:
    """The ends of an interval that must be there."""
    assert estimate is not None and estimate.interval is not None
    return estimate.interval


def width(estimate: Estimate | None) -> float:
    low, high = interval(estimate)
    return high - low
