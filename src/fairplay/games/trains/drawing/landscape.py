"""The land and sea under a map, with woods, hills and waves where nothing else is: made from the map alone."""

from collections.abc import Iterator, Sequence
from math import ceil, hypot, sin, sqrt
from random import Random
from zlib import crc32

from fairplay.core.chance import derived
from fairplay.games.trains.drawing.layout import MapLayout
from fairplay.games.trains.drawing.names import Box, CellGrid, Obstacles, Occupancy
from fairplay.games.trains.drawing.paint import LAND
from fairplay.games.trains.drawing.tracks import Point
from fairplay.games.trains.map import RailNetwork

_WIDEST = 170.0  # strip of land around a connection
_STEP = 28.0  # between places for trees, hills and waves
_MOST = {"tree": 56, "hill": 24, "wave": 22}
_ROOM = {"tree": (8.0, 9.0), "hill": (14.0, 8.0), "wave": (12.0, 6.0)}  # beside and above
_SHORES = ((46.0, "#b3d8e1"), (24.0, "#c3e2e6"), (7.0, "#d9cda4"), (0.0, LAND))
"""How much wider than the land each line around it is, and its colour; the land comes last."""


def draw_landscape(network: RailNetwork, layout: MapLayout, height: float) -> str:
    """Draw the land around cities and connections, and what grows on it; the sea is as high as `height`."""
    wide = _land_width(layout)
    rng = derived(len(network.names), "trains", "landscape", *network.names)
    shore = _outline_land(network, layout, wide, rng)
    name = f"trains-land-{crc32(shore.encode()):x}"
    lines = "".join(
        f'<use href="#{name}" stroke="{paint}" stroke-width="{wide + more:.0f}"/>' for more, paint in _SHORES
    )
    size = f'width="{layout.width:g}" height="{height:g}"'
    frame = f"trains-frame-{layout.width:g}-{height:g}"
    return (
        f'<defs><path id="{name}" d="{shore}"/><clipPath id="{frame}"><rect {size}/></clipPath></defs>'
        f'<rect class="sea" {size} rx="14"/><g clip-path="url(#{frame})"><g class="coast">{lines}</g></g>'
        f"{''.join(_draw_scenery(network, layout, wide, rng))}"
    )


def _land_width(layout: MapLayout) -> float:
    """How wide the land around a connection is: wider where cities are farther from each other."""
    return min(_WIDEST, 0.82 * sqrt(layout.width * layout.height / max(1, len(layout.cities))))


def _outline_land(network: RailNetwork, layout: MapLayout, wide: float, rng: Random) -> str:
    """The lines that are drawn so wide that they make up the land; they stray, so that coasts are not too smooth."""
    parts = list[str]()
    for first, second in _land_lines(network, layout):
        x, y = ((one + other) / 2 + _wander(wide, rng) for one, other in zip(first, second, strict=True))
        parts.append(f"M{first.x:.0f} {first.y:.0f}Q{x:.0f} {y:.0f} {second.x:.0f} {second.y:.0f}")
    for city in layout.cities:
        x, y = (at + _wander(wide, rng) for at in city)
        parts.append(f"M{city.x:.0f} {city.y:.0f}L{x:.0f} {y:.0f}")
    return "".join(parts)


def _wander(wide: float, rng: Random) -> float:
    """How far land of this width strays from the straight line."""
    return wide * 0.36 * (2 * rng.random() - 1)


def _land_lines(network: RailNetwork, layout: MapLayout) -> Iterator[tuple[Point, Point]]:
    """From where to where there is land: along all connections."""
    for first, second in dict.fromkeys(network.ends):
        yield layout.cities[first], layout.cities[second]


# -- scenery -----------------------------------------------------------------------------------


def _draw_scenery(network: RailNetwork, layout: MapLayout, wide: float, rng: Random) -> Iterator[str]:
    """Draw woods and hills on land and waves at sea, in groups, where there is room for them."""
    sheet = Box(14, 14, layout.width - 14, layout.height - 14)
    grid = CellGrid(layout.width, layout.height)
    obstacles = Obstacles(grid, sheet, layout.cities, layout.strips)
    for box in layout.names:
        obstacles.lines.add(grid.runs(box))
    inland, coastal = (_spread_land(network, layout, grid, wide / 2 + more) for more in (-12, 24))
    phases = [7 * rng.random() for _ in range(3)]
    found: dict[str, list[Point]] = {kind: [] for kind in _MOST}
    for spot in _scatter(layout, rng):
        sea = not coastal.count(grid.runs(_box_around(spot, 12, 8)))
        kind = "wave" if sea and rng.random() < 0.4 else _terrain(spot, phases, rng)
        if not kind or sea != (kind == "wave"):
            continue
        room = _box_around(spot, *_ROOM[kind])
        runs = grid.runs(room)
        free = not obstacles.lines.count(runs) and not obstacles.near.count(runs) and _lies_within(room, sheet)
        if free and (sea or _covers(inland, runs)):
            found[kind].append(spot)
    for kind, spots in found.items():
        kept = spots[:: max(1, ceil(len(spots) / _MOST[kind]))]
        uses = "".join(f'<use href="#trains-{kind}" x="{spot.x:.0f}" y="{spot.y:.0f}"/>' for spot in kept)
        yield f'<g class="{kind}">{uses}</g>' if uses else ""


def _terrain(spot: Point, phases: Sequence[float], rng: Random) -> str:
    """What grows in this part of the land: woods, hills, or nothing."""
    one, two, three = phases
    height = sin(spot.x / 110 + one) + sin(spot.y / 90 + two) + sin((spot.x + spot.y) / 150 + three)
    return "hill" if height > 0.9 else "tree" if height < 0.1 and rng.random() < 0.8 else ""


def _scatter(layout: MapLayout, rng: Random) -> Iterator[Point]:
    """Points all over the drawing, at somewhat irregular distances."""
    for row in range(1, int(layout.height / _STEP)):
        for column in range(1, int(layout.width / _STEP)):
            yield Point((column + 0.7 * rng.random()) * _STEP, (row + 0.7 * rng.random()) * _STEP)


def _spread_land(network: RailNetwork, layout: MapLayout, grid: CellGrid, reach: float) -> Occupancy:
    """The cells that are no farther than `reach` from a connection, roughly."""
    land = Occupancy(grid)
    for first, second in _land_lines(network, layout):
        steps = ceil(hypot(second.x - first.x, second.y - first.y) / 24) + 1
        for step in range(steps + 1):
            part = step / steps
            at = Point(first.x + (second.x - first.x) * part, first.y + (second.y - first.y) * part)
            land.add(grid.runs(_box_around(at, reach * 0.8, reach * 0.8)))
    return land


def _covers(land: Occupancy, runs: Sequence[tuple[int, int]]) -> bool:
    """Are all these cells land?"""
    return land.count(runs) == sum(end - start for start, end in runs)


def _lies_within(box: Box, sheet: Box) -> bool:
    """Does the sheet contain the box?"""
    return box.left > sheet.left and box.top > sheet.top and box.right < sheet.right and box.bottom < sheet.bottom


def _box_around(spot: Point, beside: float, above: float) -> Box:
    """The box that reaches so far beside and above a point, and below it."""
    return Box(spot.x - beside, spot.y - above, spot.x + beside, spot.y + above)
