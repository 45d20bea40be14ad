"""Where the names of cities go: off each other, off cities, connections and the badges of owners."""

from collections.abc import Sequence
from heapq import nsmallest
from itertools import pairwise, repeat
from math import ceil, cos, hypot, inf, radians, sin
from typing import NamedTuple, TypeAlias

from fairplay.games.trains.drawing.tracks import Point, Strip

# -- cells -------------------------------------------------------------------------------------

CELL_WIDTH = 4.8  # half a letter
CELL_HEIGHT = 5.0  # a third of a letter
_FRACTION = 1 << 16  # parts of a cell: whole numbers are faster

_INCREMENT = bytes([*range(1, 256), 255])  # for `bytes.translate`
_DECREMENT = bytes([0, *range(255)])


class Box(NamedTuple):
    """A part of the drawing."""

    left: float
    top: float
    right: float
    bottom: float


CellRun: TypeAlias = tuple[int, int]
"""Neighbouring cells of one row: the number of the first one, and of the one after the last."""


class CellGrid:
    """The cells of a drawing, numbered row by row."""

    def __init__(self, width: float, height: float) -> None:
        self.columns, self.rows = int(width / CELL_WIDTH) + 1, int(height / CELL_HEIGHT) + 1

    def runs(self, box: Box) -> list[CellRun]:
        """List the cells that a box touches, without those off the drawing."""
        left = max(0, int(box.left / CELL_WIDTH))
        right = max(left, min(self.columns, ceil(box.right / CELL_WIDTH)))
        rows = range(max(0, int(box.top / CELL_HEIGHT)), min(self.rows, ceil(box.bottom / CELL_HEIGHT)))
        return [(row * self.columns + left, row * self.columns + right) for row in rows]


class Occupancy:
    """How many times each cell is taken, counted up to 255."""

    def __init__(self, grid: CellGrid) -> None:
        self.columns = grid.columns
        self.cells = bytearray(grid.columns * grid.rows)

    def add(self, runs: Sequence[CellRun]) -> None:
        """Count these cells once more."""
        for start, end in runs:
            self.cells[start:end] = self.cells[start:end].translate(_INCREMENT)

    def remove(self, runs: Sequence[CellRun]) -> None:
        """Count these cells once less."""
        for start, end in runs:
            self.cells[start:end] = self.cells[start:end].translate(_DECREMENT)

    def add_line(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Take the cells under a line.  ASSUME it lies within the drawing."""
        (x, y), (to_x, to_y) = start, end
        steps = int(max(abs(to_x - x) / CELL_WIDTH, abs(to_y - y) / CELL_HEIGHT)) + 1
        right, down = (
            round((to_x - x) / CELL_WIDTH / steps * _FRACTION),
            round((to_y - y) / CELL_HEIGHT / steps * _FRACTION),
        )
        across, along = round(x / CELL_WIDTH * _FRACTION), round(y / CELL_HEIGHT * _FRACTION)
        cells, columns = self.cells, self.columns
        for _ in repeat(None, steps + 1):
            cells[along // _FRACTION * columns + across // _FRACTION] = 1
            across += right
            along += down

    def count(self, runs: Sequence[CellRun], *, within: int = 0) -> int:
        """Count the cells that are taken, without the first and the last `within` of each run."""
        zeros = self.cells.count
        return sum([end - start - 2 * within - zeros(0, start + within, end - within) for start, end in runs])


# -- names -------------------------------------------------------------------------------------

_FONT = 15.0
_NARROW = frozenset("ijl1 .,fItr")
_WIDE = frozenset("mwMW")
_EDGE = 11.0  # distance of names from the edge
_TRACK = 6.0  # half of what a connection covers, sleepers included
_BADGE = 9.0  # radius of the badge of an owner
MARK = 12.0  # radius of the mark on a city that belongs to a destination

_ANGLES = (
    0,
    180,
    270,
    90,
    330,
    30,
    210,
    150,
    345,
    15,
    195,
    165,
    300,
    60,
    240,
    120,
    285,
    75,
    255,
    105,
    315,
    45,
    225,
    135,
)
"""In which direction from its city a name may lie, in degrees, the best one first; 90 is down."""

_DISTANCES = (MARK, MARK + 4, MARK + 9, MARK + 15, MARK + 22)
"""How far it may be from its city, the best distance first."""

_DIRECTIONS = tuple((cos(radians(angle)), sin(radians(angle))) for angle in _ANGLES)

# What it costs to put a name too near to the edge, and what each cell costs that is taken by something else.
_OFF_MAP_COST = 14_000
_IN_NAME_COST = 500
_IN_CITY_COST = 900
_NEAR_CITY_COST = 6  # so near to another city that the name could be its own
_MISLEADING_COST = 70  # nearer to another city than to its own
_ON_LINE_COST = 12
_ANY_LINE_COST = 60  # once more for any line at all

_MAX_ROUNDS = 8
_MOST_NEIGHBOURS = 4  # cities that a name could seem to belong to


def _measure_name(name: str) -> float:
    """How wide a name is drawn, whatever the font."""
    return 2 + sum(5.0 if letter in _NARROW else 13.0 if letter in _WIDE else 9.0 for letter in name)


def draw_name(name: str, box: Box) -> str:
    """Draw a name into its box, and no wider: fonts differ from machine to machine."""
    middle, base = (box.left + box.right) / 2, box.bottom - 3
    exact = f'textLength="{_measure_name(name):.0f}" lengthAdjust="spacingAndGlyphs"'
    return f'<text class="name" x="{middle:.0f}" y="{base:.0f}" {exact}>{name}</text>'


def place_names(
    names: Sequence[str], cities: Sequence[Point], strips: Sequence[Strip], width: float, height: float
) -> list[Box]:
    """Choose a place for each name: first its best one, then others as long as that keeps names off each other."""
    grid = CellGrid(width, height)
    obstacles = Obstacles(grid, Box(_EDGE, _EDGE, width - _EDGE, height - _EDGE), cities, strips)
    places = [NamePlaces(name, city, obstacles) for name, city in zip(names, cities, strict=True)]
    return [place.box(at) for place, at in zip(places, settle_names(places, Occupancy(grid)), strict=True)]


class Obstacles:
    """What cannot move and should not be covered by names: the edge, cities, connections, badges."""

    def __init__(self, grid: CellGrid, inner: Box, cities: Sequence[Point], strips: Sequence[Strip]) -> None:
        self.grid, self.inner, self.cities = grid, inner, cities
        self.dots, self.near, self.lines = Occupancy(grid), Occupancy(grid), Occupancy(grid)
        self.left_out: Point | None = None
        for city in cities:
            self.add_city(city)
        for strip in strips:
            self.add_strip(strip)

    def add_city(self, city: Point) -> None:
        """Take the cells of a city, and those where a name would seem to belong to it."""
        self.dots.add(self.grid.runs(box_around(city, MARK, MARK)))
        self.near.add(self.grid.runs(box_around(city, MARK + 9, MARK + 2)))

    def remove_city(self, city: Point) -> None:
        """Free the cells that were taken for a city."""
        self.dots.remove(self.grid.runs(box_around(city, MARK, MARK)))
        self.near.remove(self.grid.runs(box_around(city, MARK + 9, MARK + 2)))

    def add_strip(self, strip: Strip) -> None:
        """Take the cells that a connection covers, whoever owns it."""
        (x, y), (to_x, to_y), badge, _ = strip
        away, parts = hypot(to_x - x, to_y - y) or 1.0, 1 if strip.is_straight else 6
        points = [strip.at(part / parts) for part in range(parts + 1)]
        for aside in (-_TRACK, -_TRACK / 2, 0, _TRACK / 2, _TRACK):
            right, down = (y - to_y) / away * aside, (to_x - x) / away * aside
            for start, end in pairwise((at.x + right, at.y + down) for at in points):
                self.lines.add_line(start, end)
        self.lines.add(self.grid.runs(box_around(badge, _BADGE - 1, _BADGE - 1)))

    def cost(self, city: Point, box: Box) -> int:
        """What a place costs for the name of `city`, whatever the other names do."""
        self.leave_out(city)
        left, top, right, bottom = self.inner
        inside = box.left >= left and box.top >= top and box.right <= right and box.bottom <= bottom
        cost, room = 0 if inside else _OFF_MAP_COST, self.grid.runs(box)
        if crossed := self.lines.count(room):
            cost += _ANY_LINE_COST + _ON_LINE_COST * crossed
        near = self.near.count(room)
        return cost + _NEAR_CITY_COST * near + _IN_CITY_COST * self.dots.count(room) if near else cost

    def leave_out(self, city: Point) -> None:
        """Let names lie near this city, and not near the one that was left out before."""
        if self.left_out is city:
            return
        if self.left_out is not None:
            self.add_city(self.left_out)
        self.remove_city(city)
        self.left_out = city


def _gap_between(one: Point, other: Point) -> float:
    """The distance of two points along the axes."""
    return abs(one.x - other.x) + abs(one.y - other.y)


def _is_nearer(box: Box, city: Point, others: Sequence[Point]) -> bool:
    """Is a name in this box nearer to another city than to its own?"""
    own = _gap_to(box, city)
    return any(_gap_to(box, other) < own for other in others)


def _gap_to(box: Box, city: Point) -> float:
    """The distance of a city from a box along the axes."""
    return max(box.left - city.x, 0.0, city.x - box.right) + max(box.top - city.y, 0.0, city.y - box.bottom)


def box_around(city: Point, beside: float, above: float) -> Box:
    """The box that reaches so far beside and above a city, and below it."""
    return Box(city.x - beside, city.y - above, city.x + beside, city.y + above)


class NamePlaces:
    """The places for the name of a city, near ones first; they are weighed in this order, as far as anyone asks.

    LAW: cost(at) >= at // 2, so a search that has found a cheap place need not look at those much farther away.
    """

    def __init__(self, name: str, city: Point, obstacles: Obstacles) -> None:
        self._city, self._obstacles = city, obstacles
        self._beside = _measure_name(name) / 2 + 1
        self._others = nsmallest(_MOST_NEIGHBOURS + 1, obstacles.cities, key=lambda other: _gap_between(other, city))[
            1:
        ]
        self._costs = list[int]()
        self._rooms: dict[int, list[CellRun]] = {}

    def __len__(self) -> int:
        return len(_DISTANCES) * len(_DIRECTIONS)

    def box(self, at: int) -> Box:
        """Where the name is drawn."""
        ring, way = divmod(at, len(_DIRECTIONS))
        distance, (right, down), beside, above = _DISTANCES[ring], _DIRECTIONS[way], self._beside, _FONT / 2
        across = (distance + beside) / abs(right) if abs(right) > 0.01 else inf
        along = (distance + above) / abs(down) if abs(down) > 0.01 else inf
        x, y = self._city.x + right * min(across, along), self._city.y + down * min(across, along)
        return Box(x - beside, y - above, x + beside, y + above)

    def cost(self, at: int) -> int:
        """What a place costs, whatever the other names do."""
        while len(self._costs) <= at:
            box = self.box(len(self._costs))
            misleading = _MISLEADING_COST if _is_nearer(box, self._city, self._others) else 0
            self._costs.append(len(self._costs) // 2 + self._obstacles.cost(self._city, box) + misleading)
        return self._costs[at]

    def room(self, at: int) -> list[CellRun]:
        """The cells that no other name should take."""
        if at not in self._rooms:
            left, top, right, bottom = self.box(at)
            self._rooms[at] = self._obstacles.grid.runs(Box(left - 4, top, right + 4, bottom))
        return self._rooms[at]


def settle_names(names: Sequence[NamePlaces], taken: Occupancy) -> list[int]:
    """Choose a place for each name; names move until none gains by it, or for MAX_ROUNDS rounds."""
    chosen = [_cheapest_place(places) for places in names]
    for places, at in zip(names, chosen, strict=True):
        taken.add(places.room(at))
    for _ in range(_MAX_ROUNDS):
        before = list(chosen)
        for number, places in enumerate(names):
            taken.remove(places.room(chosen[number]))
            chosen[number] = _cheapest_place(places, taken)
            taken.add(places.room(chosen[number]))
        if chosen == before:
            break
    return chosen


def _cheapest_place(places: NamePlaces, taken: Occupancy | None = None) -> int:
    """Find the place that costs least, given what other names have `taken`; of equal ones that with fewer obstacles."""
    best = (places.cost(0) + _in_names(places, 0, taken), places.cost(0), 0)
    for at in range(1, len(places)):
        if at // 2 > best[0]:
            break
        cost = places.cost(at)
        if cost <= best[0]:
            best = min(best, (cost + _in_names(places, at, taken), cost, at))
    return best[2]


def _in_names(places: NamePlaces, at: int, taken: Occupancy | None) -> int:
    """What a place costs because of other names."""
    return 0 if taken is None else _IN_NAME_COST * taken.count(places.room(at))
