"""The lower part of a picture of Trains: the deck, the hands that may be shown, destinations, and the seats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from fairplay.core import Seat, Turn
from fairplay.games.trains.drawing.layout import Layout
from fairplay.games.trains.drawing.paint import token
from fairplay.games.trains.map import COLOURS, Chart, Colour, Destination
from fairplay.games.trains.paths import joined
from fairplay.games.trains.rules import remaining, scores
from fairplay.games.trains.state import Action, DrawCards, Hand, State, View
from fairplay.games.trains.words import seat_name

__all__ = ["DECK", "Shown", "aims", "seen", "table"]

SIDE: Final = 22.0
CARD: Final = 70.0  # from one card to the next
HAND: Final = 98.0  # height of the row of cards
ROW: Final = 36.0
OPEN_ROW: Final = 64.0  # a seat's line with its hand and destinations
DECK: Final = "deck=draw"  # the key of the deck
COLUMN: Final = 440.0  # a seat's line needs so much room
BESIDE: Final = 880.0  # from this width on, destinations stand beside the cards


class Own(NamedTuple):
    """What a seat keeps to itself."""

    cards: Hand
    destinations: tuple[Destination, ...]


class Shown(NamedTuple):
    """What is drawn, whoever looks, and what is marked in it."""

    chart: Chart
    owned: tuple[int, ...] = ()
    rails: tuple[int, ...] = ()
    hand_sizes: tuple[int, ...] = ()
    left: int = 0
    out: frozenset[Seat] = frozenset()
    turn: Seat | None = None
    picking: bool = False
    points: Mapping[Seat, int] = {}  # only once the match is over, or to those who see everything
    me: Seat | None = None
    own: Mapping[Seat, Own] = {}  # of those whose hands may be shown
    offer: tuple[Destination, ...] = ()
    lit: frozenset[str] = frozenset()
    chosen: frozenset[str] = frozenset()

    def mark(self, key: str) -> str:
        """The classes of what has this key."""
        return (" lit" if key in self.lit else "") + (" chosen" if key in self.chosen else "")

    def done(self, seat: Seat, pair: Destination) -> bool:
        first, second = map(self.chart.number.__getitem__, pair)
        return joined(self.chart, self.owned[seat], first, second)


def seen(shown: State | View, lit: frozenset[str], chosen: frozenset[str], *, open: bool) -> Shown:
    """What a picture may show: of a state what is public, and the points once it is over."""
    public = Shown(
        shown.chart,
        shown.owned,
        shown.rails,
        shown.hand_sizes if isinstance(shown, View) else tuple(map(sum, shown.hands)),
        shown.left,
        shown.out,
        shown.turn,
        shown.picking,
        lit=lit,
        chosen=chosen,
    )
    if isinstance(shown, View):
        return public._replace(me=shown.me, own={shown.me: Own(shown.cards, shown.destinations)}, offer=shown.offer)
    points = {seat: score[0] for seat, score in scores(shown).items()} if open or shown.turn is None else {}
    seats = remaining(shown) if open else ()
    own = {seat: Own(shown.hands[seat], shown.destinations[seat]) for seat in seats}
    return public._replace(points=points, own=own)


def wanted(table: Shown) -> Sequence[Destination]:
    """The destinations of the looker, or those it may pick from."""
    return table.offer or (() if table.me is None else table.own[table.me].destinations)


def aims(table: Shown) -> dict[str, str]:
    """For each city the numbers of the looker's destinations that end there."""
    found: dict[str, str] = {}
    for number, pair in enumerate(wanted(table), 1):
        for city in pair:
            found[city] = f"{found[city]},{number}" if city in found else str(number)
    return found


def table(shown: Shown, paper: Layout, last: Turn[State, Action] | None, *, seats: bool) -> tuple[float, list[str]]:
    """Everything below the map, and where it ends."""
    top, parts = paper.height + 8, list[str]()
    if shown.me is not None:
        top, parts = own_part(shown, paper, top)
    if seats or (shown.own and shown.me is None):
        top, lines = seat_lines(shown, paper, top, last)
        parts += lines
    if shown.me is None:
        parts.append(small_deck(shown, top))
        top += 44
    return top + 8, parts


def own_part(table: Shown, paper: Layout, top: float) -> tuple[float, list[str]]:
    """The deck, the hand of the looker, and its destinations or those it may pick; and where they end."""
    rows = list(enumerate(wanted(table)))
    parts, right = [large_deck(table, top), *hand(table, top)], paper.width - SIDE
    if not table.offer and len(rows) <= 3 and paper.width >= BESIDE:
        left = SIDE + 5 * CARD + 40
        return top + HAND, parts + [wish(table, at, pair, left, top + 32 * at - 5, right) for at, pair in rows]
    top += HAND
    parts += [wish(table, at, pair, SIDE, top + ROW * at, right) for at, pair in rows]
    return top + ROW * len(rows), parts


def large_deck(table: Shown, y: float) -> str:
    """The deck, face down, with the number of its cards."""
    return (
        f'<g class="deck{table.mark(DECK)}" data-deck="draw" data-left="{table.left}"'
        f' transform="translate({SIDE:g} {y:g})"><title>{cards_left(table)}</title>'
        f'<use href="#trains-back"/><text class="count pale" x="29" y="38">{table.left}</text>'
        f'<text class="under pale" x="29" y="55">card{"" if table.left == 1 else "s"}</text>'
        '<rect class="glow" x="-4" y="-8" width="73" height="95" rx="10"/></g>'
    )


def small_deck(table: Shown, y: float) -> str:
    return (
        f'<g data-deck="draw" data-left="{table.left}"><use href="#trains-back"'
        f' transform="translate({SIDE:g} {y + 6:g}) scale(.4)"/>'
        f'<text class="pale" x="{SIDE + 38:g}" y="{y + 28:g}">{cards_left(table)}</text></g>'
    )


def cards_left(table: Shown) -> str:
    return f"{table.left} card{'' if table.left == 1 else 's'} in the deck"


def hand(table: Shown, y: float) -> Iterator[str]:
    assert table.me is not None
    for at, (colour, count) in enumerate(zip(COLOURS, table.own[table.me].cards, strict=True)):
        yield card(colour, count, SIDE + 20 + CARD * (at + 1), y)


def card(colour: Colour, count: int, x: float, y: float) -> str:
    """All cards of one colour, with its name; the sign has the shape of the colour's segments."""
    pale = " pale" if colour in ("red", "blue") else ""
    return (
        f'<g class="{"" if count else "none"}" data-card="{colour}" data-count="{count}">'
        f'<rect class="card {colour}" x="{x:g}" y="{y + 1:g}" width="60" height="82" rx="7"/>'
        f'<text class="count{pale}" x="{x + 30:g}" y="{y + 44:g}">{count}</text>'
        f'<text class="under{pale}" x="{x + 30:g}" y="{y + 70:g}">{colour}</text></g>'
    )


def wish(table: Shown, number: int, pair: Destination, x: float, y: float, right: float) -> str:
    """One destination of the looker, or one that it may pick."""
    first, second = pair
    key = f"{first}|{second}"
    if table.offer:
        kind, mark, word = "offer", table.mark(f"offer={key}"), "picked" if f"offer={key}" in table.chosen else ""
    else:
        assert table.me is not None
        kind, mark, word = "destination", "", "✓ joined" if table.done(table.me, pair) else "not joined yet"
    high = ROW - 6
    base = y + high / 2 + 7
    return (
        f'<g class="wish{mark}" data-{kind}="{key}"><rect class="row" x="{x:g}" y="{y + 1:g}" width="{right - x:g}"'
        f' height="{high:g}" rx="8"/><circle class="aim" cx="{x + 19:g}" cy="{base - 6:g}" r="10"/>'
        f'<text class="mark" x="{x + 19:g}" y="{base - 1.2:g}">{number + 1}</text>'
        f'<text class="aims" x="{x + 38:g}" y="{base:g}">{first} to {second}</text>'
        f'<text class="holds end" x="{right - 12:g}" y="{base:g}">{word}</text></g>'
    )


# -- the seats ---------------------------------------------------------------------------------


def seat_lines(table: Shown, paper: Layout, top: float, last: Turn[State, Action] | None) -> tuple[float, list[str]]:
    opened = table.me is None and bool(table.own)
    high = OPEN_ROW if opened else ROW
    count = 2 if paper.width >= 2 * COLUMN else 1
    width = (paper.width - 2 * SIDE - 12 * (count - 1)) / count
    lines = [
        seat_line(table, Seat(seat), SIDE + (seat % count) * (width + 12), top + high * (seat // count), width, last)
        for seat in range(len(table.rails))
    ]
    return top + high * -(-len(table.rails) // count), lines


def seat_line(table: Shown, seat: Seat, x: float, y: float, width: float, last: Turn[State, Action] | None) -> str:
    out, turn, opened = seat in table.out, table.turn == seat, table.me is None and seat in table.own
    name = seat_name(seat) + (" (you)" if table.me == seat else "")
    holds = f"{table.rails[seat]} rails, {table.hand_sizes[seat]} cards, {table.owned[seat].bit_count()} connections"
    drew = last is not None and last.seat == seat and isinstance(last.action, DrawCards) and table.turn is not None
    score = f"{table.points[seat]} points" if seat in table.points else ""
    end = score or ("to move" if turn else "just drew" if drew else "")
    box = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{(OPEN_ROW if opened else ROW) - 6:g}" rx="8"'
    return (
        f'<g class="{"out" if out else ""}" data-seat="{seat}"><rect class="line{" turn" if turn else ""}" {box}/>'
        f'{token(seat, x + 18, y + 15)}<text x="{x + 34:g}" y="{y + 20:g}">{name}</text>'
        f'<text class="holds" x="{x + (128 if table.me is None else 142):g}" y="{y + 20:g}">'
        f"{'removed' if out else holds}</text>"
        f'<text class="end" x="{x + width - 10:g}" y="{y + 20:g}">{end}</text>'
        f"{opened_line(table, seat, x, y, width) if opened else ''}</g>"
    )


def opened_line(table: Shown, seat: Seat, x: float, y: float, width: float) -> str:
    """The hand of a seat and its destinations, for those who may see everything."""
    cards, destinations = table.own[seat]
    chips = "".join(
        chip(colour, count, x + 12 + 34 * at, y + 31)
        for at, (colour, count) in enumerate(zip(COLOURS, cards, strict=True))
    )
    words = "; ".join(f"{'✓ ' if table.done(seat, pair) else ''}{pair[0]} to {pair[1]}" for pair in destinations)
    room = width - 164
    squeezed = f' textLength="{room:g}" lengthAdjust="spacingAndGlyphs"' if 7 * len(words) > room else ""
    return f'{chips}<text class="holds" x="{x + 152:g}" y="{y + 46:g}"{squeezed}>{words}</text>'


def chip(colour: Colour, count: int, x: float, y: float) -> str:
    pale = " pale" if colour in ("red", "blue") else ""
    return (
        f'<rect class="card {colour}" x="{x:g}" y="{y:g}" width="30" height="21" rx="4"/>'
        f'<text class="under{pale}" x="{x + 15:g}" y="{y + 15:g}">{count}{colour[0]}</text>'
    )
