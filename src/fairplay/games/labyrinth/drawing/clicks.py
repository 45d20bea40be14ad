"""Labyrinth by clicks: an arrow, the spare tile turned, and the tile to go to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from re import ASCII, fullmatch
from typing import Any, NamedTuple, get_args

from msgspec.structs import replace

from fairplay.core import Turn, UsageError, WireError
from fairplay.games.labyrinth.board import OPPOSITE, Direction, Position, Push, carried, cells, reachable, slid
from fairplay.games.labyrinth.drawing.picture import picture
from fairplay.games.labyrinth.goals import whereabouts
from fairplay.games.labyrinth.state import Action, Move, Pass, View
from fairplay.games.labyrinth.tiles import DEGREES, Degree, rotated
from fairplay.parts.clicks import Choice, CompleteMove, PartialMove, follow_clicks

__all__ = ["clicks"]

PASS = "pass=turn"


class Plan(NamedTuple):
    """What has been clicked so far: which line is slid, and how the spare tile lies."""

    push: Push | None = None
    degree: Degree = 0


def clicks(view: View, clicked: Sequence[str], last: Turn[Any, Any] | None = None) -> PartialMove | Action:
    """What a person has clicked so far, or the action it comes to; raises UsageError or WireError."""
    if view.turn != view.me:
        raise UsageError("it is not your turn")

    def step(plan: Plan, name: str, value: str) -> Plan | CompleteMove[Action]:
        match name:
            case "turn":
                return plan._replace(degree=degree(value))
            case "slide":
                push = pushed(view, value)
                return CompleteMove(move(push, plan.degree, (0, 0))) if undoes(view, push) else plan._replace(push=push)
            case "at":
                if plan.push is None:
                    raise UsageError("choose an arrow first: a slide comes before the walk")
                return CompleteMove(move(plan.push, plan.degree, position(value)))
            case _ if f"{name}={value}" == PASS:
                return CompleteMove(Pass())
        raise WireError("expected a click on an arrow, the spare tile or a tile of the board")

    after = follow_clicks(clicked, Plan(), step)
    return after.action if isinstance(after, CompleteMove) else wish(view, after, last)


# -- what a click says -------------------------------------------------------------------------


def degree(value: str) -> Degree:
    for one in DEGREES:
        if value == str(one):
            return one
    raise WireError("expected a quarter turn: 0, 90, 180 or 270")


def pushed(view: View, value: str) -> Push:
    index, _, direction = value.partition(",")
    for word in get_args(Direction):
        number = int(index) if fullmatch(r"\d{1,4}", index, ASCII) else -1
        if direction == word and (push := view.board.grid.push.get((number, word))):
            return push
    raise WireError("expected an arrow of this board, such as slide=2,LEFT")


def position(value: str) -> Position:
    found = fullmatch(r"(\d{1,4}),(\d{1,4})", value, ASCII)
    if found is None:
        raise WireError("expected a tile, such as at=2,3")
    return int(found[1]), int(found[2])


def undoes(view: View, push: Push) -> bool:
    """Labyrinth 3.6."""
    slide, last = push.slide, view.last
    return last is not None and (slide.index, slide.direction) == (last.index, OPPOSITE[last.direction])


def move(push: Push, degree: Degree, to: Position) -> Move:
    return Move(push.slide.index, push.slide.direction, degree, to)


# -- what may be clicked next ------------------------------------------------------------------


def wish(view: View, plan: Plan, last: Turn[Any, Any] | None) -> PartialMove:
    seen = preview(view, plan)
    ends = [] if plan.push is None else list(walks(seen))
    choices = (
        *(Choice(f"at={at[0]},{at[1]}", walk_label(seen, at)) for at in ends),
        *turns(plan),
        *slides(view, plan),
        *(() if view.board.grid.original else (Choice(PASS, "Pass"),)),  # Labyrinth 13.2
    )
    marked = [f"turn={plan.degree}", *(() if plan.push is None else (slide_key(plan.push),))]
    drawing = picture(seen, last, seats=False, lit=[choice.key for choice in choices], chosen=marked)
    return PartialMove(prompt(plan, ends), choices, drawing)


def preview(view: View, plan: Plan) -> View:
    """How it would look: the spare tile turned, and put in where a line is slid."""
    board = view.board
    if plan.push is None:
        return replace(view, board=replace(board, spare=rotated(board.spare, plan.degree)))
    return replace(view, board=slid(board, plan.push, plan.degree), avatars=carried(view.avatars, plan.push))


def walks(seen: View) -> Iterator[Position]:
    """Where a walk may end on the slid board (Labyrinth 3.5, 13.2)."""
    for cell in cells(reachable(seen.board, seen.at)):
        at = seen.board.grid.positions[cell]
        if at != seen.at or seen.board.grid.original:
            yield at


def walk_label(seen: View, at: Position) -> str:
    goal = seen.target is not None and at == whereabouts(seen.board, seen.target)
    return f"go to ({at[0]},{at[1]}){', your goal' if goal else ''}"


def turns(plan: Plan) -> Iterator[Choice]:
    """A quarter turn either way; degrees count counter-clockwise (Labyrinth 1.6)."""
    yield Choice(f"turn={(plan.degree + 90) % 360}", "turn the tile to the left")
    yield Choice(f"turn={(plan.degree + 270) % 360}", "turn the tile to the right")


def slides(view: View, plan: Plan) -> Iterator[Choice]:
    for push in view.board.grid.pushes:
        if push is not plan.push and not undoes(view, push):
            index, direction = push.slide.index, push.slide.direction
            line = "row" if direction in ("LEFT", "RIGHT") else "column"
            yield Choice(slide_key(push), f"slide {line} {index} {direction.lower()}")


def slide_key(push: Push) -> str:
    return f"slide={push.slide.index},{push.slide.direction}"


def prompt(plan: Plan, ends: Sequence[Position]) -> str:
    if plan.push is None:
        return "Turn the spare tile if you like, then click an arrow."
    if not ends:
        return "You can go nowhere: turn the tile, or choose another arrow."
    return "Go to a lit tile, turn the tile, or choose another arrow."
