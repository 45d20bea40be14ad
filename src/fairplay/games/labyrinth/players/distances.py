"""Cells by their distance to a position, for players that want to get close to it."""

from __future__ import annotations

from functools import lru_cache

from fairplay.games.labyrinth.board import Grid, Position, mask, squared_distance

__all__ = ["distance_rings", "nearest_cell"]


@lru_cache(maxsize=4096)
def distance_rings(grid: Grid, centre: Position) -> tuple[int, ...]:
    """Sort the cells into masks of equal distance to `centre`, nearest first."""
    found: dict[int, list[int]] = {}
    for row in range(grid.rows):
        for column in range(grid.columns):
            distance = squared_distance((row, column), centre)
            found.setdefault(distance, []).append(grid.cell((row, column)))
    return tuple(mask(found[distance]) for distance in sorted(found))


def nearest_cell(grid: Grid, centre: Position, cells: int) -> tuple[int, int]:
    """Find the number of the first ring that meets `cells`, and the bit of its first cell; ASSUME there is one."""
    return next(
        (number, near & -near) for number, ring in enumerate(distance_rings(grid, centre)) if (near := ring & cells)
    )
