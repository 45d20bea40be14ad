"""The rule book of Nim, with its data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Annotated

from msgspec import Meta, Struct

from fairplay.core import Began, Ended, Event, Score, Seat, SetupError, Tiers
from fairplay.core.chance import below

SEATS = range(2, 4)


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    variant: str = "standard"
    heaps: Annotated[int, Meta(ge=1, le=5)] = 3


class Heaps(Struct, frozen=True):
    heaps: tuple[int, ...]
    seats: tuple[Seat, ...]  # still in, the one on turn first
    last: Seat | None  # who took last
    turn_number: int = 0


class View(Struct, frozen=True):
    me: Seat
    state: Heaps
    variant: str = "standard"
    turn_number: int = 0


class Take(Struct, frozen=True, tag_field="do", tag="take", forbid_unknown_fields=True):
    heap: Annotated[int, Meta(ge=0, le=9)]
    matches: Annotated[int, Meta(ge=1, le=9)]


def start(setup: Setup, seats: int, rng: Random) -> Heaps:
    if seats not in SEATS:
        raise SetupError("Nim is played by 2 or 3 seats")
    return Heaps(tuple(1 + below(rng, 5) for _ in range(setup.heaps)), tuple(map(Seat, range(seats))), None)


def public_setup(setup: Setup) -> Setup:
    return setup


def to_move(state: Heaps) -> Seat | None:
    return state.seats[0] if state.seats and any(state.heaps) else None


def view(state: Heaps, seat: Seat) -> View:
    return View(seat, state, turn_number=state.turn_number)


def imagine(view: View, rng: Random) -> Heaps:
    return view.state


def legal_actions(view: View) -> Sequence[Take]:
    if to_move(view.state) != view.me:
        return ()
    return [Take(heap, count) for heap, size in enumerate(view.state.heaps) for count in range(1, size + 1)]


def why_illegal(view: View, action: Take) -> str | None:
    if to_move(view.state) != view.me:
        return "it is not your turn"
    if action.heap >= len(view.state.heaps) or action.matches > view.state.heaps[action.heap]:
        return "there are not so many matches"
    return None


def apply(state: Heaps, action: Take) -> Heaps:
    heaps = tuple(size - action.matches * (number == action.heap) for number, size in enumerate(state.heaps))
    return Heaps(heaps, (*state.seats[1:], state.seats[0]), state.seats[0], state.turn_number + 1)


def public_action(action: Take) -> Take:
    return action


def remove(state: Heaps, seat: Seat) -> Heaps:
    return Heaps(state.heaps, tuple(other for other in state.seats if other != seat), state.last, state.turn_number)


def opening(state: Heaps, wave: int) -> Iterable[tuple[Seat, object]]:
    return [(seat, Began(view(state, seat))) for seat in sorted(state.seats)] if wave == 0 else ()


def notices(event: Event[Heaps, Take]) -> Iterable[tuple[Seat, object]]:
    return ()


def closing(state: Heaps, ranking: Tiers) -> Iterable[tuple[Seat, object]]:
    return [(seat, Ended(tier == 0)) for tier, seats in enumerate(ranking) for seat in seats]


def scores(state: Heaps) -> Mapping[Seat, Score]:
    return {seat: (int(seat == state.last),) for seat in sorted(state.seats)}


def ending(state: Heaps) -> str:
    return "all heaps are empty" if state.seats else "nobody is left"
