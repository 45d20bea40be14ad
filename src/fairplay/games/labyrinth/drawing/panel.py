"""Beneath the board of Labyrinth the place of the spare tile, beside it what the viewer looks for, and the seats."""

from __future__ import annotations

from collections.abc import Iterator

from fairplay.core import Seat
from fairplay.core.clicks import parse_click
from fairplay.games.labyrinth.board import NOWHERE, Grid
from fairplay.games.labyrinth.drawing.canvas import (
    CARD_HEIGHT,
    PANEL_WIDTH,
    SEAT_HEIGHT,
    TURN_LEFT,
    TURN_RIGHT,
    Canvas,
    canvas_size,
    slot_middle,
)
from fairplay.games.labyrinth.drawing.figures import GOLD, draw_goal_sign, draw_pawn, paint_for
from fairplay.games.labyrinth.drawing.stone import LANE, TILE
from fairplay.games.labyrinth.drawing.treasures import draw_treasure
from fairplay.games.labyrinth.state import COLORS, State, View
from fairplay.games.labyrinth.words import describe_target, seat_name

__all__ = ["draw_panel", "draw_slot", "draw_turn_knobs"]


# -- the spare tile ----------------------------------------------------------------------------


def draw_slot(grid: Grid) -> str:
    """Draw the place where the spare tile lies."""
    x, y = slot_middle(grid)
    side = TILE + 10
    words = f'<text class="small" x="{LANE}" y="{y + 5}">Spare tile</text>' if grid.columns > 4 else ""
    return f'<rect class="bed" x="{x - side / 2:g}" y="{y - side / 2:g}" width="{side}" height="{side}" rx="8"/>{words}'


def draw_turn_knobs(canvas: Canvas) -> Iterator[str]:
    """Draw the two knobs that turn the spare tile."""
    x, y = slot_middle(canvas.board.grid)
    yield draw_knob(canvas, TURN_LEFT, x - 74, y, "left", 1)
    yield draw_knob(canvas, TURN_RIGHT, x + 74, y, "right", -1)


def draw_knob(canvas: Canvas, key: str, x: int, y: int, side: str, flip: int) -> str:
    """Draw a round arrow."""
    return (
        f'<g{canvas.class_attribute(key)} data-turn="{parse_click(key)[1]}"'
        f' transform="translate({x} {y})scale({-flip} 1)"><title>turn the spare tile to the {side}</title>'
        '<circle class="plate" r="25"/><use class="sign" href="#labyrinth-bend"/></g>'
    )


# -- beside the board --------------------------------------------------------------------------


def draw_panel(canvas: Canvas) -> Iterator[str]:
    """Draw the panel beside the board: the goal and the seats."""
    left, top = canvas_size(canvas)[0] - PANEL_WIDTH + 2, LANE
    if isinstance(canvas.shown, View):
        yield draw_goal_card(canvas.shown, left, top, PANEL_WIDTH - 26)
        top += CARD_HEIGHT + 16
    for seat in range(len(canvas.shown.avatars)):
        yield draw_seat_line(canvas, seat, left, top + SEAT_HEIGHT * seat)


def draw_goal_card(view: View, x: float, y: float, width: float) -> str:
    """Draw the goal in words, for its owner alone."""
    words = "you are out" if view.target is None else describe_target(view)
    sign = ""
    if isinstance(view.target, str):
        sign = draw_treasure(view.target)
    elif view.target is not None:
        sign = draw_goal_sign(GOLD)
    found = f"{len(view.found)} found" if view.found else "nothing found yet"
    room = width - 74
    squeezed = f' textLength="{room:g}" lengthAdjust="spacingAndGlyphs"' if 9 * len(words) > room else ""
    return (
        f'<rect class="card" x="{x:g}" y="{y:g}" width="{width:g}" height="{CARD_HEIGHT}" rx="10"/>'
        f'<text class="small" x="{x + 66:g}" y="{y + 22:g}">Your goal</text>'
        f'<text x="{x + 66:g}" y="{y + 46:g}"{squeezed}>{words}</text>'
        f'<text class="small" x="{x + 66:g}" y="{y + 69:g}">{found}</text>'
        f'<g transform="translate({x + 35:g} {y + 40:g})">{sign}</g>'
    )


def draw_seat_line(canvas: Canvas, seat: int, x: float, y: float) -> str:
    shown, color = canvas.shown, canvas.shown.colors[seat]
    out, me = shown.avatars[seat] == NOWHERE, isinstance(shown, View) and shown.me == seat
    mark = "removed" if out else "to move" if shown.turn == seat else ""
    known = f"{len(shown.found[seat])} found" if isinstance(shown, State) and canvas.open and not out else ""
    note = ", ".join(part for part in (color if color in COLORS else "", mark) if part)
    figure = f'<g transform="translate({x + 22:g} {y + 23:g})scale(.75)">{draw_pawn(seat, paint_for(color))}</g>'
    ring = f' stroke="{paint_for(color)}" stroke-width="3"' if shown.turn == seat else ""
    box = f'x="{x:g}" y="{y:g}" width="{PANEL_WIDTH - 26}" height="42" rx="9"'
    counted = f'<text class="small" x="{x + PANEL_WIDTH - 38:g}" y="{y + 19:g}" text-anchor="end">{known}</text>'
    return (
        f'<g data-seat="{seat}"><rect class="card" {box}{ring}/>{counted if known else ""}'
        f'{figure}<text class="{"out" if out else ""}" x="{x + 44:g}" y="{y + 19:g}">'
        f"{seat_name(Seat(seat))}{', you' if me else ''}</text>"
        f'<text class="small" x="{x + 44:g}" y="{y + 35:g}">{note}</text></g>'
    )
