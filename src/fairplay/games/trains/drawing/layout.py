"""Where the parts of a map are drawn: cities, parallel connections side by side, and names that do not collide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import hypot, sqrt
from typing import Final, NamedTuple

from fairplay.games.trains.drawing.occupancy import Box, CellGrid, CellRun, Occupancy
from fairplay.games.trains.map import RailNetwork

__all__ = ["CITY", "MARGIN", "Box", "MapLayout", "Point", "Strip", "choose_scale", "lay_out", "layout_of"]

MARGIN: Final = 36.0
CITY: Final = 7.5  # radius
FONT: Final = 15.0
LETTER: Final = 9.6  # approximate width of a letter
SPACING: Final = 118.0  # approximate distance between neighbouring cities
MIN_WIDTH: Final = 560.0
EDGE: Final = 11.0  # distance of names from the edge
LANE: Final = 14.0  # between parallel connections
SEGMENT: Final = 8.0  # height of a segment


class Point(NamedTuple):
    """A point of the drawing."""

    x: float
    y: float


class Strip(NamedTuple):
    """One connection: from where to where it is drawn, and where its owner's badge goes."""

    start: Point
    end: Point
    badge: Point


class MapLayout(NamedTuple):
    """Where a map is drawn, in the numbering of its network."""

    width: float
    height: float
    cities: Sequence[Point]
    strips: Sequence[Strip]
    names: Sequence[Box]


@lru_cache(maxsize=16)
def layout_of(network: RailNetwork) -> MapLayout:
    """Return the layout of a map; it is made once, because it does not change in a match."""
    return lay_out(network, choose_scale(network))


def lay_out(network: RailNetwork, scale: float) -> MapLayout:
    """Lay the map out with `scale` units for each of its pixels."""
    spots = {city.name: city.spot for city in network.map.cities}
    cities = [Point(MARGIN + spots[name][0] * scale, MARGIN + spots[name][1] * scale) for name in network.names]
    width, height = (2 * MARGIN + side * scale for side in (network.map.width, network.map.height))
    strips = list(place_strips(network, cities))
    return MapLayout(width, height, cities, strips, place_names(network.names, cities, strips, width, height))


def choose_scale(network: RailNetwork) -> float:
    """Choose a scale that keeps neighbours well apart and the map wide enough for what is drawn below it."""
    map = network.map
    spacing = sqrt(map.width * map.height / max(1, len(map.cities)))
    return max(MIN_WIDTH / map.width, min(3.0, SPACING / spacing))


def place_strips(network: RailNetwork, cities: Sequence[Point]) -> Iterator[Strip]:
    """Place every connection; parallel ones lie side by side (Trains 12.4)."""
    lanes: dict[tuple[int, int], int] = {}
    for ends in network.ends:
        lanes[ends] = lanes.get(ends, 0) + 1
    used: dict[tuple[int, int], int] = {}
    for ends in network.ends:
        aside = used.get(ends, 0) - (lanes[ends] - 1) / 2
        used[ends] = used.get(ends, 0) + 1
        yield place_strip(cities[ends[0]], cities[ends[1]], aside)


def place_strip(first: Point, second: Point, aside: float) -> Strip:
    """Place the line between two cities, `aside` lanes off the middle."""
    away = hypot(second.x - first.x, second.y - first.y) or 1.0
    along = Point((second.x - first.x) / away, (second.y - first.y) / away)
    gap = min(CITY + 3, away / 4)

    def at(distance: float) -> Point:
        return Point(
            first.x + along.x * distance - along.y * aside * LANE, first.y + along.y * distance + along.x * aside * LANE
        )

    return Strip(at(gap), at(away - gap), at(away / 2 + aside * 18))  # badges of parallel connections do not overlap


# -- names -------------------------------------------------------------------------------------

PLACES: Final = (
    *((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1)),
    *((0.5, -1), (0.5, 1), (-0.5, -1), (-0.5, 1)),
)
"""Where a name may go, seen from its city, the best place first."""

# What it costs to put a name too near to the edge, and what each cell costs that is taken by something else.
OFF_MAP_COST: Final = 14_000
IN_NAME_COST: Final = 500
IN_CITY_COST: Final = 900
NEAR_CITY_COST: Final = 6  # so near to another city that the name could be its own
ON_LINE_COST: Final = 5
ANY_LINE_COST: Final = 20  # once more for any line at all

MAX_ROUNDS: Final = 8


def name_boxes(name: str, city: Point) -> list[Box]:
    """List the places for the name of a city, near ones first."""
    wide, high = LETTER * len(name) + 2, FONT
    boxes = []
    for distance in (CITY + 5, CITY + 14):
        for right, down in PLACES:
            x = city.x + right * (distance + wide / 2 if abs(right) == 1 and not down else wide / 2 + 2)
            y = city.y + down * (distance + high / 2)
            boxes.append(Box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2))
    return boxes


def place_names(
    names: Sequence[str], cities: Sequence[Point], strips: Sequence[Strip], width: float, height: float
) -> list[Box]:
    """Choose a place for each name: first its best one, then others as long as that keeps names off each other."""
    grid = CellGrid(width, height)
    obstacles = Obstacles(grid, Box(EDGE, EDGE, width - EDGE, height - EDGE), cities, strips)
    choices = [name_boxes(name, city) for name, city in zip(names, cities, strict=True)]
    rooms = [[grid.runs(box) for box in boxes] for boxes in choices]
    fixed = list(map(obstacles.costs, cities, choices, rooms))
    return [boxes[at] for boxes, at in zip(choices, settle_names(rooms, fixed, Occupancy(grid)), strict=True)]


class Obstacles:
    """What cannot move and should not be covered by names: the edge, cities, connections."""

    def __init__(self, grid: CellGrid, inner: Box, cities: Sequence[Point], strips: Sequence[Strip]) -> None:
        self.grid, self.inner = grid, inner
        self.dots, self.near, self.lines = Occupancy(grid), Occupancy(grid), Occupancy(grid)
        for city in cities:
            self.dots.add(grid.runs(box_around(city, CITY, CITY)))
            self.near.add(self.surroundings(city))
        for strip in strips:
            self.lines.add_line(strip.start, strip.end)

    def surroundings(self, city: Point) -> list[CellRun]:
        """The cells where a name would seem to belong to this city."""
        return self.grid.runs(box_around(city, CITY + 9, CITY + 2))

    def costs(self, city: Point, boxes: Sequence[Box], rooms: Sequence[Sequence[CellRun]]) -> list[int]:
        """What each place costs for the name of `city`; later places cost a little more."""
        own = self.surroundings(city)
        self.near.remove(own)
        costs = [rank + self.cost(box, room) for rank, (box, room) in enumerate(zip(boxes, rooms, strict=True))]
        self.near.add(own)
        return costs

    def cost(self, box: Box, room: Sequence[CellRun]) -> int:
        """What one place costs, whatever the other names do."""
        left, top, right, bottom = self.inner
        inside = box.left >= left and box.top >= top and box.right <= right and box.bottom <= bottom
        cost = 0 if inside else OFF_MAP_COST
        if self.lines.count(room):
            cost += ANY_LINE_COST + ON_LINE_COST * self.lines.count(room, within=1)
        near = self.near.count(room)
        return cost + NEAR_CITY_COST * near + IN_CITY_COST * self.dots.count(room) if near else cost


def box_around(city: Point, beside: float, above: float) -> Box:
    """The box that reaches so far beside and above a city, and below it."""
    return Box(city.x - beside, city.y - above, city.x + beside, city.y + above)


def settle_names(
    rooms: Sequence[Sequence[Sequence[CellRun]]], fixed: Sequence[Sequence[int]], taken: Occupancy
) -> list[int]:
    """Choose a place for each name; names move until none gains by it, or for MAX_ROUNDS rounds."""
    orders = [sorted(range(len(costs)), key=costs.__getitem__) for costs in fixed]
    chosen = [order[0] for order in orders]
    for room, at in zip(rooms, chosen, strict=True):
        taken.add(room[at])
    for _ in range(MAX_ROUNDS):
        before = list(chosen)
        for name, (room, costs, order) in enumerate(zip(rooms, fixed, orders, strict=True)):
            taken.remove(room[chosen[name]])
            chosen[name] = cheapest_place(room, costs, order, taken)
            taken.add(room[chosen[name]])
        if chosen == before:
            break
    return chosen


def cheapest_place(
    room: Sequence[Sequence[CellRun]], costs: Sequence[int], order: Sequence[int], taken: Occupancy
) -> int:
    """Find the place that costs least, given what is `taken` now; `order` sorts them by their fixed costs."""
    best, least = order[0], costs[order[0]] + IN_NAME_COST * taken.count(room[order[0]])
    for at in order[1:]:
        if costs[at] >= least:
            break
        cost = costs[at] + IN_NAME_COST * taken.count(room[at])
        if cost < least:
            best, least = at, cost
    return best
