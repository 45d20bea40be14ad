"""A sheet of paper divided into small cells, and which of them are taken: how crowded a box on it is, at once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from math import ceil
from typing import Final, NamedTuple, TypeAlias

__all__ = ["Box", "Layer", "Run", "Sheet"]

WIDE: Final = 4.8  # half a letter
HIGH: Final = 5.0  # a third of a letter
PART: Final = 1 << 16  # of a cell: whole numbers are quicker

MORE: Final = bytes([*range(1, 256), 255])
LESS: Final = bytes([0, *range(255)])


class Box(NamedTuple):
    """A part of the sheet."""

    left: float
    top: float
    right: float
    bottom: float


Run: TypeAlias = tuple[int, int]
"""Cells of one row that lie side by side: the number of the first, and of the one after the last."""


class Sheet:
    """How cells are numbered: row by row."""

    def __init__(self, width: float, height: float) -> None:
        self.columns, self.rows = int(width / WIDE) + 1, int(height / HIGH) + 1

    def runs(self, box: Box) -> list[Run]:
        """The cells that a box meets, without what lies off the sheet."""
        left = max(0, int(box.left / WIDE))
        right = max(left, min(self.columns, ceil(box.right / WIDE)))
        rows = range(max(0, int(box.top / HIGH)), min(self.rows, ceil(box.bottom / HIGH)))
        return [(row * self.columns + left, row * self.columns + right) for row in rows]


class Layer:
    """How often each cell is taken; from 255 times on nobody counts."""

    def __init__(self, sheet: Sheet) -> None:
        self.columns = sheet.columns
        self.cells = bytearray(sheet.columns * sheet.rows)

    def take(self, runs: Sequence[Run]) -> None:
        for start, end in runs:
            self.cells[start:end] = self.cells[start:end].translate(MORE)

    def free(self, runs: Sequence[Run]) -> None:
        for start, end in runs:
            self.cells[start:end] = self.cells[start:end].translate(LESS)

    def strike(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Take the cells below a line.  ASSUME it lies on the sheet."""
        (x, y), (to_x, to_y) = start, end
        steps = int(max(abs(to_x - x) / WIDE, abs(to_y - y) / HIGH)) + 1
        right, down = round((to_x - x) / WIDE / steps * PART), round((to_y - y) / HIGH / steps * PART)
        across, along = round(x / WIDE * PART), round(y / HIGH * PART)
        cells, columns = self.cells, self.columns
        for _ in repeat(None, steps + 1):
            cells[along // PART * columns + across // PART] = 1
            across += right
            along += down

    def taken(self, runs: Sequence[Run], *, within: int = 0) -> int:
        """How many of these cells are taken, without the first and the last `within` of each run."""
        count = self.cells.count
        return sum([end - start - 2 * within - count(0, start + within, end - within) for start, end in runs])
