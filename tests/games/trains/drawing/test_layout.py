"""Where things are drawn."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice
from math import hypot

import pytest

from fairplay.core.chance import derived
from fairplay.games.trains.drawing.layout import layout_of
from fairplay.games.trains.drawing.names import MARK, Box, CellGrid, CellRun, NamePlaces, Occupancy, settle_names
from fairplay.games.trains.drawing.tracks import CITY, Point, Strip, place_strip
from fairplay.games.trains.map import City, Connection, Map, build_network
from fairplay.games.trains.maps.files import packaged_maps
from fairplay.games.trains.maps.generator import generate_map
from games.trains.sheets import atlas_map

SHEETS = [
    *(sheet.map for sheet in packaged_maps().values()),
    *(generate_map(derived(3, "map"), count) for count in (10, 36, 100)),
]


def meet(one: Box, other: Box) -> bool:
    return one.left < other.right and other.left < one.right and one.top < other.bottom and other.top < one.bottom


@pytest.mark.parametrize("map", SHEETS, ids=lambda sheet: f"{len(sheet.cities)}")
def test_names_collide_neither_with_each_other_nor_with_cities_nor_with_the_edge(map: Map) -> None:
    paper = layout_of(build_network(map))
    for one, other in combinations(paper.names, 2):
        assert not meet(one, other)
    for at, box in enumerate(paper.names):
        assert box.left > 0 and box.top > 0 and box.right < paper.width and box.bottom < paper.height
        for number, city in enumerate(paper.cities):
            if number != at:
                assert not meet(box, Box(city.x - CITY, city.y - CITY, city.x + CITY, city.y + CITY))


@pytest.mark.parametrize("name", packaged_maps())
def test_names_keep_off_connections_and_badges_where_that_can_be_avoided(name: str) -> None:
    """On crowded maps a few cities have no free place around them."""
    paper = layout_of(build_network(packaged_maps()[name].map))
    met = [box for box in paper.names if any(meets_strip(box, strip) for strip in paper.strips)]
    assert len(met) <= len(paper.names) * 0.07
    for city, box in zip(paper.cities, paper.names, strict=True):
        assert max(box.left - city.x, city.x - box.right, box.top - city.y, city.y - box.bottom) >= MARK - 0.5


def meets_strip(box: Box, strip: Strip) -> bool:
    """Does a name touch the segments of a connection, or the badge of an owner?"""
    points = [(strip.at(part / 60), 4.0) for part in range(61)] + [(strip.badge, 8.0)]
    return any(
        box.left - room < at.x < box.right + room and box.top - room < at.y < box.bottom + room for at, room in points
    )


def test_connections_bend_around_cities_in_their_way() -> None:
    cities = (City("A", (10, 50)), City("B", (90, 50)), City("C", (50, 50)))
    (strip,) = layout_of(build_network(Map(100, 100, cities, (Connection("A", "B", "red", 3),)))).strips
    assert not strip.is_straight
    free = Map(100, 100, (*cities[:2], City("C", (50, 90))), (Connection("A", "B", "red", 3),))
    assert all(strip.is_straight for strip in layout_of(build_network(free)).strips)


def test_parallel_connections_lie_side_by_side() -> None:
    found = build_network(atlas_map("A-B red 3,A-B blue 3,A-B green 3,A-B white 3,B-C red 3"))
    strips = layout_of(found).strips
    for one, other in combinations(strips[:4], 2):
        apart = hypot(one.start.x - other.start.x, one.start.y - other.start.y)
        assert apart >= 11
        assert hypot(one.badge.x - other.badge.x, one.badge.y - other.badge.y) >= 15


def test_a_connection_ends_before_its_cities() -> None:
    found = place_strip(Point(0, 0), Point(100, 0), 0)
    assert found.start == Point(CITY + 3, 0)
    assert found.end == Point(100 - CITY - 3, 0)


def test_a_name_keeps_off_a_connection_and_off_other_cities() -> None:
    """Alone it stands to the right; a connection there drives it away, and so does a city that could be meant."""
    alone = Map(100, 100, (City("Elm", (50, 50)), City("Zoe", (20, 95))), ())
    assert side_of_name(alone, "Elm") == "right"
    line = Map(100, 100, (City("Elm", (50, 50)), City("Zoe", (95, 50))), (Connection("Elm", "Zoe", "red", 3),))
    assert side_of_name(line, "Elm") == "left"
    beside = Map(100, 100, (City("Elm", (50, 50)), City("Zoe", (60, 50))), ())
    assert side_of_name(beside, "Elm") == "left"


def side_of_name(map: Map, name: str) -> str:
    found = build_network(map)
    paper, number = layout_of(found), found.number[name]
    return "right" if paper.names[number].left > paper.cities[number].x else "left"


def test_a_crowd_of_long_names_is_placed_all_the_same() -> None:
    """Where names cannot but collide, the search for places still ends."""
    cities = tuple(City("N" * 20 + f"{number:05}", (number % 6, number // 6)) for number in range(30))
    paper = layout_of(build_network(Map(10, 10, cities, ())))
    assert len(paper.names) == 30


def test_a_hostile_map_takes_little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking at every two names in every place would be tens of millions of looks."""
    looks, count = Counter[str](), Occupancy.count

    def count_looks(taken: Occupancy, room: list[CellRun]) -> int:
        looks["all"] += 1
        return count(taken, room)

    monkeypatch.setattr(Occupancy, "count", count_looks)
    cities = tuple(City("N" * 20 + f"{number:05}", (number % 20, number // 20)) for number in range(400))
    pairs = islice(combinations([city.name for city in cities], 2), 0, None, 80)
    sheet = Map(20, 20, cities, tuple(Connection(*pair, "red", 3) for pair in pairs))
    assert len(layout_of(build_network(sheet)).names) == 400
    assert 400 < looks["all"] < 500_000


def test_names_stop_changing_places_after_some_rounds() -> None:
    """Each name that gives way pushes the one before it, which finds out a round later."""
    rooms = [[[(30 * at, 30 * at + 14)], [(30 * at - 16 - at, 30 * at - 5)]] for at in range(1, 14)]
    rooms[-1] = rooms[-1][1:]  # the last one has to stand in the way
    names = [SomePlaces(room) for room in rooms]
    assert settle_names(names, Occupancy(CellGrid(2000, 4))) == [*[0] * 4, *[1] * 8, 0]


class SomePlaces(NamePlaces):
    """Places that cost one more each."""

    def __init__(self, rooms: list[list[CellRun]]) -> None:
        self.rooms = rooms

    def __len__(self) -> int:
        return len(self.rooms)

    def cost(self, at: int) -> int:
        return at

    def room(self, at: int) -> list[CellRun]:
        return self.rooms[at]
