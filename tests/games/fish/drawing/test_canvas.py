"""Where the parts of a picture of Fish lie."""

from __future__ import annotations

import pytest

from fairplay.core import Seat
from fairplay.games.fish.board import Layout, geometry_of
from fairplay.games.fish.drawing.canvas import HEADROOM, MARGIN, Canvas, board_extent, tile_middle, translate_to
from fairplay.games.fish.drawing.shapes import SHAPES, UNIT
from fairplay.games.fish.rules import ORIGINAL_ROWS
from games.fish.samples import moving_state


@pytest.mark.parametrize(("layout", "rows"), [(Layout.STANDARD, (4,) * 5), (Layout.ORIGINAL, ORIGINAL_ROWS)])
def test_every_tile_lies_within_the_extent_and_none_lies_on_another(layout: Layout, rows: tuple[int, ...]) -> None:
    width, height = board_extent(geometry_of(len(rows), max(rows), layout))
    middles = [tile_middle(layout, (row, column)) for row, count in enumerate(rows) for column in range(count)]
    assert len(set(middles)) == len(middles)
    for x, y in middles:
        for right, down in SHAPES[layout].corners:
            assert MARGIN <= round(x + UNIT * right, 6) <= round(MARGIN + width, 6)
            assert MARGIN + HEADROOM <= round(y + UNIT * down, 6) <= round(MARGIN + HEADROOM + height, 6)


def test_1_8_columns_are_four_units_apart_and_odd_rows_are_shifted() -> None:
    (x, y), (right, _), (_, down) = (tile_middle(Layout.STANDARD, at) for at in ((0, 0), (0, 1), (1, 0)))
    assert right - x == 4 * UNIT
    assert down - y == UNIT
    assert tile_middle(Layout.STANDARD, (1, 0))[0] - x == 2 * UNIT
    assert translate_to(Layout.STANDARD, (0, 0)) == 'transform="translate(55 52)"'


def test_what_was_chosen_is_marked_before_what_can_be() -> None:
    canvas = Canvas(moving_state(), Seat(0), None, {"at=0,0", "at=0,1"}, {"at=0,0"})
    assert [canvas.mark_class(at) for at in ((0, 0), (0, 1), (0, 2))] == [" chosen", " lit", ""]
