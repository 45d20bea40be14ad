"""Labyrinth in words: the board for a terminal, a turn as a sentence."""

from __future__ import annotations

from typing import assert_never

from fairplay.core import Facts, Seat, Turn
from fairplay.games.labyrinth.board import NOWHERE, Position
from fairplay.games.labyrinth.goals import locate_target
from fairplay.games.labyrinth.rules import format_place
from fairplay.games.labyrinth.state import Action, Move, Pass, State, View
from fairplay.games.labyrinth.tiles import CONNECTORS, EAST, WEST, Tile

__all__ = ["board", "describe_open_turn", "describe_turn", "facts", "seat_name"]


def seat_name(seat: Seat) -> str:
    """A number: a given match may use any colours (Labyrinth 2.2)."""
    return f"player {seat + 1}"


def board(shown: State | View) -> str:
    """Draw the tiles as box characters with the seats' numbers where they stand, then the spare tile and the seats.

    The owner of a view is told where to go, too.
    """
    state = shown
    standing: dict[Position, str] = {}
    for seat in state.seats:
        standing[state.avatars[seat]] = standing.get(state.avatars[seat], "") + str(seat + 1)
    columns = range(state.board.grid.columns)
    lines = ["   " + "".join(f"{column:^3}" for column in columns).rstrip()]
    for row, tiles in enumerate(state.board.tiles):
        drawn = "".join(tile_text(tile, standing.get((row, column), "")) for column, tile in enumerate(tiles))
        lines.append(f"{row:2} {drawn}")
    lines.append(f"spare {CONNECTORS[state.board.spare]}{last_text(state)}")
    lines += (seat_line(state, Seat(seat)) for seat in range(len(state.avatars)))
    return "\n".join([*lines, *target_lines(shown)])


def target_lines(shown: State | View) -> list[str]:
    """What the owner of a view looks for, and where a treasure of the original game lies."""
    if not isinstance(shown, View) or shown.target is None:
        return []
    place = locate_target(shown.board, shown.target) if isinstance(shown.target, str) else None
    lies = f", on the tile at {format_place(place)}" if place else ", on the spare tile"
    return [f"you look for {describe_target(shown)}{lies if isinstance(shown.target, str) else ''}"]


def tile_text(tile: Tile, standing: str) -> str:
    """Three characters: the connector, extended to the sides that are open."""
    if len(standing) > 1:
        standing = "*"  # several avatars share the tile; the lines below the board say which
    return f"{'─' if tile & WEST else ' '}{standing or CONNECTORS[tile]}{'─' if tile & EAST else ' '}"


def last_text(state: State | View) -> str:
    """The last slide."""
    return "" if state.last is None else f", last slide {state.last.index} {state.last.direction}"


def seat_line(state: State | View, seat: Seat) -> str:
    """One seat: where it stands and where it lives."""
    name, color = seat_name(seat), state.colors[seat]
    if state.avatars[seat] == NOWHERE:
        return f"  {name} ({color}) removed"
    mark = ">" if state.turn == seat else " "
    return f"{mark} {name} ({color}) at {format_place(state.avatars[seat])}, home {format_place(state.homes[seat])}"


def describe_open_turn(turn: Turn[State, Action]) -> str:
    """Describe a turn in full."""
    return describe_turn(turn, turn.seat)  # the player who took the turn knows all about it


def describe_turn(turn: Turn[State, Action], to: Seat | None) -> str:
    """Describe a turn as `to` may know it: whether it found a treasure is the mover's secret (Labyrinth 3.11)."""
    before, after, seat = turn.before, turn.after, turn.seat
    name = f"{seat_name(seat)} ({before.colors[seat]})"
    match turn.action:
        case Pass():
            return f"{name} passes"
        case Move(index, direction, degree, end):
            line = "row" if direction in ("LEFT", "RIGHT") else "column"
            slides = f"{name} slides {line} {index} {direction.lower()}, the tile turned by {degree},"
            text = f"{slides} and goes to {format_place(end)}"
            if after.finisher == seat:
                return f"{text}: home"
            treasure = to == seat and len(after.found[seat]) > len(before.found[seat])
            return f"{text}: a treasure" if treasure else text
        case _:
            assert_never(turn.action)


def facts(shown: State | View) -> dict[Seat, Facts]:
    """Treasures are the secret of the seat that found them until the match is over (Labyrinth 3.11)."""
    return {
        seat: (
            *treasure_facts(shown, seat),
            ("at", format_place(shown.avatars[seat])),
            ("home", format_place(shown.homes[seat])),
        )
        for seat in sorted(shown.seats)
    }


def treasure_facts(shown: State | View, seat: Seat) -> Facts:
    """What may be known about the treasures of a seat."""
    if isinstance(shown, View):
        return (("treasures", str(len(shown.found))), ("looks for", describe_target(shown))) if seat == shown.me else ()
    return (("treasures", str(len(shown.found[seat]))),) if shown.turn is None else ()


def describe_target(view: View) -> str:
    """Say what the owner of a view is looking for."""
    if view.target is None:
        return "nothing"  # it is out
    if isinstance(view.target, str):
        return view.target
    return f"home {format_place(view.home)}" if view.target == view.home else format_place(view.target)
