"""Trains as a drawing: the map, who owns what, and the cards below it; nothing that the viewer may not know."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from fairplay.core import Picture, Seat, Turn
from fairplay.games.trains.drawing.canvas import Canvas, build_canvas, connection_key, destination_numbers
from fairplay.games.trains.drawing.hand import draw_below
from fairplay.games.trains.drawing.layout import CITY, MapLayout, Point, Strip, layout_of
from fairplay.games.trains.drawing.paint import DEFINITIONS, STYLE, draw_badge, seat_paint
from fairplay.games.trains.drawing.tracks import draw_track, draw_wagons
from fairplay.games.trains.map import Connection, Map, RailNetwork, bits, build_network
from fairplay.games.trains.state import Acquire, Action, State, View
from fairplay.games.trains.words import seat_name
from fairplay.parts.clicks import parse_click

__all__ = ["draw_map", "draw_picture"]


def draw_picture(
    shown: State | View,
    last: Turn[State, Action] | None = None,
    *,
    open: bool = False,
    seats: bool = True,
    lit: Collection[str] = (),
    chosen: Collection[str] = (),
) -> Picture:
    """Draw a state as everyone may see it, or `open` with all hands; a view with what belongs to its owner."""
    canvas = build_canvas(shown, frozenset(lit), frozenset(chosen), open=open)
    layout = layout_of(canvas.network)
    numbers = destination_numbers(canvas)
    map = [*draw_connections(canvas, layout, last), *draw_cities(canvas.network, layout, numbers)]
    height, below = draw_below(canvas, layout, last, seats=seats)
    return frame_picture(layout, height, describe_canvas(canvas), [*map, *below])


def draw_map(map: Map) -> Picture:
    """Draw a map alone."""
    network = build_network(map)
    layout = layout_of(network)
    label = f"a map of {len(map.cities)} cities and {len(map.connections)} connections"
    parts = [*draw_connections(Canvas(network), layout, None), *draw_cities(network, layout, {})]
    return frame_picture(layout, layout.height, label, parts)


def frame_picture(layout: MapLayout, height: float, label: str, parts: Sequence[str]) -> Picture:
    """Put the parts onto their background, with the styles they need."""
    size = f'width="{layout.width:g}" height="{height:g}"'
    sheet = f'x="8" y="8" width="{layout.width - 16:g}" height="{layout.height - 16:g}" rx="10"'
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="trains-board" viewBox="0 0 {layout.width:g} {height:g}" {size}'
        f' role="img" aria-label="{label}"><style>{STYLE}</style><defs>{DEFINITIONS}</defs>'
        f'<rect class="paper" {size} rx="16"/><rect class="sheet" {sheet}/><rect class="grid" {sheet}/>'
        f"{''.join(parts)}</svg>"
    )


def describe_canvas(canvas: Canvas) -> str:
    """Say what the picture shows, for screen readers."""
    owners = [
        f"{seat_name(Seat(seat))} owns {mask.bit_count()} connections"
        for seat, mask in enumerate(canvas.owned)
        if seat not in canvas.out
    ]
    doing = "pick destinations" if canvas.picking else "move"
    turn = "over" if canvas.turn is None else f"{seat_name(canvas.turn)} to {doing}"
    return f"Trains: {', '.join(owners) or 'nobody is left'}; {turn}"


# -- the map -----------------------------------------------------------------------------------


def draw_connections(canvas: Canvas, layout: MapLayout, last: Turn[State, Action] | None) -> Iterator[str]:
    """Draw every connection: highlighted ones at the bottom, because they glow, and owned ones on top."""
    owners = {index: Seat(seat) for seat, mask in enumerate(canvas.owned) for index in bits(mask)}
    newest = last.action.connection if last is not None and isinstance(last.action, Acquire) else None
    marks = [canvas.mark_class(connection_key(one)) for one in canvas.network.connections]
    order = sorted(range(len(layout.strips)), key=lambda index: (index in owners, not marks[index]))
    for index in order:
        one = canvas.network.connections[index]
        yield draw_connection(one, layout.strips[index], owners.get(index), marks[index], newest=one == newest)


@lru_cache(maxsize=4096)  # most connections look as they did a turn ago
def draw_connection(one: Connection, strip: Strip, owner: Seat | None, mark: str, *, newest: bool) -> str:
    """Draw one connection; `newest`: it was taken last."""
    (x, y), (to_x, to_y), _ = strip
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    light = f'<line class="halo" {ends}/><line class="light" {ends}/>' if mark else ""
    last = f'<line class="last" {ends}/>' if newest else ""
    name, value = parse_click(connection_key(one))
    if owner is None:
        kind, whose, number, body = "free", "free", "", draw_track(one, strip)
    else:
        kind, whose, number = "taken", f"owned by {seat_name(owner)}", str(owner)
        body = draw_wagons(one, strip, seat_paint(owner)) + draw_badge(owner, *strip.badge)
    return (
        f'<g class="{kind}{mark}" data-{name}="{value}" data-owner="{number}">'
        f"<title>{one}, {whose}</title>{light}{last}{body}</g>"
    )


def draw_cities(network: RailNetwork, layout: MapLayout, numbers: dict[str, str]) -> Iterator[str]:
    """Draw cities with their names, and the numbers of the viewer's destinations that end there."""
    for name, spot, box in zip(network.names, layout.cities, layout.names, strict=True):
        middle, base, aimed = (box.left + box.right) / 2, box.bottom - 3, " aimed" if name in numbers else ""
        yield (
            f'<g data-city="{name}"><circle class="city{aimed}" cx="{spot.x:.1f}" cy="{spot.y:.1f}"'
            f' r="{CITY:g}"/><text class="name" x="{middle:.1f}" y="{base:.1f}">{name}</text></g>'
        )
    for name, spot, box in zip(network.names, layout.cities, layout.names, strict=True):
        if name in numbers:
            yield draw_flag(numbers[name], spot, named_left=(box.left + box.right) / 2 < spot.x)


def draw_flag(numbers: str, city: Point, *, named_left: bool) -> str:
    """Draw the numbers of a city; where there are several, they grow away from its name."""
    wide = 11 + 8 * len(numbers)
    x, y = city.x + (wide - 19) / (2 if named_left else -2), city.y
    return (
        f'<rect class="aim" x="{x - wide / 2:.1f}" y="{y - 9.5:.1f}" width="{wide}" height="19" rx="9.5"/>'
        f'<text class="mark" x="{x:.1f}" y="{y + 4.7:.1f}">{numbers}</text>'
    )
