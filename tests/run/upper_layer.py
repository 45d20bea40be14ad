"""A layer above `run` that brings a kind of entrant: workers import it by name."""

from __future__ import annotations

from fairplay.core import AnyGame
from fairplay.run.entrants import Seating, seat_entrant


def seat_upper(game: AnyGame, rest: str, patience: float | None) -> Seating:
    """Whatever is named after the kind."""
    return seat_entrant(game, rest, patience)
