"""Where the parts of a picture of Fish lie."""

from __future__ import annotations

import pytest

from fairplay.core import Seat
from fairplay.games.fish.board import Layout, geometry_of
from fairplay.games.fish.drawing.canvas import (
    BOTTOM,
    LEFT,
    RIGHT,
    RISE,
    TOP,
    UNIT,
    board_size,
    lay_canvas,
    picture_size,
    tile_middle,
    translate_to,
)
from fairplay.games.fish.drawing.shapes import SHAPES
from fairplay.games.fish.rules import ORIGINAL_ROWS
from games.fish.samples import moving_state


@pytest.mark.parametrize(("layout", "rows"), [(Layout.STANDARD, (4,) * 5), (Layout.ORIGINAL, ORIGINAL_ROWS)])
def test_every_tile_lies_within_the_extent_and_none_lies_on_another(layout: Layout, rows: tuple[int, ...]) -> None:
    geometry = geometry_of(len(rows), max(rows), layout)
    width, height = board_size(geometry)
    middles = [tile_middle(layout, (row, column)) for row, count in enumerate(rows) for column in range(count)]
    assert len(set(middles)) == len(middles)
    for x, y in middles:
        for right, down in SHAPES[layout].corners:
            assert LEFT <= x + right <= LEFT + width
            assert TOP <= y + down <= TOP + height
    assert picture_size(geometry) == (LEFT + width + RIGHT, TOP + height + BOTTOM)


def test_1_8_columns_are_four_units_apart_and_odd_rows_are_shifted() -> None:
    assert [(x + 1.5 * UNIT, y + RISE) for x, y in SHAPES[Layout.STANDARD].corners] == [
        (across * UNIT, down * RISE) for across, down in ((1, 0), (2, 0), (3, 1), (2, 2), (1, 2), (0, 1))
    ]
    (x, y), (right, _), (middle, down) = (tile_middle(Layout.STANDARD, at) for at in ((0, 0), (0, 1), (1, 0)))
    assert (right - x, middle - x, down - y) == (4 * UNIT, 2 * UNIT, RISE)
    assert translate_to(Layout.STANDARD, (0, 0)) == 'transform="translate(73 138)"'


@pytest.mark.parametrize(("rows", "columns"), [(8, 8), (5, 5)])
def test_tiles_are_about_as_high_as_wide_and_can_be_tapped_on_a_phone(rows: int, columns: int) -> None:
    corners = SHAPES[Layout.STANDARD].corners
    wide, high = (max(ends) - min(ends) for ends in zip(*corners, strict=True))
    assert 0.9 < wide / high < 1.2
    width, height = picture_size(geometry_of(rows, columns, Layout.STANDARD))
    assert 375 / width * min(wide, high) > 26
    assert 1.5 < width / height < 2


def test_13_3_neighbours_in_a_row_touch_and_even_rows_are_shifted() -> None:
    corners = SHAPES[Layout.ORIGINAL].corners
    (x, y), (right, _), (left, below) = (tile_middle(Layout.ORIGINAL, at) for at in ((0, 0), (0, 1), (1, 0)))
    assert right - x == max(x for x, _ in corners) - min(x for x, _ in corners)
    assert x - left == (right - x) / 2
    assert below - y == corners[4][1] - corners[0][1]


def test_what_was_chosen_is_marked_before_what_can_be() -> None:
    canvas = lay_canvas(moving_state(), Seat(0), None, {"at=0,0", "at=0,1"}, {"at=0,0"})
    assert [canvas.marks.get(f"at=0,{column}", "") for column in range(3)] == [" chosen", " lit", ""]
