"""Fish by clicks: a tile for the next penguin, or a penguin and the tile it goes to."""

from __future__ import annotations

from collections.abc import Sequence
from re import ASCII, fullmatch

from fairplay.core import Turn, UsageError, WireError
from fairplay.games.fish.board import Position, bits
from fairplay.games.fish.drawing.picture import picture
from fairplay.games.fish.rules import placeable
from fairplay.games.fish.state import Action, Move, Place, State, View
from fairplay.parts.clicks import Choice, CompleteMove, PartialMove, follow_clicks

__all__ = ["clicks"]


def clicks(view: View, clicked: Sequence[str], last: Turn[State, Action] | None = None) -> PartialMove | Action:
    """What a person has clicked so far, or the action it comes to; raises UsageError or WireError."""
    if view.state.turn != view.me:
        raise UsageError("it is not your turn")

    def step(chosen: Position | None, name: str, value: str) -> Position | CompleteMove[Action] | None:
        at = position(name, value)
        if view.state.placing:
            return CompleteMove(Place(at))
        if at in view.penguins():
            return at
        if chosen is None:
            raise UsageError("choose one of your penguins first")
        return CompleteMove(Move(chosen, at))

    nothing: Position | None = None
    after = follow_clicks(clicked, nothing, step)
    return after.action if isinstance(after, CompleteMove) else wish(view, after, last)


def position(name: str, value: str) -> Position:
    found = fullmatch(r"(\d{1,3}),(\d{1,3})", value, ASCII)
    if name != "at" or found is None:
        raise WireError("expected a click on a tile, such as at=2,3")
    return int(found[1]), int(found[2])


def wish(view: View, chosen: Position | None, last: Turn[State, Action] | None) -> PartialMove:
    tiles = [(at, f"tile ({at[0]},{at[1]}) with {view.fish_at(at)} fish") for at in targets(view, chosen)]
    penguins = [] if view.state.placing else [at for at in movable(view) if at != chosen]
    found = [*tiles, *((at, f"your penguin on ({at[0]},{at[1]})") for at in penguins)]
    choices = tuple(Choice(key(at), label) for at, label in found)
    marked = () if chosen is None else (key(chosen),)
    drawing = picture(view, last, seats=False, lit=[choice.key for choice in choices], chosen=marked)
    return PartialMove(prompt(view, chosen), choices, drawing)


def key(at: Position) -> str:
    return f"at={at[0]},{at[1]}"


def prompt(view: View, chosen: Position | None) -> str:
    if view.state.placing:
        left = 6 - len(view.state.penguins) - len(view.penguins())  # Fish 1.2
        return f"Place a penguin on a lit tile: {left} to place."
    return "Choose one of your penguins." if chosen is None else "Choose where it goes, or another penguin."


def targets(view: View, chosen: Position | None) -> list[Position]:
    """The tiles that complete an action."""
    state, geometry = view.state, view.state.board.geometry
    if state.placing:
        return [geometry.positions[cell] for cell in bits(placeable(state))]
    cell = None if chosen is None else geometry.cell(chosen)
    return [] if cell is None else [geometry.positions[to] for to in bits(geometry.reachable(cell, state.free))]


def movable(view: View) -> list[Position]:
    """My penguins that can go somewhere."""
    state, geometry = view.state, view.state.board.geometry
    return [geometry.positions[cell] for cell in state.penguins[view.me] if geometry.reachable(cell, state.free)]
