"""A drawing divided into small cells, and which of them are taken: tells quickly how crowded a box is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from math import ceil
from typing import Final, NamedTuple, TypeAlias

__all__ = ["Box", "CellGrid", "CellRun", "Occupancy"]

CELL_WIDTH: Final = 4.8  # half a letter
CELL_HEIGHT: Final = 5.0  # a third of a letter
FRACTION: Final = 1 << 16  # parts of a cell: whole numbers are faster

INCREMENT: Final = bytes([*range(1, 256), 255])  # for `bytes.translate`
DECREMENT: Final = bytes([0, *range(255)])


class Box(NamedTuple):
    """A part of the drawing."""

    left: float
    top: float
    right: float
    bottom: float


CellRun: TypeAlias = tuple[int, int]
"""Neighbouring cells of one row: the number of the first one, and of the one after the last."""


class CellGrid:
    """The cells of a drawing, numbered row by row."""

    def __init__(self, width: float, height: float) -> None:
        self.columns, self.rows = int(width / CELL_WIDTH) + 1, int(height / CELL_HEIGHT) + 1

    def runs(self, box: Box) -> list[CellRun]:
        """List the cells that a box touches, without those off the drawing."""
        left = max(0, int(box.left / CELL_WIDTH))
        right = max(left, min(self.columns, ceil(box.right / CELL_WIDTH)))
        rows = range(max(0, int(box.top / CELL_HEIGHT)), min(self.rows, ceil(box.bottom / CELL_HEIGHT)))
        return [(row * self.columns + left, row * self.columns + right) for row in rows]


class Occupancy:
    """How many times each cell is taken, counted up to 255."""

    def __init__(self, grid: CellGrid) -> None:
        self.columns = grid.columns
        self.cells = bytearray(grid.columns * grid.rows)

    def add(self, runs: Sequence[CellRun]) -> None:
        """Count these cells once more."""
        for start, end in runs:
            self.cells[start:end] = self.cells[start:end].translate(INCREMENT)

    def remove(self, runs: Sequence[CellRun]) -> None:
        """Count these cells once less."""
        for start, end in runs:
            self.cells[start:end] = self.cells[start:end].translate(DECREMENT)

    def add_line(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Take the cells under a line.  ASSUME it lies within the drawing."""
        (x, y), (to_x, to_y) = start, end
        steps = int(max(abs(to_x - x) / CELL_WIDTH, abs(to_y - y) / CELL_HEIGHT)) + 1
        right, down = (
            round((to_x - x) / CELL_WIDTH / steps * FRACTION),
            round((to_y - y) / CELL_HEIGHT / steps * FRACTION),
        )
        across, along = round(x / CELL_WIDTH * FRACTION), round(y / CELL_HEIGHT * FRACTION)
        cells, columns = self.cells, self.columns
        for _ in repeat(None, steps + 1):
            cells[along // FRACTION * columns + across // FRACTION] = 1
            across += right
            along += down

    def count(self, runs: Sequence[CellRun], *, within: int = 0) -> int:
        """Count the cells that are taken, without the first and the last `within` of each run."""
        zeros = self.cells.count
        return sum([end - start - 2 * within - zeros(0, start + within, end - within) for start, end in runs])
