"""The test programs of Fish (Fish 12): JSON values in, one JSON value out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count, islice, product
from random import Random
from string import ascii_lowercase
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, field

from fairplay.core import House, Json, WireError
from fairplay.core.convert import as_type
from fairplay.games.fish.board import Cell, board
from fairplay.games.fish.codec import (
    BoardForm,
    PlayerForm,
    PositionForm,
    StateForm,
    cell_at,
    state_from_form,
)
from fairplay.games.fish.established.client import FishClient
from fairplay.games.fish.established.signup import SETUP
from fairplay.games.fish.players.search import best_move
from fairplay.games.fish.players.strategies import minimax
from fairplay.games.fish.rules import begin
from fairplay.games.fish.state import Fish, State
from fairplay.parts.harness import RemotePrograms, TestBench, TestClient, TestProgram

__all__ = ["PROGRAMS", "REMOTE"]

Positive = Annotated[int, Meta(ge=1)]
Name = Annotated[str, Meta(min_length=1)]


class BoardPosn(Struct, frozen=True):
    position: PositionForm
    board: BoardForm


class MoveResponseQuery(Struct, frozen=True):
    state: StateForm
    start: PositionForm = field(name="from")
    target: PositionForm = field(name="to")


class GameDescription(Struct, frozen=True):
    row: Positive
    column: Positive
    players: Annotated[tuple[tuple[Name, Positive], ...], Meta(min_length=2, max_length=4)]
    fish: Fish


def only(values: Sequence[Json], kind: Any) -> Any:
    if len(values) != 1:
        raise WireError(f"expected one JSON value, got {len(values)}")
    return as_type(values[0], kind)


def xboard(values: Sequence[Json], bench: TestBench) -> Json:
    form: BoardPosn = only(values, BoardPosn)
    given = board(form.board)
    start = given.geometry.cell(form.position)
    if start is None:
        raise WireError(f"{list(form.position)} is not on the board", "$.position")
    return given.geometry.reachable(start, given.tiles).bit_count()


def xstate(values: Sequence[Json], bench: TestBench) -> Json:
    """Fish 12.2."""
    form: StateForm = only(values, StateForm)
    state = state_from_form(form, placing=False)
    if not form.players or not form.players[0].places:
        return False
    start = state.penguins[0][0]
    step = next((cell for cell in neighbours(state, start) if state.free >> cell & 1), None)
    if step is None:
        return False
    return msgspec.to_builtins(stepped(form, state, start, step))


def neighbours(state: State, cell: Cell) -> list[Cell]:
    """The cells next to `cell` in the canonical order of directions (Fish 1.7)."""
    return [ray[0] for ray in state.board.geometry.rays[cell].values() if ray]


def stepped(form: StateForm, state: State, start: Cell, target: Cell) -> StateForm:
    """Fish 3.4, the mover then last."""
    spots, (mover, *others) = state.board.geometry.positions, form.players
    rows = state.rows
    row, column = spots[start]
    caught, rows[row][column] = rows[row][column], 0
    moved = PlayerForm(mover.color, mover.score + caught, (spots[target], *mover.places[1:]))
    return StateForm((*others, moved), tuple(map(tuple, rows)))


def xtree(values: Sequence[Json], bench: TestBench) -> Json:
    """Fish 12.3."""
    form: MoveResponseQuery = only(values, MoveResponseQuery)
    state = state_from_form(form.state, placing=False)
    start = cell_at(state.board, form.start, "$.from")
    target = cell_at(state.board, form.target, "$.to")
    geometry, spots = state.board.geometry, state.board.geometry.positions
    if not state.penguins or start not in state.penguins[0]:
        raise WireError("expected a penguin of the first player", "$.from")
    if not geometry.reachable(start, state.free) >> target & 1:
        raise WireError("expected a tile that can be reached", "$.to")
    free = state.free & ~(1 << target)
    for goal in neighbours(state, target):
        for penguin in sorted(state.penguins[1]) if len(state.penguins) > 1 else ():
            if geometry.reachable(penguin, free) >> goal & 1:
                return [list(spots[penguin]), list(spots[goal])]
    return False


def xstrategy(values: Sequence[Json], bench: TestBench) -> Json:
    depth, form = only(values, tuple[Positive, StateForm])
    state = state_from_form(form, placing=False)
    move = None if state.turn is None else best_move(state, state.turn, depth)
    return False if move is None else [list(move.start), list(move.target)]


def xref(values: Sequence[Json], bench: TestBench) -> Json:
    """Fish 12.4."""
    form: GameDescription = only(values, GameDescription)
    names = [name for name, _ in form.players]
    if len(set(names)) < len(names):
        raise WireError("expected distinct names", "$.players")
    uniform = board(((form.fish,) * form.column,) * form.row)
    players = [House(minimax(Random(0), depth=depth)) for _, depth in form.players]
    outcome = bench.play_match(begin(uniform, len(players)), players)
    return sorted(names[seat] for seat in outcome.winners)


PROGRAMS: Mapping[str, TestProgram] = {
    "xboard": xboard,
    "xstate": xstate,
    "xtree": xtree,
    "xstrategy": xstrategy,
    "xref": xref,
}


# -- over TCP ----------------------------------------------------------------------------------


def names() -> Iterator[str]:
    """Fish 12.5: a, b, ..., z, aa, ab, ..."""
    return ("".join(letters) for length in count(1) for letters in product(ascii_lowercase, repeat=length))


def build_clients(values: Sequence[Json], depth: int) -> list[TestClient]:
    """As many house players as the only value says."""
    chosen = islice(names(), only(values, int))
    return [TestClient(name, FishClient(minimax(Random(0), depth=depth))) for name in chosen]


REMOTE = RemotePrograms(setup=lambda values: SETUP, clients=build_clients, reads_input=False)
