"""Trains as a drawing: the map, who owns what, and below it the table; nothing that the looker may not know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import atan2, degrees, hypot
from typing import Final, NamedTuple

from fairplay.core import Picture, Seat, Turn
from fairplay.games.trains.layout import CITY, MARGIN, SEGMENT, Layout, Strip, layout
from fairplay.games.trains.map import COLOURS, Chart, Colour, Connection, Destination, Map, bits, chart
from fairplay.games.trains.paths import joined
from fairplay.games.trains.rules import scores
from fairplay.games.trains.state import Acquire, Action, DrawCards, State, View
from fairplay.games.trains.words import seat_name

__all__ = ["picture", "picture_of_map"]

INKS: Final = {"red": "#d0423b", "blue": "#3871c1", "green": "#3f9a4e", "white": "#ffffff"}
"""The colours of connections and cards."""

SEAT_INKS: Final = ("#f0a31c", "#12908e", "#8450b8", "#e0659a", "#8b9a23", "#8a5a33", "#223d8f", "#6b7280")

STYLE: Final = """
text{font:600 11.5px system-ui,sans-serif;fill:#2b2a26}
.paper{fill:#f4eedd}.sheet{fill:#e9f0e0;stroke:#cdbf9c}.city{fill:#fffdf6;stroke:#2b2a26;stroke-width:2}
.name{paint-order:stroke;stroke:#e9f0e0;stroke-width:3.5px;stroke-linejoin:round}
.segment{stroke:#4b473d;stroke-width:.9}.free .segment{opacity:.92}
.owner{stroke-linecap:round;stroke-width:11}.last{stroke:#2b2a26;stroke-width:16;stroke-linecap:round;opacity:.35}
.badge{stroke:#fff;stroke-width:1.5}.letter{fill:#fff;font-size:9px;font-weight:700}
.line{fill:#fffdf6;stroke:#e0d6bb}.turn{stroke:#2b2a26;stroke-width:1.6}.small{font-weight:500}.out{opacity:.5}
.card{stroke:#4b473d}.pale{fill:#fff}.points{font-size:13px}.done{fill:#2c7a3a}.open{fill:#9a3a2f}
"""

ROW: Final = 34.0
OWN_ROW: Final = 26.0
SIDE: Final = 26.0  # beside the lines of the seats
COLUMN: Final = 430.0  # a seat's line needs so much room


class Shown(NamedTuple):
    """What is drawn, whoever looks."""

    chart: Chart
    owned: tuple[int, ...]
    rails: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    left: int
    out: frozenset[Seat]
    turn: Seat | None
    picking: bool
    points: dict[Seat, int]  # only once the match is over
    view: View | None  # whose hand and destinations may be shown


def picture(shown: State | View, last: Turn[State, Action] | None = None) -> Picture:
    """The drawing of a state, as everybody may see it, or of a view with what is its owner's own."""
    table = seen(shown)
    paper = layout(table.chart)
    body = [*connections(table, paper, last), *cities(table.chart, paper)]
    below = [*own_lines(table, paper.height), *seat_lines(table, paper, last)]
    return drawing(paper, table_height(table, paper), summary(table), [*body, *below])


def picture_of_map(map: Map) -> Picture:
    """The drawing of a map alone."""
    found = chart(map)
    table = Shown(found, (), (), (), 0, frozenset(), None, False, {}, None)
    paper = layout(found)
    label = f"a map of {len(map.cities)} cities and {len(map.connections)} connections"
    return drawing(paper, paper.height, label, [*connections(table, paper, None), *cities(found, paper)])


def seen(shown: State | View) -> Shown:
    """What a picture may show: of a state what is public, and the points once it is over."""
    if isinstance(shown, View):
        sizes, points, view = shown.hand_sizes, dict[Seat, int](), shown
    else:
        sizes, view = tuple(map(sum, shown.hands)), None
        points = {seat: score[0] for seat, score in scores(shown).items()} if shown.turn is None else {}
    return Shown(
        shown.chart,
        shown.owned,
        shown.rails,
        sizes,
        shown.left,
        shown.out,
        shown.turn,
        shown.picking,
        points,
        view,
    )


def drawing(paper: Layout, height: float, label: str, parts: Sequence[str]) -> Picture:
    size = f'width="{paper.width:g}" height="{height:g}"'
    sheet = f'width="{paper.width - 16:g}" height="{paper.height - 16:g}"'
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {paper.width:g} {height:g}" {size} role="img"'
        f' aria-label="{label}"><style>{STYLE}</style><rect class="paper" {size} rx="12"/>'
        f'<rect class="sheet" x="8" y="8" {sheet} rx="10"/>{"".join(parts)}</svg>'
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
    """Every connection; owned ones above free ones, so that no casing hides a neighbour."""
    owners = {index: Seat(seat) for seat, mask in enumerate(table.owned) for index in bits(mask)}
    newest = last.action.connection if last is not None and isinstance(last.action, Acquire) else None
    for index in sorted(range(len(paper.strips)), key=lambda index: index in owners):
        one = table.chart.connections[index]
        yield connection(one, paper.strips[index], owners.get(index), marked=one == newest)


def connection(one: Connection, strip: Strip, owner: Seat | None, *, marked: bool) -> str:
    (x, y), (to_x, to_y), _ = strip
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    whose = "free" if owner is None else f"owned by {seat_name(owner)}"
    names = f'data-first="{one.first}" data-second="{one.second}" data-colour="{one.colour}" data-length="{one.length}"'
    mark = f'<line class="last" {ends}/>' if marked else ""
    owned = "" if owner is None else f'<line class="owner" {ends} stroke="{ink(owner)}"/>'
    badge = "" if owner is None else token(owner, *strip.badge)
    return (
        f'<g class="{"free" if owner is None else "taken"}" {names}'
        f' data-owner="{"" if owner is None else owner}"><title>{one}, {whose}</title>'
        f"{mark}{owned}{segments(one, strip)}{badge}</g>"
    )


def segments(one: Connection, strip: Strip) -> str:
    """The segments of a connection in a row."""
    (x, y), (to_x, to_y), _ = strip
    away, turn = hypot(to_x - x, to_y - y), degrees(atan2(to_y - y, to_x - x))
    gap = min(4.0, away / one.length / 4)
    long = (away - gap * (one.length - 1)) / one.length
    size = f'width="{long:.1f}" height="{SEGMENT:g}" rx="1.5" fill="{INKS[one.colour]}"'
    boxes = "".join(
        f'<rect class="segment" x="{at * (long + gap):.1f}" y="{-SEGMENT / 2:g}" {size}/>' for at in range(one.length)
    )
    return f'<g transform="translate({x:.1f} {y:.1f}) rotate({turn:.1f})">{boxes}</g>'


def cities(chart: Chart, paper: Layout) -> Iterator[str]:
    for name, spot, box in zip(chart.names, paper.cities, paper.names, strict=True):
        middle, base = (box.left + box.right) / 2, box.bottom - 2
        yield (
            f'<g data-city="{name}"><circle class="city" cx="{spot.x:.1f}" cy="{spot.y:.1f}" r="{CITY:g}"/>'
            f'<text class="name" x="{middle:.1f}" y="{base:.1f}" text-anchor="middle">{name}</text></g>'
        )


def ink(seat: int) -> str:
    return SEAT_INKS[seat % len(SEAT_INKS)]


def token(seat: int, x: float, y: float) -> str:
    """The badge of a seat: its colour and the first letter of its name."""
    letter = seat_name(Seat(seat))[0].upper() if seat < len(SEAT_INKS) else str(seat)
    return (
        f'<circle class="badge" cx="{x:.1f}" cy="{y:.1f}" r="7.5" fill="{ink(seat)}"/>'
        f'<text class="letter" x="{x:.1f}" y="{y + 3.2:.1f}" text-anchor="middle">{letter}</text>'
    )


# -- the table ---------------------------------------------------------------------------------


def columns(paper: Layout) -> int:
    return 2 if paper.width >= 2 * COLUMN else 1


def own_rows(table: Shown) -> int:
    """Lines for the hand and the destinations of the looker."""
    if table.view is None:
        return 0
    return 1 + len(table.view.destinations) + len(table.view.offer)


def table_height(table: Shown, paper: Layout) -> float:
    rows = -(-len(table.rails) // columns(paper))
    return paper.height + OWN_ROW * own_rows(table) + ROW * rows + 30


def own_lines(table: Shown, top: float) -> Iterator[str]:
    """The hand of the looker, its destinations, and what it is offered."""
    view = table.view
    if view is None:
        return
    yield f'<text x="{MARGIN:g}" y="{top + 17:g}">your cards</text>'
    for at, (colour, count) in enumerate(zip(COLOURS, view.cards, strict=True)):
        yield card(colour, count, MARGIN + 84 + at * 68, top + 4)
    line = top + 17 + OWN_ROW
    for pair in view.destinations:
        first, second = map(view.chart.number.__getitem__, pair)
        reached = joined(view.chart, view.owned[view.me], first, second)
        yield destination("destination", pair, line, *(("joined", "done") if reached else ("not joined yet", "open")))
        line += OWN_ROW
    for pair in view.offer:
        yield destination("offer", pair, line, "offered", "")
        line += OWN_ROW


def card(colour: Colour, count: int, x: float, y: float) -> str:
    letters = "" if colour == "white" else ' class="pale"'
    return (
        f'<g data-card="{colour}" data-count="{count}">'
        f'<rect class="card" x="{x:g}" y="{y:g}" width="60" height="19" rx="4" fill="{INKS[colour]}"/>'
        f'<text{letters} x="{x + 30:g}" y="{y + 13.5:g}" text-anchor="middle">{count} {colour}</text></g>'
    )


def destination(kind: str, pair: Destination, y: float, word: str, style: str) -> str:
    first, second = pair
    return (
        f'<g data-{kind}="{first}|{second}"><text x="{MARGIN:g}" y="{y:g}">{first} to {second}</text>'
        f'<text class="small {style}" x="{MARGIN + 370:g}" y="{y:g}">{word}</text></g>'
    )


def seat_lines(table: Shown, paper: Layout, last: Turn[State, Action] | None) -> Iterator[str]:
    top = paper.height + OWN_ROW * own_rows(table)
    count = columns(paper)
    width = (paper.width - 2 * SIDE - 12 * (count - 1)) / count
    for seat in range(len(table.rails)):
        x, y = SIDE + (seat % count) * (width + 12), top + ROW * (seat // count)
        yield seat_line(table, Seat(seat), x, y, width, last)
    bottom = top + ROW * -(-len(table.rails) // count) + 14
    words = f"{table.left} card{'' if table.left == 1 else 's'} in the deck"
    yield f'<g data-deck="{table.left}"><text class="small" x="{MARGIN:g}" y="{bottom:g}">{words}</text></g>'


def seat_line(table: Shown, seat: Seat, x: float, y: float, width: float, last: Turn[State, Action] | None) -> str:
    out = seat in table.out
    name = seat_name(seat) + (" (you)" if table.view is not None and table.view.me == seat else "")
    holds = f"{table.rails[seat]} rails, {table.hand_sizes[seat]} cards, {table.owned[seat].bit_count()} connections"
    drew = last is not None and last.seat == seat and isinstance(last.action, DrawCards) and table.turn is not None
    news = "removed" if out else f"{holds}{', just drew' if drew else ''}"
    end = f"{table.points[seat]} points" if seat in table.points else "to move" if table.turn == seat else ""
    box = f'x="{x:g}" y="{y:g}" width="{width:g}" height="28" rx="7"'
    return (
        f'<g data-seat="{seat}" class="{"out" if out else ""}">'
        f'<rect class="line{" turn" if table.turn == seat else ""}" {box}/>{token(seat, x + 16, y + 14)}'
        f'<text x="{x + 30:g}" y="{y + 18:g}">{name}</text>'
        f'<text class="small" x="{x + 122:g}" y="{y + 18:g}">{news}</text>'
        f'<text class="points" x="{x + width - 10:g}" y="{y + 19:g}" text-anchor="end">{end}</text></g>'
    )
