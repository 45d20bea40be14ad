"""The picture of a map that is being drawn keeps its size."""

from __future__ import annotations

from fairplay.games.trains.drawing.editor_picture import draw_icon, round_scale, spots_near
from fairplay.games.trains.map import City, Map, RailNetwork
from fairplay.games.trains.map_files import packaged_maps


def test_a_new_city_rarely_changes_the_size_of_the_picture() -> None:
    assert len({scale_with(count) for count in range(30)}) == 1
    assert round_scale(RailNetwork(packaged_maps()["vast"].map)) == 1.5
    assert round_scale(RailNetwork(Map(10, 10, (), ()))) == 56


def scale_with(count: int) -> float:
    cities = tuple(City(f"C{number}", (20 * number, 40 * (number % 2))) for number in range(count))
    return round_scale(RailNetwork(Map(800, 560, cities, ())))


def test_an_icon_is_a_small_connection() -> None:
    assert draw_icon("blue", 4).count("z") == 4
    assert 'class="segment blue"' in draw_icon("blue", 4)


def test_a_city_blocks_the_spots_around_it() -> None:
    assert set(spots_near((40, 80), 40)) == {(40, 80)}
    assert set(spots_near((50, 80), 40)) == {(40, 80), (80, 80)}
    assert len(set(spots_near((50, 90), 40))) == 4
