"""The data definitions of Labyrinth 10.1 that only the protocol uses, and how they become views."""

from typing import TypeAlias

from msgspec import Struct

from fairplay.core import Json, Seat
from fairplay.games.labyrinth import state as data
from fairplay.games.labyrinth.board import Direction, Position
from fairplay.games.labyrinth.tiles import Degree

MoveForm: TypeAlias = tuple[data.Natural, Direction, Degree, data.Coordinate]
"""A Choice of Labyrinth 10.1 that is not a pass."""


class ShownPlayerForm(Struct, frozen=True):
    """What everyone sees of a player."""

    current: data.Coordinate
    home: data.Coordinate
    color: str  # Labyrinth 12.2: any string


class StateForm(Struct, frozen=True):
    """A State: what a player is shown, itself first."""

    board: data.BoardForm
    spare: data.TileForm
    plmt: tuple[ShownPlayerForm, ...]
    last: data.LastForm = None  # Labyrinth 10.3: may be missing


def view_to_form(view: data.View) -> StateForm:
    """Write down what the owner of `view` is shown, itself first (Labyrinth 3.11)."""
    players = (
        ShownPlayerForm(data.Coordinate.of(view.avatars[seat]), data.Coordinate.of(view.homes[seat]), view.colors[seat])
        for seat in view.seats
    )
    return StateForm(
        data.BoardForm.of(view.board), data.TileForm.of(view.board), tuple(players), data.last_to_form(view.last)
    )


def view_from_form(
    form: StateForm, target: data.Target, found: tuple[data.Target, ...] = (), *, variant: data.Variant = "plain"
) -> data.View:
    """Read the view of the first player of `form`, looking for `target`; the listed players are seats 0, 1, ..."""
    return data.View(
        me=Seat(0),
        board=data.board_from_form(form.board, form.spare, original=variant == "original"),
        last=data.slide_from_form(form.last),
        colors=tuple(player.color for player in form.plmt),
        homes=tuple(player.home.position for player in form.plmt),
        avatars=tuple(player.current.position for player in form.plmt),
        turn=Seat(0),
        target=target,
        found=found,
        variant=variant,
    )


def position_to_json(position: Position) -> Json:
    return {"row#": position[0], "column#": position[1]}


def target_to_json(target: data.Target) -> Json:
    """Write a Coordinate, or in the original game the Gem looked for (Labyrinth 13.6)."""
    return target if isinstance(target, str) else position_to_json(target)
