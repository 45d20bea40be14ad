"""What a picture of Labyrinth shows and highlights, and where its parts lie."""

from __future__ import annotations

from typing import Final, NamedTuple

from fairplay.core import Seat
from fairplay.games.labyrinth.board import Board, Position, Shift
from fairplay.games.labyrinth.drawing.shapes import PAINTS, TILE
from fairplay.games.labyrinth.state import State, View
from fairplay.games.labyrinth.tiles import DEGREES, Degree
from fairplay.games.labyrinth.words import seat_name

__all__ = [
    "LANE",
    "Canvas",
    "canvas_size",
    "position_key",
    "seat_label",
    "slide_key",
    "slot_corner",
    "tile_corner",
    "turn_key",
]

LANE: Final = 60  # around the board, for arrows and numbers
PANEL_WIDTH: Final = 232  # beside the board, for the spare tile and the seats
STRIP_HEIGHT: Final = 108  # beneath it, without the seats
MIN_WIDTH: Final = 480
SEAT_HEIGHT: Final = 48  # of one seat's line
CARD_HEIGHT: Final = 80  # of the card with the goal


def position_key(at: Position) -> str:
    """The key of a tile in the picture."""
    return f"at={at[0]},{at[1]}"


def slide_key(shift: Shift) -> str:
    """The key of an arrow in the picture."""
    return f"slide={shift.slide.index},{shift.slide.direction}"


def turn_key(degree: int) -> str:
    """The key of a knob that turns the spare tile, in the picture."""
    return f"turn={degree % 360}"


class Canvas(NamedTuple):
    """A state or a view, and what is highlighted in it."""

    shown: State | View
    open: bool
    seats: bool
    lit: frozenset[str]
    chosen: frozenset[str]

    @property
    def board(self) -> Board:
        return self.shown.board

    @property
    def sliding(self) -> Shift | None:
        """The slide that has been chosen: the board shows how it would look after it."""
        for shift in self.board.grid.shifts if self.chosen else ():
            if slide_key(shift) in self.chosen:
                return shift
        return None

    @property
    def degree(self) -> Degree | None:
        """How far the spare tile has been turned; None if it cannot be turned now."""
        return next((degree for degree in DEGREES if turn_key(degree) in self.chosen), None)

    def class_attribute(self, key: str) -> str:
        """The class attribute of what has this key, where it is highlighted."""
        classes = [name for name, keys in (("lit", self.lit), ("chosen", self.chosen)) if key in keys]
        return f' class="{" ".join(classes)}"' if classes else ""


def canvas_size(canvas: Canvas) -> tuple[int, int]:
    """Width and height of the whole picture."""
    grid = canvas.board.grid
    width, height = 2 * LANE + TILE * grid.columns, 2 * LANE + TILE * grid.rows
    if not canvas.seats:
        return max(width, MIN_WIDTH), height + STRIP_HEIGHT
    lines = SEAT_HEIGHT * len(canvas.shown.avatars)
    return width + PANEL_WIDTH, max(height, 224 + lines + (CARD_HEIGHT + 16) * isinstance(canvas.shown, View))


def tile_corner(position: Position) -> tuple[int, int]:
    """The top left corner of a tile."""
    return LANE + TILE * position[1], LANE + TILE * position[0]


def slot_corner(canvas: Canvas) -> tuple[int, int]:
    """The top left corner of the spare tile."""
    grid = canvas.board.grid
    if canvas.seats:
        return 2 * LANE + TILE * grid.columns + 54, LANE + 16
    return LANE + 48, 2 * LANE + TILE * grid.rows + 12


def seat_label(shown: State | View, seat: int) -> str:
    """The name of a seat, with its colour if that has a name."""
    color = shown.colors[seat]
    return f"{seat_name(Seat(seat))} ({color})" if color in PAINTS else seat_name(Seat(seat))
