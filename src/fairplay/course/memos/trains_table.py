"""What the three Trains memos share: dealing a match, judging picks, and reading values that may be garbage."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar

import msgspec

from fairplay.core import Seat, SetupError
from fairplay.core.chance import derived
from fairplay.games.trains import rules
from fairplay.games.trains.map import COLORS, Color, Connection, bits
from fairplay.games.trains.state import Hand, Pick, Setup, State, View

T = TypeVar("T")

Deck: TypeAlias = dict[Color, int]
"""How many cards of each colour there are (memo 001)."""

Picker: TypeAlias = Callable[[View], Pick]
"""Chooses destinations from the offer in a view."""


class GameOverException(Exception):  # noqa: N818 - the memo's own word
    """The game is over: nothing can be changed any more."""


# -- reading what may be garbage ---------------------------------------------------------------


def read_fields(value: object, kind: Any) -> Any:
    """Read plain data, structs included, as a `kind` with every field checked; raises ValueError."""
    try:
        return msgspec.convert(msgspec.to_builtins(value), kind)
    except msgspec.ValidationError as error:
        raise ValueError(str(error).replace("`", "")) from None
    except Exception:  # reading a value may run its own code, which may raise anything
        raise ValueError("expected plain data") from None


def read_value(value: object, kind: type[T]) -> T | None:
    """A copy of `value` if it is a `kind` in all its fields, else None; never raises."""
    if type(value) is not kind:
        return None
    try:
        checked: T = read_fields(value, kind)
        return checked if checked == value else None  # not equal: plain data stood where a struct belongs
    except Exception:  # comparing may run the value's own code, too
        return None


def whole_number(value: object, what: str) -> int:
    """`value` if it is an int and not a bool; raises ValueError, which says `what` was expected."""
    if type(value) is not int:
        raise ValueError(f"expected {what}, got {value!r}")
    return value


# -- from the deal to the first turn -----------------------------------------------------------


def start_match(fields: Mapping[str, object], seats: int, seed: int) -> State:
    """Deal a match with these fields of its setup; nobody has picked destinations yet.  Raises SetupError."""
    try:
        setup: Setup = read_fields(fields, Setup)
        whole_number(seats, "a whole number of players")
        whole_number(seed, "a whole number as seed")
    except ValueError as error:
        raise SetupError(str(error)) from None
    return rules.start(setup, seats, derived(seed, "deal"))


def keep_destinations(state: State, pick: Picker) -> State:
    """Let `pick` choose for the player whose pick is due; raises ValueError if the choice is illegal."""
    seat = awaited_seat(state)
    view = rules.view(state, seat)
    answer: object = pick(view)
    if type(answer) is not Pick:
        raise ValueError(f"player {seat} picked badly: expected a Pick, got {type(answer).__name__}")
    choice: Pick = read_fields(answer, Pick)
    if reason := rules.why_illegal(view, choice):
        raise ValueError(f"player {seat} picked badly: {reason}")
    return rules.apply(state, choice)


# -- looking at a state ------------------------------------------------------------------------


def awaited_seat(state: State) -> Seat:
    """Whose decision is due; raises GameOverException if the game is over."""
    if state.turn is None:
        raise GameOverException("the game is over")
    return state.turn


def hand_as_deck(hand: Hand) -> Deck:
    """A hand as a new dictionary."""
    return dict(zip(COLORS, hand, strict=True))


def find_owners(state: State | View) -> dict[Connection, Seat]:
    """A new dictionary of who owns which connection."""
    connections = state.network.connections
    return {connections[index]: Seat(seat) for seat, mask in enumerate(state.owned) for index in bits(mask)}
