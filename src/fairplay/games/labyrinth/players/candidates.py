"""The moves that are worth a playout: those that arrive, and those that open many ways and close the rivals'.

Interpreted and compiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, lowest_bit, to_int, to_word
from fairplay.core.kernel import Row, Tables
from fairplay.games.labyrinth.kernel.board import carry_cell, mask_of, turn_sides
from fairplay.games.labyrinth.kernel.deal import fixed_cell
from fairplay.games.labyrinth.kernel.legal import undo_of
from fairplay.games.labyrinth.kernel.row import (
    ENTRY,
    ORIGINAL,
    TREASURE,
    TURN,
    avatar_of,
    count_seats,
    count_slides,
    get_lane,
    home_of,
    is_in,
    target_of,
)
from fairplay.games.labyrinth.players.belief import GOING_HOME
from fairplay.games.labyrinth.players.hidden import count_goals
from fairplay.games.labyrinth.players.mazes import (
    AFTER,
    HERE,
    LATER,
    OFF,
    SPARE_TILE,
    aim_after,
    copy_maze,
    count_turns,
    count_ways,
    flood_maze,
    flood_turned,
    locate_tile,
    most_ways,
    near_entry,
    slide_maze,
    ways_of,
)
from fairplay.games.labyrinth.players.playouts import enter_maze, number_of

__all__ = ["rate_moves"]

CELLS_EACH = 2
"""Ends that are kept for each slide and turn of the spare tile if none of them is the goal."""

GOALS_EACH = 64
"""Places in `threats` for each seat: the chance that a goal is its target, or for the seat to move its next one."""


def rate_moves(
    tables: Tables, row: Row, mazes: Row, threats: Any, spots: Any, actions: Any, rates: Any, ways: Any
) -> int:
    """Write the numbers of moves into `actions`, how good they look, and their ways; return how many.

    A move that arrives is rated above all others: 1 and more.
    """
    seat = get_lane(row, TURN)
    avatar, target = avatar_of(row, seat), target_of(row, seat)
    rides = 1 if ORIGINAL and target >= TREASURE else 0
    aim = locate_tile(tables, row, target - TREASURE) if rides else target
    copy_maze(row, mazes)
    locate_goals(tables, row, spots)
    undo, turns, count = undo_of(row), count_turns(to_int(mazes[HERE + SPARE_TILE])), 0
    for first in range(count_slides() * 4):
        if first >> 2 == undo or first & 3 >= turns:
            continue
        ends = enter_maze(tables, mazes, first, avatar)
        if ends == ZERO:
            continue
        there = aim_after(tables, first >> 2, aim, rides)
        harm = 0.0
        for rival in range(count_seats(tables)):
            if rival != seat and is_in(row, rival):
                cell = carry_cell(tables, first >> 2, avatar_of(row, rival))
                harm += chance_to_arrive(tables, row, mazes, rival, first >> 2, cell, threats, spots)
        if there != OFF and (ends >> to_word(there)) & ONE:
            actions[count] = number_of(first, there)
            rates[count] = 2.0 + chance_to_arrive(tables, row, mazes, seat, first >> 2, there, threats, spots) - harm
            ways[count] = -1
            count += 1
            ends ^= ONE << to_word(there)
        count_ways(tables, mazes, AFTER, there, rides)
        for _ in range(CELLS_EACH):
            best = most_ways(mazes, ends)
            if best != ZERO:
                cell = lowest_bit(best)
                actions[count], ways[count] = number_of(first, cell), ways_of(mazes, cell)
                rates[count] = value_of_ways(ways[count]) - harm
                count += 1
                ends ^= ONE << to_word(cell)
    return count


def value_of_ways(ways: int) -> float:
    """The chance that one of some ways to the goal is still there a turn later: each is lost in half of the cases."""
    missed = 1.0
    for _ in range(ways):
        missed *= 0.5
    return 1.0 - missed


def locate_goals(tables: Tables, row: Row, spots: Any) -> None:
    """Write the cell of each goal into `spots`, or OFF."""
    for goal in range(count_goals()):
        spots[goal] = locate_tile(tables, row, goal) if ORIGINAL else fixed_cell(goal)


def chance_to_arrive(
    tables: Tables, row: Row, mazes: Row, seat: int, slide: int, cell: int, threats: Any, spots: Any
) -> float:
    """The chance that a seat on `cell` can reach its target with the next slide, in the maze AFTER `slide`.

    It overwrites LATER.
    """
    spare, home = to_int(mazes[AFTER + SPARE_TILE]), home_of(row, seat)
    goals = ZERO
    for other in range(count_slides()):
        cells = find_cells(tables, mazes, other, spare, cell)
        if (cells >> to_word(home)) & ONE:
            goals |= ONE << to_word(GOING_HOME)
        for goal in range(count_goals()):
            if threats[seat * GOALS_EACH + goal] > 0.0:
                there = spots[goal]
                if ORIGINAL:
                    there = aim_after(tables, slide, there, 1)
                    there = aim_after(tables, other, there, 1)
                if there != OFF and (cells >> to_word(there)) & ONE:
                    goals |= ONE << to_word(goal)
    chance = 0.0
    for goal in range(GOALS_EACH):
        if (goals >> to_word(goal)) & ONE:
            chance += threats[seat * GOALS_EACH + goal]
    return chance


def find_cells(tables: Tables, mazes: Row, slide: int, spare: int, cell: int) -> np.uint64:
    """The cells where an avatar can go from `cell` after a slide of the maze AFTER, the spare tile turned any way."""
    place = ONE << to_word(carry_cell(tables, slide, cell))
    slide_maze(tables, mazes, AFTER, LATER, slide, 0)
    seen = flood_maze(mazes, LATER, place)
    cells = seen
    if seen & near_entry(tables, slide):
        for quarters in range(count_turns(spare)):
            cells |= flood_turned(mazes, LATER, mask_of(tables, slide, ENTRY), turn_sides(spare, quarters), seen)
    return cells if ORIGINAL else cells & ~place
