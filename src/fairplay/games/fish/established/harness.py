"""The test programs of Fish (Fish 12): JSON values in, one JSON value out."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count, islice, product
from random import Random
from string import ascii_lowercase
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, field

from fairplay.core import House, Json, WireError
from fairplay.core.convert import as_type
from fairplay.core.established import RemotePrograms, TestBench, TestClient, TestProgram
from fairplay.games.fish.board import Cell, make_board
from fairplay.games.fish.codec import read_cell
from fairplay.games.fish.established.client import FishClient
from fairplay.games.fish.established.forms import BoardForm, PlayerForm, PositionForm, StateForm, state_from_form
from fairplay.games.fish.established.signup import SETUP
from fairplay.games.fish.players.minimax import best_move
from fairplay.games.fish.players.strategies import minimax
from fairplay.games.fish.rules import begin_match
from fairplay.games.fish.state import Fish, State

Positive = Annotated[int, Meta(ge=1)]
Name = Annotated[str, Meta(min_length=1)]


class BoardPosn(Struct, frozen=True):
    """The input of xboard."""

    position: PositionForm
    board: BoardForm


class MoveResponseQuery(Struct, frozen=True):
    """The input of xtree."""

    state: StateForm
    start: PositionForm = field(name="from")
    target: PositionForm = field(name="to")


class GameDescription(Struct, frozen=True):
    """The input of xref."""

    row: Positive
    column: Positive
    players: Annotated[tuple[tuple[Name, Positive], ...], Meta(min_length=2, max_length=4)]
    fish: Fish


def read_single(values: Sequence[Json], kind: object) -> Any:
    """Read the only value as `kind`; raises WireError."""
    if len(values) != 1:
        raise WireError(f"expected one JSON value, got {len(values)}")
    return as_type(values[0], kind)


def xboard(values: Sequence[Json], bench: TestBench) -> Json:
    """Count the tiles that can be reached from a position."""
    form: BoardPosn = read_single(values, BoardPosn)
    given = make_board(form.board)
    start = given.geometry.cell(form.position)
    if start is None:
        raise WireError(f"{list(form.position)} is not on the board", "$.position")
    return given.geometry.reachable(start, given.tiles).bit_count()


def xstate(values: Sequence[Json], bench: TestBench) -> Json:
    """Move the first player's first penguin one step, if it can (Fish 12.2)."""
    form: StateForm = read_single(values, StateForm)
    state = state_from_form(form, placing=False)
    if not form.players or not form.players[0].places:
        return False
    start = state.penguins[0][0]
    step = next((cell for cell in neighbour_cells(state, start) if state.free >> cell & 1), None)
    if step is None:
        return False
    return msgspec.to_builtins(step_penguin(form, state, start, step))


def neighbour_cells(state: State, cell: Cell) -> list[Cell]:
    """List the cells next to `cell` in the canonical order of directions (Fish 1.7)."""
    return [ray[0] for ray in state.board.geometry.rays[cell].values() if ray]


def step_penguin(form: StateForm, state: State, start: Cell, target: Cell) -> StateForm:
    """Apply a move to the form of a state; the player that moved is then last (Fish 3.4)."""
    positions, (mover, *others) = state.board.geometry.positions, form.players
    rows = state.rows
    row, column = positions[start]
    caught, rows[row][column] = rows[row][column], 0
    moved = PlayerForm(mover.color, mover.score + caught, (positions[target], *mover.places[1:]))
    return StateForm((*others, moved), tuple(map(tuple, rows)))


def xtree(values: Sequence[Json], bench: TestBench) -> Json:
    """Find the second player's first move to a tile next to the one that the first player went to (Fish 12.3)."""
    form: MoveResponseQuery = read_single(values, MoveResponseQuery)
    state = state_from_form(form.state, placing=False)
    start = read_cell(state.board, form.start, "$.from")
    target = read_cell(state.board, form.target, "$.to")
    geometry, positions = state.board.geometry, state.board.geometry.positions
    if not state.penguins or start not in state.penguins[0]:
        raise WireError("expected a penguin of the first player", "$.from")
    if not geometry.reachable(start, state.free) >> target & 1:
        raise WireError("expected a tile that can be reached", "$.to")
    free = state.free & ~(1 << target)
    for goal in neighbour_cells(state, target):
        for penguin in sorted(state.penguins[1]) if len(state.penguins) > 1 else ():
            if geometry.reachable(penguin, free) >> goal & 1:
                return [list(positions[penguin]), list(positions[goal])]
    return False


def xstrategy(values: Sequence[Json], bench: TestBench) -> Json:
    """Search for the best move."""
    depth, form = read_single(values, tuple[Positive, StateForm])
    state = state_from_form(form, placing=False)
    move = None if state.turn is None else best_move(state, state.turn, depth)
    return False if move is None else [list(move.start), list(move.target)]


def xref(values: Sequence[Json], bench: TestBench) -> Json:
    """Play one match and name the winners (Fish 12.4)."""
    form: GameDescription = read_single(values, GameDescription)
    names = [name for name, _ in form.players]
    if len(set(names)) < len(names):
        raise WireError("expected distinct names", "$.players")
    uniform = make_board(((form.fish,) * form.column,) * form.row)
    players = [House(minimax(Random(0), depth=depth)) for _, depth in form.players]
    outcome = bench.play_match(begin_match(uniform, len(players)), players)
    return sorted(names[seat] for seat in outcome.winners)


PROGRAMS: Mapping[str, TestProgram] = {
    "xboard": xboard,
    "xstate": xstate,
    "xtree": xtree,
    "xstrategy": xstrategy,
    "xref": xref,
}


# -- over TCP ----------------------------------------------------------------------------------


def client_names() -> Iterator[str]:
    """Name clients a, b, ..., z, aa, ab, ... (Fish 12.5)."""
    return ("".join(letters) for length in count(1) for letters in product(ascii_lowercase, repeat=length))


def build_clients(values: Sequence[Json], depth: int) -> list[TestClient]:
    """Build as many house players as the only value says."""
    names = islice(client_names(), read_single(values, int))
    return [TestClient(name, FishClient(minimax(Random(0), depth=depth))) for name in names]


REMOTE = RemotePrograms(setup=lambda values: SETUP, clients=build_clients, reads_input=False)
