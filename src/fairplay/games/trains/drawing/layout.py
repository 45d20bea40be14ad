"""Where the parts of a map are drawn: cities, connections side by side and around what is in the way, and names."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import atan, atan2, hypot, pi, sqrt
from typing import NamedTuple, TypeAlias

from fairplay.games.trains.drawing.names import Box, place_names
from fairplay.games.trains.drawing.tracks import CITY, LANE, Point, Strip, place_strip
from fairplay.games.trains.map import RailNetwork

MARGIN = 56.0
_SPACING = 118.0  # approximate distance between neighbouring cities
_MIN_WIDTH = 560.0


class MapLayout(NamedTuple):
    """Where a map is drawn, in the numbering of its network."""

    width: float
    height: float
    cities: Sequence[Point]
    strips: Sequence[Strip]
    names: Sequence[Box]


@lru_cache(maxsize=128)  # a visitor may have a hundred matches on maps of their own
def layout_of(network: RailNetwork) -> MapLayout:
    """Return the layout of a map; it is made once, because it does not change in a match."""
    return lay_out(network, choose_scale(network))


def lay_out(network: RailNetwork, scale: float) -> MapLayout:
    """Lay the map out with `scale` units for each of its pixels."""
    spots = {city.name: city.spot for city in network.map.cities}
    cities = [Point(MARGIN + spots[name][0] * scale, MARGIN + spots[name][1] * scale) for name in network.names]
    width, height = (round(2 * MARGIN + side * scale) for side in (network.map.width, network.map.height))
    strips = list(_place_strips(network, cities, Box(MARGIN / 2, MARGIN / 2, width - MARGIN / 2, height - MARGIN / 2)))
    return MapLayout(width, height, cities, strips, place_names(network.names, cities, strips, width, height))


def choose_scale(network: RailNetwork) -> float:
    """Choose a scale that keeps neighbours well apart and the map wide enough for what is drawn below it."""
    map = network.map
    spacing = sqrt(map.width * map.height / max(1, len(map.cities)))
    return max(_MIN_WIDTH / map.width, min(3.0, _SPACING / spacing))


def _place_strips(network: RailNetwork, cities: Sequence[Point], sheet: Box) -> Iterator[Strip]:
    """Place every connection; parallel ones lie side by side (Trains 12.4)."""
    lanes: dict[_Ends, int] = {}
    for ends in network.ends:
        lanes[ends] = lanes.get(ends, 0) + 1
    bends = _choose_bends(lanes, cities, sheet)
    used: dict[_Ends, int] = {}
    for ends in network.ends:
        aside = used.get(ends, 0) - (lanes[ends] - 1) / 2
        used[ends] = used.get(ends, 0) + 1
        yield place_strip(cities[ends[0]], cities[ends[1]], aside, bends.get(ends, 0.0))


# -- bends -------------------------------------------------------------------------------------

_Ends: TypeAlias = tuple[int, int]

_BENDS = (0.0, 0.12, -0.12, 0.2, -0.2, 0.3, -0.3)
"""How far the middle may be drawn aside, in parts of the distance of the cities."""

_CLEARANCE = CITY + 9.0  # between a connection and a city where it does not end
_ANGLE = pi / 9  # between connections that meet in a city
_MOST_WORK = 300_000  # cities times connections: on larger maps all connections are straight


def _choose_bends(lanes: dict[_Ends, int], cities: Sequence[Point], sheet: Box) -> dict[_Ends, float]:
    """Choose how much connections bend: only those that would run into others, the longest first."""
    if len(lanes) * len(cities) > _MOST_WORK:
        return {}
    meeting: dict[int, list[_Ends]] = {}
    for ends in lanes:
        for city in ends:
            meeting.setdefault(city, []).append(ends)
    bends = dict.fromkeys(lanes, 0.0)
    for ends in sorted(lanes, key=lambda ends: -_distance(cities[ends[0]], cities[ends[1]])):
        near = _cities_near(ends, cities)

        def cost(bend: float, ends: _Ends = ends, near: Sequence[Point] = near) -> float:
            return _bend_cost(ends, bend, cities, near, lanes, bends, meeting, sheet)

        if cost(0.0) > 0:
            bends[ends] = min(_BENDS, key=cost)
    return bends


def _bend_cost(
    ends: _Ends,
    bend: float,
    cities: Sequence[Point],
    near: Sequence[Point],
    lanes: dict[_Ends, int],
    bends: dict[_Ends, float],
    meeting: dict[int, list[_Ends]],
    sheet: Box,
) -> float:
    """What a bend costs: how near it comes to other cities and connections, and the bend itself."""
    strip = place_strip(cities[ends[0]], cities[ends[1]], 0, bend)
    points = [strip.start, *(strip.at(part / 8) for part in range(1, 8)), strip.end]
    room = _CLEARANCE + LANE * (lanes[ends] - 1) / 2
    cost = 30 * abs(bend)
    cost += sum(max(0.0, room - min(_distance(city, point) for point in points)) for city in near)
    cost += sum(1000 for x, y in points if not (sheet.left < x < sheet.right and sheet.top < y < sheet.bottom))
    for city in ends:
        mine, straight = (_direction(city, ends, each, cities) for each in (bend, 0.0))
        for other in meeting[city]:
            if other != ends:
                apart = _wrap_angle(mine - _direction(city, other, bends[other], cities))
                before = _wrap_angle(straight - _direction(city, other, 0.0, cities))
                cost += 40 * max(0.0, _ANGLE * (lanes[ends] + lanes[other]) / 2 - abs(apart))
                cost += 100 if apart * before < 0 and abs(before) < pi / 2 else 0  # they would cross
    return cost


def _wrap_angle(angle: float) -> float:
    """The same angle between -pi and pi."""
    return (angle + pi) % (2 * pi) - pi


def _direction(city: int, ends: _Ends, bend: float, cities: Sequence[Point]) -> float:
    """In which direction a connection leaves a city, as an angle."""
    first, second = (cities[end] for end in (ends if ends[0] == city else ends[::-1]))
    straight = atan2(second.y - first.y, second.x - first.x)
    return straight + (atan(4 * bend) if ends[0] == city else -atan(4 * bend))


def _cities_near(ends: _Ends, cities: Sequence[Point]) -> list[Point]:
    """The other cities that a connection could run into, however it bends."""
    first, second = (cities[end] for end in ends)
    reach = _CLEARANCE + LANE + _distance(first, second) * _BENDS[-2] / 2
    left, right = min(first.x, second.x) - reach, max(first.x, second.x) + reach
    top, bottom = min(first.y, second.y) - reach, max(first.y, second.y) + reach
    inside = [at for at, (x, y) in enumerate(cities) if left < x < right and top < y < bottom]
    return [cities[at] for at in inside if at not in ends]


def _distance(one: Point, other: Point) -> float:
    """How far two points are from each other."""
    return hypot(one.x - other.x, one.y - other.y)
