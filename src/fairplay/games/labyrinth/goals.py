"""The goals of a match: who looks for what, and what comes next.

The queue is part of the state.  A referee asks the state for a seat's next goal and never sees the queue.
"""

from collections.abc import Mapping
from typing import NamedTuple

from msgspec.structs import replace

from fairplay.core import Score, ScoreLines, Seat
from fairplay.core.immutable import with_item
from fairplay.games.labyrinth.board import Board, Position, Shift, squared_distance
from fairplay.games.labyrinth.state import State, Target


class Assignment(NamedTuple):
    """What a seat looks for next, and what is left for the others."""

    target: Target
    going_home: bool
    queue: tuple[Position, ...]
    piles: tuple[tuple[str, ...], ...]


def next_goal(state: State, seat: Seat) -> Assignment:
    """Find the next goal of `seat`: the front of the queue, or its home when that is empty (Labyrinth 3.8, 13.5)."""
    home, queue, piles = state.homes[seat], state.queue, state.piles
    if piles:
        if pile := piles[seat]:
            return Assignment(pile[0], False, queue, with_item(piles, seat, pile[1:]))
    elif queue:
        # If the very last goal is its own home, it is already going home, and that is not a treasure.
        return Assignment(queue[0], queue[0] == home and len(queue) == 1, queue[1:], piles)
    return Assignment(home, True, queue, piles)


def give_next_goal(state: State, seat: Seat) -> State:
    """Count the goal that `seat` reached, and give it the next one (Labyrinth 3.7); ASSUME it is not going home."""
    target, going_home, queue, piles = next_goal(state, seat)
    found = (*state.found[seat], state.targets[seat])
    return replace(
        state,
        targets=with_item(state.targets, seat, target),
        homeward=state.homeward | {seat} if going_home else state.homeward,
        found=with_item(state.found, seat, found),
        queue=queue,
        piles=piles,
    )


def locate_target(board: Board, target: Target) -> Position | None:
    """Find where `target` is now; None if its tile is the spare one (Labyrinth 13.5)."""
    if not isinstance(target, str):
        return target
    number = board.gems.index((target, target))
    return None if number == len(board.gems) - 1 else divmod(number, board.grid.columns)


def locate_target_after(board: Board, target: Target, shift: Shift) -> int:
    """Find the bit of the cell where `target` is after a slide; 0 if it is off the board."""
    grid, spot = board.grid, locate_target(board, target)
    if spot is None:
        return 1 << shift.entry  # it is inserted
    if isinstance(target, str):
        return 0 if grid.cell(spot) == shift.exit else 1 << grid.cell(shift.carry.get(spot, spot))
    return 1 << grid.cell(spot) if grid.holds(spot) else 0


def distance(state: State, seat: Seat) -> int:
    """The squared distance of `seat` to its current target (Labyrinth 5.1); ASSUME that is a position."""
    target = state.targets[seat]
    assert not isinstance(target, str)
    return squared_distance(state.avatars[seat], target)


def scores(state: State) -> Mapping[Seat, Score]:
    """Compare treasures, coming home, and in the standard game the distance to the target (Labyrinth 5.1, 13.2)."""
    return {
        seat: (
            len(state.found[seat]),
            int(seat == state.finisher),
            *(() if state.original else (-distance(state, seat),)),
        )
        for seat in state.seats
    }


def score_lines(state: State) -> Mapping[Seat, ScoreLines]:
    """Say where points come from: from treasures alone; coming home decides between equals (Labyrinth 5.1)."""
    return {
        seat: (
            ("treasures found", points),
            *((("came home", 0),) if seat == state.finisher else ()),
        )
        for seat, points in progress(state).items()
    }


def progress(state: State) -> Mapping[Seat, int]:
    """Count the treasures so far, which are secret while the match runs (Labyrinth 3.11)."""
    return {seat: len(state.found[seat]) for seat in state.seats}
