# examples/connect_four.py
"""Four of one color in a row win."""

from typing import Annotated

from msgspec import Meta, Struct

from fairplay.defaults import Action, Columns

COLUMNS, ROWS, EMPTY = 7, 6, -1
Owner = Annotated[int, Meta(ge=-1, le=1)]  # a seat, or none


class State(Struct, frozen=True):
    cells: Annotated[tuple[Owner, ...], Meta(max_length=42), Columns(COLUMNS)] = (EMPTY,) * COLUMNS * ROWS
    turn: int = 0
    winner: Owner = EMPTY


class Drop(Action):
    column: Annotated[int, Meta(ge=0, le=6)]


LINES = [
    [(row + step * down) * COLUMNS + column + step * right for step in range(4)]
    for row in range(ROWS)
    for column in range(COLUMNS)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    if row + 3 * down < ROWS and 0 <= column + 3 * right < COLUMNS
]


def start(setup, seats, rng):
    return State()


def to_move(state):
    return state.turn if state.winner == EMPTY and EMPTY in state.cells else None


def legal_actions(view):
    return [Drop(column) for column in range(COLUMNS) if view.cells[column] == EMPTY]


def apply(state, action):
    cells = list(state.cells)
    cells[max(cell for cell in range(action.column, len(cells), COLUMNS) if cells[cell] == EMPTY)] = state.turn
    won = any(all(cells[cell] == state.turn for cell in line) for line in LINES)
    return State(tuple(cells), 1 - state.turn, state.turn if won else EMPTY)


def scores(state):
    return [int(state.winner == seat) for seat in range(2)]
