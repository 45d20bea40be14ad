"""What lies beside the board of Labyrinth: the goal one has to go to, and the treasures found so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairplay.core.cards import CardGroup, SideCard
from fairplay.games.labyrinth.board import Board, Position
from fairplay.games.labyrinth.drawing.canvas import position_key, seat_label, tile_keys
from fairplay.games.labyrinth.drawing.figures import gate_icon, goal_icon, paint_for
from fairplay.games.labyrinth.drawing.treasures import name_treasure, treasure_icon
from fairplay.games.labyrinth.goals import locate_target
from fairplay.games.labyrinth.state import State, Target, View

__all__ = ["show_cards"]


def show_cards(shown: State | View, *, open: bool = False) -> tuple[CardGroup, ...]:
    """Show the cards of a view's owner; of a state none, as goals are secret, or with `open` those of all seats."""
    if isinstance(shown, View):
        if shown.target is None:
            return ()
        goal = CardGroup("Your goal", (goal_card(shown, shown.me, shown.target),))
        return goal, *found_cards("Found", shown.found)
    if not open:
        return ()
    groups: list[CardGroup] = []
    for seat in shown.seats:
        name = seat_label(shown, seat)
        groups.append(CardGroup(f"Goal of {name}", (goal_card(shown, seat, shown.targets[seat]),)))
        groups += found_cards(f"Found by {name}", shown.found[seat])
    return tuple(groups)


def goal_card(shown: State | View, seat: int, target: Target) -> SideCard:
    """The card of what a seat has to go to; pointing at it shows where that is."""
    at = locate_target(shown.board, target)
    home = target == shown.homes[seat]
    if isinstance(target, str):
        title, picture = name_treasure(target).capitalize(), treasure_icon(target)
        detail = "on the spare tile" if at is None else describe_spot(at)
    elif home:
        title, picture, detail = "Go home", gate_icon(seat, paint_for(shown.colors[seat])), describe_spot(target)
    else:
        title, picture, detail = describe_spot(target).capitalize(), goal_icon(), ""
    return SideCard(
        title,
        detail,
        key=f"card-{seat}-{describe_target_key(target)}",
        highlights=(goal_highlight(shown.board, at),),
        picture=picture,
        kind="goal home" if home else "goal",
        enter="grow",
    )


def found_cards(title: str, found: Sequence[Target]) -> Iterator[CardGroup]:
    """The cards of treasures, if there are any; the latest first."""
    if found:
        yield CardGroup(title, tuple(map(found_card, reversed(found))))


def found_card(target: Target) -> SideCard:
    """The card of a treasure that was found."""
    if isinstance(target, str):
        return SideCard(name_treasure(target).capitalize(), picture=treasure_icon(target), kind="done")
    return SideCard(describe_spot(target).capitalize(), picture=goal_icon(), kind="done")


def goal_highlight(board: Board, at: Position | None) -> str:
    """The key of the place of a goal, or of the spare tile that carries it."""
    return f"key={tile_keys(board)[-1]}" if at is None else position_key(at)


def describe_spot(at: Position) -> str:
    return f"row {at[0]}, column {at[1]}"


def describe_target_key(target: Target) -> str:
    """What a target is called in keys."""
    return target if isinstance(target, str) else f"{target[0]},{target[1]}"
