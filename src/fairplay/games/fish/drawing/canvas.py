"""What a picture of Fish shows and highlights, and where its parts lie."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from fairplay.core import Seat, Turn
from fairplay.games.fish.board import Geometry, Layout, Position
from fairplay.games.fish.drawing.shapes import UNIT
from fairplay.games.fish.state import Action, State

__all__ = ["HEADROOM", "MARGIN", "Canvas", "board_extent", "tile_middle", "translate_to"]

MARGIN: Final = 16.0
HEADROOM: Final = 10.0  # above the first row, for heads


class Canvas(NamedTuple):
    """A state, who looks at it, and what is highlighted in it."""

    state: State
    me: Seat | None
    last: Turn[State, Action] | None
    lit: Collection[str]
    chosen: Collection[str]

    @property
    def layout(self) -> Layout:
        return self.state.board.geometry.layout

    def mark_class(self, at: Position) -> str:
        """The CSS class of what is at a position, where it is highlighted."""
        key = f"at={at[0]},{at[1]}"
        return " chosen" if key in self.chosen else " lit" if key in self.lit else ""


def board_extent(geometry: Geometry) -> tuple[float, float]:
    """Width and height of all tiles together."""
    if geometry.layout is Layout.STANDARD:
        return UNIT * (4 * geometry.columns + 1), UNIT * (geometry.rows + 1)  # Fish 1.8
    return UNIT * 2.4 * geometry.columns, UNIT * (2.1 * geometry.rows + 0.7)


def tile_middle(layout: Layout, position: Position) -> tuple[float, float]:
    """The middle of a tile, in units of the drawing."""
    row, column = position
    if layout is Layout.STANDARD:
        across, down = 4 * column + 2 * (row % 2) + 1.5, row + 1.0
    else:
        across, down = 2.4 * column + 1.2 * (1 - row % 2) + 1.2, 2.1 * row + 1.4
    return MARGIN + UNIT * across, MARGIN + HEADROOM + UNIT * down


def translate_to(layout: Layout, position: Position) -> str:
    """The SVG attribute that moves a shape to a tile."""
    x, y = tile_middle(layout, position)
    return f'transform="translate({x:g} {y:g})"'
