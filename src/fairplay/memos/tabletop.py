"""What the desks of the three memos share: a match that is dealt and picked, and an end after which nothing changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from fairplay.core import Seat
from fairplay.core.chance import derived
from fairplay.games.trains import rules
from fairplay.games.trains.map import COLORS, Color, Connection, Destination, Map, bits
from fairplay.games.trains.players.strategies import keep_first
from fairplay.games.trains.state import Hand, Pick, Setup, State, View

__all__ = ["Deck", "GameOverException", "Picker", "begun", "counted", "owners_of", "seat_after"]

Deck: TypeAlias = dict[Color, int]
"""How many cards of each colour somebody has (memo 001)."""

Picker: TypeAlias = Callable[[View], Pick]
"""Chooses destinations out of the offer of a view."""


class GameOverException(Exception):  # noqa: N818 - the memo's own word
    """The game is over: nothing can be changed any more."""


def begun(
    map: Map | str,
    seats: int,
    *,
    rails: int = 45,
    seed: int = 0,
    deck: Sequence[Color] | None = None,
    destinations: Sequence[Destination] | None = None,
    pick: Picker = keep_first,
) -> State:
    """A match dealt by the rule book, with everybody's destinations picked; raises SetupError."""
    setup = Setup(
        map=map,
        rails=rails,
        deck=None if deck is None else tuple(deck),
        destinations=None if destinations is None else tuple(destinations),
    )
    state = rules.start(setup, seats, derived(seed, "deal"))
    while state.picking:
        state = rules.apply(state, pick(rules.view(state, seat_after(state))))
    return state


def seat_after(state: State) -> Seat:
    """Whose decision is awaited; raises GameOverException when nobody's is."""
    if state.turn is None:
        raise GameOverException("the game is over")
    return state.turn


def counted(hand: Hand) -> Deck:
    """A hand as a new dictionary."""
    return dict(zip(COLORS, hand, strict=True))


def owners_of(state: State | View) -> dict[Connection, Seat]:
    """A new dictionary of who owns which connection."""
    connections = state.network.connections
    return {connections[index]: Seat(seat) for seat, mask in enumerate(state.owned) for index in bits(mask)}
