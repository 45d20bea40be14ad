"""Where the parts of a map are drawn: cities, parallel connections side by side, and names that do not collide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import hypot, sqrt
from typing import Final, NamedTuple

from fairplay.games.trains.drawing.occupancy import Box, Layer, Run, Sheet
from fairplay.games.trains.map import Chart

__all__ = ["CITY", "MARGIN", "Box", "Layout", "Point", "Strip", "chosen_scale", "laid_out", "layout"]

MARGIN: Final = 36.0
CITY: Final = 7.5  # radius
FONT: Final = 15.0
LETTER: Final = 9.6  # width of a letter, about
SPACING: Final = 118.0  # between neighbouring cities, about
LEAST_WIDTH: Final = 560.0
EDGE: Final = 11.0  # names keep so far from the edge
LANE: Final = 14.0  # between parallel connections
SEGMENT: Final = 8.0  # height of a segment


class Point(NamedTuple):
    x: float
    y: float


class Strip(NamedTuple):
    """One connection: from where to where it is drawn, and where its owner's badge sits."""

    start: Point
    end: Point
    badge: Point


class Layout(NamedTuple):
    """A map on paper, by the numbers of its chart."""

    width: float
    height: float
    cities: Sequence[Point]
    strips: Sequence[Strip]
    names: Sequence[Box]


@lru_cache(maxsize=16)
def layout(chart: Chart) -> Layout:
    """The layout of a map, made once: it does not change in a match."""
    return laid_out(chart, chosen_scale(chart))


def laid_out(chart: Chart, scale: float) -> Layout:
    """The layout with so many units for a pixel of the map."""
    spots = {city.name: city.spot for city in chart.map.cities}
    cities = [Point(MARGIN + spots[name][0] * scale, MARGIN + spots[name][1] * scale) for name in chart.names]
    width, height = (2 * MARGIN + side * scale for side in (chart.map.width, chart.map.height))
    strips = list(placed_strips(chart, cities))
    return Layout(width, height, cities, strips, placed_names(chart.names, cities, strips, width, height))


def chosen_scale(chart: Chart) -> float:
    """So large that neighbours are a good way apart, and the sheet wide enough for what stands below it."""
    map = chart.map
    spacing = sqrt(map.width * map.height / max(1, len(map.cities)))
    return max(LEAST_WIDTH / map.width, min(3.0, SPACING / spacing))


def placed_strips(chart: Chart, cities: Sequence[Point]) -> Iterator[Strip]:
    """Trains 12.4: every connection separately; parallel ones lie side by side."""
    lanes: dict[tuple[int, int], int] = {}
    for ends in chart.ends:
        lanes[ends] = lanes.get(ends, 0) + 1
    used: dict[tuple[int, int], int] = {}
    for ends in chart.ends:
        aside = used.get(ends, 0) - (lanes[ends] - 1) / 2
        used[ends] = used.get(ends, 0) + 1
        yield strip(cities[ends[0]], cities[ends[1]], aside)


def strip(first: Point, second: Point, aside: float) -> Strip:
    """The line between two cities, `aside` lanes off the middle."""
    away = hypot(second.x - first.x, second.y - first.y) or 1.0
    along = Point((second.x - first.x) / away, (second.y - first.y) / away)
    gap = min(CITY + 3, away / 4)

    def at(distance: float) -> Point:
        return Point(
            first.x + along.x * distance - along.y * aside * LANE, first.y + along.y * distance + along.x * aside * LANE
        )

    return Strip(at(gap), at(away - gap), at(away / 2 + aside * 18))  # badges of parallel ones keep off each other


# -- names -------------------------------------------------------------------------------------

PLACES: Final = (
    *((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1)),
    *((0.5, -1), (0.5, 1), (-0.5, -1), (-0.5, 1)),
)
"""Where a name may stand, seen from its city, the best first."""

# What it costs a name to stand too near to the edge, and what each cell costs that is taken by something else.
OFF: Final = 14_000
IN_NAME: Final = 500
IN_CITY: Final = 900
BY_CITY: Final = 6  # so near to another city that it could be meant
ON_LINE: Final = 5
TOUCHED: Final = 20  # once more for any line at all

ROUNDS: Final = 8


def candidates(name: str, city: Point) -> list[Box]:
    wide, high = LETTER * len(name) + 2, FONT
    found = []
    for distance in (CITY + 5, CITY + 14):
        for right, down in PLACES:
            x = city.x + right * (distance + wide / 2 if abs(right) == 1 and not down else wide / 2 + 2)
            y = city.y + down * (distance + high / 2)
            found.append(Box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2))
    return found


def placed_names(
    names: Sequence[str], cities: Sequence[Point], strips: Sequence[Strip], width: float, height: float
) -> list[Box]:
    """A place for each name: first the best by itself, then others as long as that gets names off each other."""
    sheet = Sheet(width, height)
    ground = Ground(sheet, Box(EDGE, EDGE, width - EDGE, height - EDGE), cities, strips)
    choices = [candidates(name, city) for name, city in zip(names, cities, strict=True)]
    rooms = [[sheet.runs(box) for box in boxes] for boxes in choices]
    fixed = list(map(ground.costs, cities, choices, rooms))
    return [boxes[at] for boxes, at in zip(choices, settled(rooms, fixed, Layer(sheet)), strict=True)]


class Ground:
    """What cannot move, and names had better keep off: the edge, cities, connections."""

    def __init__(self, sheet: Sheet, inner: Box, cities: Sequence[Point], strips: Sequence[Strip]) -> None:
        self.sheet, self.inner = sheet, inner
        self.dots, self.near, self.lines = Layer(sheet), Layer(sheet), Layer(sheet)
        for city in cities:
            self.dots.take(sheet.runs(around(city, CITY, CITY)))
            self.near.take(self.surroundings(city))
        for strip in strips:
            self.lines.strike(strip.start, strip.end)

    def surroundings(self, city: Point) -> list[Run]:
        return self.sheet.runs(around(city, CITY + 9, CITY + 2))

    def costs(self, city: Point, boxes: Sequence[Box], rooms: Sequence[Sequence[Run]]) -> list[int]:
        """What each place costs the name of `city`, a little more from one to the next."""
        own = self.surroundings(city)
        self.near.free(own)
        found = [rank + self.cost(box, room) for rank, (box, room) in enumerate(zip(boxes, rooms, strict=True))]
        self.near.take(own)
        return found

    def cost(self, box: Box, room: Sequence[Run]) -> int:
        left, top, right, bottom = self.inner
        inside = box.left >= left and box.top >= top and box.right <= right and box.bottom <= bottom
        cost = 0 if inside else OFF
        if self.lines.taken(room):
            cost += TOUCHED + ON_LINE * self.lines.taken(room, within=1)
        near = self.near.taken(room)
        return cost + BY_CITY * near + IN_CITY * self.dots.taken(room) if near else cost


def around(city: Point, beside: float, above: float) -> Box:
    return Box(city.x - beside, city.y - above, city.x + beside, city.y + above)


def settled(rooms: Sequence[Sequence[Sequence[Run]]], fixed: Sequence[Sequence[int]], taken: Layer) -> list[int]:
    """Which of its rooms each name gets; names change places until none gains by it, or some rounds have passed."""
    orders = [sorted(range(len(costs)), key=costs.__getitem__) for costs in fixed]
    chosen = [order[0] for order in orders]
    for room, at in zip(rooms, chosen, strict=True):
        taken.take(room[at])
    for _ in range(ROUNDS):
        before = list(chosen)
        for name, (room, costs, order) in enumerate(zip(rooms, fixed, orders, strict=True)):
            taken.free(room[chosen[name]])
            chosen[name] = cheapest(room, costs, order, taken)
            taken.take(room[chosen[name]])
        if chosen == before:
            break
    return chosen


def cheapest(room: Sequence[Sequence[Run]], costs: Sequence[int], order: Sequence[int], taken: Layer) -> int:
    """The place that costs least with all that is `taken` now; `order` has them by their fixed costs."""
    best, least = order[0], costs[order[0]] + IN_NAME * taken.taken(room[order[0]])
    for at in order[1:]:
        if costs[at] >= least:
            break
        cost = costs[at] + IN_NAME * taken.taken(room[at])
        if cost < least:
            best, least = at, cost
    return best
