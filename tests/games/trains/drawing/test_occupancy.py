"""The cells of a drawing, and which of them are taken."""

from __future__ import annotations

from fairplay.games.trains.drawing.names import CELL_HEIGHT, CELL_WIDTH, Box, CellGrid, Occupancy

GRID = CellGrid(10 * CELL_WIDTH - 1, 6 * CELL_HEIGHT - 1)


def box(left: float, top: float, right: float, bottom: float) -> Box:
    """A box by columns and rows."""
    return Box(left * CELL_WIDTH, top * CELL_HEIGHT, right * CELL_WIDTH, bottom * CELL_HEIGHT)


def test_a_box_touches_cells_row_by_row() -> None:
    assert (GRID.columns, GRID.rows) == (10, 6)
    assert GRID.runs(box(2, 1, 5, 3)) == [(12, 15), (22, 25)]
    assert GRID.runs(box(2.5, 1.5, 4.5, 2.5)) == [(12, 15), (22, 25)]


def test_what_lies_off_the_drawing_has_no_cells() -> None:
    assert GRID.runs(box(-3, -2, 2, 1)) == [(0, 2)]
    assert GRID.runs(box(8, 5, 14, 9)) == [(58, 60)]
    assert GRID.runs(box(2, 7, 4, 9)) == []
    assert Occupancy(GRID).count(GRID.runs(box(-4, 2, -1, 4))) == 0


def test_cells_are_counted_up_and_down() -> None:
    taken, here = Occupancy(GRID), GRID.runs(box(2, 1, 5, 3))
    taken.add(here)
    taken.add(GRID.runs(box(4, 2, 8, 4)))
    assert taken.count(here) == 6
    assert taken.count(GRID.runs(box(0, 0, 10, 6))) == 6 + 8 - 1
    assert taken.count(here, within=1) == 2
    taken.remove(here)
    assert taken.count(here) == 1
    assert taken.count(GRID.runs(box(0, 0, 2, 6))) == 0


def test_a_cell_is_counted_up_to_255_times() -> None:
    taken, here = Occupancy(GRID), GRID.runs(box(0, 0, 1, 1))
    for _ in range(300):
        taken.add(here)
    taken.remove(here)
    assert taken.count(here) == 1


def test_a_line_takes_the_cells_under_it() -> None:
    taken = Occupancy(GRID)
    taken.add_line((0.5 * CELL_WIDTH, 0.5 * CELL_HEIGHT), (4.5 * CELL_WIDTH, 4.5 * CELL_HEIGHT))
    assert [at for at, count in enumerate(taken.cells) if count] == [0, 11, 22, 33, 44]
    taken.add_line((8.5 * CELL_WIDTH, 3.5 * CELL_HEIGHT), (8.5 * CELL_WIDTH, 1.5 * CELL_HEIGHT))
    assert [at for at, count in enumerate(taken.cells) if count and at % 10 == 8] == [18, 28, 38]
    taken.add_line((9.5 * CELL_WIDTH, 5.5 * CELL_HEIGHT), (9.5 * CELL_WIDTH, 5.5 * CELL_HEIGHT))
    assert taken.cells[59] == 1
