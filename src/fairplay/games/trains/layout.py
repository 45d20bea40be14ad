"""Where the parts of a map are drawn: cities, parallel connections side by side, and names that do not collide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import hypot, sqrt
from typing import Final, NamedTuple

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


class Box(NamedTuple):
    """The room a name takes."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: Box) -> float:
        """The area that both cover."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * high if wide > 0 and high > 0 else 0.0


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
    choices = [candidates(name, city) for name, city in zip(names, cities, strict=True)]
    rooms = [hull(boxes) for boxes in choices]
    sheet = Box(EDGE, EDGE, width - EDGE, height - EDGE)
    fixed = []
    for at, (boxes, room) in enumerate(zip(choices, rooms, strict=True)):
        dots = [spot for other, city in enumerate(cities) if other != at and room.overlap(spot := dot(city))]
        near_strips = [strip for strip in strips if touches(room, strip)]
        fixed.append([rank + fixed_cost(box, sheet, dots, near_strips) for rank, box in enumerate(boxes)])
    near = [
        [other for other, theirs in enumerate(rooms) if other != at and room.overlap(theirs)]
        for at, room in enumerate(rooms)
    ]
    return settled(choices, fixed, near)


def settled(
    choices: Sequence[Sequence[Box]], fixed: Sequence[Sequence[float]], near: Sequence[Sequence[int]]
) -> list[Box]:
    """One of the choices for each name; names change places until none gains by it, or some rounds have passed."""
    chosen = [cheapest(costs) for costs in fixed]
    for _ in range(8):
        before = list(chosen)
        for at, boxes in enumerate(choices):
            others = [choices[other][chosen[other]] for other in near[at]]
            overlaps = [sum(box.overlap(other) for other in others) for box in boxes]
            chosen[at] = cheapest([cost + 60 * area for cost, area in zip(fixed[at], overlaps, strict=True)])
        if chosen == before:
            break
    return [boxes[at] for boxes, at in zip(choices, chosen, strict=True)]


def cheapest(costs: Sequence[float]) -> int:
    return min(range(len(costs)), key=costs.__getitem__)


def hull(boxes: Sequence[Box]) -> Box:
    """The room in which all of `boxes` lie."""
    return Box(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )


def dot(city: Point) -> Box:
    return Box(city.x - CITY, city.y - CITY, city.x + CITY, city.y + CITY)


def fixed_cost(box: Box, sheet: Box, dots: Sequence[Box], strips: Sequence[Strip]) -> float:
    """How much a name here is in the way of what cannot move: the edge, other cities, connections."""
    inside = box.left >= sheet.left and box.top >= sheet.top and box.right <= sheet.right and box.bottom <= sheet.bottom
    cost = 0.0 if inside else 5_000.0
    return cost + 40 * sum(map(box.overlap, dots)) + 14 * sum(touches(box, strip) for strip in strips)


def touches(box: Box, strip: Strip) -> bool:
    """Does the connection run through the box?"""
    (x, y), (to_x, to_y), _ = strip
    if max(x, to_x) < box.left or min(x, to_x) > box.right or max(y, to_y) < box.top or min(y, to_y) > box.bottom:
        return False
    enter, leave = 0.0, 1.0
    for start, step, low, high in ((x, to_x - x, box.left, box.right), (y, to_y - y, box.top, box.bottom)):
        if step == 0:
            continue
        one, other = sorted(((low - start) / step, (high - start) / step))
        enter, leave = max(enter, one), min(leave, other)
    return enter <= leave
