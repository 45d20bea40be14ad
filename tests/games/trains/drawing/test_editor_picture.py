"""The picture of a map that is being drawn keeps its size, and takes clicks everywhere."""

from __future__ import annotations

import pytest

from fairplay.games.trains.drawing.editor import draw_drawing, draw_icon, round_scale, spots_near
from fairplay.games.trains.drawing.map_drawing import MapDrawing, spot_spacing
from fairplay.games.trains.map import City, Map, RailNetwork
from fairplay.games.trains.maps.files import packaged_maps
from games.trains.drawing.pictures import SVG, elements_with, parse_picture


def test_a_new_city_rarely_changes_the_size_of_the_picture() -> None:
    assert len({scale_with(count) for count in range(30)}) == 1
    assert round_scale(RailNetwork(packaged_maps()["vast"].map)) == 1.5
    assert round_scale(RailNetwork(Map(10, 10, (), ()))) == 56


def scale_with(count: int) -> float:
    cities = tuple(City(f"C{number}", (20 * number, 40 * (number % 2))) for number in range(count))
    return round_scale(RailNetwork(Map(800, 560, cities, ())))


def test_an_icon_is_a_small_connection() -> None:
    assert draw_icon("red", 4).count("z") == 4
    assert 'class="blue"' in draw_icon("blue", 4)


def test_a_city_blocks_the_spots_around_it() -> None:
    assert set(spots_near((40, 80), 40)) == {(40, 80)}
    assert set(spots_near((50, 80), 40)) == {(40, 80), (80, 80)}
    assert len(set(spots_near((50, 90), 40))) == 4


@pytest.mark.parametrize("map", [packaged_maps()["tiny"].map, Map(800, 560, (), ()), Map(157, 90, (), ())])
def test_every_point_of_the_sheet_belongs_to_a_spot(map: Map) -> None:
    """The cells do not overlap, and together they are as large as the sheet."""
    network = RailNetwork(map)
    root = parse_picture(draw_drawing(MapDrawing(map), network))
    inner = (spot_spacing(map) * round_scale(network)) ** 2
    area = 0.0
    for spot in elements_with(root, "spot"):
        cells = [float(one.get("width", "")) * float(one.get("height", "")) for one in spot.iter(f"{SVG}rect")]
        assert len(cells) + len(list(spot.iter(f"{SVG}use"))) == 1
        area += sum(cells) or inner
    sheet = float(root.get("width", "")) * float(root.get("height", ""))
    assert abs(area / sheet - 1) < 0.001
