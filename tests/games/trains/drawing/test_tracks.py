"""The segments of connections."""

from __future__ import annotations

from fairplay.games.trains.drawing.picture import draw_map
from fairplay.games.trains.map_files import packaged_maps
from games.trains.drawing.pictures import SVG, elements_with, parse_picture


def test_colours_have_shapes_of_their_own() -> None:
    """Who cannot tell the colours apart sees square, round and pointed ends, and white is hollow."""
    root = parse_picture(draw_map(packaged_maps()["continent"].map))
    shapes = {}
    for element in elements_with(root, "connection"):
        (row,) = element.iter(f"{SVG}path")
        shapes[(element.get("data-connection") or "").split("|")[2]] = set(row.get("d") or "") - set("0123456789.- ")
    assert shapes == {"red": set("Mhvz"), "white": set("Mhvz"), "blue": set("Mhaz"), "green": set("Mlhz")}
