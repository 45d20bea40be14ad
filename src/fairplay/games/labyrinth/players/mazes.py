"""Mazes without gems, avatars and turns, and the moves in them that are worth a playout; interpreted and compiled.

A maze is five words: the planes of the open sides, as in a row of the kernel, and the spare tile.  A few of them lie in
one array; a function is told where each begins.  For boards of up to 64 cells.  Moves are worth a playout if they
arrive, or open many ways for the next turn and close the rivals'.
"""

from typing import NamedTuple

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, lowest_bit, to_int, to_word
from fairplay.core.kernel import Doubles, Integers, Row, Tables
from fairplay.games.labyrinth.kernel import row as layout
from fairplay.games.labyrinth.kernel.board import carry_cell, flood, mask_of, slide_plane, turn_sides
from fairplay.games.labyrinth.kernel.deal import TREASURES, fixed_cell
from fairplay.games.labyrinth.kernel.legal import undo_of
from fairplay.games.labyrinth.players.belief import GOING_HOME

SPARE_TILE = 4
"""The word of a maze that holds its spare tile."""

HERE, AFTER, LATER, COUNTS = 0, 5, 10, 15
"""Where the mazes of now, after a turn and after two turns begin; then counters of ways, one word for each digit."""

DIGITS = 6
MAZE_WORDS = 21

OFF = -1
"""Where a treasure is whose tile is the spare one."""


def copy_maze(row: Row, mazes: Row) -> None:
    """Copy the maze of a row to HERE."""
    for side in range(4):
        mazes[HERE + side] = row[layout.BOARD + side]
    mazes[HERE + SPARE_TILE] = to_word(layout.get_lane(row, layout.SPARE))


def slide_maze(tables: Tables, mazes: Row, source: int, end: int, slide: int, tile: int) -> None:
    """Slide a line and insert `tile`, which may be 0: the cell is then empty."""
    exit = mask_of(tables, slide, layout.EXIT)
    dropped = 0
    for side in range(4):
        plane = mazes[source + side]
        dropped |= to_int((plane >> exit) & ONE) << side
        mazes[end + side] = slide_plane(tables, slide, plane, (tile >> side) & 1)
    mazes[end + SPARE_TILE] = to_word(dropped)


def flood_maze(mazes: Row, at: int, seen: np.uint64) -> np.uint64:
    """All cells that chains of connected tiles join with those `seen`."""
    right = mazes[at + layout.EASTS] & (mazes[at + layout.WESTS] >> ONE)
    down = mazes[at + layout.SOUTHS] & (mazes[at + layout.NORTHS] >> to_word(layout.WIDTH))
    return flood(right, down, seen)


def flood_turned(mazes: Row, at: int, entry: np.uint64, tile: int, seen: np.uint64) -> np.uint64:
    """The same, with `tile` on the cell `entry`, which is empty."""
    easts = mazes[at + layout.EASTS] | (to_word((tile >> layout.EASTS) & 1) << entry)
    wests = mazes[at + layout.WESTS] | (to_word((tile >> layout.WESTS) & 1) << entry)
    norths = mazes[at + layout.NORTHS] | (to_word((tile >> layout.NORTHS) & 1) << entry)
    souths = mazes[at + layout.SOUTHS] | (to_word((tile >> layout.SOUTHS) & 1) << entry)
    return flood(easts & (wests >> ONE), souths & (norths >> to_word(layout.WIDTH)), seen)


def near_entry(tables: Tables, slide: int) -> np.uint64:
    """The cell where a slide inserts the tile, and those beside it: how it is turned matters only from there."""
    bit, width = ONE << mask_of(tables, slide, layout.ENTRY), to_word(layout.WIDTH)
    everywhere: np.uint64 = tables[layout.EVERYWHERE_AT]
    return (bit | (bit << ONE) | (bit >> ONE) | (bit << width) | (bit >> width)) & everywhere


def count_turns(tile: int) -> int:
    """How many quarter turns of a tile, from none on, differ."""
    if tile == 15:
        return 1
    return 2 if tile in (5, 10) else 4


def locate_tile(tables: Tables, row: Row, number: int) -> int:
    """The cell where the tile with this number lies, or OFF."""
    cells = tables[layout.EVERYWHERE_AT]
    for digit in range(layout.NUMBER_PLANES):
        plane = row[layout.BOARD + layout.NUMBERS + digit]
        cells &= plane if (number >> digit) & 1 else ~plane
    return OFF if cells == ZERO else lowest_bit(cells)


def aim_after(tables: Tables, slide: int, aim: int, rides: int) -> int:
    """Where a goal is after a slide, or OFF; `rides`: it is on a tile."""
    if not rides:
        return aim
    if aim == OFF:
        return layout.slide_word(tables, slide, layout.ENTRY)
    if aim == layout.slide_word(tables, slide, layout.EXIT):
        return OFF
    return carry_cell(tables, slide, aim)


def cells_before(tables: Tables, slide: int, cells: np.uint64) -> np.uint64:
    """Where an avatar must stand so that a slide carries it to `cells`, or leaves it there."""
    entry, exit = mask_of(tables, slide, layout.ENTRY), mask_of(tables, slide, layout.EXIT)
    keep = mask_of(tables, slide, layout.KEEP)
    moved = cells & ~keep & ~(ONE << entry)
    moved = (moved >> mask_of(tables, slide, layout.UPWARDS)) << mask_of(tables, slide, layout.DOWNWARDS)
    return (cells & keep) | moved | (((cells >> entry) & ONE) << exit)


def count_ways(tables: Tables, mazes: Row, at: int, aim: int, rides: int) -> None:
    """Count for every cell the slides that open a way from it to a goal, in the maze that begins at `at`.

    The counters hold the digits of the counts.  It overwrites LATER.
    """
    for digit in range(DIGITS):
        mazes[COUNTS + digit] = ZERO
    spare = to_int(mazes[at + SPARE_TILE])
    for slide in range(layout.count_slides()):
        there = aim_after(tables, slide, aim, rides)
        if there == OFF:
            continue
        slide_maze(tables, mazes, at, LATER, slide, 0)
        goal = ONE << to_word(there)
        cells = seen = flood_maze(mazes, LATER, goal)
        if seen & near_entry(tables, slide):
            entry = mask_of(tables, slide, layout.ENTRY)
            for quarters in range(count_turns(spare)):
                cells |= flood_turned(mazes, LATER, entry, turn_sides(spare, quarters), seen)
        if not layout.ORIGINAL:
            cells &= ~goal
        cells = cells_before(tables, slide, cells)
        for digit in range(DIGITS):
            both = mazes[COUNTS + digit] & cells
            mazes[COUNTS + digit] ^= cells
            cells = both


def most_ways(mazes: Row, cells: np.uint64) -> np.uint64:
    """Those of `cells` with the most ways that were counted."""
    for back in range(DIGITS):
        more = cells & mazes[COUNTS + DIGITS - 1 - back]
        if more:
            cells = more
    return cells


def ways_of(mazes: Row, cell: int) -> int:
    """How many ways were counted for a cell."""
    ways = 0
    for digit in range(DIGITS):
        ways |= to_int((mazes[COUNTS + digit] >> to_word(cell)) & ONE) << digit
    return ways


def number_of(first: int, cell: int) -> int:
    """The number of the action that ends on a cell after a slide and a turn of the spare tile."""
    return 1 + first * (layout.ROWS * layout.COLUMNS) + cell - cell // layout.WIDTH


def enter_maze(tables: Tables, mazes: Row, first: int, avatar: int) -> np.uint64:
    """Slide the maze HERE to AFTER; return the cells where a move may end then."""
    slide = first >> 2
    slide_maze(tables, mazes, HERE, AFTER, slide, turn_sides(to_int(mazes[HERE + SPARE_TILE]), first & 3))
    place = ONE << to_word(carry_cell(tables, slide, avatar))
    ends = flood_maze(mazes, AFTER, place)
    return ends if layout.ORIGINAL else ends ^ place


def count_goals() -> int:
    """How many goals there can be."""
    return TREASURES if layout.ORIGINAL else (layout.ROWS // 2) * (layout.COLUMNS // 2)


# -- moves that are worth a playout -----------------------------------------------------------


CELLS_EACH = 2
"""Ends that are kept for each slide and turn of the spare tile if none of them is the goal."""

GOALS_EACH = 64
"""Places in `threats` for each seat: the chance that a goal is its target, or for the seat to move its next one."""


class RatingArrays(NamedTuple):
    """What rating moves works on."""

    threats: Doubles  # GOALS_EACH for each seat
    spots: Integers  # the cell of each goal, or OFF
    actions: Integers  # the numbers of the moves that were found,
    rates: Doubles  # how good they look,
    ways: Integers  # and how many ways to the goal they open; -1: it is reached


def rate_moves(tables: Tables, row: Row, mazes: Row, rated: RatingArrays) -> int:
    """Find the moves that are worth a playout; return how many.

    A move that arrives is rated above all others: 1 and more.
    """
    seat = layout.get_lane(row, layout.TURN)
    avatar, target = layout.avatar_of(row, seat), layout.target_of(row, seat)
    rides = 1 if layout.ORIGINAL and target >= layout.TREASURE else 0
    aim = locate_tile(tables, row, target - layout.TREASURE) if rides else target
    copy_maze(row, mazes)
    locate_goals(tables, row, rated.spots)
    actions, rates, ways = rated.actions, rated.rates, rated.ways
    undo, turns, count = undo_of(row), count_turns(to_int(mazes[HERE + SPARE_TILE])), 0
    for first in range(layout.count_slides() * 4):
        if first >> 2 == undo or first & 3 >= turns:
            continue
        ends = enter_maze(tables, mazes, first, avatar)
        if ends == ZERO:
            continue
        there = aim_after(tables, first >> 2, aim, rides)
        harm = 0.0
        for rival in range(layout.count_seats(tables)):
            if rival != seat and layout.is_in(row, rival):
                cell = carry_cell(tables, first >> 2, layout.avatar_of(row, rival))
                harm += chance_to_arrive(tables, row, mazes, rival, first >> 2, cell, rated)
        if there != OFF and (ends >> to_word(there)) & ONE:
            actions[count] = number_of(first, there)
            rates[count] = 2.0 + chance_to_arrive(tables, row, mazes, seat, first >> 2, there, rated) - harm
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


def locate_goals(tables: Tables, row: Row, spots: Integers) -> None:
    """Write the cell of each goal into `spots`, or OFF."""
    for goal in range(count_goals()):
        spots[goal] = locate_tile(tables, row, goal) if layout.ORIGINAL else fixed_cell(goal)


def chance_to_arrive(
    tables: Tables, row: Row, mazes: Row, seat: int, slide: int, cell: int, rated: RatingArrays
) -> float:
    """The chance that a seat on `cell` can reach its target with the next slide, in the maze AFTER `slide`.

    It overwrites LATER.
    """
    spare, home = to_int(mazes[AFTER + SPARE_TILE]), layout.home_of(row, seat)
    goals, threats = ZERO, rated.threats
    for other in range(layout.count_slides()):
        cells = find_cells(tables, mazes, other, spare, cell)
        if (cells >> to_word(home)) & ONE:
            goals |= ONE << to_word(GOING_HOME)
        for goal in range(count_goals()):
            if threats[seat * GOALS_EACH + goal] > 0.0:
                there = rated.spots[goal]
                if layout.ORIGINAL:
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
            cells |= flood_turned(mazes, LATER, mask_of(tables, slide, layout.ENTRY), turn_sides(spare, quarters), seen)
    return cells if layout.ORIGINAL else cells & ~place
