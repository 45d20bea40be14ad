"""Where things are drawn."""

from __future__ import annotations

from itertools import combinations
from math import hypot

import pytest

from fairplay.core.chance import derived
from fairplay.games.trains.atlas import MAPS
from fairplay.games.trains.layout import CITY, Box, Point, Strip, layout, settled, strip, touches
from fairplay.games.trains.map import City, Map, chart
from fairplay.games.trains.surveyor import surveyed

from .sheets import atlas_map

SHEETS = [*(sheet.map for sheet in MAPS.values()), *(surveyed(derived(3, "map"), count) for count in (10, 36, 100))]


@pytest.mark.parametrize("map", SHEETS, ids=lambda sheet: f"{len(sheet.cities)}")
def test_names_collide_neither_with_each_other_nor_with_cities_nor_with_the_edge(map: Map) -> None:
    paper = layout(chart(map))
    for one, other in combinations(paper.names, 2):
        assert one.overlap(other) == 0
    for at, box in enumerate(paper.names):
        assert box.left > 0 and box.top > 0 and box.right < paper.width and box.bottom < paper.height
        for other, city in enumerate(paper.cities):
            if other != at:
                assert box.overlap(Box(city.x - CITY, city.y - CITY, city.x + CITY, city.y + CITY)) == 0


def test_parallel_connections_lie_side_by_side() -> None:
    found = chart(atlas_map("A-B red 3,A-B blue 3,A-B green 3,A-B white 3,B-C red 3"))
    strips = layout(found).strips
    for one, other in combinations(strips[:4], 2):
        apart = hypot(one.start.x - other.start.x, one.start.y - other.start.y)
        assert apart >= 11
        assert hypot(one.badge.x - other.badge.x, one.badge.y - other.badge.y) >= 15


def test_a_connection_ends_before_its_cities() -> None:
    found = strip(Point(0, 0), Point(100, 0), 0)
    assert found.start == Point(CITY + 3, 0)
    assert found.end == Point(100 - CITY - 3, 0)


def test_a_line_through_a_box_touches_it() -> None:
    box = Box(10, 10, 20, 20)
    assert touches(box, Strip(Point(0, 0), Point(30, 30), Point(0, 0)))
    assert touches(box, Strip(Point(15, 0), Point(15, 40), Point(0, 0)))
    assert not touches(box, Strip(Point(0, 0), Point(5, 40), Point(0, 0)))
    assert not touches(box, Strip(Point(0, 15), Point(15, 45), Point(0, 0)))
    assert not touches(box, Strip(Point(0, 25), Point(40, 25), Point(0, 0)))


def test_a_crowd_of_long_names_is_placed_all_the_same() -> None:
    """Where names cannot but collide, the search for places still ends."""
    cities = tuple(City("N" * 20 + f"{number:05}", (number % 6, number // 6)) for number in range(30))
    paper = layout(chart(Map(10, 10, cities, ())))
    assert len(paper.names) == 30


def test_names_stop_changing_places_after_some_rounds() -> None:
    """Each name that gives way pushes the one before it, which finds out a round later."""
    chain = [[Box(10 * at, 0, 10 * at + 6, 1), Box(10 * at - 4 - at / 9, 0, 10 * at - 1, 1)] for at in range(12)]
    wall = [Box(113, 0, 119, 1)]
    near = [[other for other in (at - 1, at + 1) if 0 <= other <= 12] for at in range(13)]
    chosen = settled([*chain, wall], [*([0.0, 1.0] for _ in chain), [0.0]], near)
    gave_way = [boxes.index(box) for boxes, box in zip(chain, chosen, strict=False)]
    assert gave_way == [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]
