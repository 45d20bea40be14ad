"""The review graph of a match as SVG of any width: the share of the win that each seat could expect, turn by turn.

A page that shows the match beside it can move the line `.now` and follow clicks: every mark is a link with the number
of its turn in `data-turn`, and the plot has the number of turns in `data-turns`.

Here is also how the lines of seats look in every graph: in the colours of their pieces, and dashed each in its own way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Final

from msgspec import Struct

from fairplay.core import AnyGame, Picture, Seat
from fairplay.match.review.analysis import Analysis, Mark, ReviewedTurn

__all__ = ["SIGNS", "LineStyle", "review_chart", "style_lines"]

SIGNS: Final[dict[Mark, str]] = {"": "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}
"""As in chess."""

SIZES: Final[dict[Mark, int]] = {"inaccuracy": 4, "mistake": 5, "blunder": 7}

STYLE: Final = (
    ".review{display:block;width:100%;color:inherit;overflow:visible}"
    ".review text{fill:currentColor;font:14px system-ui,sans-serif;font-variant-numeric:tabular-nums}"
    ".review .mark{font-size:12px;fill-opacity:.72}.review .sign{font-weight:bold;text-anchor:middle}"
    ".review .grid,.review .now{stroke:currentColor;stroke-opacity:.16}.review .now{stroke-opacity:.6}"
    ".review .line{fill:none;stroke-width:2;stroke-linejoin:round;vector-effect:non-scaling-stroke}"
    ".review a:hover circle,.review a:focus-visible circle{stroke:currentColor;stroke-width:3}"
)

DARKEST: Final = 0.16
LIGHTEST: Final = 0.27
"""The luminance of lines: a contrast of 3 to 1 on pages that are nearly white, and on those that are nearly black."""

PALETTE: Final = ("#d55e00", "#2f7fb5", "#009e73", "#c2649a")
"""For games that do not say what colours their pieces have."""

DASHES: Final = ("", "7 3", "2 3", "9 3 2 3", "4 2", "1 2")
"""By seat, so that whoever does not see the colours can tell the lines apart."""

LEGEND_ROW: Final = 22
PLOT_TOP: Final = 16
PLOT_HEIGHT: Final = 160
FOOT: Final = 18
LONGEST_LABEL: Final = 22
"""Letters beside each other that a phone has room for, twice."""


class LineStyle(Struct, frozen=True):
    """The line of a seat, as attributes of SVG have it."""

    color: str
    dashes: str  # empty: it is whole


def review_chart(
    analysis: Analysis,
    labels: Sequence[str],
    styles: Sequence[LineStyle],
    link: Callable[[int], str] = lambda turn: f"#turn-{turn}",
) -> Picture:
    """Draw what each seat could expect before and after its turns, with signs at those that are marked.

    labels, styles: who sits where, and how its line looks, by seat.
    link: the address of a turn.

    A line that falls within a turn shows a loss of its own; what happens between its turns is the others' doing.
    """
    top = PLOT_TOP + LEGEND_ROW * -(-len(labels) // 2)
    height = top + PLOT_HEIGHT + FOOT
    legend = "".join(draw_label(seat, label, styles[seat]) for seat, label in enumerate(labels))
    lines = "".join(draw_line(analysis, Seat(seat), styles[seat]) for seat in range(len(labels)))
    plot = (
        f'<svg class="plot" data-turns="{analysis.events}" x="1%" y="{top}" width="98%" height="{PLOT_HEIGHT}"'
        f' viewBox="0 0 {max(1, analysis.events)} 100" preserveAspectRatio="none" overflow="visible">'
        f'<rect width="100%" height="100%" fill="#0000"/>{lines}</svg>'
    )
    now = f'<line class="now" x1="1%" x2="1%" y1="{top}" y2="{top + PLOT_HEIGHT}"/>'
    signs = "".join(draw_sign(analysis, turn, top, styles[turn.seat], link) for turn in analysis.turns if turn.mark)
    body = legend + draw_grid(analysis.events, top) + plot + now + signs
    name = "the share of the win that each player could expect, turn by turn"
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="review" height="{height}" role="group" aria-label="{name}">'
        f"<style>{STYLE}</style>{body}</svg>"
    )


def draw_label(seat: int, label: str, style: LineStyle) -> str:
    """A seat in the legend: two to a row."""
    x, y = 50 * (seat % 2), 16 + LEGEND_ROW * (seat // 2)
    text = label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…"
    return (
        f'<svg x="{x}%" overflow="visible"><title>{escape(label)}</title>'
        f'<line x1="0" y1="{y - 5}" x2="22" y2="{y - 5}" stroke-width="3" {format_style(style)}/>'
        f'<text x="28" y="{y}">{escape(text)}</text></svg>'
    )


def format_style(style: LineStyle) -> str:
    """The attributes of the lines of a seat."""
    dashes = f' stroke-dasharray="{style.dashes}"' if style.dashes else ""
    return f'stroke="{style.color}"{dashes}'


def draw_grid(events: int, top: int) -> str:
    """Lines for none, half and all of the win, and the numbers of some turns."""
    pieces = []
    for share in (0, 50, 100):
        y = top + PLOT_HEIGHT * (1 - share / 100)
        pieces.append(
            f'<line class="grid" x1="1%" y1="{y:.0f}" x2="99%" y2="{y:.0f}"/>'
            f'<text class="mark" x="1%" y="{y - 3:.0f}">{share} %</text>'
        )
    marks = sorted({round(events * part / 4) for part in range(5)})
    for mark in marks:
        anchor = "start" if mark == 0 else "end" if mark == events else "middle"
        name = f"turn {mark}" if mark == events else str(mark)
        pieces.append(
            f'<text class="mark" x="{place_turn(mark, events):.2f}%" y="{top + PLOT_HEIGHT + 14}"'
            f' text-anchor="{anchor}">{name}</text>'
        )
    return "".join(pieces)


def place_turn(number: int, events: int) -> float:
    """The horizontal position after a turn, in per cent."""
    return 1 + 98 * number / max(1, events)


def draw_line(analysis: Analysis, seat: Seat, style: LineStyle) -> str:
    """What one seat could expect before and after each of its turns, and what it got in the end.

    The turns of others are left out: they saw something else, and would make the line jump to and fro.
    """
    points = dict[int, float]()
    for turn in analysis.turns:
        if turn.seat == seat:
            points |= {turn.number - 1: turn.best.values[seat], turn.number: turn.played.values[seat]}
    if analysis.end is not None:
        points[analysis.events] = analysis.end[seat]
    drawn = " ".join(f"{number},{100 * (1 - value):.1f}" for number, value in points.items())
    return f'<polyline class="line" {format_style(style)} points="{drawn}"/>'


def draw_sign(analysis: Analysis, turn: ReviewedTurn, top: int, style: LineStyle, link: Callable[[int], str]) -> str:
    """A dot on the line of a seat, where it took a turn that is marked."""
    x, value = place_turn(turn.number, analysis.events), turn.played.values[turn.seat]
    y, size = top + PLOT_HEIGHT * (1 - value), SIZES[turn.mark]
    words = f"Turn {turn.number}: {turn.mark}, {turn.points} points lost"
    return (
        f'<a href="{escape(link(turn.number))}" data-turn="{turn.number}" aria-label="{words}"><title>{words}</title>'
        f'<circle cx="{x:.2f}%" cy="{y:.1f}" r="{size}" fill="{style.color}"/>'
        f'<text class="sign" x="{x:.2f}%" y="{y - size - 3:.1f}">{SIGNS[turn.mark]}</text></a>'
    )


# -- the lines of seats, in every graph -------------------------------------------------------


def style_lines(game: AnyGame, seats: int) -> list[LineStyle]:
    """The lines of all seats of a match."""
    return [LineStyle(find_color(game, Seat(seat)), DASHES[seat % len(DASHES)]) for seat in range(seats)]


def find_color(game: AnyGame, seat: Seat) -> str:
    """The colour of a seat's pieces, darker or lighter if it could not be seen on every page."""
    color = PALETTE[seat % len(PALETTE)] if game.shown.seat_color is None else game.shown.seat_color(seat)
    red, green, blue = (to_linear(int(color[at : at + 2], 16) / 255) for at in (1, 3, 5))
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    if luminance > LIGHTEST:
        mixed = [part * LIGHTEST / luminance for part in (red, green, blue)]
    else:
        white = max(0.0, (DARKEST - luminance) / (1 - luminance))
        mixed = [part + (1 - part) * white for part in (red, green, blue)]
    return "#" + "".join(f"{round(255 * from_linear(part)):02x}" for part in mixed)


def to_linear(part: float) -> float:
    """What a part of an sRGB colour contributes to the light."""
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def from_linear(part: float) -> float:
    """The inverse of to_linear."""
    return 12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055
