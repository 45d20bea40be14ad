"""What a picture of Labyrinth shows and highlights, where its parts lie, what they are called, and how they move.

The last turn is shown as motion.  Step 0 takes the spare tile to the edge, step 1 slides the line with everything on
it, and in step 2 the pawn walks its way while the tile that was pushed out becomes the spare one.  What a move leads to
appears in step 3.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from fairplay.core import AnyTurn, Seat
from fairplay.games.labyrinth.board import Board, Grid, Position, Shift, shortest_way
from fairplay.games.labyrinth.drawing.figures import HALF, LANE, PAINTS, TILE
from fairplay.games.labyrinth.state import Move, State, View
from fairplay.games.labyrinth.tiles import EAST, GEM_NUMBERS, NORTH, ROTATIONS, SOUTH, WEST, Tile
from fairplay.games.labyrinth.words import seat_name

STRIP_HEIGHT = 92  # beneath the board, for the spare tile
PANEL_WIDTH = 232  # beside the board, for the goal and the seats
SEAT_HEIGHT = 48  # of one seat's line
CARD_HEIGHT = 80  # of the card with the goal

TURN_LEFT = "turn=left"
TURN_RIGHT = "turn=right"

Point = tuple[float, float]


# -- what things are called --------------------------------------------------------------------


def position_key(at: Position) -> str:
    """The key of a place on the board: it stays where it is when tiles move."""
    return f"at={at[0]},{at[1]}"


def slide_key(shift: Shift) -> str:
    """The key of an arrow."""
    return f"slide={shift.slide.index},{shift.slide.direction}"


@lru_cache(maxsize=256)
def tile_keys(board: Board) -> Sequence[str]:
    """The keys for motion of the tiles row by row, of the spare one last.

    A tile is known by its gems, which no other tile has (Labyrinth 1.3) and which it keeps wherever it goes.  A given
    match may break that rule (12.2): its tiles that are alike are numbered in the order in which they lie.
    """
    seen: dict[str, int] = {}
    keys = []
    for first, second in board.gems:
        key = f"t{GEM_NUMBERS[first]}.{GEM_NUMBERS[second]}"
        number = seen[key] = seen.get(key, -1) + 1
        keys.append(f"{key}-{number}" if number else key)
    return keys


def seat_label(shown: State | View, seat: int) -> str:
    """The name of a seat, with its colour if that has a name."""
    color = shown.colors[seat]
    return f"{seat_name(Seat(seat))} ({color})" if color in PAINTS else seat_name(Seat(seat))


# -- where things lie --------------------------------------------------------------------------


def tile_middle(position: Position) -> tuple[int, int]:
    """The middle of a tile on the board."""
    return LANE + TILE * position[1] + HALF, LANE + TILE * position[0] + HALF


def slot_middle(grid: Grid) -> tuple[int, int]:
    """The middle of the spare tile, beneath the board."""
    return LANE + TILE * grid.columns // 2, 2 * LANE + TILE * grid.rows + HALF + 6


def entry_point(grid: Grid, shift: Shift) -> tuple[int, int]:
    """Where a tile lies that is about to be pushed in: just outside the edge."""
    x, y = tile_middle(grid.positions[shift.entry])
    along = SLIDES[shift.slide.direction]
    return x - along[0], y - along[1]


def exit_point(grid: Grid, shift: Shift) -> tuple[int, int]:
    """Where a tile lies that has just been pushed out: outside the other edge."""
    x, y = tile_middle(grid.positions[shift.exit])
    along = SLIDES[shift.slide.direction]
    return x + along[0], y + along[1]


SLIDES = {"LEFT": (-TILE, 0), "RIGHT": (TILE, 0), "UP": (0, -TILE), "DOWN": (0, TILE)}
"""How far a slide moves a tile."""


def pawn_places(grid: Grid, avatars: Sequence[Position]) -> dict[int, Point]:
    """Where the pawns on the board stand, by seat; side by side if they share a tile."""
    standing: dict[Position, list[int]] = {}
    for seat, at in enumerate(avatars):
        if grid.holds(at):
            standing.setdefault(at, []).append(seat)
    places: dict[int, Point] = {}
    for at, seats in standing.items():
        x, y = tile_middle(at)
        for number, seat in enumerate(seats):
            across = (number - (len(seats) - 1) / 2) * min(24, 46 / max(len(seats) - 1, 1))
            places[seat] = x + across, y
    return dict(sorted(places.items()))


ANGLES = {
    turned: -degrees[0]
    for shape in (NORTH | SOUTH, NORTH | EAST, NORTH | EAST | SOUTH, NORTH | EAST | SOUTH | WEST)
    for turned, degrees in ROTATIONS[shape]
}
"""How far a tile is turned from the way its shape is cut first, clockwise as SVG counts."""


def tile_transform(place: Point, tile: Tile) -> str:
    """The place of a tile, and how it is turned: so that pages can turn it."""
    return translate(place) + (f"rotate({ANGLES[tile]})" if ANGLES[tile] else "")


def translate(place: Point) -> str:
    """The place of a keyed element, as SVG writes it."""
    return f"translate({place[0]:g} {place[1]:g})"


# -- what is shown -----------------------------------------------------------------------------


class Canvas(NamedTuple):
    """A state or a view, and what is highlighted in it."""

    shown: State | View
    open: bool
    seats: bool
    lit: frozenset[str] = frozenset()
    chosen: frozenset[str] = frozenset()

    @property
    def board(self) -> Board:
        return self.shown.board

    def class_attribute(self, key: str) -> str:
        """The class attribute of what has this key, if it is highlighted."""
        classes = [name for name, keys in (("lit", self.lit), ("chosen", self.chosen)) if key in keys]
        return f' class="{" ".join(classes)}"' if classes else ""


def canvas_size(canvas: Canvas) -> tuple[int, int]:
    """Width and height of the whole picture."""
    grid = canvas.board.grid
    width, height = 2 * LANE + TILE * grid.columns, 2 * LANE + TILE * grid.rows + STRIP_HEIGHT
    if not canvas.seats:
        return width, height
    lines = SEAT_HEIGHT * len(canvas.shown.avatars)
    return width + PANEL_WIDTH, max(height, 2 * LANE + lines + (CARD_HEIGHT + 16) * isinstance(canvas.shown, View))


# -- motion -----------------------------------------------------------------------------------


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


def find_last_move(shown: State | View, last: AnyTurn | None) -> LastMove | None:
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
