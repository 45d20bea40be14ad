"""The JSON data definitions of Fish 10.1 as types, and how they become states and views."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from fairplay.core import Seat, WireError
from fairplay.core.immutable import mask
from fairplay.games.fish.board import Layout, make_board
from fairplay.games.fish.codec import Natural, PositionJson, read_cell
from fairplay.games.fish.rules import remaining_seats
from fairplay.games.fish.state import COLORS, Color, State, View

PositionForm: TypeAlias = PositionJson
BoardForm: TypeAlias = tuple[tuple[Annotated[int, Meta(ge=0, le=255)], ...], ...]  # known test files have more than 5


class MoveForm(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """From where to where.  A struct, because msgspec inspects its type only once."""

    start: PositionForm
    target: PositionForm


class PlayerForm(Struct, frozen=True):
    """One player."""

    color: Color
    score: Natural
    places: tuple[PositionForm, ...]


class StateForm(Struct, frozen=True):
    """The players in turn order, beginning with the one to move."""

    players: tuple[PlayerForm, ...]
    board: BoardForm


def view_to_form(view: View) -> StateForm:
    """Write down what the owner of `view` is shown, itself first (Fish 3.5)."""
    state, positions = view.state, view.state.board.geometry.positions
    seats = remaining_seats(state)
    mine = seats.index(view.me)
    players = (
        PlayerForm(COLORS[seat], state.fish[seat], tuple(positions[cell] for cell in state.penguins[seat]))
        for seat in seats[mine:] + seats[:mine]
    )
    return StateForm(tuple(players), tuple(map(tuple, state.rows)))


def state_from_form(form: StateForm, *, placing: bool, layout: Layout = Layout.STANDARD) -> State:
    """Read a state with the listed players as seats 0, 1, ..., the first one to move; raises WireError."""
    board = make_board(form.board, layout)
    penguins = tuple(
        tuple(
            read_cell(board, place, f"$.players[{seat}].places[{index}]") for index, place in enumerate(player.places)
        )
        for seat, player in enumerate(form.players)
    )
    taken = [cell for cells in penguins for cell in cells]
    if len(set(taken)) < len(taken):
        raise WireError("expected all places to be different", "$.players")
    return State(
        board=board,
        free=board.tiles & ~mask(taken),
        penguins=penguins,
        fish=tuple(player.score for player in form.players),
        collected=(0,) * len(penguins),
        out=frozenset(),
        turn=Seat(0) if penguins else None,
        placing=placing,
    )
