"""Fish by clicks: a tile for the next penguin, or a penguin and the tile it goes to."""

from collections.abc import Sequence
from re import ASCII, fullmatch

from fairplay.core import Turn, UsageError, WireError
from fairplay.core.immutable import bits
from fairplay.core.shown import Choice, CompleteMove, PartialMove, follow_clicks
from fairplay.games.fish.board import Position
from fairplay.games.fish.rules import format_place, penguins_each, placeable_tiles
from fairplay.games.fish.state import Action, Move, Place, State, View


def interpret_clicks(
    view: View, clicked: Sequence[str], last: Turn[State, Action] | None = None
) -> PartialMove | Action:
    """Return what a person has clicked so far, or the action it makes; raises UsageError or WireError."""
    if view.state.turn != view.me:
        raise UsageError("it is not your turn")

    def step(chosen: Position | None, name: str, value: str) -> Position | CompleteMove[Action] | None:
        at = parse_position(name, value)
        if view.state.placing:
            return CompleteMove(Place(at))
        if at in view.penguins():
            return at
        if chosen is None:
            raise UsageError("choose one of your penguins first")
        return CompleteMove(Move(chosen, at))

    nothing: Position | None = None
    after = follow_clicks(clicked, nothing, step)
    return after.action if isinstance(after, CompleteMove) else show_choices(view, after)


def parse_position(name: str, value: str) -> Position:
    """Read a click on a tile; raises WireError."""
    found = fullmatch(r"(\d{1,3}),(\d{1,3})", value, ASCII)
    if name != "at" or found is None:
        raise WireError("expected a click on a tile, such as at=2,3")
    return int(found[1]), int(found[2])


def show_choices(view: View, chosen: Position | None) -> PartialMove:
    """Offer the tiles and penguins that can be clicked next."""
    verb = "Place a penguin on" if view.state.placing else "Go to"
    tiles = [Choice(tile_key(at), f"{verb} {describe_tile(view, at)}") for at in target_tiles(view, chosen)]
    penguins = [] if view.state.placing else [at for at in movable_penguins(view) if at != chosen]
    marked = () if chosen is None else (tile_key(chosen),)
    return PartialMove(prompt_for(view, chosen), (*tiles, *(choose_penguin(view, at) for at in penguins)), marked)


def choose_penguin(view: View, at: Position) -> Choice:
    """Offer a penguin, and show where it could go."""
    reach = tuple(tile_key(to) for to in target_tiles(view, at))
    return Choice(tile_key(at), f"Your penguin on {describe_tile(view, at)}", reach)


def describe_tile(view: View, at: Position) -> str:
    """A tile as it is written at the rim of the board, with its fish."""
    return f"{format_place(at)}: {view.fish_at(at)} fish"


def tile_key(at: Position) -> str:
    """The key of a tile in the picture."""
    return f"at={at[0]},{at[1]}"


def prompt_for(view: View, chosen: Position | None) -> str:
    """Say what to click next."""
    if view.state.placing:
        left = penguins_each(len(view.state.penguins)) - len(view.penguins())
        return f"Place a penguin on a highlighted tile: {left} to place."
    return "Choose one of your penguins." if chosen is None else "Choose where it goes, or another penguin."


def target_tiles(view: View, chosen: Position | None) -> list[Position]:
    """List the tiles that complete an action."""
    state, geometry = view.state, view.state.board.geometry
    if state.placing:
        return [geometry.positions[cell] for cell in bits(placeable_tiles(state))]
    cell = None if chosen is None else geometry.cell(chosen)
    return [] if cell is None else [geometry.positions[to] for to in bits(geometry.reachable(cell, state.free))]


def movable_penguins(view: View) -> list[Position]:
    """List my penguins that can move."""
    state, geometry = view.state, view.state.board.geometry
    return [geometry.positions[cell] for cell in state.penguins[view.me] if geometry.reachable(cell, state.free)]
