"""Labyrinth in words: the board for a terminal, a turn as a sentence."""

from collections.abc import Callable, Iterator, Mapping
from typing import assert_never

from fairplay.core import Facts, Seat, Turn
from fairplay.core.game import choose_tense
from fairplay.games.labyrinth.board import NOWHERE, Position
from fairplay.games.labyrinth.goals import locate_target
from fairplay.games.labyrinth.rules import format_place, format_slide
from fairplay.games.labyrinth.state import Action, Move, Pass, State, View
from fairplay.games.labyrinth.tiles import CONNECTORS, EAST, WEST, Degree, Tile


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
    return [f"your goal is {describe_target(shown)}{lies if isinstance(shown.target, str) else ''}"]


def tile_text(tile: Tile, standing: str) -> str:
    """Three characters: the connector, extended to the sides that are open."""
    if len(standing) > 1:
        standing = "*"  # several avatars share the tile; the lines below the board say which
    return f"{'─' if tile & WEST else ' '}{standing or CONNECTORS[tile]}{'─' if tile & EAST else ' '}"


def last_text(state: State | View) -> str:
    return "" if state.last is None else f", last slide: {format_slide(state.last.index, state.last.direction)}"


def seat_line(state: State | View, seat: Seat) -> str:
    """One seat: where it stands and where it lives."""
    name, color = seat_name(seat), state.colors[seat]
    if state.avatars[seat] == NOWHERE:
        return f"  {name} ({color}) removed"
    mark = ">" if state.turn == seat else " "
    return f"{mark} {name} ({color}) at {format_place(state.avatars[seat])}, home {format_place(state.homes[seat])}"


def describe_open_turn(turn: Turn[State, Action], *, subject: str = "") -> str:
    """Describe a turn in full."""
    return describe_turn(turn, turn.seat, subject=subject)  # the player who took the turn knows all about it


def describe_turn(turn: Turn[State, Action], to: Seat | None, *, subject: str = "", would: bool = False) -> str:
    """Describe a turn as `to` may know it: whether it found a treasure is the mover's secret (Labyrinth 3.11)."""
    seat = f"{seat_name(turn.seat)} ({turn.before.colors[turn.seat]})"
    name, verb = choose_tense(subject or seat, would=would)
    match turn.action:
        case Pass():
            return f"{name} {verb('pass')}"
        case Move() as move:
            return f"{name} {join_phrases([*describe_slide(move, verb), *describe_walk(turn, move, to, verb)])}"
        case _:
            assert_never(turn.action)


def join_phrases(phrases: list[str]) -> str:
    """Several things that were done, as one phrase."""
    return f"{', '.join(phrases[:-1])} and {phrases[-1]}"


TURNED: Mapping[Degree, str] = {90: "to the left", 180: "around", 270: "to the right"}
"""How far a tile was turned; degrees count counter-clockwise (Labyrinth 1.6)."""


def describe_slide(move: Move, verb: Callable[[str], str]) -> Iterator[str]:
    """Say how a tile was turned, if it was, and which line was slid."""
    if move.degree:
        yield f"{verb('turn')} the tile {TURNED[move.degree]}"
    yield f"{verb('slide')} {format_slide(move.index, move.direction)}"


def describe_walk(turn: Turn[State, Action], move: Move, to: Seat | None, verb: Callable[[str], str]) -> Iterator[str]:
    """Say where the walk went, and what was found there."""
    before, after, seat = turn.before, turn.after, turn.seat
    carry = before.board.grid.shift_for[move.index, move.direction].carry
    stayed = carry.get(before.avatars[seat], before.avatars[seat]) == move.to
    yield f"{verb('stay')} at {format_place(move.to)}" if stayed else f"{verb('walk')} to {format_place(move.to)}"
    if after.finisher == seat:
        yield f"{verb('come')} home"
    elif to == seat and len(after.found[seat]) > len(before.found[seat]):
        target = before.targets[seat]
        yield f"{verb('find')} {f'the {target}' if isinstance(target, str) else 'a treasure'}"


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
        return (("treasures", str(len(shown.found))), ("goal", describe_target(shown))) if seat == shown.me else ()
    return (("treasures", str(len(shown.found[seat]))),) if shown.turn is None else ()


def describe_target(view: View) -> str:
    """Say what the owner of a view is looking for."""
    if view.target is None:
        return "nothing"  # it is out
    if isinstance(view.target, str):
        return view.target
    return f"home {format_place(view.home)}" if view.target == view.home else format_place(view.target)
