"""How the last turn of Labyrinth is shown as motion.

Step 0 takes the spare tile to the edge, step 1 slides the line with everything on it, and in step 2 the pawn walks its
way while the tile that was pushed out becomes the spare one.  What a move leads to appears in step 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from fairplay.core import Turn
from fairplay.games.labyrinth.board import Grid, Position, Shift, shortest_way
from fairplay.games.labyrinth.drawing.canvas import Point, entry_point, exit_point, pawn_places, tile_middle
from fairplay.games.labyrinth.state import Move, State, View

__all__ = ["LastMove", "find_last_move", "pawn_motion", "spare_motion", "tile_motion"]


class LastMove(NamedTuple):
    """The move that led to what is shown."""

    seat: int
    shift: Shift
    grid: Grid
    before: Sequence[Position]  # where the pawns stood
    way: Sequence[Position]  # from where the slide left the pawn to where it went

    @property
    def carried(self) -> Point:
        """Where the pawn stood between the slide and its walk."""
        standing = [self.shift.carry.get(spot, spot) for spot in self.before]
        return pawn_places(self.grid, standing)[self.seat]


def find_last_move(shown: State | View, last: Turn[Any, Any] | None) -> LastMove | None:
    """Find the move that led to what is shown, if there was one."""
    if last is None or not isinstance(last.action, Move) or last.after.board != shown.board:
        return None
    grid = shown.board.grid
    shift = grid.shift_for[last.action.index, last.action.direction]
    avatars = last.before.avatars
    start = shift.carry.get(avatars[last.seat], avatars[last.seat])
    return LastMove(last.seat, shift, grid, avatars, shortest_way(shown.board, start, last.action.to))


def tile_motion(move: LastMove | None, at: Position) -> str:
    """The attributes of the tile at a place: those of the line slide, and a new one comes in with them."""
    if move is None or at not in move.shift.carry:
        return ""
    if at != move.grid.positions[move.shift.entry]:
        return ' data-step="1"'
    return f' data-step="1" data-ride="{format_point(entry_point(move.grid, move.shift))}"'


def spare_motion(move: LastMove | None) -> str:
    """The attributes of the spare tile: it goes out with the line, and then to its place."""
    if move is None:
        return ""
    return f' data-step="2" data-ride="{format_point(exit_point(move.grid, move.shift))}"'


def pawn_motion(move: LastMove | None, seat: int) -> str:
    """The attributes of a pawn: it slides with its tile, and the one whose turn it was walks then.

    A pawn whose tile is pushed out fades, and appears on the tile that came in.
    """
    if move is None:
        return ""
    jump = ' data-jump=""' if move.before[seat] == move.grid.positions[move.shift.exit] else ""
    if move.seat != seat or len(move.way) < 2:
        return f' data-step="1"{jump}'
    ride = f' data-ride="{format_point(move.carried)}"' if move.before[seat] in move.shift.carry else ""
    path = " ".join(format_point(tile_middle(at)) for at in move.way[:-1])
    return f' data-step="2"{jump}{ride} data-path="{path}"'


def format_point(point: Point) -> str:
    """A point, as the page reads it."""
    return f"{point[0]:g},{point[1]:g}"
