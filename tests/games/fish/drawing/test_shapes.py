"""Ice and fish."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from fairplay.games.fish.drawing.shapes import SHAPES, Hexagon, define_ice, define_tiles


@pytest.mark.parametrize("shape", SHAPES.values(), ids=lambda shape: shape.name)
def test_a_tile_shows_its_fish_or_their_number(shape: Hexagon) -> None:
    root = ElementTree.fromstring(f"<svg>{define_ice(shape)}{''.join(define_tiles(shape))}</svg>")
    for count in range(1, 6):
        fish = f"#fish-{count}-one"
        tile = root.find(f"g[@id='fish-tile-{count}-{shape.name}']")
        stand = root.find(f"g[@id='fish-stand-{count}-{shape.name}']")
        assert tile is not None and stand is not None
        assert [use.get("href") for use in tile.iter("use")] == [f"#fish-ice-{shape.name}", *[fish] * count]
        assert [text.text for text in stand.iter("text")] == [str(count)]


@pytest.mark.parametrize("shape", SHAPES.values(), ids=lambda shape: shape.name)
def test_a_slab_has_a_side_below_each_front_edge(shape: Hexagon) -> None:
    ice = ElementTree.fromstring(f"<svg>{define_ice(shape)}</svg>").find(f"g[@id='fish-ice-{shape.name}']")
    assert ice is not None
    sides = [polygon for polygon in ice.iter("polygon") if polygon.get("fill") and not polygon.get("opacity")]
    assert len(sides) == len(shape.front) - 1
    tops = [polygon for polygon in ice.iter("polygon") if polygon.get("fill") is None]
    assert len(tops) == 1  # takes the fill of what uses it
