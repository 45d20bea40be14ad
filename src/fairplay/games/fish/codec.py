"""Fish states and views as JSON that people can read."""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from fairplay.core import Json, Seat, WireError
from fairplay.core.convert import as_type
from fairplay.core.immutable import bits, mask
from fairplay.games.fish.board import Board, Cell, Layout, make_board, pad_rows
from fairplay.games.fish.state import Spot, State, Variant, View

Natural: TypeAlias = Annotated[int, Meta(ge=0)]
PositionJson: TypeAlias = tuple[Natural, Natural]
BoardJson: TypeAlias = tuple[tuple[Spot, ...], ...]


class SeatJson(Struct, frozen=True):
    """One seat."""

    penguins: tuple[PositionJson, ...]
    fish: Natural
    tiles: Natural
    out: bool


class StateJson(Struct, frozen=True):
    """All there is, which in Fish everyone may know."""

    variant: Variant
    dealt: BoardJson  # the fish on every tile as the match began
    board: BoardJson  # the fish on the tiles still there, 0 for a hole
    collected: tuple[tuple[Natural | None, ...], ...]  # which seat has collected each tile, null for none
    seats: tuple[SeatJson, ...]
    turn: Natural | None
    placing: bool
    turn_number: Natural  # completed turns


class ViewJson(StateJson, frozen=True, kw_only=True):
    """The same, and which seat is looking."""

    me: Natural


def state_to_json(state: State) -> Json:
    """Write a state as JSON."""
    return msgspec.to_builtins(StateJson(**state_fields(state)))


def state_from_json(value: Json) -> State:
    """Read a state; raises WireError."""
    return decode_state(as_type(value, StateJson))


def view_to_json(view: View) -> Json:
    """Write a view as JSON."""
    return msgspec.to_builtins(ViewJson(**state_fields(view.state), me=view.me))


def view_from_json(value: Json) -> View:
    """Read a view; raises WireError."""
    form: ViewJson = as_type(value, ViewJson)
    if form.me >= len(form.seats):
        raise WireError(f"there is no seat {form.me}", "$.me")
    return View(Seat(form.me), decode_state(form))


def state_fields(state: State) -> dict[str, Json]:
    """The fields that the JSON of a state and of a view share."""
    geometry, positions = state.board.geometry, state.board.geometry.positions
    rows = range(0, len(positions), geometry.columns or 1)
    collectors: list[int | None] = [None] * len(positions)
    for seat, tiles in enumerate(state.collected):
        for cell in bits(tiles):
            collectors[cell] = seat
    return {
        "variant": geometry.layout.value,
        "dealt": tuple(tuple(state.board.fish[start : start + geometry.columns]) for start in rows),
        "board": tuple(map(tuple, state.rows)),
        "collected": tuple(tuple(collectors[start : start + geometry.columns]) for start in rows),
        "seats": tuple(
            SeatJson(
                tuple(positions[cell] for cell in cells),
                state.fish[seat],
                state.collected[seat].bit_count(),
                seat in state.out,
            )
            for seat, cells in enumerate(state.penguins)
        ),
        "turn": state.turn,
        "placing": state.placing,
        "turn_number": state.turn_number,
    }


def decode_state(form: StateJson) -> State:
    """Make the state that `form` describes; raises WireError."""
    dealt, now = make_board(form.dealt, Layout(form.variant)), pad_rows(form.board)
    flat = bytes(fish for row in now for fish in row)
    if len(flat) != len(dealt.fish) or any(fish not in (0, was) for fish, was in zip(flat, dealt.fish, strict=True)):
        raise WireError("expected the dealt board with some tiles gone", "$.board")
    if form.turn is not None and form.turn >= len(form.seats):
        raise WireError(f"there is no seat {form.turn}", "$.turn")
    current = Board(dealt.geometry, flat)
    penguins = tuple(
        tuple(
            read_cell(current, place, f"$.seats[{seat}].penguins[{index}]")
            for index, place in enumerate(player.penguins)
        )
        for seat, player in enumerate(form.seats)
    )
    return State(
        board=dealt,
        free=current.tiles & ~mask(cell for cells in penguins for cell in cells),
        penguins=penguins,
        fish=tuple(player.fish for player in form.seats),
        collected=read_collectors(form, dealt, flat),
        out=frozenset(Seat(seat) for seat, player in enumerate(form.seats) if player.out),
        turn=None if form.turn is None else Seat(form.turn),
        placing=form.placing,
        turn_number=form.turn_number,
    )


def read_collectors(form: StateJson, dealt: Board, now: bytes) -> tuple[int, ...]:
    """Read who has collected which tiles, as masks by seat; raises WireError."""
    collected, cell = [0] * len(form.seats), 0
    for row, seats in enumerate(form.collected):
        for column, seat in enumerate(seats):
            if seat is not None:
                if seat >= len(collected) or cell >= len(now) or now[cell] or not dealt.fish[cell]:
                    raise WireError(
                        "expected the seat that collected the tile, or null", f"$.collected[{row}][{column}]"
                    )
                collected[seat] |= 1 << cell
            cell += 1
    if cell != len(now) or any(len(row) != dealt.geometry.columns for row in form.collected):
        raise WireError("expected as many rows and columns as the dealt board", "$.collected")
    return tuple(collected)


def read_cell(board: Board, position: PositionJson, path: str) -> Cell:
    """Return the cell of the tile at `position`; raises WireError if there is none."""
    cell = board.geometry.cell(position)
    if cell is None or not board.fish[cell]:
        raise WireError(f"{list(position)} is not a tile of the board", path)
    return cell
