"""Labyrinth values as JSON: readable states and views of our own, and the forms of the established protocol (10)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec
from msgspec import Struct

from fairplay.core import Json, Seat, WireError
from fairplay.core.convert import as_type
from fairplay.games.labyrinth.board import NOWHERE, Board, Position
from fairplay.games.labyrinth.forms import (
    BoardForm,
    Coordinate,
    Last,
    Natural,
    PlayerForm,
    RefereeForm,
    Spot,
    StateForm,
    TargetedForm,
    TileForm,
    board_from_form,
    slide_from_form,
)
from fairplay.games.labyrinth.state import State, Target, View
from fairplay.games.labyrinth.tiles import Gem

__all__ = [
    "ViewJson",
    "position_to_json",
    "state_from_json",
    "state_to_form",
    "state_to_json",
    "target_to_json",
    "view_from_form",
    "view_from_json",
    "view_to_form",
    "view_to_json",
]

# -- the established protocol ------------------------------------------------------------------


def view_to_form(view: View) -> StateForm:
    """Labyrinth 3.11: what the owner of `view` is shown, itself first."""
    players = tuple(player_to_form(view, seat) for seat in view.seats)
    return StateForm(BoardForm.of(view.board), TileForm.of(view.board), players, last_form(view))


def state_to_form(state: State) -> RefereeForm:
    """The state of a standard match as a RefereeState2 (10.1): the seats still in, in turn order from seat 0."""
    players = []
    for seat in state.seats:
        shown, target = player_to_form(state, seat), state.targets[seat]
        assert not isinstance(target, str), "only the standard game has positions as targets"
        players.append(TargetedForm(shown.current, shown.home, shown.color, Coordinate.of(target)))
    queue = tuple(map(Coordinate.of, state.queue))
    return RefereeForm(BoardForm.of(state.board), TileForm.of(state.board), tuple(players), last_form(state), queue)


def view_from_form(form: StateForm, target: Target, found: tuple[Target, ...] = (), *, original: bool = False) -> View:
    """The view of the first player of `form`, looking for `target`; the listed players are seats 0, 1, ..."""
    return View(
        Seat(0),
        board_from_form(form.board, form.spare, original=original),
        slide_from_form(form.last),
        tuple(player.color for player in form.plmt),
        tuple(player.home.position for player in form.plmt),
        tuple(player.current.position for player in form.plmt),
        Seat(0),
        target,
        found,
    )


def player_to_form(shown: State | View, seat: Seat) -> PlayerForm:
    at, home = Coordinate.of(shown.avatars[seat]), Coordinate.of(shown.homes[seat])
    return PlayerForm(at, home, shown.colors[seat])


def last_form(shown: State | View) -> Last:
    return None if shown.last is None else (shown.last.index, shown.last.direction)


def position_to_json(position: Position) -> Json:
    return {"row#": position[0], "column#": position[1]}


def target_to_json(target: Target) -> Json:
    """A Coordinate, or in the original game the Gem looked for (Labyrinth 13.6)."""
    return target if isinstance(target, str) else position_to_json(target)


# -- our own -----------------------------------------------------------------------------------

TargetJson: TypeAlias = Spot | Gem


class SeatJson(Struct, frozen=True):
    color: str
    home: Spot
    at: Spot | None  # null: removed


class HiddenJson(Struct, frozen=True):
    """What only the referee knows of a seat."""

    target: TargetJson
    going_home: bool
    found: tuple[TargetJson, ...]


class ShownJson(Struct, frozen=True):
    """What everybody sees."""

    original: bool
    board: BoardForm
    spare: TileForm
    last: Last
    seats: tuple[SeatJson, ...]
    turn: Natural | None


class StateJson(ShownJson, frozen=True):
    hidden: tuple[HiddenJson, ...]
    queue: tuple[Spot, ...]
    piles: tuple[tuple[str, ...], ...]
    limit: Natural
    rounds: Natural
    movers: tuple[Natural, ...]
    fresh: bool
    finisher: Natural | None


class ViewJson(ShownJson, frozen=True):
    me: Natural
    target: TargetJson | None
    found: tuple[TargetJson, ...]


def state_to_json(state: State) -> Json:
    hidden = tuple(
        HiddenJson(state.targets[seat], seat in state.homeward, state.found[seat]) for seat in range(len(state.avatars))
    )
    return msgspec.to_builtins(
        StateJson(
            *shown_fields(state),
            hidden=hidden,
            queue=state.queue,
            piles=state.piles,
            limit=state.limit,
            rounds=state.rounds,
            movers=tuple(sorted(state.movers)),
            fresh=state.fresh,
            finisher=state.finisher,
        )
    )


def view_to_json(view: View) -> Json:
    return msgspec.to_builtins(ViewJson(*shown_fields(view), view.me, view.target, view.found))


def state_from_json(value: Json) -> State:
    form: StateJson = as_type(value, StateJson)
    board = board_from_json(form)
    count = len(form.seats)
    if len(form.hidden) != count or len(form.piles) not in ({count} if form.original else {0}):
        raise WireError("expected one entry for each seat", "$.hidden" if len(form.hidden) != count else "$.piles")
    check_seats(form, {"turn": [form.turn], "movers": form.movers, "finisher": [form.finisher]})
    read = target_reader(board)
    return State(
        board,
        slide_from_form(form.last),
        tuple(seat.color for seat in form.seats),
        tuple(seat.home for seat in form.seats),
        avatars_from_json(form),
        tuple(read(hidden.target) for hidden in form.hidden),
        frozenset(Seat(seat) for seat, hidden in enumerate(form.hidden) if hidden.going_home),
        tuple(tuple(map(read, hidden.found)) for hidden in form.hidden),
        form.queue,
        tuple(tuple(check_treasure(board, gem, "$.piles") for gem in pile) for pile in form.piles),
        None if form.turn is None else Seat(form.turn),
        form.limit,
        form.rounds,
        frozenset(map(Seat, form.movers)),
        form.fresh,
        None if form.finisher is None else Seat(form.finisher),
    )


def view_from_json(value: Json) -> View:
    form: ViewJson = as_type(value, ViewJson)
    board = board_from_json(form)
    check_seats(form, {"turn": [form.turn], "me": [form.me]})
    read = target_reader(board)
    if (form.target is None) != (form.seats[form.me].at is None):
        raise WireError("expected a target exactly for a seat that is still in", "$.target")
    return View(
        Seat(form.me),
        board,
        slide_from_form(form.last),
        tuple(seat.color for seat in form.seats),
        tuple(seat.home for seat in form.seats),
        avatars_from_json(form),
        None if form.turn is None else Seat(form.turn),
        None if form.target is None else read(form.target),
        tuple(map(read, form.found)),
    )


def shown_fields(
    shown: State | View,
) -> tuple[bool, BoardForm, TileForm, Last, tuple[SeatJson, ...], Seat | None]:
    board = shown.board
    seats = tuple(
        SeatJson(color, home, None if at == NOWHERE else at)
        for color, home, at in zip(shown.colors, shown.homes, shown.avatars, strict=True)
    )
    return board.grid.original, BoardForm.of(board), TileForm.of(board), last_form(shown), seats, shown.turn


def board_from_json(form: ShownJson) -> Board:
    if not form.original:
        return board_from_form(form.board, form.spare)
    if len(form.board.connectors) != 7 or len(form.board.connectors[0]) != 7:
        raise WireError("the original board has 7 rows and 7 columns", "$.board")
    return board_from_form(form.board, form.spare, original=True)


def avatars_from_json(form: ShownJson) -> tuple[Position, ...]:
    return tuple(NOWHERE if seat.at is None else seat.at for seat in form.seats)


def check_seats(form: ShownJson, places: dict[str, Sequence[int | None]]) -> None:
    for place, seats in places.items():
        for seat in seats:
            if seat is not None and seat >= len(form.seats):
                raise WireError(f"there is no seat {seat}", f"$.{place}")
    if form.turn is not None and form.seats[form.turn].at is None:
        raise WireError("a removed seat has no turn", "$.turn")


def target_reader(board: Board) -> Callable[[Target], Target]:
    """Reads a target: a position or, in the original game, a treasure."""

    def read(target: Target) -> Target:
        return check_treasure(board, target, "$.target") if isinstance(target, str) else target

    return read


def check_treasure(board: Board, gem: str, path: str) -> str:
    """`gem`, which must lie on some tile of an original board; raises WireError."""
    if not board.grid.original or (gem, gem) not in board.gems:
        raise WireError("expected a treasure that lies on a tile", path)
    return gem
