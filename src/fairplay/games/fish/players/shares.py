"""From the fish that seats can expect to the share of the win that they can expect."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from fairplay.games.fish.board import bits
from fairplay.games.fish.players.territory import UNIT
from fairplay.games.fish.state import State

__all__ = ["share_win"]

DOUBT: Final = 0.1
"""How wrong the expected lead may be, for each fish that is still to be collected."""


def share_win(state: State, worths: Sequence[float], exact: bool) -> tuple[float, ...]:
    """The share of the win that each seat can expect if it will have so much (see `territory`); they add up to 1.

    Of two seats the one that is `lead` ahead gets (1 + lead / (|lead| + doubt)) / 2, where doubt grows with the fish
    that are left; with more seats this is multiplied over all rivals.  Removed seats get nothing.
    """
    doubt = 0.0 if exact else UNIT * (1 + DOUBT * sum(state.board.fish[cell] for cell in bits(state.free)))
    seats = [seat for seat in range(len(worths)) if seat not in state.out]

    def beats(mine: float, other: float) -> float:
        lead = mine - other
        return (1 + lead / (abs(lead) + doubt)) / 2 if lead else 0.5

    chances = [prod(beats(worths[seat], worths[other]) for other in seats if other != seat) for seat in seats]
    total = sum(chances)
    shares = dict(zip(seats, chances, strict=True))
    return tuple(shares.get(seat, 0.0) / total for seat in range(len(worths)))
