"""What a picture of Fish shows and highlights, and where its parts lie."""

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import NamedTuple

from fairplay.core import Seat, Turn
from fairplay.games.fish.board import Geometry, Layout, Position
from fairplay.games.fish.state import Action, State

UNIT = 26  # s of Fish 1.8 across
RISE = 40  # s of Fish 1.8 down: with equal units a board would be three times as wide as high
COLUMN = 72  # from tile to tile in a row of the original game
ROW = 57  # from row to row there

HORIZON = 48  # where the sky ends
TOP = 98  # where the first row begins: the numbers of the columns and heads come before
LEFT = 34  # with the numbers of the rows
RIGHT = 22
BOTTOM = 40


class Canvas(NamedTuple):
    """A state, who looks at it, and what is highlighted in it."""

    state: State
    me: Seat | None
    last: Turn[State, Action] | None
    layout: Layout
    marks: Mapping[str, str]  # the CSS classes of what is highlighted, by the keys of clicks


def lay_canvas(
    state: State, me: Seat | None, last: Turn[State, Action] | None, lit: Collection[str], chosen: Collection[str]
) -> Canvas:
    """The canvas for a state; what is chosen is highlighted as that, even if it could be clicked too."""
    marks = dict.fromkeys(lit, " lit") | dict.fromkeys(chosen, " chosen")
    return Canvas(state, me, last, state.board.geometry.layout, marks)


def board_size(geometry: Geometry) -> tuple[int, int]:
    """Width and height of all tiles together."""
    if geometry.layout is Layout.STANDARD:
        return UNIT * (4 * geometry.columns + 1), RISE * (geometry.rows + 1)  # Fish 1.8
    return COLUMN * geometry.columns, ROW * (geometry.rows - 1) + ROW * 4 // 3


def picture_size(geometry: Geometry) -> tuple[int, int]:
    """Width and height of a picture of the board, without the list of seats."""
    width, height = board_size(geometry)
    return LEFT + width + RIGHT, TOP + height + BOTTOM


def tile_middle(layout: Layout, position: Position) -> tuple[int, int]:
    """The middle of a tile."""
    row, column = position
    if layout is Layout.STANDARD:  # Fish 1.8
        across, down = UNIT * (4 * column + 2 * (row % 2)) + UNIT * 3 // 2, RISE * (row + 1)
    else:
        across, down = COLUMN * column + COLUMN // 2 * (2 - row % 2), ROW * row + ROW * 2 // 3
    return LEFT + across, TOP + down


@lru_cache(maxsize=4096)  # every tile of every picture asks
def translate_to(layout: Layout, position: Position) -> str:
    """The SVG attribute that moves a shape to a tile."""
    x, y = tile_middle(layout, position)
    return f'transform="translate({x} {y})"'
