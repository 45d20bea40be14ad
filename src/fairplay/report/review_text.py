"""Reviews of matches, hints and thoughts in words, for terminals and lists of turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from fairplay.core import AnyGame, Seat
from fairplay.core.escaping import escape_controls
from fairplay.core.thinking import Candidate, Thought
from fairplay.match.review.analysis import MARKS, Analysis, ReviewedTurn
from fairplay.match.review.hints import Hint, describe_action
from fairplay.report.review_chart import SIGNS
from fairplay.report.text_table import Column, build_table, format_table

__all__ = [
    "describe_better",
    "describe_hint",
    "describe_summary",
    "describe_thought",
    "describe_turning_point",
    "format_line",
    "label_seats",
    "list_turns",
]

LONGEST_LINE: Final = 6
"""Actions of an expected line that are shown; what is further away is too uncertain."""

MAX_ACTION: Final = 24
"""Columns that are kept for actions; a longer one pushes the rest of its line to the right."""

BAR: Final = 10
"""Cells that all of the win takes."""


def label_seats(game: AnyGame, players: Sequence[str]) -> list[str]:
    return [f"{player} ({game.words.seat_name(Seat(seat))})" for seat, player in enumerate(players)]


def format_line(game: AnyGame, candidate: Candidate) -> str:
    """What is expected from this action on, the action first."""
    line = candidate.line or (candidate.action,)
    return " → ".join(game.notation.format_action(action) for action in line[:LONGEST_LINE])


# -- a whole match -----------------------------------------------------------------------------


def list_turns(game: AnyGame, turns: Sequence[ReviewedTurn]) -> Iterator[str]:
    """A line for each turn, below a line with headings."""
    texts = [game.notation.format_action(turn.action) for turn in turns]
    names = [game.words.seat_name(turn.seat) for turn in turns]
    width = min(MAX_ACTION, max(map(len, [*texts, "action"])))
    room = max(map(len, [*names, "seat"]))
    yield f"turn  {'seat':{room}}  {'action':{width}}  before  after"
    for turn, name, text in zip(turns, names, texts, strict=True):
        before, after = turn.best.values[turn.seat], turn.played.values[turn.seat]
        line = f"{turn.number:4}  {name:{room}}  {text:{width}}  {before:6.0%}  {after:5.0%}  {draw_bar(after)}"
        yield f"{line}  {SIGNS[turn.mark]:2} {describe_better(game, turn)}".rstrip()


def draw_bar(share: float) -> str:
    """A share of the win as a bar of fixed width."""
    full = round(BAR * min(1.0, max(0.0, share)))
    return "█" * full + "░" * (BAR - full)


def describe_better(game: AnyGame, turn: ReviewedTurn) -> str:
    """What a turn that is marked cost, and what was better; nothing for any other."""
    if not turn.mark:
        return ""
    return f"{turn.mark}, {turn.points} points lost; better: {format_line(game, turn.best)}"


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
