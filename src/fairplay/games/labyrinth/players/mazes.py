"""Mazes without gems, avatars and turns: where one can go now, and from where a goal can be reached a turn later.

A maze is five words: the planes of the open sides, as in a row of the kernel, and the spare tile.  A few of them lie in
one array; a function is told where each begins.  For boards of up to 64 cells; interpreted and compiled.
"""

from __future__ import annotations

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, lowest_bit, to_int, to_word
from fairplay.core.kernel import Row, Tables
from fairplay.games.labyrinth.kernel.board import carry_cell, flood, mask_of, slide_plane, turn_sides
from fairplay.games.labyrinth.kernel.row import (
    BOARD,
    DOWNWARDS,
    EASTS,
    ENTRY,
    EVERYWHERE_AT,
    EXIT,
    KEEP,
    NORTHS,
    NUMBER_PLANES,
    NUMBERS,
    ORIGINAL,
    SOUTHS,
    SPARE,
    UPWARDS,
    WESTS,
    WIDTH,
    count_slides,
    get_lane,
    slide_word,
)

__all__ = [
    "AFTER",
    "COUNTS",
    "HERE",
    "LATER",
    "MAZE_WORDS",
    "OFF",
    "SPARE_TILE",
    "aim_after",
    "copy_maze",
    "count_turns",
    "count_ways",
    "flood_maze",
    "flood_turned",
    "locate_tile",
    "most_ways",
    "near_entry",
    "slide_maze",
    "ways_of",
]

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
        mazes[HERE + side] = row[BOARD + side]
    mazes[HERE + SPARE_TILE] = to_word(get_lane(row, SPARE))


def slide_maze(tables: Tables, mazes: Row, source: int, end: int, slide: int, tile: int) -> None:
    """Slide a line and insert `tile`, which may be 0: the cell is then empty."""
    exit = mask_of(tables, slide, EXIT)
    dropped = 0
    for side in range(4):
        plane = mazes[source + side]
        dropped |= to_int((plane >> exit) & ONE) << side
        mazes[end + side] = slide_plane(tables, slide, plane, (tile >> side) & 1)
    mazes[end + SPARE_TILE] = to_word(dropped)


def flood_maze(mazes: Row, at: int, seen: np.uint64) -> np.uint64:
    """All cells that chains of connected tiles join with those `seen`."""
    right = mazes[at + EASTS] & (mazes[at + WESTS] >> ONE)
    down = mazes[at + SOUTHS] & (mazes[at + NORTHS] >> to_word(WIDTH))
    return flood(right, down, seen)


def flood_turned(mazes: Row, at: int, entry: np.uint64, tile: int, seen: np.uint64) -> np.uint64:
    """The same, with `tile` on the cell `entry`, which is empty."""
    easts = mazes[at + EASTS] | (to_word((tile >> EASTS) & 1) << entry)
    wests = mazes[at + WESTS] | (to_word((tile >> WESTS) & 1) << entry)
    norths = mazes[at + NORTHS] | (to_word((tile >> NORTHS) & 1) << entry)
    souths = mazes[at + SOUTHS] | (to_word((tile >> SOUTHS) & 1) << entry)
    return flood(easts & (wests >> ONE), souths & (norths >> to_word(WIDTH)), seen)


def near_entry(tables: Tables, slide: int) -> np.uint64:
    """The cell where a slide inserts the tile, and those beside it: how it is turned matters only from there."""
    bit, width = ONE << mask_of(tables, slide, ENTRY), to_word(WIDTH)
    return (bit | (bit << ONE) | (bit >> ONE) | (bit << width) | (bit >> width)) & tables[EVERYWHERE_AT]  # type: ignore[no-any-return]  # a table


def count_turns(tile: int) -> int:
    """How many quarter turns of a tile, from none on, differ."""
    if tile == 15:
        return 1
    return 2 if tile in (5, 10) else 4


def locate_tile(tables: Tables, row: Row, number: int) -> int:
    """The cell where the tile with this number lies, or OFF."""
    cells = tables[EVERYWHERE_AT]
    for digit in range(NUMBER_PLANES):
        plane = row[BOARD + NUMBERS + digit]
        cells &= plane if (number >> digit) & 1 else ~plane
    return OFF if cells == ZERO else lowest_bit(cells)


def aim_after(tables: Tables, slide: int, aim: int, rides: int) -> int:
    """Where a goal is after a slide, or OFF; `rides`: it is on a tile."""
    if not rides:
        return aim
    if aim == OFF:
        return slide_word(tables, slide, ENTRY)
    if aim == slide_word(tables, slide, EXIT):
        return OFF
    return carry_cell(tables, slide, aim)


def cells_before(tables: Tables, slide: int, cells: np.uint64) -> np.uint64:
    """Where an avatar must stand so that a slide carries it to `cells`, or leaves it there."""
    entry, exit, keep = mask_of(tables, slide, ENTRY), mask_of(tables, slide, EXIT), mask_of(tables, slide, KEEP)
    moved = cells & ~keep & ~(ONE << entry)
    moved = (moved >> mask_of(tables, slide, UPWARDS)) << mask_of(tables, slide, DOWNWARDS)
    return (cells & keep) | moved | (((cells >> entry) & ONE) << exit)


def count_ways(tables: Tables, mazes: Row, at: int, aim: int, rides: int) -> None:
    """Count for every cell the slides that open a way from it to a goal, in the maze that begins at `at`.

    The counters hold the digits of the counts.  It overwrites LATER.
    """
    for digit in range(DIGITS):
        mazes[COUNTS + digit] = ZERO
    spare = to_int(mazes[at + SPARE_TILE])
    for slide in range(count_slides()):
        there = aim_after(tables, slide, aim, rides)
        if there == OFF:
            continue
        slide_maze(tables, mazes, at, LATER, slide, 0)
        goal = ONE << to_word(there)
        cells = seen = flood_maze(mazes, LATER, goal)
        if seen & near_entry(tables, slide):
            for quarters in range(count_turns(spare)):
                cells |= flood_turned(mazes, LATER, mask_of(tables, slide, ENTRY), turn_sides(spare, quarters), seen)
        if not ORIGINAL:
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
