"""The picture of a map of Trains while people draw it: spots, cities and connections to click."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fairplay.core import Picture
from fairplay.games.trains.drawing.editing.map_drawing import MapDrawing, line_value, list_spots, spot_spacing
from fairplay.games.trains.drawing.maps.landscape import draw_landscape
from fairplay.games.trains.drawing.maps.layout import CITY, MARGIN, MapLayout, Point, Strip, choose_scale, lay_out
from fairplay.games.trains.drawing.maps.names import draw_name
from fairplay.games.trains.drawing.maps.tracks import draw_track
from fairplay.games.trains.drawing.paint import DEFINITIONS, STYLE
from fairplay.games.trains.map import Color, Connection, RailNetwork

__all__ = ["draw_drawing", "draw_icon"]

DRAWING_STYLE: Final = "".join(
    f".trains-drawing {rule}"
    for rule in (
        ".dot{fill:#2b2a26;opacity:.3}",
        ".room{fill:transparent}",
        ".grip{fill:none;stroke:transparent;stroke-width:16}",
        ".ring{fill:none;stroke:#2b2a26;stroke-width:3;stroke-dasharray:4 3}",
    )
)

SCALES: Final = (1.0, 1.5, 2.0, 3.0)


def draw_icon(color: Color, length: int) -> str:
    """Draw a small connection."""
    one, strip = Connection("", "", color, length), Strip(Point(1, 6), Point(55, 6), Point(28, 6), Point(28, 6))
    size = 'viewBox="0 0 56 12" width="56" height="12"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="trains-board" {size}>{draw_track(one, strip)}</svg>'


def draw_drawing(drawing: MapDrawing, network: RailNetwork) -> Picture:
    """Draw the map with everything that can be clicked."""
    scale = round_scale(network)
    layout = lay_out(network, scale)
    size = f'width="{layout.width:g}" height="{layout.height:g}"'
    label = f"a map of {len(drawing.map.cities)} cities and {len(drawing.map.connections)} connections"
    parts = [*draw_spots(drawing, layout, scale), *draw_lines(network, layout), *draw_cities(drawing, network, layout)]
    return Picture(
        '<svg xmlns="http://www.w3.org/2000/svg" class="trains-board trains-drawing"'
        f' viewBox="0 0 {layout.width:g} {layout.height:g}" {size} role="group" aria-label="{label}">'
        f"<style>{STYLE}{DRAWING_STYLE}</style><defs>{DEFINITIONS}</defs>"
        f"{draw_landscape(network, layout, layout.height)}{''.join(parts)}</svg>"
    )


def round_scale(network: RailNetwork) -> float:
    """Choose one of a few scales, so that a new city rarely changes the size of everything."""
    wanted = choose_scale(network)
    return next((scale for scale in SCALES if scale >= wanted), wanted)


def draw_spots(drawing: MapDrawing, layout: MapLayout, scale: float) -> Iterator[str]:
    """Draw where a city can go: a grid of cells that cover the sheet, with a dot in each that is free."""
    map = drawing.map
    step = spot_spacing(map)
    half = step * scale / 2
    yield (
        f'<defs><g id="trains-cell" class="trains-drawing"><rect class="room" x="{-half:g}" y="{-half:g}"'
        f' width="{2 * half:g}" height="{2 * half:g}"/></g></defs>'
    )
    taken = {spot: city.name for city in map.cities for spot in spots_near(city.spot, step)}
    for x, y in list_spots(map):
        at = Point(MARGIN + x * scale, MARGIN + y * scale)
        words = f"beside {taken[x, y]}" if (x, y) in taken else f"a free spot, {x} from the left, {y} from the top"
        dot = "" if (x, y) in taken else f'<circle class="dot" cx="{at.x:g}" cy="{at.y:g}" r="2.5"/>'
        on_edge = x == 0 or y == 0 or x + step > map.width or y + step > map.height
        cell = draw_edge_cell(at, half, layout) if on_edge else f'<use href="#trains-cell" x="{at.x:g}" y="{at.y:g}"/>'
        yield f'<g data-spot="{x},{y}"><title>{words}</title>{cell}{dot}</g>'


def draw_edge_cell(at: Point, half: float, layout: MapLayout) -> str:
    """Draw a cell that reaches to the edge of the sheet, or beyond it."""
    left, top = (0 if side <= MARGIN else side - half for side in at)
    right = layout.width if at.x + 2 * half > layout.width - MARGIN else at.x + half
    bottom = layout.height if at.y + 2 * half > layout.height - MARGIN else at.y + half
    return f'<rect class="room" x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}"/>'


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
    return f'<path class="grip" d="{strip.outline}"/>'


def draw_cities(drawing: MapDrawing, network: RailNetwork, layout: MapLayout) -> Iterator[str]:
    """Draw the cities; a click on a city, on its name or between them counts."""
    for name, spot, box in zip(network.names, layout.cities, layout.names, strict=True):
        at = f'cx="{spot.x:.1f}" cy="{spot.y:.1f}"'
        ring = f'<circle class="ring" {at} r="{CITY + 5:g}"/>' if name == drawing.marked else ""
        middle = (box.left + box.right) / 2
        reach = f'<path class="grip" d="M{spot.x:.1f} {spot.y:.1f}L{middle:.1f} {(box.top + box.bottom) / 2:.1f}"/>'
        yield (
            f'<g data-city="{name}"><title>{name}{", chosen" if ring else ""}</title>'
            f'<circle class="room" {at} r="13"/>{reach}{ring}<circle class="city" {at} r="{CITY:g}"/>'
            f"{draw_name(name, box)}</g>"
        )
