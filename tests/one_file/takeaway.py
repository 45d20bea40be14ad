"""Take one to three matches; the last match wins.  A game in one file, in which the rules are also all else."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from random import Random
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from fairplay.core import Began, Ended, Game, HousePlayers, Json, NotationError, Picture, Seat, SetupError, Shown
from fairplay.core.chance import choice
from fairplay.core.convert import as_type


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    variant: str = "standard"
    matches: Annotated[int, Meta(ge=1, le=30)] = 9


class State(Struct, frozen=True):
    matches: int
    seats: tuple[Seat, ...]  # still in, the one on turn first
    last: Seat | None = None
    turn_number: int = 0


class View(Struct, frozen=True):
    me: Seat
    state: State
    variant: str = "standard"
    turn_number: int = 0


class Take(Struct, frozen=True, tag_field="do", tag="take", forbid_unknown_fields=True):
    matches: Annotated[int, Meta(ge=1, le=3)]


# -- rules -------------------------------------------------------------------------------------


def start(setup: Setup, seats: int, rng: Random) -> State:
    if seats != 2:
        raise SetupError("two seats play")
    return State(setup.matches, (Seat(0), Seat(1)))


def public_setup(setup: Setup) -> Setup:
    return setup


def to_move(state: State) -> Seat | None:
    return state.seats[0] if state.seats and state.matches else None


def view(state: State, seat: Seat) -> View:
    return View(seat, state, turn_number=state.turn_number)


def imagine(view: View, rng: Random) -> State:
    return view.state


def legal_actions(view: View) -> Sequence[Take]:
    return [Take(count) for count in range(1, min(3, view.state.matches) + 1)] if to_move(view.state) == view.me else []


def why_illegal(view: View, action: Take) -> str | None:
    if to_move(view.state) != view.me:
        return "it is not your turn"
    return "there are not so many matches" if action.matches > view.state.matches else None


def apply(state: State, action: Take) -> State:
    seats = (*state.seats[1:], state.seats[0])
    return State(state.matches - action.matches, seats, state.seats[0], state.turn_number + 1)


def public_action(action: Take) -> Take:
    return action


def remove(state: State, seat: Seat) -> State:
    return State(state.matches, tuple(each for each in state.seats if each != seat), state.last, state.turn_number)


def opening(state: State, wave: int) -> list[tuple[Seat, object]]:
    return [(seat, Began(view(state, seat))) for seat in sorted(state.seats)] if wave == 0 else []


def notices(event: object) -> list[tuple[Seat, object]]:
    return []


def closing(state: State, ranking: Sequence[Sequence[Seat]]) -> list[tuple[Seat, object]]:
    return [(seat, Ended(tier == 0)) for tier, seats in enumerate(ranking) for seat in seats]


def scores(state: State) -> Mapping[Seat, tuple[int, ...]]:
    return {seat: (int(seat == state.last),) for seat in sorted(state.seats)}


def ending(state: State) -> str:
    return "no match is left" if state.seats else "nobody is left"


# -- codec, notation, words --------------------------------------------------------------------

ViewJson = View
state_to_json = view_to_json = msgspec.to_builtins


def state_from_json(value: Json) -> State:
    state: State = as_type(value, State)
    return state


def view_from_json(value: Json) -> View:
    view: View = as_type(value, View)
    return view


def format_action(action: Take) -> str:
    return str(action.matches)


def parse_action(text: str, shown: object = None) -> Take:
    try:
        return msgspec.convert({"do": "take", "matches": int(text)}, Take)
    except ValueError:
        raise NotationError(text, "1, 2 or 3") from None


def format_position(state: State) -> str:
    return msgspec.json.encode(state).decode()


def parse_position(text: str) -> State:
    try:
        return msgspec.json.decode(text.encode(), type=State)
    except (ValueError, RecursionError):
        raise NotationError(text, "a state as JSON", "a position") from None


def seat_name(seat: Seat) -> str:
    return f"player {seat + 1}"


def board(shown: State | View) -> str:
    return "|" * (shown.state if isinstance(shown, View) else shown).matches


def describe_open_turn(turn: Any, *, subject: str = "") -> str:
    return f"{subject or seat_name(turn.seat)} took {turn.action.matches}"


def describe_turn(turn: Any, to: Seat | None, *, subject: str = "", would: bool = False) -> str:
    return describe_open_turn(turn, subject=subject)


def facts(shown: State | View) -> Mapping[Seat, tuple[tuple[str, str], ...]]:
    state = shown.state if isinstance(shown, View) else shown
    return {seat: (("points", str(score[0])),) for seat, score in scores(state).items()}


# -- the game ----------------------------------------------------------------------------------


def random(rng: Random) -> Any:
    """Any legal action."""
    return lambda view: choice(rng, legal_actions(view))


def picture(shown: State | View, last: Any = None, **options: Any) -> Picture:
    label = board(shown)
    return Picture(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" role="img" aria-label="{label}"/>')


_this: Any = sys.modules[__name__]

GAME: Game[State, View, Take, Setup] = Game(
    name="takeaway",
    about="take one to three matches; the last match wins",
    seats=range(2, 3),
    variants={"standard": Setup()},
    actions=(Take,),
    news=(Began, Ended),
    unit="points",
    patience=30.0,
    rules=_this,
    codec=_this,
    words=_this,
    notation=_this,
    players=HousePlayers({"random": random}),
    shown=Shown(picture=picture),
)
