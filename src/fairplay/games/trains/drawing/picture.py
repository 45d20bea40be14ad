"""Trains as a drawing: the map, who owns what, and the hands below it; nothing that the viewer may not know."""

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import TypeAlias

from fairplay.core import Picture, Seat, Turn
from fairplay.core.shown import parse_click
from fairplay.games.trains.drawing.canvas import (
    DECK_KEY,
    Canvas,
    build_canvas,
    connection_key,
    destination_numbers,
    offer_key,
)
from fairplay.games.trains.drawing.landscape import draw_landscape
from fairplay.games.trains.drawing.layout import MapLayout, layout_of
from fairplay.games.trains.drawing.names import MARK, draw_name
from fairplay.games.trains.drawing.paint import DEFINITIONS, SEAT_PAINTS, STYLE, draw_badge, draw_letter
from fairplay.games.trains.drawing.tracks import CITY, Point, Strip, draw_track, draw_wagons
from fairplay.games.trains.map import COLORS, Color, Connection, Destination, Map, RailNetwork, bits, build_network
from fairplay.games.trains.state import Acquire, Action, DrawCards, State, View
from fairplay.games.trains.words import seat_name

_KIND = "trains-board"


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
    layout, label = layout_of(canvas.network), _describe_canvas(canvas)
    height, below = layout.height + _GAUGE_HEIGHT, list[str]()
    if seats:
        height, below = _draw_below(canvas, layout, height, last)
    body = "".join([*_draw_body(canvas, layout, last), *_draw_engines(canvas, layout), *below])
    return Picture.build(_KIND, layout.width, height, label, draw_base(canvas.network, gauge=True), body)


def draw_map(map: Map) -> Picture:
    """Draw a map alone."""
    network = build_network(map)
    layout = layout_of(network)
    label = f"a map of {len(map.cities)} cities and {len(map.connections)} connections"
    return Picture.build(_KIND, layout.width, layout.height, label, draw_base(network, gauge=False), "")


def _describe_canvas(canvas: Canvas) -> str:
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
    height = layout.height + (_GAUGE_HEIGHT if gauge else 0)
    ties = "".join(strip.outline for strip in layout.strips)
    tracks = "".join(map(_draw_free, network.connections, layout.strips))
    inset = f'x="3" y="3" width="{layout.width - 6:g}" height="{height - 6:g}" rx="12"'
    return (
        f"<style>{STYLE}</style><defs>{DEFINITIONS}</defs>{draw_landscape(network, layout, height)}"
        f'<path class="ties" d="{ties}"/>{tracks}{"".join(draw_cities(network, layout))}'
        f'{_draw_gauge(layout) if gauge else ""}<rect class="edge" {inset}/>'
    )


def _draw_free(one: Connection, strip: Strip, mark: str = "") -> str:
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


def _draw_body(canvas: Canvas, layout: MapLayout, last: Turn[State, Action] | None) -> Iterator[str]:
    """Draw what is highlighted, then owned connections, then the viewer's destinations."""
    for one, strip in zip(canvas.network.connections, layout.strips, strict=True):
        if mark := canvas.mark_class(connection_key(one)):
            yield _draw_free(one, strip, mark)
    newest = last.action.connection if last is not None and isinstance(last.action, Acquire) else None
    for seat, mask in enumerate(canvas.owned):
        for index in bits(mask):
            one = canvas.network.connections[index]
            yield _draw_taken(index, one, layout.strips[index], Seat(seat), newest=one == newest)
    joined = [canvas.is_done(pair) for pair in canvas.destinations]
    for city, numbers in destination_numbers(canvas).items():
        done = all(joined[number - 1] for number in numbers)
        yield _draw_aim(numbers, layout.cities[canvas.network.number[city]], done=done)


@lru_cache(maxsize=4096)  # most connections look as they did a turn ago
def _draw_taken(index: int, one: Connection, strip: Strip, owner: Seat, *, newest: bool) -> str:
    """Draw the train of the owner on a connection; `newest`: it was taken last.  Clicks go to what lies below it."""
    last = f'<path class="last" d="{strip.outline}"/>' if newest else ""
    wagons = draw_wagons(index, one, strip, newest=newest)
    badge, kind = draw_badge(owner, *strip.badge), f"taken s{owner % len(SEAT_PAINTS)}"
    return f'<g class="{kind}">{last}{wagons}{badge}</g>'


def _draw_aim(numbers: tuple[int, ...], city: Point, *, done: bool) -> str:
    """Draw the numbers of the destinations that end in a city, within the room that names leave around it."""
    text = ",".join(map(str, numbers)) if len(numbers) <= 2 else f"{numbers[0]}.."
    return (
        f'<circle class="aim{" done" if done else ""}" cx="{city.x:.0f}" cy="{city.y:.0f}" r="{MARK - 1.5:g}"/>'
        f'<text class="mark{" two" if len(text) > 1 else ""}" x="{city.x:.0f}"'
        f' y="{city.y + (3.6 if len(text) > 1 else 4.7):.1f}">{text}</text>'
    )


# -- the line of engines -----------------------------------------------------------------------

_GAUGE_HEIGHT = 46.0
_LEFT = 106.0  # where engines start
_RIGHT = 112.0  # how far from the right edge they arrive
_SPREAD = 16.0  # from the highest engine to the lowest


def _draw_gauge(layout: MapLayout) -> str:
    """Draw the empty line."""
    start, end, y = _LEFT, layout.width - _RIGHT, layout.height + _GAUGE_HEIGHT / 2
    return (
        f'<path class="ground" d="M3 {layout.height:g}H{layout.width - 3:g}V{layout.height + _GAUGE_HEIGHT - 3:g}H3z"/>'
        f'<path class="ties" d="M{start:g} {y:g}H{end:g}"/>'
        f'<path class="rails" d="M{start:g} {y - 3:g}H{end:g}m0 6H{start:g}"/>'
        f'<path class="stop" d="M{end + 6:g} {y - 11:g}v22"/>'
        f'<text class="note end" x="{start - 22:g}" y="{y + 4.5:g}">rails laid</text>'
        f'<text class="note" x="{end + 18:g}" y="{y + 4.5:g}">last round</text>'
    )


def _draw_engines(canvas: Canvas, layout: MapLayout) -> Iterator[str]:
    """Draw the engine of every seat that is still in; those that are level stand behind each other."""
    count, way = len(canvas.rails), layout.width - _RIGHT - _LEFT
    for seat, rails in enumerate(canvas.rails):
        if seat not in canvas.out:
            part = 1 - rails / canvas.most_rails if canvas.most_rails else 1.0
            y = layout.height + _GAUGE_HEIGHT / 2 + _SPREAD * (seat / max(1, count - 1) - 0.5)
            yield (
                f'<g class="s{seat % len(SEAT_PAINTS)}" data-key="engine-{seat}" data-leave="fade"'
                f' transform="translate({_LEFT + way * part:.0f} {y:.0f})"><use href="#trains-side"/>'
                f"{draw_letter(seat, -6, 4)}</g>"
            )


# -- below the map -----------------------------------------------------------------------------

_SIDE = 22.0
_CARD_STEP = 70.0  # from one card to the next
_HAND_HEIGHT = 98.0
_ROW_HEIGHT = 36.0
_OPEN_ROW_HEIGHT = 64.0  # of a seat with its hand and destinations
_COLUMN_WIDTH = 440.0  # room that the line of a seat needs
_BESIDE_WIDTH = 880.0  # from this width on, destinations stand beside the cards

_LastTurn: TypeAlias = Turn[State, Action] | None


def _draw_below(canvas: Canvas, layout: MapLayout, start: float, last: _LastTurn) -> tuple[float, list[str]]:
    """Draw everything below the map, which ends at `start`; return where it ends itself, and its parts."""
    top, parts = start + 16, list[str]()
    if canvas.me is not None:
        top, parts = _draw_own_part(canvas, layout, top)
    top, lines = _draw_seat_lines(canvas, layout, top, last)
    if canvas.me is None:
        lines.append(_draw_small_deck(canvas, top))
        top += 44
    paper = f'<rect class="paper" y="{start + 6:g}" width="{layout.width:g}" height="{top + 2 - start:g}" rx="14"/>'
    return top + 8, [paper, *parts, *lines]


def _draw_own_part(canvas: Canvas, layout: MapLayout, top: float) -> tuple[float, list[str]]:
    """Draw the deck, the viewer's hand, and its destinations or those it may pick; return where they end too."""
    pairs = list(enumerate(canvas.destinations))
    parts, right = [_draw_large_deck(canvas, top), *_draw_hand(canvas, top)], layout.width - _SIDE
    if not canvas.offer and len(pairs) <= 3 and layout.width >= _BESIDE_WIDTH:
        left = _SIDE + 5 * _CARD_STEP + 40
        rows = [_draw_destination_row(canvas, at, pair, left, top + 32 * at - 5, right) for at, pair in pairs]
        return top + _HAND_HEIGHT, parts + rows
    top += _HAND_HEIGHT
    parts += [_draw_destination_row(canvas, at, pair, _SIDE, top + _ROW_HEIGHT * at, right) for at, pair in pairs]
    return top + _ROW_HEIGHT * len(pairs), parts


def _draw_large_deck(canvas: Canvas, y: float) -> str:
    """Draw the deck, face down, with the number of its cards."""
    return (
        f'<g class="deck{canvas.mark_class(DECK_KEY)}" data-deck="draw" data-left="{canvas.left}"'
        f' transform="translate({_SIDE:g} {y:g})"><title>{_cards_left(canvas)}</title>'
        f'<use href="#trains-back"/><text class="count pale" x="29" y="38">{canvas.left}</text>'
        f'<text class="under pale" x="29" y="55">card{"" if canvas.left == 1 else "s"}</text>'
        '<rect class="glow" x="-4" y="-8" width="73" height="95" rx="10"/></g>'
    )


def _draw_small_deck(canvas: Canvas, y: float) -> str:
    """Draw the deck for viewers who have no hand."""
    return (
        f'<g data-deck="draw" data-left="{canvas.left}"><use href="#trains-back"'
        f' transform="translate({_SIDE:g} {y + 6:g}) scale(.4)"/>'
        f'<text class="pale" x="{_SIDE + 38:g}" y="{y + 28:g}">{_cards_left(canvas)}</text></g>'
    )


def _cards_left(canvas: Canvas) -> str:
    """Say how many cards are in the deck."""
    return f"{canvas.left} card{'' if canvas.left == 1 else 's'} in the deck"


def _draw_hand(canvas: Canvas, y: float) -> Iterator[str]:
    """Draw the viewer's cards, one pile for each colour."""
    assert canvas.me is not None
    for at, (color, count) in enumerate(zip(COLORS, canvas.private[canvas.me].cards, strict=True)):
        yield _draw_card(color, count, _SIDE + 20 + _CARD_STEP * (at + 1), y)


def _draw_card(color: Color, count: int, x: float, y: float) -> str:
    """Draw all cards of one colour, with its name."""
    pale = " pale" if color in ("red", "blue") else ""
    return (
        f'<g class="{"" if count else "none"}" data-card="{color}" data-count="{count}">'
        f'<rect class="card {color}" x="{x:g}" y="{y + 1:g}" width="60" height="82" rx="7"/>'
        f'<text class="count{pale}" x="{x + 30:g}" y="{y + 44:g}">{count}</text>'
        f'<text class="under{pale}" x="{x + 30:g}" y="{y + 70:g}">{color}</text></g>'
    )


def _draw_destination_row(canvas: Canvas, number: int, pair: Destination, x: float, y: float, right: float) -> str:
    """Draw one destination of the viewer, or one that it may pick."""
    first, second = pair
    if canvas.offer:
        key = offer_key(pair)
        kind, mark, word = "offer", canvas.mark_class(key), "picked" if key in canvas.chosen else ""
    else:
        kind, mark, word = "destination", "", ("✓ " if canvas.is_done(pair) else "") + canvas.describe_destination(pair)
    high = _ROW_HEIGHT - 6
    base = y + high / 2 + 7
    return (
        f'<g class="wish{mark}" data-{kind}="{first}|{second}">'
        f'<rect class="row" x="{x:g}" y="{y + 1:g}" width="{right - x:g}"'
        f' height="{high:g}" rx="8"/><circle class="aim" cx="{x + 19:g}" cy="{base - 6:g}" r="10"/>'
        f'<text class="mark" x="{x + 19:g}" y="{base - 1.2:g}">{number + 1}</text>'
        f'<text class="aims" x="{x + 38:g}" y="{base:g}">{first} to {second}</text>'
        f'<text class="holds end" x="{right - 12:g}" y="{base:g}">{word}</text></g>'
    )


# -- the seats ---------------------------------------------------------------------------------


def _draw_seat_lines(canvas: Canvas, layout: MapLayout, top: float, last: _LastTurn) -> tuple[float, list[str]]:
    """Draw the seats, in two columns if there is room; return where they end too."""
    opened = canvas.me is None and bool(canvas.private)
    high = _OPEN_ROW_HEIGHT if opened else _ROW_HEIGHT
    count = 2 if layout.width >= 2 * _COLUMN_WIDTH else 1
    width = (layout.width - 2 * _SIDE - 12 * (count - 1)) / count
    lines = [
        _draw_seat_line(canvas, seat, _SIDE + (seat % count) * (width + 12), top + high * (seat // count), width, last)
        for seat in map(Seat, range(len(canvas.rails)))
    ]
    return top + high * -(-len(canvas.rails) // count), lines


def _draw_seat_line(canvas: Canvas, seat: Seat, x: float, y: float, width: float, last: _LastTurn) -> str:
    """Draw one seat: what everyone may know, and its hand if that may be shown."""
    out, turn, opened = seat in canvas.out, canvas.turn == seat, canvas.me is None and seat in canvas.private
    name = seat_name(seat) + (" (you)" if canvas.me == seat else "")
    counts = {"rail": canvas.rails[seat], "card": canvas.hand_sizes[seat], "connection": canvas.owned[seat].bit_count()}
    holds = ", ".join(f"{count} {noun}{'' if count == 1 else 's'}" for noun, count in counts.items())
    drew = last is not None and last.seat == seat and isinstance(last.action, DrawCards) and canvas.turn is not None
    score = f"{canvas.points[seat]} points" if seat in canvas.points else ""
    end = score or ("to move" if turn else "just drew" if drew else "")
    high = _OPEN_ROW_HEIGHT if opened else _ROW_HEIGHT
    box = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{high - 6:g}" rx="8"'
    return (
        f'<g class="{"out" if out else ""}" data-seat="{seat}"><rect class="line{" turn" if turn else ""}" {box}/>'
        f'{draw_badge(seat, x + 18, y + 15)}<text x="{x + 34:g}" y="{y + 20:g}">{name}</text>'
        f'<text class="holds" x="{x + (128 if canvas.me is None else 150):g}" y="{y + 20:g}">'
        f"{'removed' if out else holds}</text>"
        f'<text class="end" x="{x + width - 10:g}" y="{y + 20:g}">{end}</text>'
        f"{_draw_open_hand(canvas, seat, x, y, width) if opened else ''}</g>"
    )


def _draw_open_hand(canvas: Canvas, seat: Seat, x: float, y: float, width: float) -> str:
    """Draw the hand and the destinations of a seat, for viewers who see everything."""
    cards, destinations = canvas.private[seat]
    chips = "".join(
        _draw_chip(color, count, x + 12 + 34 * at, y + 31)
        for at, (color, count) in enumerate(zip(COLORS, cards, strict=True))
    )
    words = "; ".join(f"{'✓ ' if canvas.is_joined(seat, pair) else ''}{pair[0]} to {pair[1]}" for pair in destinations)
    room = width - 164
    squeezed = f' textLength="{room:g}" lengthAdjust="spacingAndGlyphs"' if 7 * len(words) > room else ""
    return f'{chips}<text class="holds" x="{x + 152:g}" y="{y + 46:g}"{squeezed}>{words}</text>'


def _draw_chip(color: Color, count: int, x: float, y: float) -> str:
    """Draw a small card with a number and the first letter of its colour."""
    pale = " pale" if color in ("red", "blue") else ""
    return (
        f'<rect class="card {color}" x="{x:g}" y="{y:g}" width="30" height="21" rx="4"/>'
        f'<text class="under{pale}" x="{x + 15:g}" y="{y + 15:g}">{count}{color[0]}</text>'
    )
