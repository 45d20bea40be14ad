"""The lower part of a picture of Trains: the deck, the hands that may be shown, destinations, and the seats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from fairplay.core import Seat, Turn
from fairplay.games.trains.drawing.canvas import DECK_KEY, Canvas, offer_key
from fairplay.games.trains.drawing.maps.layout import MapLayout
from fairplay.games.trains.drawing.paint import draw_badge
from fairplay.games.trains.map import COLORS, Color, Destination
from fairplay.games.trains.state import Action, DrawCards, State
from fairplay.games.trains.words import seat_name

__all__ = ["draw_below"]

SIDE: Final = 22.0
CARD_STEP: Final = 70.0  # from one card to the next
HAND_HEIGHT: Final = 98.0
ROW_HEIGHT: Final = 36.0
OPEN_ROW_HEIGHT: Final = 64.0  # of a seat with its hand and destinations
COLUMN_WIDTH: Final = 440.0  # room that the line of a seat needs
BESIDE_WIDTH: Final = 880.0  # from this width on, destinations stand beside the cards

LastTurn: TypeAlias = Turn[State, Action] | None


def draw_below(canvas: Canvas, layout: MapLayout, start: float, last: LastTurn) -> tuple[float, list[str]]:
    """Draw everything below the map, which ends at `start`; return where it ends itself, and its parts."""
    top, parts = start + 16, list[str]()
    if canvas.me is not None:
        top, parts = draw_own_part(canvas, layout, top)
    top, lines = draw_seat_lines(canvas, layout, top, last)
    if canvas.me is None:
        lines.append(draw_small_deck(canvas, top))
        top += 44
    paper = f'<rect class="paper" y="{start + 6:g}" width="{layout.width:g}" height="{top + 2 - start:g}" rx="14"/>'
    return top + 8, [paper, *parts, *lines]


def draw_own_part(canvas: Canvas, layout: MapLayout, top: float) -> tuple[float, list[str]]:
    """Draw the deck, the viewer's hand, and its destinations or those it may pick; return where they end too."""
    pairs = list(enumerate(canvas.destinations))
    parts, right = [draw_large_deck(canvas, top), *draw_hand(canvas, top)], layout.width - SIDE
    if not canvas.offer and len(pairs) <= 3 and layout.width >= BESIDE_WIDTH:
        left = SIDE + 5 * CARD_STEP + 40
        rows = [draw_destination_row(canvas, at, pair, left, top + 32 * at - 5, right) for at, pair in pairs]
        return top + HAND_HEIGHT, parts + rows
    top += HAND_HEIGHT
    parts += [draw_destination_row(canvas, at, pair, SIDE, top + ROW_HEIGHT * at, right) for at, pair in pairs]
    return top + ROW_HEIGHT * len(pairs), parts


def draw_large_deck(canvas: Canvas, y: float) -> str:
    """Draw the deck, face down, with the number of its cards."""
    return (
        f'<g class="deck{canvas.mark_class(DECK_KEY)}" data-deck="draw" data-left="{canvas.left}"'
        f' transform="translate({SIDE:g} {y:g})"><title>{cards_left(canvas)}</title>'
        f'<use href="#trains-back"/><text class="count pale" x="29" y="38">{canvas.left}</text>'
        f'<text class="under pale" x="29" y="55">card{"" if canvas.left == 1 else "s"}</text>'
        '<rect class="glow" x="-4" y="-8" width="73" height="95" rx="10"/></g>'
    )


def draw_small_deck(canvas: Canvas, y: float) -> str:
    """Draw the deck for viewers who have no hand."""
    return (
        f'<g data-deck="draw" data-left="{canvas.left}"><use href="#trains-back"'
        f' transform="translate({SIDE:g} {y + 6:g}) scale(.4)"/>'
        f'<text class="pale" x="{SIDE + 38:g}" y="{y + 28:g}">{cards_left(canvas)}</text></g>'
    )


def cards_left(canvas: Canvas) -> str:
    """Say how many cards are in the deck."""
    return f"{canvas.left} card{'' if canvas.left == 1 else 's'} in the deck"


def draw_hand(canvas: Canvas, y: float) -> Iterator[str]:
    """Draw the viewer's cards, one pile for each colour."""
    assert canvas.me is not None
    for at, (color, count) in enumerate(zip(COLORS, canvas.private[canvas.me].cards, strict=True)):
        yield draw_card(color, count, SIDE + 20 + CARD_STEP * (at + 1), y)


def draw_card(color: Color, count: int, x: float, y: float) -> str:
    """Draw all cards of one colour, with its name."""
    pale = " pale" if color in ("red", "blue") else ""
    return (
        f'<g class="{"" if count else "none"}" data-card="{color}" data-count="{count}">'
        f'<rect class="card {color}" x="{x:g}" y="{y + 1:g}" width="60" height="82" rx="7"/>'
        f'<text class="count{pale}" x="{x + 30:g}" y="{y + 44:g}">{count}</text>'
        f'<text class="under{pale}" x="{x + 30:g}" y="{y + 70:g}">{color}</text></g>'
    )


def draw_destination_row(canvas: Canvas, number: int, pair: Destination, x: float, y: float, right: float) -> str:
    """Draw one destination of the viewer, or one that it may pick."""
    first, second = pair
    if canvas.offer:
        key = offer_key(pair)
        kind, mark, word = "offer", canvas.mark_class(key), "picked" if key in canvas.chosen else ""
    else:
        kind, mark, word = "destination", "", ("✓ " if canvas.is_done(pair) else "") + canvas.describe_destination(pair)
    high = ROW_HEIGHT - 6
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


def draw_seat_lines(canvas: Canvas, layout: MapLayout, top: float, last: LastTurn) -> tuple[float, list[str]]:
    """Draw the seats, in two columns if there is room; return where they end too."""
    opened = canvas.me is None and bool(canvas.private)
    high = OPEN_ROW_HEIGHT if opened else ROW_HEIGHT
    count = 2 if layout.width >= 2 * COLUMN_WIDTH else 1
    width = (layout.width - 2 * SIDE - 12 * (count - 1)) / count
    lines = [
        draw_seat_line(canvas, seat, SIDE + (seat % count) * (width + 12), top + high * (seat // count), width, last)
        for seat in map(Seat, range(len(canvas.rails)))
    ]
    return top + high * -(-len(canvas.rails) // count), lines


def draw_seat_line(canvas: Canvas, seat: Seat, x: float, y: float, width: float, last: LastTurn) -> str:
    """Draw one seat: what everyone may know, and its hand if that may be shown."""
    out, turn, opened = seat in canvas.out, canvas.turn == seat, canvas.me is None and seat in canvas.private
    name = seat_name(seat) + (" (you)" if canvas.me == seat else "")
    counts = {"rail": canvas.rails[seat], "card": canvas.hand_sizes[seat], "connection": canvas.owned[seat].bit_count()}
    holds = ", ".join(f"{count} {noun}{'' if count == 1 else 's'}" for noun, count in counts.items())
    drew = last is not None and last.seat == seat and isinstance(last.action, DrawCards) and canvas.turn is not None
    score = f"{canvas.points[seat]} points" if seat in canvas.points else ""
    end = score or ("to move" if turn else "just drew" if drew else "")
    high = OPEN_ROW_HEIGHT if opened else ROW_HEIGHT
    box = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{high - 6:g}" rx="8"'
    return (
        f'<g class="{"out" if out else ""}" data-seat="{seat}"><rect class="line{" turn" if turn else ""}" {box}/>'
        f'{draw_badge(seat, x + 18, y + 15)}<text x="{x + 34:g}" y="{y + 20:g}">{name}</text>'
        f'<text class="holds" x="{x + (128 if canvas.me is None else 150):g}" y="{y + 20:g}">'
        f"{'removed' if out else holds}</text>"
        f'<text class="end" x="{x + width - 10:g}" y="{y + 20:g}">{end}</text>'
        f"{draw_open_hand(canvas, seat, x, y, width) if opened else ''}</g>"
    )


def draw_open_hand(canvas: Canvas, seat: Seat, x: float, y: float, width: float) -> str:
    """Draw the hand and the destinations of a seat, for viewers who see everything."""
    cards, destinations = canvas.private[seat]
    chips = "".join(
        draw_chip(color, count, x + 12 + 34 * at, y + 31)
        for at, (color, count) in enumerate(zip(COLORS, cards, strict=True))
    )
    words = "; ".join(f"{'✓ ' if canvas.is_joined(seat, pair) else ''}{pair[0]} to {pair[1]}" for pair in destinations)
    room = width - 164
    squeezed = f' textLength="{room:g}" lengthAdjust="spacingAndGlyphs"' if 7 * len(words) > room else ""
    return f'{chips}<text class="holds" x="{x + 152:g}" y="{y + 46:g}"{squeezed}>{words}</text>'


def draw_chip(color: Color, count: int, x: float, y: float) -> str:
    """Draw a small card with a number and the first letter of its colour."""
    pale = " pale" if color in ("red", "blue") else ""
    return (
        f'<rect class="card {color}" x="{x:g}" y="{y:g}" width="30" height="21" rx="4"/>'
        f'<text class="under{pale}" x="{x + 15:g}" y="{y + 15:g}">{count}{color[0]}</text>'
    )
