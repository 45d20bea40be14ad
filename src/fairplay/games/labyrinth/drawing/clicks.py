"""Labyrinth by clicks: an arrow, the spare tile turned, and the tile to go to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from re import ASCII, fullmatch
from typing import Any, NamedTuple, get_args

from msgspec.structs import replace

from fairplay.core import Turn, UsageError, WireError
from fairplay.games.labyrinth.board import (
    OPPOSITE,
    Direction,
    Position,
    Shift,
    carry_avatars,
    cells,
    reachable,
    slide_board,
)
from fairplay.games.labyrinth.drawing.canvas import position_key, slide_key, turn_key
from fairplay.games.labyrinth.drawing.picture import draw_picture
from fairplay.games.labyrinth.goals import locate_target
from fairplay.games.labyrinth.state import Action, Move, Pass, View
from fairplay.games.labyrinth.tiles import DEGREES, Degree, rotate_tile
from fairplay.parts.clicks import Choice, CompleteMove, PartialMove, follow_clicks

__all__ = ["interpret_clicks"]

PASS = "pass=turn"


class ChosenSlide(NamedTuple):
    """What has been clicked so far: which line is slid, and how the spare tile is turned."""

    shift: Shift | None = None
    degree: Degree = 0


def interpret_clicks(view: View, clicked: Sequence[str], last: Turn[Any, Any] | None = None) -> PartialMove | Action:
    """Return what a person has clicked so far, or the action it makes; raises UsageError or WireError."""
    if view.turn != view.me:
        raise UsageError("it is not your turn")

    def step(so_far: ChosenSlide, name: str, value: str) -> ChosenSlide | CompleteMove[Action]:
        match name:
            case "turn":
                return so_far._replace(degree=parse_degree(value))
            case "slide":
                shift = parse_shift(view, value)
                return (
                    CompleteMove(build_move(shift, so_far.degree, (0, 0)))
                    if undoes_last(view, shift)
                    else so_far._replace(shift=shift)
                )
            case "at":
                if so_far.shift is None:
                    raise UsageError("choose an arrow first: a slide comes before the walk")
                return CompleteMove(build_move(so_far.shift, so_far.degree, parse_position(value)))
            case _ if f"{name}={value}" == PASS:
                return CompleteMove(Pass())
        raise WireError("expected a click on an arrow, the spare tile or a tile of the board")

    after = follow_clicks(clicked, ChosenSlide(), step)
    return after.action if isinstance(after, CompleteMove) else show_choices(view, after, last)


# -- what a click says -------------------------------------------------------------------------


def parse_degree(value: str) -> Degree:
    """Read how far the spare tile is turned; raises WireError."""
    for one in DEGREES:
        if value == str(one):
            return one
    raise WireError("expected a quarter turn: 0, 90, 180 or 270")


def parse_shift(view: View, value: str) -> Shift:
    """Read a click on an arrow; raises WireError."""
    index, _, direction = value.partition(",")
    for word in get_args(Direction):
        number = int(index) if fullmatch(r"\d{1,4}", index, ASCII) else -1
        if direction == word and (shift := view.board.grid.shift_for.get((number, word))):
            return shift
    raise WireError("expected an arrow of this board, such as slide=2,LEFT")


def parse_position(value: str) -> Position:
    """Read a click on a tile; raises WireError."""
    found = fullmatch(r"(\d{1,4}),(\d{1,4})", value, ASCII)
    if found is None:
        raise WireError("expected a tile, such as at=2,3")
    return int(found[1]), int(found[2])


def undoes_last(view: View, shift: Shift) -> bool:
    """Would this slide undo the last one (Labyrinth 3.6)?"""
    slide, last = shift.slide, view.last
    return last is not None and (slide.index, slide.direction) == (last.index, OPPOSITE[last.direction])


def build_move(shift: Shift, degree: Degree, to: Position) -> Move:
    """Make the move of a slide and a walk."""
    return Move(shift.slide.index, shift.slide.direction, degree, to)


# -- what may be clicked next ------------------------------------------------------------------


def show_choices(view: View, so_far: ChosenSlide, last: Turn[Any, Any] | None) -> PartialMove:
    """Offer what can be clicked next."""
    seen = preview_slide(view, so_far)
    ends = [] if so_far.shift is None else list(walk_ends(seen))
    choices = (
        *(Choice(position_key(at), walk_label(seen, at)) for at in ends),
        *turn_choices(so_far),
        *slide_choices(view, so_far),
        *(() if view.board.grid.original else (Choice(PASS, "Pass"),)),  # Labyrinth 13.2
    )
    marked = [turn_key(so_far.degree), *(() if so_far.shift is None else (slide_key(so_far.shift),))]
    drawing = draw_picture(seen, last, seats=False, lit=[choice.key for choice in choices], chosen=marked)
    return PartialMove(prompt_for(so_far, ends), choices, drawing)


def preview_slide(view: View, so_far: ChosenSlide) -> View:
    """Show how it would look: the spare tile turned, and inserted if a line is slid."""
    board = view.board
    if so_far.shift is None:
        return replace(view, board=replace(board, spare=rotate_tile(board.spare, so_far.degree)))
    return replace(
        view, board=slide_board(board, so_far.shift, so_far.degree), avatars=carry_avatars(view.avatars, so_far.shift)
    )


def walk_ends(seen: View) -> Iterator[Position]:
    """List where a walk may end on the slid board (Labyrinth 3.5, 13.2)."""
    for cell in cells(reachable(seen.board, seen.at)):
        at = seen.board.grid.positions[cell]
        if at != seen.at or seen.board.grid.original:
            yield at


def walk_label(seen: View, at: Position) -> str:
    """Say where a walk goes."""
    goal = seen.target is not None and at == locate_target(seen.board, seen.target)
    return f"go to ({at[0]},{at[1]}){', your goal' if goal else ''}"


def turn_choices(so_far: ChosenSlide) -> Iterator[Choice]:
    """Offer a quarter turn either way; degrees count counter-clockwise (Labyrinth 1.6)."""
    yield Choice(turn_key(so_far.degree + 90), "turn the tile to the left")
    yield Choice(turn_key(so_far.degree + 270), "turn the tile to the right")


def slide_choices(view: View, so_far: ChosenSlide) -> Iterator[Choice]:
    """Offer the other slides that are allowed."""
    for shift in view.board.grid.shifts:
        if shift is not so_far.shift and not undoes_last(view, shift):
            index, direction = shift.slide.index, shift.slide.direction
            line = "row" if direction in ("LEFT", "RIGHT") else "column"
            yield Choice(slide_key(shift), f"slide {line} {index} {direction.lower()}")


def prompt_for(so_far: ChosenSlide, ends: Sequence[Position]) -> str:
    """Say what to click next."""
    if so_far.shift is None:
        return "Turn the spare tile if you like, then click an arrow."
    if not ends:
        return "You cannot move: turn the tile, or choose another arrow."
    return "Go to a highlighted tile, turn the tile, or choose another arrow."
