"""Beside or beneath the board of Labyrinth: the spare tile, what the looker looks for, and the seats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from fairplay.core import Seat
from fairplay.games.labyrinth.board import NOWHERE, Board, Shift
from fairplay.games.labyrinth.drawing.gems import draw_gem
from fairplay.games.labyrinth.drawing.shapes import (
    HALF,
    PAINTS,
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

__all__ = ["LANE", "Canvas", "canvas_size", "draw_beneath", "draw_beside", "seat_label", "slot_corner"]

LANE: Final = 60  # around the board, for arrows and numbers
PANEL: Final = 232  # beside the board, for the spare tile and the seats
STRIP: Final = 108  # beneath it, without the seats
LEAST_WIDTH: Final = 480
LINE: Final = 48  # height of one seat's line
CARD: Final = 80  # height of the card with the goal


class Canvas(NamedTuple):
    """What is drawn, and what is marked in it."""

    shown: State | View
    open: bool
    seats: bool
    lit: frozenset[str]
    chosen: frozenset[str]

    @property
    def board(self) -> Board:
        return self.shown.board

    @property
    def sliding(self) -> Shift | None:
        """The slide that has been chosen: the board shows how it would look after it."""
        for shift in self.board.grid.shifts if self.chosen else ():
            if f"slide={shift.slide.index},{shift.slide.direction}" in self.chosen:
                return shift
        return None

    @property
    def degree(self) -> int | None:
        """How far the spare tile has been turned; None: nobody is turning it."""
        return next((degree for degree in (0, 90, 180, 270) if f"turn={degree}" in self.chosen), None)

    def marked(self, key: str) -> str:
        """The class attribute of what has this key."""
        classes = [name for name, keys in (("lit", self.lit), ("chosen", self.chosen)) if key in keys]
        return f' class="{" ".join(classes)}"' if classes else ""


def canvas_size(sheet: Canvas) -> tuple[int, int]:
    grid = sheet.board.grid
    width, height = 2 * LANE + TILE * grid.columns, 2 * LANE + TILE * grid.rows
    if not sheet.seats:
        return max(width, LEAST_WIDTH), height + STRIP
    lines = LINE * len(sheet.shown.avatars)
    return width + PANEL, max(height, 224 + lines + (CARD + 16) * isinstance(sheet.shown, View))


def seat_label(shown: State | View, seat: int) -> str:
    """The seat with its colour, where that has a name."""
    color = shown.colors[seat]
    return f"{seat_name(Seat(seat))} ({color})" if color in PAINTS else seat_name(Seat(seat))


def slot_corner(sheet: Canvas) -> tuple[int, int]:
    """Where the spare tile lies."""
    grid = sheet.board.grid
    if sheet.seats:
        return 2 * LANE + TILE * grid.columns + 54, LANE + 16
    return LANE + 48, 2 * LANE + TILE * grid.rows + 12


# -- the spare tile ----------------------------------------------------------------------------


def draw_slot(sheet: Canvas) -> Iterator[str]:
    """The spare tile, or the one just put in, with knobs to turn it where it can be turned."""
    tile, pair = tile_in_slot(sheet)
    x, y = slot_corner(sheet)
    words = "Tile put in" if sheet.sliding else "Spare tile"
    names = " and ".join(dict.fromkeys(pair))
    yield (
        f'<g data-spare="{CONNECTORS[tile]}"><title>{words.lower()}: {names}</title>'
        f'<rect class="frame" x="{x - 5}" y="{y - 5}" width="{TILE + 10}" height="{TILE + 10}" rx="9"/>'
        f"{draw_tile(tile, x, y, 'tile')}{draw_gem(pair[0], x + 11, y + 11)}{draw_gem(pair[1], x + 61, y + 61)}</g>"
    )
    if sheet.seats:
        yield f'<text x="{x - 5}" y="{y - 14}">{words}</text>'
    if sheet.degree is not None:
        yield draw_knob(sheet, (sheet.degree + 90) % 360, x - 30, y + HALF, "left", 1)
        yield draw_knob(sheet, (sheet.degree + 270) % 360, x + TILE + 30, y + HALF, "right", -1)


def tile_in_slot(sheet: Canvas) -> tuple[Tile, Pair]:
    board, shift = sheet.board, sheet.sliding
    if shift is None:
        return board.spare, board.gems[-1]
    row, column = at = board.grid.positions[shift.entry]
    return board.tile(at), board.pairs[row][column]


def draw_knob(sheet: Canvas, degree: int, x: int, y: int, side: str, flip: int) -> str:
    """A round arrow; degrees count counter-clockwise (Labyrinth 1.6)."""
    return (
        f'<g{sheet.marked(f"turn={degree}")} data-turn="{degree}" transform="translate({x} {y})scale({-flip} 1)">'
        f'<title>turn the tile to the {side}</title><circle class="knob" r="20"/><g class="bent">'
        '<use href="#labyrinth-bend"/><path d="M2 6l10-3-2 10z"/></g></g>'
    )


# -- beside the board, or beneath it -----------------------------------------------------------


def draw_beside(sheet: Canvas) -> Iterator[str]:
    yield from draw_slot(sheet)
    left, top = slot_corner(sheet)[0] - 48, LANE + TILE + 48
    if isinstance(sheet.shown, View):
        yield draw_goal_card(sheet.shown, left, top, PANEL - 26)
        top += CARD + 16
    for seat in range(len(sheet.shown.avatars)):
        yield draw_seat_line(sheet, seat, left, top + LINE * seat)


def draw_beneath(sheet: Canvas) -> Iterator[str]:
    yield from draw_slot(sheet)
    x, y = slot_corner(sheet)
    left = x + TILE + 72
    if isinstance(sheet.shown, View):
        yield draw_goal_card(sheet.shown, left, y - 4, canvas_size(sheet)[0] - left - 24)
    else:
        yield f'<text x="{left - 40}" y="{y + HALF + 5}">Spare tile</text>'


def draw_goal_card(view: View, x: float, y: float, width: float) -> str:
    """The goal in words, for its owner alone."""
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
        f'<rect class="card" x="{x:g}" y="{y:g}" width="{width:g}" height="{CARD}" rx="10"/>'
        f'<text class="small{large}" x="{x + 52:g}" y="{y + 22:g}">You look for</text>'
        f'<text class="aim{large}" x="{x + 52:g}" y="{y + 46:g}"{squeezed}>{words}</text>'
        f'<text class="small{large}" x="{x + 52:g}" y="{y + 69:g}">{found}</text>{sign}'
    )


def draw_seat_line(sheet: Canvas, seat: int, x: float, y: float) -> str:
    shown, color = sheet.shown, sheet.shown.colors[seat]
    out, me = shown.avatars[seat] == NOWHERE, isinstance(shown, View) and shown.me == seat
    mark = "removed" if out else "to move" if shown.turn == seat else ""
    known = f"{len(shown.found[seat])} found" if isinstance(shown, State) and sheet.open and not out else ""
    note = ", ".join(part for part in (color if color in COLORS else "", mark, known) if part)
    figure = f'<g transform="translate({x + 22:g} {y + 22:g})scale(.75)">{draw_pawn(0, 0, paint_for(color), seat)}</g>'
    ring = f' stroke="{paint_for(color)}" stroke-width="3"' if shown.turn == seat else ""
    return (
        f'<g data-seat="{seat}"><rect class="card" x="{x:g}" y="{y:g}" width="{PANEL - 26}" height="42" rx="9"{ring}/>'
        f'{figure}<text class="{"out" if out else ""}" x="{x + 44:g}" y="{y + 19:g}">'
        f"{seat_name(Seat(seat))}{', you' if me else ''}</text>"
        f'<text class="small" x="{x + 44:g}" y="{y + 35:g}">{note}</text></g>'
    )
