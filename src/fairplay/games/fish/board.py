"""The geometry of a Fish board: cells as bits, straight lines as masks with cached answers.

Cells are numbered row by row.  Where a penguin may go along one line depends only on the free cells of that line,
so each line through each cell keeps a cache from "free cells of the line" to "cells reached", filled on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from fairplay.core.immutable import bits, mask

Cell: TypeAlias = int
Position: TypeAlias = tuple[int, int]
"""Row and column, from the top left."""

T = TypeVar("T")

Steps: TypeAlias = Mapping[str, tuple[Position, Position]]


class Layout(Enum):
    """How rows of hexagons touch: direction -> (Δrow, Δcolumn) from an even and from an odd row."""

    STANDARD = "standard"  # Fish 1.6, 1.7: flat tops, odd rows shifted right
    ORIGINAL = "original"  # Fish 13.3: pointed tops, even rows shifted right

    @property
    def steps(self) -> Steps:
        return STEPS[self]


STEPS: Mapping[Layout, Steps] = {
    Layout.STANDARD: {
        "N": ((-2, 0), (-2, 0)),
        "NE": ((-1, 0), (-1, 1)),
        "SE": ((1, 0), (1, 1)),
        "S": ((2, 0), (2, 0)),
        "SW": ((1, -1), (1, 0)),
        "NW": ((-1, -1), (-1, 0)),
    },
    Layout.ORIGINAL: {
        "NE": ((-1, 1), (-1, 0)),
        "E": ((0, 1), (0, 1)),
        "SE": ((1, 1), (1, 0)),
        "SW": ((1, 0), (1, -1)),
        "W": ((0, -1), (0, -1)),
        "NW": ((-1, 0), (-1, -1)),
    },
}

CACHE_SIZE = 256
"""Answers that one line keeps before it starts again: all of a short line; a long line has too many to keep."""


class LineCache(dict[int, T], Generic[T]):
    """For one line through one cell: its free cells -> the answer for the cells that can be reached along it."""

    __slots__ = ("answer",)

    def __init__(self, answer: Callable[[int], T]) -> None:
        super().__init__()
        self.answer = answer

    def __missing__(self, free: int) -> T:
        if len(self) >= CACHE_SIZE:
            self.clear()
        self[free] = answer = self.answer(free)
        return answer


Line: TypeAlias = tuple[int, LineCache[T]]
"""The mask of one line through a cell, without the cell itself, and the answers along it."""

Lines: TypeAlias = tuple[Line[T], Line[T], Line[T]]
"""The three lines through a cell."""


class Geometry:
    """The cells of one shape of board and the lines through them; all states of that shape share the caches."""

    def __init__(self, rows: int, columns: int, layout: Layout) -> None:
        self.rows, self.columns, self.layout = self.shape = rows, columns, layout
        self.hash = hash(self.shape)
        self.original = layout is Layout.ORIGINAL  # checked after every move
        self.positions: Sequence[Position] = [(row, column) for row in range(rows) for column in range(columns)]
        self.rays = [self._rays(position) for position in self.positions]
        self.adjacent = [mask(ray[0] for ray in rays.values() if ray) for rays in self.rays]
        self.reach: Sequence[Lines[int]] = self.build_lines(lambda start, cells: mask(cells))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Geometry) and self.shape == other.shape)

    def __hash__(self) -> int:
        return self.hash

    def __reduce__(self) -> tuple[Callable[..., Geometry], tuple[int, int, Layout]]:
        return geometry_of, self.shape

    def cell(self, position: Position) -> Cell | None:
        """The number of the cell at `position`; None off the board."""
        row, column = position
        if 0 <= row < self.rows and 0 <= column < self.columns:
            return row * self.columns + column
        return None

    def reachable(self, start: Cell, free: int) -> int:
        """Fish 1.9: the mask of cells that a penguin on `start` may move to."""
        (mask0, reach0), (mask1, reach1), (mask2, reach2) = self.reach[start]
        return reach0[free & mask0] | reach1[free & mask1] | reach2[free & mask2]

    def build_lines(self, answer: Callable[[Cell, Sequence[Cell]], T]) -> list[Lines[T]]:
        """Build the three lines of each cell; they cache `answer` to the start and the cells reached from it."""

        def line(start: Cell, ray: Sequence[Cell], opposite: Sequence[Cell]) -> Line[T]:
            return mask((*ray, *opposite)), LineCache(
                lambda free: answer(start, walk_ray(ray, free) + walk_ray(opposite, free))
            )

        def three(start: Cell) -> Lines[T]:
            a, b, c, d, e, f = self.rays[start].values()  # opposite directions are three apart
            return line(start, a, d), line(start, b, e), line(start, c, f)

        return [three(start) for start in range(len(self.positions))]

    def build_rows(self, answer: Callable[[Sequence[Cell]], T]) -> list[Line[T]]:
        """Build the mask of each row; it caches `answer` to those of its cells that are in another mask."""
        rows = (range(start, start + self.columns) for start in range(0, len(self.positions), self.columns or 1))
        return [(mask(row), LineCache(lambda cells: answer(list(bits(cells))))) for row in rows]

    def _rays(self, start: Position) -> dict[str, tuple[Cell, ...]]:
        """Per direction, in the canonical order, the cells from `start` to the edge."""
        return {direction: tuple(self._walk(start, steps)) for direction, steps in self.layout.steps.items()}

    def _walk(self, position: Position, steps: tuple[Position, Position]) -> Iterator[Cell]:
        while True:
            row, column = position
            down, right = steps[row % 2]
            position = row + down, column + right
            cell = self.cell(position)
            if cell is None:
                return
            yield cell


@lru_cache(maxsize=256)
def geometry_of(rows: int, columns: int, layout: Layout) -> Geometry:
    """Return the geometry of this shape; it is built once, with its caches."""
    return Geometry(rows, columns, layout)


def walk_ray(ray: Sequence[Cell], free: int) -> list[Cell]:
    """List the cells of `ray` before the first one that is not free."""
    reached = []
    for cell in ray:
        if not free >> cell & 1:
            break
        reached.append(cell)
    return reached


IS_TILE = b"0" + b"1" * 255  # fish -> binary digit, for `bytes.translate`
IS_ONE = b"01" + b"0" * 254


class Board(Struct, frozen=True):
    """A board as it was dealt: its shape, and the fish of each cell, 0 for a hole."""

    geometry: Geometry
    fish: bytes

    @property
    def tiles(self) -> int:
        """The mask of cells that are not holes."""
        return int(self.fish[::-1].translate(IS_TILE) or b"0", 2)

    @property
    def ones(self) -> int:
        """The mask of tiles with exactly one fish."""
        return int(self.fish[::-1].translate(IS_ONE) or b"0", 2)


def make_board(rows: Sequence[Sequence[int]], layout: Layout = Layout.STANDARD) -> Board:
    """Make the board with these numbers of fish; short rows are filled up with holes (Fish 1.5)."""
    full = pad_rows(rows)
    shape = geometry_of(len(full), len(full[0]) if full else 0, layout)
    return Board(shape, bytes(fish for row in full for fish in row))


def pad_rows(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """Fill `rows` up to a full rectangle (Fish 1.5)."""
    width = max(map(len, rows), default=0)
    return [[*row, *([0] * (width - len(row)))] for row in rows]
