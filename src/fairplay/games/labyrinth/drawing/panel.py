"""Beside or beneath the board of Labyrinth: the spare tile, what the viewer is looking for, and the seats."""

from __future__ import annotations

from collections.abc import Iterator

from fairplay.core import Seat
from fairplay.games.labyrinth.board import NOWHERE
from fairplay.games.labyrinth.drawing.canvas import (
    CARD_HEIGHT,
    LANE,
    PANEL_WIDTH,
    SEAT_HEIGHT,
    Canvas,
    canvas_size,
    slot_corner,
    turn_key,
)
from fairplay.games.labyrinth.drawing.gems import draw_gem
from fairplay.games.labyrinth.drawing.shapes import (
    HALF,
    TILE,
    draw_home,
    draw_pawn,
    draw_star,
    draw_tile,
    paint_for,
)
from fairplay.games.labyrinth.state import COLORS, State, View
from fairplay.games.labyrinth.tiles import CONNECTORS, Pair, Tile
from fairplay.games.labyrinth.words import describe_target, seat_name
from fairplay.parts.clicks import parse_click

__all__ = ["draw_beneath", "draw_beside"]


# -- the spare tile ----------------------------------------------------------------------------


def draw_slot(canvas: Canvas) -> Iterator[str]:
    """Draw the spare tile, or the one just inserted, with knobs to turn it where it can be turned."""
    tile, pair = tile_in_slot(canvas)
    x, y = slot_corner(canvas)
    words = "Inserted tile" if canvas.sliding else "Spare tile"
    names = " and ".join(dict.fromkeys(pair))
    yield (
        f'<g data-spare="{CONNECTORS[tile]}"><title>{words.lower()}: {names}</title>'
        f'<rect class="frame" x="{x - 5}" y="{y - 5}" width="{TILE + 10}" height="{TILE + 10}" rx="9"/>'
        f"{draw_tile(tile, x, y, 'tile')}{draw_gem(pair[0], x + 11, y + 11)}{draw_gem(pair[1], x + 61, y + 61)}</g>"
    )
    if canvas.seats:
        yield f'<text x="{x - 5}" y="{y - 14}">{words}</text>'
    if canvas.degree is not None:
        yield draw_knob(canvas, canvas.degree + 90, x - 30, y + HALF, "left", 1)
        yield draw_knob(canvas, canvas.degree + 270, x + TILE + 30, y + HALF, "right", -1)


def tile_in_slot(canvas: Canvas) -> tuple[Tile, Pair]:
    """The spare tile, or the one just inserted, with its gems."""
    board, shift = canvas.board, canvas.sliding
    if shift is None:
        return board.spare, board.gems[-1]
    row, column = at = board.grid.positions[shift.entry]
    return board.tile(at), board.pairs[row][column]


def draw_knob(canvas: Canvas, degree: int, x: int, y: int, side: str, flip: int) -> str:
    """Draw a round arrow; degrees count counter-clockwise (Labyrinth 1.6)."""
    key = turn_key(degree)
    return (
        f'<g{canvas.class_attribute(key)} data-turn="{parse_click(key)[1]}"'
        f' transform="translate({x} {y})scale({-flip} 1)">'
        f'<title>turn the tile to the {side}</title><circle class="knob" r="20"/><g class="bent">'
        '<use href="#labyrinth-bend"/><path d="M2 6l10-3-2 10z"/></g></g>'
    )


# -- beside the board, or beneath it -----------------------------------------------------------


def draw_beside(canvas: Canvas) -> Iterator[str]:
    """Draw the panel beside the board: the spare tile, the goal, the seats."""
    yield from draw_slot(canvas)
    left, top = slot_corner(canvas)[0] - 48, LANE + TILE + 48
    if isinstance(canvas.shown, View):
        yield draw_goal_card(canvas.shown, left, top, PANEL_WIDTH - 26)
        top += CARD_HEIGHT + 16
    for seat in range(len(canvas.shown.avatars)):
        yield draw_seat_line(canvas, seat, left, top + SEAT_HEIGHT * seat)


def draw_beneath(canvas: Canvas) -> Iterator[str]:
    """Draw the strip beneath the board: the spare tile and the goal."""
    yield from draw_slot(canvas)
    x, y = slot_corner(canvas)
    left = x + TILE + 72
    if isinstance(canvas.shown, View):
        yield draw_goal_card(canvas.shown, left, y - 4, canvas_size(canvas)[0] - left - 24)
    else:
        yield f'<text x="{left - 40}" y="{y + HALF + 5}">Spare tile</text>'


def draw_goal_card(view: View, x: float, y: float, width: float) -> str:
    """Draw the goal in words, for its owner alone."""
    words, paint = describe_target(view), paint_for(view.colors[view.me])
    if view.target is None:
        words, sign = "you are out", ""
    elif isinstance(view.target, str):
        sign = f'<g transform="translate({x + 26:g} {y + 40:g})scale(1.9)">{draw_gem(view.target, 0, 0)}</g>'
    else:
        sign = draw_home(x + 26, y + 42, paint, view.me) if view.target == view.home else draw_star(x + 26, y + 40)
    found = f"{len(view.found)} found" if view.found else "nothing found yet"
    large, letter = (" large", 14) if width >= 240 else ("", 9)  # without seats there is room, and phones need it
    room = width - 62
    squeezed = f' textLength="{room:g}" lengthAdjust="spacingAndGlyphs"' if letter * len(words) > room else ""
    return (
        f'<rect class="card" x="{x:g}" y="{y:g}" width="{width:g}" height="{CARD_HEIGHT}" rx="10"/>'
        f'<text class="small{large}" x="{x + 52:g}" y="{y + 22:g}">You are looking for</text>'
        f'<text class="aim{large}" x="{x + 52:g}" y="{y + 46:g}"{squeezed}>{words}</text>'
        f'<text class="small{large}" x="{x + 52:g}" y="{y + 69:g}">{found}</text>{sign}'
    )


def draw_seat_line(canvas: Canvas, seat: int, x: float, y: float) -> str:
    """Draw one seat."""
    shown, color = canvas.shown, canvas.shown.colors[seat]
    out, me = shown.avatars[seat] == NOWHERE, isinstance(shown, View) and shown.me == seat
    mark = "removed" if out else "to move" if shown.turn == seat else ""
    known = f"{len(shown.found[seat])} found" if isinstance(shown, State) and canvas.open and not out else ""
    note = ", ".join(part for part in (color if color in COLORS else "", mark, known) if part)
    figure = f'<g transform="translate({x + 22:g} {y + 22:g})scale(.75)">{draw_pawn(0, 0, paint_for(color), seat)}</g>'
    ring = f' stroke="{paint_for(color)}" stroke-width="3"' if shown.turn == seat else ""
    box = f'x="{x:g}" y="{y:g}" width="{PANEL_WIDTH - 26}" height="42" rx="9"'
    return (
        f'<g data-seat="{seat}"><rect class="card" {box}{ring}/>'
        f'{figure}<text class="{"out" if out else ""}" x="{x + 44:g}" y="{y + 19:g}">'
        f"{seat_name(Seat(seat))}{', you' if me else ''}</text>"
        f'<text class="small" x="{x + 44:g}" y="{y + 35:g}">{note}</text></g>'
    )
