"""Fish values as JSON: readable states and views of our own, and the forms of the established protocol (Fish 10)."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from fairplay.core import Json, Seat, WireError
from fairplay.core.convert import as_type
from fairplay.games.fish.board import Board, Cell, Layout, board, mask, padded
from fairplay.games.fish.rules import remaining
from fairplay.games.fish.state import Spot, State, Variant, View

__all__ = [
    "COLORS",
    "BoardForm",
    "Color",
    "MoveForm",
    "Natural",
    "PlayerForm",
    "PositionForm",
    "StateForm",
    "ViewJson",
    "cell_at",
    "state_from_form",
    "state_from_json",
    "state_to_form",
    "state_to_json",
    "view_from_json",
    "view_to_json",
]

Color: TypeAlias = Literal["red", "white", "brown", "black"]
COLORS: tuple[Color, ...] = ("red", "white", "brown", "black")  # Fish 1.1, by seat

Natural: TypeAlias = Annotated[int, Meta(ge=0)]
PositionForm: TypeAlias = tuple[Natural, Natural]
BoardForm: TypeAlias = tuple[tuple[Annotated[int, Meta(ge=0, le=255)], ...], ...]  # known test files have more than 5
BoardJson: TypeAlias = tuple[tuple[Spot, ...], ...]


# -- the established protocol ------------------------------------------------------------------


class MoveForm(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Fish 10.1: from where to where.  A type that msgspec looks into only once."""

    start: PositionForm
    target: PositionForm


class PlayerForm(Struct, frozen=True):
    color: Color
    score: Natural
    places: tuple[PositionForm, ...]


class StateForm(Struct, frozen=True):
    """Fish 10.1: the players in turn order, the one on turn first."""

    players: tuple[PlayerForm, ...]
    board: BoardForm


def state_to_form(view: View) -> StateForm:
    """Fish 3.5: what the owner of `view` is shown, itself first."""
    state, spots = view.state, view.state.board.geometry.positions
    seats = remaining(state)
    mine = seats.index(view.me)
    players = (
        PlayerForm(COLORS[seat], state.fish[seat], tuple(spots[cell] for cell in state.penguins[seat]))
        for seat in seats[mine:] + seats[:mine]
    )
    return StateForm(tuple(players), tuple(map(tuple, state.rows)))


def state_from_form(form: StateForm, *, placing: bool, layout: Layout = Layout.STANDARD) -> State:
    """The state with the listed players as seats 0, 1, ..., the first on turn; raises WireError."""
    full = board(form.board, layout)
    penguins = tuple(
        tuple(cell_at(full, place, f"$.players[{seat}].places[{index}]") for index, place in enumerate(player.places))
        for seat, player in enumerate(form.players)
    )
    taken = [cell for cells in penguins for cell in cells]
    if len(set(taken)) < len(taken):
        raise WireError("expected all places to be different", "$.players")
    return State(
        full,
        full.tiles & ~mask(taken),
        penguins,
        tuple(player.score for player in form.players),
        (0,) * len(penguins),
        frozenset(),
        Seat(0) if penguins else None,
        placing,
    )


def cell_at(board: Board, position: PositionForm, path: str) -> Cell:
    """The tile at `position`; raises WireError where there is none."""
    cell = board.geometry.cell(position)
    if cell is None or not board.fish[cell]:
        raise WireError(f"{list(position)} is no tile of the board", path)
    return cell


# -- our own -----------------------------------------------------------------------------------


class SeatJson(Struct, frozen=True):
    penguins: tuple[PositionForm, ...]
    fish: Natural
    tiles: Natural
    out: bool


class StateJson(Struct, frozen=True):
    variant: Variant
    dealt: BoardJson  # the fish on every tile as the match began
    board: BoardJson  # the fish on the tiles still there, 0 for a hole
    seats: tuple[SeatJson, ...]
    turn: Natural | None
    placing: bool


class ViewJson(StateJson, frozen=True, kw_only=True):
    me: Natural


def state_to_json(state: State) -> Json:
    return msgspec.to_builtins(StateJson(**fields(state)))


def state_from_json(value: Json) -> State:
    return decoded(as_type(value, StateJson))


def view_to_json(view: View) -> Json:
    return msgspec.to_builtins(ViewJson(**fields(view.state), me=view.me))


def view_from_json(value: Json) -> View:
    form: ViewJson = as_type(value, ViewJson)
    if form.me >= len(form.seats):
        raise WireError(f"there is no seat {form.me}", "$.me")
    return View(Seat(form.me), decoded(form))


def fields(state: State) -> dict[str, Json]:
    geometry, spots = state.board.geometry, state.board.geometry.positions
    rows = range(0, len(spots), geometry.columns or 1)
    return {
        "variant": geometry.layout.value,
        "dealt": tuple(tuple(state.board.fish[start : start + geometry.columns]) for start in rows),
        "board": tuple(map(tuple, state.rows)),
        "seats": tuple(
            SeatJson(tuple(spots[cell] for cell in cells), state.fish[seat], state.tiles[seat], seat in state.out)
            for seat, cells in enumerate(state.penguins)
        ),
        "turn": state.turn,
        "placing": state.placing,
    }


def decoded(form: StateJson) -> State:
    dealt, now = board(form.dealt, Layout(form.variant)), padded(form.board)
    flat = bytes(fish for row in now for fish in row)
    if len(flat) != len(dealt.fish) or any(fish not in (0, was) for fish, was in zip(flat, dealt.fish, strict=True)):
        raise WireError("expected the dealt board with some tiles gone", "$.board")
    if form.turn is not None and form.turn >= len(form.seats):
        raise WireError(f"there is no seat {form.turn}", "$.turn")
    current = Board(dealt.geometry, flat)
    penguins = tuple(
        tuple(
            cell_at(current, place, f"$.seats[{seat}].penguins[{index}]") for index, place in enumerate(player.penguins)
        )
        for seat, player in enumerate(form.seats)
    )
    return State(
        dealt,
        current.tiles & ~mask(cell for cells in penguins for cell in cells),
        penguins,
        tuple(player.fish for player in form.seats),
        tuple(player.tiles for player in form.seats),
        frozenset(Seat(seat) for seat, player in enumerate(form.seats) if player.out),
        None if form.turn is None else Seat(form.turn),
        form.placing,
    )
