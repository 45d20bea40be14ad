"""Slabs, corridors and the frame."""

from __future__ import annotations

from re import findall
from xml.etree import ElementTree

from fairplay.games.labyrinth.board import grid_of
from fairplay.games.labyrinth.drawing.stone import WAYS, define_tiles, draw_frame, draw_shade, tile_art
from fairplay.games.labyrinth.tiles import EAST, NORTH, OPEN_SIDES, SOUTH, WEST


def test_corridors_reach_the_sides_that_are_open() -> None:
    """Labyrinth 1.4."""
    assert set(WAYS) == set(OPEN_SIDES.values())
    for tile, way in WAYS.items():
        ends = {
            NORTH: "-40" in "".join(findall(r"[V]-40|0-40", way)),
            SOUTH: "V40" in way,
            EAST: "H40" in way or way.startswith("M40"),
            WEST: "H-40" in way or "M-40" in way,
        }
        assert {side for side, open in ends.items() if open} == {side for side in ends if tile & side}


def test_every_tile_is_defined_once() -> None:
    defined = [element.get("id") for element in ElementTree.fromstring(f"<defs>{define_tiles()}</defs>")]
    assert defined == [f"labyrinth-tile-{tile}" for tile in WAYS]
    assert 'href="#labyrinth-tile-5"' in tile_art(5)
    assert "studs" in tile_art(5, still=True)
    assert "studs" not in tile_art(5)


def test_the_frame_counts_rows_and_columns_from_0() -> None:
    root = ElementTree.fromstring(f"<g>{''.join(draw_frame(grid_of(3, 5)))}</g>")
    assert [text.text for text in root.iter("text")] == ["0", "1", "2", "3", "4", "0", "1", "2"]
    assert ElementTree.fromstring(draw_shade(grid_of(3, 5))).get("class") == "over"
