"""Cells of a sheet, and which of them are taken."""

from __future__ import annotations

from fairplay.games.trains.drawing.occupancy import HIGH, WIDE, Box, Layer, Sheet

SHEET = Sheet(10 * WIDE - 1, 6 * HIGH - 1)


def box(left: float, top: float, right: float, bottom: float) -> Box:
    """A box by columns and rows."""
    return Box(left * WIDE, top * HIGH, right * WIDE, bottom * HIGH)


def test_a_box_meets_cells_row_by_row() -> None:
    assert (SHEET.columns, SHEET.rows) == (10, 6)
    assert SHEET.runs(box(2, 1, 5, 3)) == [(12, 15), (22, 25)]
    assert SHEET.runs(box(2.5, 1.5, 4.5, 2.5)) == [(12, 15), (22, 25)]


def test_what_lies_off_the_sheet_has_no_cells() -> None:
    assert SHEET.runs(box(-3, -2, 2, 1)) == [(0, 2)]
    assert SHEET.runs(box(8, 5, 14, 9)) == [(58, 60)]
    assert SHEET.runs(box(2, 7, 4, 9)) == []
    assert Layer(SHEET).taken(SHEET.runs(box(-4, 2, -1, 4))) == 0


def test_cells_are_taken_as_often_as_they_are_not_freed() -> None:
    layer, here = Layer(SHEET), SHEET.runs(box(2, 1, 5, 3))
    layer.take(here)
    layer.take(SHEET.runs(box(4, 2, 8, 4)))
    assert layer.taken(here) == 6
    assert layer.taken(SHEET.runs(box(0, 0, 10, 6))) == 6 + 8 - 1
    assert layer.taken(here, within=1) == 2
    layer.free(here)
    assert layer.taken(here) == 1
    assert layer.taken(SHEET.runs(box(0, 0, 2, 6))) == 0


def test_nobody_counts_beyond_what_a_cell_can_hold() -> None:
    layer, here = Layer(SHEET), SHEET.runs(box(0, 0, 1, 1))
    for _ in range(300):
        layer.take(here)
    layer.free(here)
    assert layer.taken(here) == 1


def test_a_line_takes_the_cells_below_it() -> None:
    layer = Layer(SHEET)
    layer.strike((0.5 * WIDE, 0.5 * HIGH), (4.5 * WIDE, 4.5 * HIGH))
    assert [at for at, count in enumerate(layer.cells) if count] == [0, 11, 22, 33, 44]
    layer.strike((8.5 * WIDE, 3.5 * HIGH), (8.5 * WIDE, 1.5 * HIGH))
    assert [at for at, count in enumerate(layer.cells) if count and at % 10 == 8] == [18, 28, 38]
    layer.strike((9.5 * WIDE, 5.5 * HIGH), (9.5 * WIDE, 5.5 * HIGH))
    assert layer.cells[59] == 1
