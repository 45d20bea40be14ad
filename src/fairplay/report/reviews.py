"""The review of a match: in words, and as a curve of who stood how well turn by turn."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape

from msgspec import Struct

from fairplay.core import AnyGame, Picture, Seat
from fairplay.core.names import escape_controls
from fairplay.core.thinking import Candidate, Thought
from fairplay.match.review.analysis import MARKS, Analysis, Luck, Mark, ReviewedTurn
from fairplay.match.review.hints import Hint, describe_action
from fairplay.report.text_table import Column, build_table, format_table

_LONGEST_LINE = 6
"""Actions of an expected line that are shown; what is further away is too uncertain."""

_MAX_ACTION = 24
"""Columns that are kept for actions; a longer one pushes the rest of its line to the right."""

_BAR = 10
"""Cells that all of the win takes."""


def label_seats(game: AnyGame, players: Sequence[str]) -> list[str]:
    return [f"{player} ({game.words.seat_name(Seat(seat))})" for seat, player in enumerate(players)]


def format_line(game: AnyGame, candidate: Candidate) -> str:
    """What is expected from this action on, the action first."""
    line = candidate.line or (candidate.action,)
    return " → ".join(game.notation.format_action(action) for action in line[:_LONGEST_LINE])


# -- a whole match -----------------------------------------------------------------------------


def list_turns(game: AnyGame, turns: Sequence[ReviewedTurn], luck: Iterable[Luck] = ()) -> Iterator[str]:
    """A line for each turn, below a line with headings; and one for what chance changed."""
    lucky = {each.number: each for each in luck}
    texts = [game.notation.format_action(turn.action) for turn in turns]
    names = [game.words.seat_name(turn.seat) for turn in turns]
    width = min(_MAX_ACTION, max(map(len, [*texts, "action"])))
    room = max(map(len, [*names, "seat"]))
    yield f"turn  {'seat':{room}}  {'action':{width}}  before  after"
    nexts = (*(turn.number for turn in turns[1:]), sys.maxsize)
    for turn, name, text, following in zip(turns, names, texts, nexts, strict=True):
        before, after = turn.best.values[turn.seat], turn.played.values[turn.seat]
        line = f"{turn.number:4}  {name:{room}}  {text:{width}}  {before:6.0%}  {after:5.0%}  {draw_bar(after)}"
        yield f"{line}  {SIGNS[turn.mark]:2} {describe_better(game, turn)}".rstrip()
        while lucky and (number := min(lucky)) < following:
            yield f"{number:4}  {describe_luck(game, lucky.pop(number))}"


def draw_bar(share: float) -> str:
    """A share of the win as a bar of fixed width."""
    full = round(_BAR * min(1.0, max(0.0, share)))
    return "█" * full + "░" * (_BAR - full)


def describe_better(game: AnyGame, turn: ReviewedTurn) -> str:
    """What a turn that is marked cost, and what was better; nothing for any other."""
    if not turn.mark:
        return ""
    return f"{turn.mark}, {turn.points} points lost; better: {format_line(game, turn.best)}"


def describe_luck(game: AnyGame, luck: Luck) -> str:
    """What chance changed for whom, which is nobody's doing."""
    gains = [f"{game.words.seat_name(Seat(seat))} {100 * gain:+.0f}" for seat, gain in enumerate(luck.gains)]
    return f"luck: {', '.join(gains)} points"


def describe_summary(game: AnyGame, analysis: Analysis, players: Sequence[str], width: int | None = None) -> str:
    """How well each seat played, as a table, and the turn that cost most."""
    seats = analysis.seats
    averages = [seat.average_loss for seat in seats]
    columns = [
        Column("turns", [str(seat.turns) for seat in seats]),
        Column("best", [f"{seat.best / seat.turns:.0%}" if seat.turns else "-" for seat in seats], order=1),
        Column("average\nloss", ["-" if loss is None else f"{100 * loss:.1f}" for loss in averages]),
        Column(SIGNS["inaccuracy"], [str(seat.inaccuracies) for seat in seats]),
        Column(SIGNS["mistake"], [str(seat.mistakes) for seat in seats]),
        Column(SIGNS["blunder"], [str(seat.blunders) for seat in seats]),
        Column("worst", [f"turn {seat.worst}" if seat.worst else "-" for seat in seats], order=2),
    ]
    title = f"{game.name}, reviewed by {analysis.by}: points of a hundred that a turn lost"
    table = format_table(build_table(title, label_seats(game, players), columns, width))
    return f"{table}\n{describe_turning_point(game, analysis, players)}"


def describe_turning_point(game: AnyGame, analysis: Analysis, players: Sequence[str]) -> str:
    """The turn that cost most, in a sentence."""
    turn = next((turn for turn in analysis.turns if turn.number == analysis.turning_point), None)
    if turn is None:
        return f"No turn lost {100 * MARKS[-1][0]:.0f} points or more."
    who = escape_controls(label_seats(game, players)[turn.seat])
    played, best = (game.notation.format_action(each.action) for each in (turn.played, turn.best))
    return f"Turning point: turn {turn.number}, {who}: {played} lost {turn.points} points; {best} was better."


# -- a thought ---------------------------------------------------------------------------------


def describe_thought(game: AnyGame, seat: Seat, thought: Thought) -> str:
    """What a player thinks, in a line without its reason: value, work, what it expects."""
    first = thought.candidates[0]
    depth = f", {thought.depth} turn{'' if thought.depth == 1 else 's'} deep" if thought.depth else ""
    certain = "certain" if thought.exact else f"{thought.work:,} searched{depth}"
    return f"{first.values[seat]:.0%} ({certain}): {format_line(game, first)}"


def describe_hint(game: AnyGame, hint: Hint, *, most: int = 3) -> Iterator[str]:
    """What to do and why, in lines: the best action first, then others."""
    thought, first = hint.thought, hint.thought.candidates[0]
    yield f"{game.notation.format_action(first.action)}: {describe_action(game, hint.view, hint.seat, first.action)}"
    yield f"  {describe_thought(game, hint.seat, thought)}"
    if thought.reason:
        yield f"  {thought.reason}"
    for other in [other for other in thought.candidates[1:] if other.values][: most - 1]:
        yield f"  or {other.values[hint.seat]:.0%}: {format_line(game, other)}"


SIGNS: dict[Mark, str] = {"": "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}
"""As in chess."""

_SIZES: dict[Mark, int] = {"inaccuracy": 4, "mistake": 5, "blunder": 7}

STYLE = (
    ".review{display:block;width:100%;color:inherit;overflow:visible}"
    ".review text{fill:currentColor;font:14px system-ui,sans-serif;font-variant-numeric:tabular-nums}"
    ".review .mark{font-size:12px;fill-opacity:.72}.review .sign{font-weight:bold;text-anchor:middle}"
    ".review .grid,.review .now{stroke:currentColor;stroke-opacity:.16}.review .now{stroke-opacity:.6}"
    ".review .line{fill:none;stroke-width:2;stroke-linejoin:round;vector-effect:non-scaling-stroke}"
    ".review a:hover circle,.review a:focus-visible circle{stroke:currentColor;stroke-width:3}"
)

_DARKEST = 0.16
_LIGHTEST = 0.27
"""The luminance of lines: a contrast of 3 to 1 on pages that are nearly white, and on those that are nearly black."""

_PALETTE = ("#d55e00", "#2f7fb5", "#009e73", "#c2649a")
"""For games that do not say what colours their pieces have."""

_DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "1 2")
"""By seat, so that whoever does not see the colours can tell the lines apart."""

_LEGEND_ROW = 22
_PLOT_TOP = 16
_PLOT_HEIGHT = 160
_FOOT = 18
_LONGEST_LABEL = 22
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
    top = _PLOT_TOP + _LEGEND_ROW * -(-len(labels) // 2)
    height = top + _PLOT_HEIGHT + _FOOT
    legend = "".join(_draw_label(seat, label, styles[seat]) for seat, label in enumerate(labels))
    lines = "".join(_draw_line(analysis, Seat(seat), styles[seat]) for seat in range(len(labels)))
    plot = (
        f'<svg class="plot" data-turns="{analysis.events}" x="1%" y="{top}" width="98%" height="{_PLOT_HEIGHT}"'
        f' viewBox="0 0 {max(1, analysis.events)} 100" preserveAspectRatio="none" overflow="visible">'
        f'<rect width="100%" height="100%" fill="#0000"/>{lines}</svg>'
    )
    now = f'<line class="now" x1="1%" x2="1%" y1="{top}" y2="{top + _PLOT_HEIGHT}"/>'
    signs = "".join(_draw_sign(analysis, turn, top, styles[turn.seat], link) for turn in analysis.turns if turn.mark)
    body = legend + _draw_grid(analysis.events, top) + plot + now + signs
    name = "the share of the win that each player could expect, turn by turn"
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="review" height="{height}" role="group" aria-label="{name}">'
        f"<style>{STYLE}</style>{body}</svg>"
    )


def _draw_label(seat: int, label: str, style: LineStyle) -> str:
    """A seat in the legend: two to a row."""
    x, y = 50 * (seat % 2), 16 + _LEGEND_ROW * (seat // 2)
    text = label if len(label) <= _LONGEST_LABEL else f"{label[: _LONGEST_LABEL - 1]}…"
    return (
        f'<svg x="{x}%" overflow="visible"><title>{escape(label)}</title>'
        f'<line x1="0" y1="{y - 5}" x2="22" y2="{y - 5}" stroke-width="3" {_format_style(style)}/>'
        f'<text x="28" y="{y}">{escape(text)}</text></svg>'
    )


def _format_style(style: LineStyle) -> str:
    """The attributes of the lines of a seat."""
    dashes = f' stroke-dasharray="{style.dashes}"' if style.dashes else ""
    return f'stroke="{style.color}"{dashes}'


def _draw_grid(events: int, top: int) -> str:
    """Lines for none, half and all of the win, and the numbers of some turns."""
    pieces = []
    for share in (0, 50, 100):
        y = top + _PLOT_HEIGHT * (1 - share / 100)
        pieces.append(
            f'<line class="grid" x1="1%" y1="{y:.0f}" x2="99%" y2="{y:.0f}"/>'
            f'<text class="mark" x="1%" y="{y - 3:.0f}">{share} %</text>'
        )
    marks = sorted({round(events * part / 4) for part in range(5)})
    for mark in marks:
        anchor = "start" if mark == 0 else "end" if mark == events else "middle"
        name = f"turn {mark}" if mark == events else str(mark)
        pieces.append(
            f'<text class="mark" x="{_place_turn(mark, events):.2f}%" y="{top + _PLOT_HEIGHT + 14}"'
            f' text-anchor="{anchor}">{name}</text>'
        )
    return "".join(pieces)


def _place_turn(number: int, events: int) -> float:
    """The horizontal position after a turn, in per cent."""
    return 1 + 98 * number / max(1, events)


def _draw_line(analysis: Analysis, seat: Seat, style: LineStyle) -> str:
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
    return f'<polyline class="line" {_format_style(style)} points="{drawn}"/>'


def _draw_sign(analysis: Analysis, turn: ReviewedTurn, top: int, style: LineStyle, link: Callable[[int], str]) -> str:
    """A dot on the line of a seat, where it took a turn that is marked."""
    x, value = _place_turn(turn.number, analysis.events), turn.played.values[turn.seat]
    y, size = top + _PLOT_HEIGHT * (1 - value), _SIZES[turn.mark]
    words = f"Turn {turn.number}: {turn.mark}, {turn.points} points lost"
    return (
        f'<a href="{escape(link(turn.number))}" data-turn="{turn.number}" aria-label="{words}"><title>{words}</title>'
        f'<circle cx="{x:.2f}%" cy="{y:.1f}" r="{size}" fill="{style.color}"/>'
        f'<text class="sign" x="{x:.2f}%" y="{y - size - 3:.1f}">{SIGNS[turn.mark]}</text></a>'
    )


# -- the lines of seats, in every graph -------------------------------------------------------


def style_lines(game: AnyGame, seats: int) -> list[LineStyle]:
    """The lines of all seats of a match."""
    return [LineStyle(_find_color(game, Seat(seat)), _DASHES[seat % len(_DASHES)]) for seat in range(seats)]


def _find_color(game: AnyGame, seat: Seat) -> str:
    """The colour of a seat's pieces, darker or lighter if it could not be seen on every page."""
    color = _PALETTE[seat % len(_PALETTE)] if game.shown.seat_color is None else game.shown.seat_color(seat)
    red, green, blue = (to_linear(int(color[at : at + 2], 16) / 255) for at in (1, 3, 5))
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    if luminance > _LIGHTEST:
        mixed = [part * _LIGHTEST / luminance for part in (red, green, blue)]
    else:
        white = max(0.0, (_DARKEST - luminance) / (1 - luminance))
        mixed = [part + (1 - part) * white for part in (red, green, blue)]
    return "#" + "".join(f"{round(255 * _from_linear(part)):02x}" for part in mixed)


def to_linear(part: float) -> float:
    """What a part of an sRGB colour contributes to the light."""
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _from_linear(part: float) -> float:
    """The inverse of to_linear."""
    return 12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055
