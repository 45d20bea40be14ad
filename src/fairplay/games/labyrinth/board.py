"""The board as one integer: a plane of bits for each open side; a few bit shifts slide and flood it.

Cells are numbered row by row with one empty column on the right, so that nothing runs over an edge.  The planes are in
the order S, E, N, W, so that one bit shift brings every N under the S above it and every W under the E to its left:

    sides & sides >> meet  ->  the links downwards (first plane) and to the right (second plane)

A slide keeps all bits off its line, moves those that stay on the line by one cell, and adds the bits of the new tile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

from fairplay.core.immutable import bits as cells, mask
from fairplay.games.labyrinth.tiles import ROTATIONS, Degree, Pair, Tile, rotate_tile

Position: TypeAlias = tuple[int, int]
"""Row and column, from the top left."""

Direction: TypeAlias = Literal["LEFT", "RIGHT", "UP", "DOWN"]

NOWHERE: Position = (-1, -1)
"""The position of a removed seat's avatar: in no row and no column."""

OPPOSITE: dict[Direction, Direction] = {"LEFT": "RIGHT", "RIGHT": "LEFT", "UP": "DOWN", "DOWN": "UP"}


class Slide(Struct, frozen=True):
    """Which row or column was slid, and in which direction."""

    index: int
    direction: Direction


class Shift:
    """One slide of one grid as masks."""

    __slots__ = ("around", "by", "carry", "cells", "entry", "exit", "forwards", "keep", "line", "slide", "stay")

    def __init__(self, grid: Grid, slide: Slide) -> None:
        self.slide = slide
        index, rows, columns = slide.index, grid.rows, grid.columns
        level = slide.direction in ("LEFT", "RIGHT")
        line = [(index, column) for column in range(columns)] if level else [(row, index) for row in range(rows)]
        self.line = (
            slice(index * columns, index * columns + columns) if level else slice(index, rows * columns, columns)
        )
        self.forwards = slide.direction in ("RIGHT", "DOWN")
        first, last = grid.cell(line[0]), grid.cell(line[-1])
        self.entry, self.exit = (first, last) if self.forwards else (last, first)
        self.by = 1 if level else grid.width
        self.cells = mask(grid.cell(spot) for spot in line)
        self.keep = grid.all_sides(grid.everywhere ^ self.cells)
        self.stay = grid.all_sides(self.cells ^ 1 << self.exit)
        step = 1 if self.forwards else -1
        self.carry = {spot: line[(number + step) % len(line)] for number, spot in enumerate(line)}
        self.around = grid.neighbours(self.entry)

    def move_sides(self, sides: int) -> int:
        """The sides after the slide, before the spare tile is inserted."""
        if self.forwards:
            return sides & self.keep | (sides & self.stay) << self.by
        return sides & self.keep | (sides & self.stay) >> self.by

    def cells_before(self, cells: int) -> int:
        """Where an avatar must stand so that the slide carries it to `cells`, or leaves it there."""
        moved = cells & self.cells
        if not moved:
            return cells
        wrapped = (moved >> self.entry & 1) << self.exit
        moved &= ~(1 << self.entry)
        return cells & ~self.cells | (moved >> self.by if self.forwards else moved << self.by) | wrapped


class Grid:
    """The cells of one size of board and its slides."""

    def __init__(self, rows: int, columns: int, first: int) -> None:
        self.rows, self.columns, self.first = self.kind = rows, columns, first
        self.width = columns + 1
        self.plane = plane = rows * self.width
        self.meet = 2 * plane + self.width
        self.low = (1 << plane) - 1
        self.positions: Sequence[Position] = [(row, column) for row in range(rows) for column in range(self.width)]
        self.everywhere = mask(row * self.width + column for row in range(rows) for column in range(columns))
        south, east, north, west = 1, 1 << plane, 1 << 2 * plane, 1 << 3 * plane + columns
        sides = (north, east, south, west)  # in the order of a tile's bits
        self.spread = [sum(side for bit, side in enumerate(sides) if tile >> bit & 1) for tile in range(16)]
        self.gather = {spread: tile for tile, spread in enumerate(self.spread)}
        self.shifts: Sequence[Shift] = [Shift(self, slide) for slide in self._slides()]
        self.shift_for = {(shift.slide.index, shift.slide.direction): shift for shift in self.shifts}

    def __reduce__(self) -> tuple[Callable[..., Grid], tuple[int, int, int]]:
        return grid_of, self.kind

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Grid) and self.kind == other.kind)

    def __hash__(self) -> int:
        return hash(self.kind)

    def __repr__(self) -> str:
        return f"grid({self.rows}, {self.columns}{', 1' if self.first else ''})"

    @property
    def original(self) -> bool:
        """Is this the board of Labyrinth 13.2, whose odd rows and columns move?"""
        return self.first == 1

    @property
    def fixed(self) -> list[Position]:
        """The positions whose tile never moves, row by row (Labyrinth 1.7)."""
        still = 1 - self.first
        return [(row, column) for row in range(still, self.rows, 2) for column in range(still, self.columns, 2)]

    def holds(self, position: Position) -> bool:
        """Is this position on the board?"""
        return 0 <= position[0] < self.rows and 0 <= position[1] < self.columns

    def cell(self, position: Position) -> int:
        """The number of the cell at `position`; ASSUME it is on the board."""
        return position[0] * self.width + position[1]

    def all_sides(self, cells: int) -> int:
        """The bits of all four sides of `cells`."""
        return cells * self.spread[15]

    def neighbours(self, cell: int) -> int:
        """The cells with a common edge."""
        around = 1 << cell << 1 | 1 << cell >> 1 | 1 << cell << self.width | 1 << cell >> self.width
        return around & self.everywhere

    def flood(self, sides: int, seen: int) -> int:
        """All cells that chains of connected tiles join with the cells `seen`, themselves included (1.5)."""
        links = sides & sides >> self.meet
        down, right, width = links & self.low, links >> self.plane, self.width
        while True:
            more = seen | (seen & right) << 1 | seen >> 1 & right
            more |= (more & down) << width | more >> width & down
            if more == seen:
                return seen
            seen = more

    def step(self, sides: int, seen: int) -> int:
        """The cells `seen`, and all that are connected to one of them."""
        links = sides & sides >> self.meet
        down, right, width = links & self.low, links >> self.plane, self.width
        return seen | (seen & right) << 1 | seen >> 1 & right | (seen & down) << width | seen >> width & down

    def _slides(self) -> Iterator[Slide]:
        """All slides, in the order of Labyrinth 8.3."""
        for row in range(self.first, self.rows, 2):
            yield from (Slide(row, "LEFT"), Slide(row, "RIGHT"))
        for column in range(self.first, self.columns, 2):
            yield from (Slide(column, "UP"), Slide(column, "DOWN"))


def grid_of(rows: int, columns: int, first: int = 0) -> Grid:
    """Return the grid of this size whose rows and columns `first`, `first` + 2, ... can be slid."""
    return cached_grid(rows, columns, first)


cached_grid = lru_cache(maxsize=256)(Grid)  # it has many masks, which are worth keeping


class Board(Struct, frozen=True):
    """The tiles on the board and the spare one."""

    grid: Grid
    sides: int  # the open sides of all tiles, in planes
    spare: Tile
    gems: tuple[Pair, ...]  # of the tiles row by row, of the spare one last

    def tile(self, position: Position) -> Tile:
        """The open sides at `position`; ASSUME it is on the board."""
        grid = self.grid
        return grid.gather[self.sides >> grid.cell(position) & grid.spread[15]]

    @property
    def tiles(self) -> list[list[Tile]]:
        """The open sides row by row."""
        return [[self.tile((row, column)) for column in range(self.grid.columns)] for row in range(self.grid.rows)]

    @property
    def pairs(self) -> list[list[Pair]]:
        """The gems row by row."""
        columns = self.grid.columns
        return [list(self.gems[start : start + columns]) for start in range(0, len(self.gems) - 1, columns or 1)]


def make_board(tiles: Sequence[Sequence[Tile]], spare: Tile, gems: Iterable[Pair], *, original: bool = False) -> Board:
    """Make the board with these rows of tiles; `gems` row by row, those of the spare tile last."""
    grid = grid_of(len(tiles), len(tiles[0]) if tiles else 0, int(original))
    spread, width = grid.spread, grid.width
    sides = 0
    for row, line in enumerate(tiles):
        for column, tile in enumerate(line):
            sides |= spread[tile] << row * width + column
    return Board(grid, sides, spare, tuple(gems))


def reachable(board: Board, position: Position) -> int:
    """The mask of cells reachable from `position`, itself included (Labyrinth 1.5); 0 from off the board."""
    if not board.grid.holds(position):
        return 0
    return board.grid.flood(board.sides, 1 << board.grid.cell(position))


def shortest_way(board: Board, start: Position, end: Position) -> list[Position]:
    """Find a shortest chain of connected tiles from `start` to `end`, both included; raises ValueError without one."""
    grid, first = board.grid, 1 << board.grid.cell(start)
    waves = [first]
    while not waves[-1] >> grid.cell(end) & 1:
        wave = grid.step(board.sides, waves[-1])
        if wave == waves[-1]:
            raise ValueError(f"no way leads from {start} to {end}")
        waves.append(wave)
    chain = [grid.cell(end)]
    for wave in reversed(waves[:-1]):  # back to any cell that is one step nearer
        chain.append(next(cells(wave & grid.step(board.sides, 1 << chain[-1]))))
    return [grid.positions[cell] for cell in reversed(chain)]


def slide_board(board: Board, shift: Shift, degree: Degree) -> Board:
    """Slide a line of the board and insert the spare tile, turned by `degree` (Labyrinth 3.3)."""
    grid, spare, line = board.grid, board.spare, shift.line
    sides = shift.move_sides(board.sides) | grid.spread[rotate_tile(spare, degree)] << shift.entry
    gems = list(board.gems)
    moving = gems[line]
    dropped = moving.pop() if shift.forwards else moving.pop(0)
    gems[line] = [gems[-1], *moving] if shift.forwards else [*moving, gems[-1]]
    gems[-1] = dropped
    return Board(grid, sides, grid.gather[board.sides >> shift.exit & grid.spread[15]], tuple(gems))


def carry_avatars(avatars: tuple[Position, ...], shift: Shift) -> tuple[Position, ...]:
    """Move the avatars on the line along; those on the dropped tile come onto the new one (Labyrinth 3.4)."""
    carry = shift.carry
    for spot in avatars:
        if spot in carry:
            return tuple([carry.get(spot, spot) for spot in avatars])
    return avatars


class SlideOption(NamedTuple):
    """One slide with the spare tile turned one way, and where an avatar can go then."""

    shift: Shift
    tile: Tile  # as it is inserted
    degrees: tuple[Degree, ...]  # that turn the spare tile this way, smallest first
    ends: int  # the cells where a move may end (Labyrinth 3.5, 13.2)


def slide_options(board: Board, at: Position, last: Slide | None) -> Iterator[SlideOption]:
    """List the options from `at`, in the order of Labyrinth 8.3, without undoing `last`; none from off the board.

    A slide needs one flood without the new tile; how that tile is turned matters only if the flood touches its cell.
    """
    grid, sides = board.grid, board.sides
    if not grid.holds(at):
        return
    undo = None if last is None else grid.shift_for.get((last.index, OPPOSITE[last.direction]))
    flood, spread, original, rotations = grid.flood, grid.spread, grid.original, ROTATIONS[board.spare]
    for shift in grid.shifts:
        if shift is undo:
            continue
        gap, entry = shift.move_sides(sides), shift.entry
        place = 1 << grid.cell(shift.carry.get(at, at))
        reached = flood(gap, place)
        touches = reached & shift.around or place == 1 << entry
        for tile, degrees in rotations:
            cells = flood(gap | spread[tile] << entry, reached) if touches else reached
            yield SlideOption(shift, tile, degrees, cells if original else cells ^ place)


def squared_distance(one: Position, other: Position) -> int:
    """The square of the Euclidean distance, which compares the same way (Labyrinth 5.1)."""
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2
