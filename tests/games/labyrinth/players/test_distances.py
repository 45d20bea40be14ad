"""Cells by their distance to a position."""

from __future__ import annotations

from fairplay.games.labyrinth.board import cells, squared_distance
from fairplay.games.labyrinth.players.distances import distance_rings, nearest_cell
from games.labyrinth.worlds import shown


def test_rings_lie_around_any_position() -> None:
    grid = shown().board.grid
    assert sum(ring.bit_count() for ring in distance_rings(grid, (1, 3))) == 15
    assert nearest_cell(grid, (1, 3), grid.everywhere) == (0, 1 << grid.cell((1, 3)))
    assert nearest_cell(grid, (-5, 1), grid.everywhere) == (0, 1 << grid.cell((0, 1)))


def test_each_ring_is_farther_than_the_one_before() -> None:
    grid = shown().board.grid
    far = [
        {squared_distance(grid.positions[cell], (0, 0)) for cell in cells(ring)}
        for ring in distance_rings(grid, (0, 0))
    ]
    assert all(len(ring) == 1 for ring in far)
    assert [min(ring) for ring in far] == sorted(min(ring) for ring in far)
