"""Trains as a drawing: the map, who owns what, and the hands below it; nothing that the viewer may not know."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache

from fairplay.core import Picture, Seat, Turn
from fairplay.core.clicks import parse_click
from fairplay.games.trains.drawing.canvas import Canvas, build_canvas, connection_key, destination_numbers
from fairplay.games.trains.drawing.gauge import GAUGE_HEIGHT, draw_engines, draw_gauge
from fairplay.games.trains.drawing.hand import draw_below
from fairplay.games.trains.drawing.maps.landscape import draw_landscape
from fairplay.games.trains.drawing.maps.layout import CITY, MapLayout, Point, Strip, layout_of
from fairplay.games.trains.drawing.maps.names import MARK, draw_name
from fairplay.games.trains.drawing.maps.tracks import draw_track, draw_wagons
from fairplay.games.trains.drawing.paint import DEFINITIONS, SEAT_PAINTS, STYLE, draw_badge
from fairplay.games.trains.map import Connection, Map, RailNetwork, bits, build_network
from fairplay.games.trains.state import Acquire, Action, State, View
from fairplay.games.trains.words import seat_name

__all__ = ["draw_map", "draw_picture"]

KIND = "trains-board"


def draw_picture(
    shown: State | View,
    last: Turn[State, Action] | None = None,
    *,
    open: bool = False,
    seats: bool = True,
    lit: Collection[str] = (),
    chosen: Collection[str] = (),
) -> Picture:
    """Draw a state as everyone may see it, or `open` with all hands; a view with what belongs to its owner.

    Without `seats` it is the map alone: pages show hands and destinations as cards beside it.
    """
    canvas = build_canvas(shown, frozenset(lit), frozenset(chosen), open=open)
    layout, label = layout_of(canvas.network), describe_canvas(canvas)
    height, below = layout.height + GAUGE_HEIGHT, list[str]()
    if seats:
        height, below = draw_below(canvas, layout, height, last)
    body = "".join([*draw_body(canvas, layout, last), *draw_engines(canvas, layout), *below])
    return Picture.build(KIND, layout.width, height, label, draw_base(canvas.network, gauge=True), body)


def draw_map(map: Map) -> Picture:
    """Draw a map alone."""
    network = build_network(map)
    layout = layout_of(network)
    label = f"a map of {len(map.cities)} cities and {len(map.connections)} connections"
    return Picture.build(KIND, layout.width, layout.height, label, draw_base(network, gauge=False), "")


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


# -- what never changes ------------------------------------------------------------------------


@lru_cache(maxsize=128)  # a visitor may have a hundred matches on maps of their own
def draw_base(network: RailNetwork, *, gauge: bool) -> str:
    """Draw the landscape, every connection as if it were free, and the cities with their names."""
    layout = layout_of(network)
    height = layout.height + (GAUGE_HEIGHT if gauge else 0)
    ties = "".join(strip.outline for strip in layout.strips)
    tracks = "".join(map(draw_free, network.connections, layout.strips))
    inset = f'x="3" y="3" width="{layout.width - 6:g}" height="{height - 6:g}" rx="12"'
    return (
        f"<style>{STYLE}</style><defs>{DEFINITIONS}</defs>{draw_landscape(network, layout, height)}"
        f'<path class="ties" d="{ties}"/>{tracks}{"".join(draw_cities(network, layout))}'
        f'{draw_gauge(layout) if gauge else ""}<rect class="edge" {inset}/>'
    )


def draw_free(one: Connection, strip: Strip, mark: str = "") -> str:
    """Draw a connection that can be clicked, with a wide line around it that catches clicks and glows."""
    name, value = parse_click(connection_key(one))
    kind, place = f' class="{mark.strip()}"' if mark else "", ""
    bed = f'<path class="bed" d="{strip.outline}"/>'
    if strip.is_straight:  # turned as a whole, it is shorter to write
        turn, strip = strip.turn_flat()
        place, bed = f' transform="{turn}"', f'<line x2="{strip.end.x:.0f}"/>'
    return f'<g{kind} data-{name}="{value}"{place}>{bed}{draw_track(one, strip)}</g>'


def draw_cities(network: RailNetwork, layout: MapLayout) -> Iterator[str]:
    """Draw cities with their names."""
    for name, spot, box in zip(network.names, layout.cities, layout.names, strict=True):
        circle = f'<circle class="city" cx="{spot.x:.0f}" cy="{spot.y:.0f}" r="{CITY:g}"/>'
        yield f'<g data-city="{name}">{circle}{draw_name(name, box)}</g>'


# -- what changes from turn to turn ------------------------------------------------------------


def draw_body(canvas: Canvas, layout: MapLayout, last: Turn[State, Action] | None) -> Iterator[str]:
    """Draw what is highlighted, then owned connections, then the viewer's destinations."""
    for one, strip in zip(canvas.network.connections, layout.strips, strict=True):
        if mark := canvas.mark_class(connection_key(one)):
            yield draw_free(one, strip, mark)
    newest = last.action.connection if last is not None and isinstance(last.action, Acquire) else None
    for seat, mask in enumerate(canvas.owned):
        for index in bits(mask):
            one = canvas.network.connections[index]
            yield draw_taken(index, one, layout.strips[index], Seat(seat), newest=one == newest)
    joined = [canvas.is_done(pair) for pair in canvas.destinations]
    for city, numbers in destination_numbers(canvas).items():
        done = all(joined[number - 1] for number in numbers)
        yield draw_aim(numbers, layout.cities[canvas.network.number[city]], done=done)


@lru_cache(maxsize=4096)  # most connections look as they did a turn ago
def draw_taken(index: int, one: Connection, strip: Strip, owner: Seat, *, newest: bool) -> str:
    """Draw the train of the owner on a connection; `newest`: it was taken last.  Clicks go to what lies below it."""
    last = f'<path class="last" d="{strip.outline}"/>' if newest else ""
    wagons = draw_wagons(index, one, strip, newest=newest)
    badge, kind = draw_badge(owner, *strip.badge), f"taken s{owner % len(SEAT_PAINTS)}"
    return f'<g class="{kind}">{last}{wagons}{badge}</g>'


def draw_aim(numbers: tuple[int, ...], city: Point, *, done: bool) -> str:
    """Draw the numbers of the destinations that end in a city, within the room that names leave around it."""
    text = ",".join(map(str, numbers)) if len(numbers) <= 2 else f"{numbers[0]}.."
    return (
        f'<circle class="aim{" done" if done else ""}" cx="{city.x:.0f}" cy="{city.y:.0f}" r="{MARK - 1.5:g}"/>'
        f'<text class="mark{" two" if len(text) > 1 else ""}" x="{city.x:.0f}"'
        f' y="{city.y + (3.6 if len(text) > 1 else 4.7):.1f}">{text}</text>'
    )
