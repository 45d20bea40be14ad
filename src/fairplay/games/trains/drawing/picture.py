"""Trains as a drawing: the map, who owns what, and below it the table; nothing that the looker may not know."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from fairplay.core import Picture, Seat, Turn
from fairplay.games.trains.drawing.hand import DECK, Shown, aims, seen, table
from fairplay.games.trains.drawing.layout import CITY, Layout, Point, Strip, layout
from fairplay.games.trains.drawing.paint import DEFINITIONS, STYLE, ink, token
from fairplay.games.trains.drawing.tracks import track, wagons
from fairplay.games.trains.map import Chart, Connection, Destination, Map, bits, chart
from fairplay.games.trains.state import Acquire, Action, State, View
from fairplay.games.trains.words import seat_name

__all__ = ["DECK", "connection_key", "offer_key", "picture", "picture_of_map"]


def connection_key(one: Connection) -> str:
    return f"connection={one.first}|{one.second}|{one.colour}|{one.length}"


def offer_key(pair: Destination) -> str:
    return f"offer={pair[0]}|{pair[1]}"


def picture(
    shown: State | View,
    last: Turn[State, Action] | None = None,
    *,
    open: bool = False,
    seats: bool = True,
    lit: Collection[str] = (),
    chosen: Collection[str] = (),
) -> Picture:
    """A state as everybody may see it, or `open` with all hands; a view with what is its owner's own."""
    found = seen(shown, frozenset(lit), frozenset(chosen), open=open)
    paper = layout(found.chart)
    body = [*connections(found, paper, last), *cities(found.chart, paper, aims(found))]
    height, below = table(found, paper, last, seats=seats)
    return drawing(paper, height, summary(found), [*body, *below])


def picture_of_map(map: Map) -> Picture:
    """The drawing of a map alone."""
    found = chart(map)
    paper = layout(found)
    label = f"a map of {len(map.cities)} cities and {len(map.connections)} connections"
    return drawing(paper, paper.height, label, [*connections(Shown(found), paper, None), *cities(found, paper, {})])


def drawing(paper: Layout, height: float, label: str, parts: Sequence[str]) -> Picture:
    size = f'width="{paper.width:g}" height="{height:g}"'
    sheet = f'x="8" y="8" width="{paper.width - 16:g}" height="{paper.height - 16:g}" rx="10"'
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="trains-board" viewBox="0 0 {paper.width:g} {height:g}" {size}'
        f' role="img" aria-label="{label}"><style>{STYLE}</style><defs>{DEFINITIONS}</defs>'
        f'<rect class="paper" {size} rx="16"/><rect class="sheet" {sheet}/><rect class="grid" {sheet}/>'
        f"{''.join(parts)}</svg>"
    )


def summary(table: Shown) -> str:
    """The picture for those who cannot see it."""
    owners = [
        f"{seat_name(Seat(seat))} owns {mask.bit_count()} connections"
        for seat, mask in enumerate(table.owned)
        if seat not in table.out
    ]
    doing = "pick destinations" if table.picking else "move"
    turn = "over" if table.turn is None else f"{seat_name(table.turn)} to {doing}"
    return f"Trains: {', '.join(owners) or 'nobody is left'}; {turn}"


# -- the map -----------------------------------------------------------------------------------


def connections(table: Shown, paper: Layout, last: Turn[State, Action] | None) -> Iterator[str]:
    """Every connection; lit ones below, whose light spreads, and owned ones on top."""
    owners = {index: Seat(seat) for seat, mask in enumerate(table.owned) for index in bits(mask)}
    newest = last.action.connection if last is not None and isinstance(last.action, Acquire) else None
    marks = [table.mark(connection_key(one)) for one in table.chart.connections]
    order = sorted(range(len(paper.strips)), key=lambda index: (index in owners, not marks[index]))
    for index in order:
        one = table.chart.connections[index]
        yield connection(one, paper.strips[index], owners.get(index), marks[index], newest=one == newest)


@lru_cache(maxsize=4096)  # most connections look as they did a turn ago
def connection(one: Connection, strip: Strip, owner: Seat | None, mark: str, *, newest: bool) -> str:
    (x, y), (to_x, to_y), _ = strip
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    whose = "free" if owner is None else f"owned by {seat_name(owner)}"
    light = f'<line class="halo" {ends}/><line class="light" {ends}/>' if mark else ""
    last = f'<line class="last" {ends}/>' if newest else ""
    body = track(one, strip) if owner is None else wagons(one, strip, ink(owner)) + token(owner, *strip.badge)
    return (
        f'<g class="{"free" if owner is None else "taken"}{mark}" data-{key_attribute(connection_key(one))}'
        f' data-owner="{"" if owner is None else owner}"><title>{one}, {whose}</title>{light}{last}{body}</g>'
    )


def key_attribute(key: str) -> str:
    name, _, value = key.partition("=")
    return f'{name}="{value}"'


def cities(chart: Chart, paper: Layout, aims: dict[str, str]) -> Iterator[str]:
    """Cities with their names; those that destinations of the looker end in have the numbers of these."""
    for name, spot, box in zip(chart.names, paper.cities, paper.names, strict=True):
        middle, base, aim = (box.left + box.right) / 2, box.bottom - 3, aims.get(name)
        yield (
            f'<g data-city="{name}"><circle class="city{" aimed" if aim else ""}" cx="{spot.x:.1f}" cy="{spot.y:.1f}"'
            f' r="{CITY:g}"/><text class="name" x="{middle:.1f}" y="{base:.1f}">{name}</text></g>'
        )
    for name, spot, box in zip(chart.names, paper.cities, paper.names, strict=True):
        if name in aims:
            yield flag(aims[name], spot, named_left=(box.left + box.right) / 2 < spot.x)


def flag(numbers: str, city: Point, *, named_left: bool) -> str:
    """The numbers on a city; where there are several, they grow away from its name."""
    wide = 11 + 8 * len(numbers)
    x, y = city.x + (wide - 19) / (2 if named_left else -2), city.y
    return (
        f'<rect class="aim" x="{x - wide / 2:.1f}" y="{y - 9.5:.1f}" width="{wide}" height="19" rx="9.5"/>'
        f'<text class="mark" x="{x:.1f}" y="{y + 4.7:.1f}">{numbers}</text>'
    )
