"""The sea, and the numbers at its rim."""

from __future__ import annotations

from xml.etree import ElementTree

from fairplay.games.fish.board import Layout, make_board
from fairplay.games.fish.drawing.canvas import picture_size, tile_middle
from fairplay.games.fish.drawing.scenery import draw_scenery


def draw(rows: list[list[int]], layout: Layout) -> ElementTree.Element:
    board = make_board(rows, layout)
    return ElementTree.fromstring(f"<svg>{draw_scenery(board, *picture_size(board.geometry))}</svg>")


def test_rows_and_columns_are_numbered_beside_their_tiles() -> None:
    for layout in Layout:
        texts = draw([[1, 1, 1], [1, 1, 1]], layout).findall(".//g[@class='rim']/text")
        assert [text.text for text in texts] == ["0", "1", "2", "0", "1"]
        for column, text in enumerate(texts[:3]):
            tiles = sorted(tile_middle(layout, (row, column))[0] for row in range(2))
            assert tiles[0] < float(text.get("x", 0)) < tiles[1]
        for row, text in enumerate(texts[3:]):
            assert abs(float(text.get("y", 0)) - tile_middle(layout, (row, 0))[1]) < 8


def test_water_lies_below_every_tile_and_nowhere_else() -> None:
    water = [
        use.get("transform")
        for use in draw([[1, 0], [0, 5]], Layout.STANDARD).findall("use")
        if use.get("href") == "#fish-hole-flat"
    ]
    places = [tile_middle(Layout.STANDARD, at) for at in ((0, 0), (1, 1))]
    assert water == [f"translate({x} {y})" for x, y in places]
