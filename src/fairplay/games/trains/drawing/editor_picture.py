"""The picture of a map of Trains while people draw it: spots, cities and connections to click."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fairplay.core import Picture
from fairplay.games.trains.drawing.layout import CITY, MARGIN, MapLayout, Point, Strip, choose_scale, lay_out
from fairplay.games.trains.drawing.map_drawing import MapDrawing, line_value, spot_spacing
from fairplay.games.trains.drawing.paint import DEFINITIONS, STYLE
from fairplay.games.trains.drawing.tracks import draw_track
from fairplay.games.trains.map import Color, Connection, Map, RailNetwork

__all__ = ["draw_drawing", "draw_icon"]

DRAWING_STYLE: Final = "".join(
    f".trains-drawing {rule}"
    for rule in (
        ".dot{fill:#2b2a26;opacity:.3}",
        ".room{fill:transparent}",
        ".grip{stroke:transparent;stroke-width:16}",
        ".ring{fill:none;stroke:#2b2a26;stroke-width:3;stroke-dasharray:4 3}",
    )
)

SCALES: Final = (1.0, 1.5, 2.0, 3.0)


def draw_icon(color: Color, length: int) -> str:
    """Draw a small connection."""
    one, strip = Connection("", "", color, length), Strip(Point(1, 6), Point(55, 6), Point(28, 6))
    size = 'viewBox="0 0 56 12" width="56" height="12"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="trains-board" {size}>{draw_track(one, strip)}</svg>'


def draw_drawing(drawing: MapDrawing, network: RailNetwork) -> Picture:
    """Draw the map with everything that can be clicked."""
    scale = round_scale(network)
    layout = lay_out(network, scale)
    size = f'width="{layout.width:g}" height="{layout.height:g}"'
    sheet = f'x="8" y="8" width="{layout.width - 16:g}" height="{layout.height - 16:g}" rx="10"'
    label = f"a map of {len(drawing.map.cities)} cities and {len(drawing.map.connections)} connections"
    parts = [*draw_spots(drawing.map, scale), *draw_lines(network, layout), *draw_cities(drawing, network, layout)]
    return Picture(
        '<svg xmlns="http://www.w3.org/2000/svg" class="trains-board trains-drawing"'
        f' viewBox="0 0 {layout.width:g} {layout.height:g}" {size} role="group" aria-label="{label}">'
        f'<style>{STYLE}{DRAWING_STYLE}</style><defs>{DEFINITIONS}</defs><rect class="paper" {size} rx="16"/>'
        f'<rect class="sheet" {sheet}/>{"".join(parts)}</svg>'
    )


def round_scale(network: RailNetwork) -> float:
    """Choose one of a few scales, so that a new city rarely changes the size of everything."""
    wanted = choose_scale(network)
    return next((scale for scale in SCALES if scale >= wanted), wanted)


def draw_spots(map: Map, scale: float) -> Iterator[str]:
    """Draw where a city can go: a grid, without the spots that are too near to a city."""
    step = spot_spacing(map)
    yield (
        f'<defs><g id="trains-spot" class="trains-drawing"><circle class="room" r="{step * scale * 0.45:g}"/>'
        '<circle class="dot" r="2.5"/></g></defs>'
    )
    taken = set().union(*(spots_near(city.spot, step) for city in map.cities))
    for y in range(0, map.height + 1, step):
        for x in range(0, map.width + 1, step):
            if (x, y) not in taken:
                place = f'x="{MARGIN + x * scale:g}" y="{MARGIN + y * scale:g}"'
                yield (
                    f'<g data-spot="{x},{y}"><title>a free spot, {x} from the left, {y} from the top</title>'
                    f'<use href="#trains-spot" {place}/></g>'
                )


def spots_near(at: tuple[int, int], step: int) -> Iterator[tuple[int, int]]:
    """List the spots of the grid that are too near to a city: one, two or four."""
    for x in {at[0] // step, -(-at[0] // step)}:
        for y in {at[1] // step, -(-at[1] // step)}:
            yield x * step, y * step


def draw_lines(network: RailNetwork, layout: MapLayout) -> Iterator[str]:
    """Draw the connections."""
    for one, strip in zip(network.connections, layout.strips, strict=True):
        yield f'<g data-line="{line_value(one)}"><title>{one}</title>{draw_grip(strip)}{draw_track(one, strip)}</g>'


def draw_grip(strip: Strip) -> str:
    """Draw an invisible line that catches clicks near a connection."""
    (x, y), (to_x, to_y), _ = strip
    return f'<line class="grip" x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"/>'


def draw_cities(drawing: MapDrawing, network: RailNetwork, layout: MapLayout) -> Iterator[str]:
    """Draw the cities; a click on a city, on its name or between them counts."""
    for name, spot, box in zip(network.names, layout.cities, layout.names, strict=True):
        at = f'cx="{spot.x:.1f}" cy="{spot.y:.1f}"'
        ring = f'<circle class="ring" {at} r="{CITY + 5:g}"/>' if name == drawing.marked else ""
        middle, base = (box.left + box.right) / 2, box.bottom - 3
        reach = f'<path class="grip" d="M{spot.x:.1f} {spot.y:.1f}L{middle:.1f} {(box.top + box.bottom) / 2:.1f}"/>'
        yield (
            f'<g data-city="{name}"><title>{name}{", chosen" if ring else ""}</title>'
            f'<circle class="room" {at} r="13"/>{reach}{ring}<circle class="city" {at} r="{CITY:g}"/>'
            f'<text class="name" x="{middle:.1f}" y="{base:.1f}">{name}</text></g>'
        )
