"""Where things lie in a row and in the tables.

A row is 64-bit words.  Most of it is read as *lanes* of 16 bits, four to a word.  Cells are numbered row by row with
one empty column on the right, as on the rule book's board; a *line* is a row or column that slides.

Small boards, of up to 64 cells, are planes of bits: one for each open side, six for the bits of the numbers of the
tiles.  Larger boards have one word for each cell.
"""

from __future__ import annotations

import numpy as np

from fairplay.core.arithmetic import ONE, to_int, to_word
from fairplay.core.kernel import Row, Tables

# What a source is compiled for: these are the values of the default setup.
ROWS = 7
COLUMNS = 7
WIDTH = 8
FIRST = 0  # of the rows and columns that slide; 1: the original game
SMALL = 1  # is the board planes of bits?
REACHED = 15  # where the words of cells that can be reached begin
BOARD = 16  # where the planes, or the tiles, begin
GEMS = 104  # the lane of the first tile's gems
GOALS = 156  # the lane of the first goal
WORDS = 46

# Lanes of a row
TURN, FINISHER, MOVERS, FRESH = 4, 5, 6, 7
LAST, SPARE, SPARE_NUMBER, NEXT_GOAL = 8, 9, 10, 11
GOAL_COUNT = 12

# Words of a row
ROUNDS, TURN_NUMBER, SEAT = 4, 5, 6

# Lanes of the word of a seat; `FOUND` is twice the number of goals found, and one more if it is going home
AVATAR, HOME, TARGET, FOUND = 0, 1, 2, 3

NORTHS, EASTS, SOUTHS, WESTS, NUMBERS = 0, 1, 2, 3, 4  # planes
NUMBER_PLANES = 6

NO_LANE = 0xFFFF
"""Where a removed avatar stands; the last slide before there is one; who finished when nobody has."""

TREASURE = 0x8000
"""Added to the number of a tile that is a target: the one with a treasure, in the original game."""

NOBODY = 15
"""Who has a goal that nobody has; a goal is its cell, or the number of its tile, and 4,096 times who has it."""

MOST_CELLS = 4096
MOST_SEATS = 9

# Words of the tables, then eight words for each slide; then, as `WAY_AT` says, nothing, the tiles of a drawn board with
# the spare one, or the row of a given match
SEATS_AT, LIMIT_AT, FURTHER_AT, FIXED_AT, EVERYWHERE_AT, WAY_AT, SLIDES_AT = 0, 1, 2, 3, 4, 5, 8
DEALT, DRAWN, GIVEN = 0, 1, 2
SLIDE_SIZE = 8
KEEP, STAY, UPWARDS, DOWNWARDS, ENTRY, EXIT, BY = 0, 1, 2, 3, 4, 5, 6

LANE = np.uint64(0xFFFF)
SIXTEEN, THIRTY_TWO = np.uint64(16), np.uint64(32)


def get_lane(row: Row, lane: int) -> int:
    return to_int((row[lane >> 2] >> to_word((lane & 3) << 4)) & LANE)


def set_lane(row: Row, lane: int, value: int) -> None:
    shift = to_word((lane & 3) << 4)
    row[lane >> 2] = (row[lane >> 2] & ~(LANE << shift)) | (to_word(value) << shift)


def seat_lane(seat: int, lane: int) -> int:
    """The number of one of the lanes of a seat."""
    return ((SEAT + seat) << 2) + lane


def count_seats(tables: Tables) -> int:
    """How many seats the match has."""
    return to_int(tables[SEATS_AT])


def count_slides() -> int:
    """How many slides the board has."""
    return ((ROWS - FIRST + 1) // 2 + (COLUMNS - FIRST + 1) // 2) * 2


def extra_word(tables: Tables, number: int) -> np.uint64:
    """One of the words after those of the slides."""
    return tables[SLIDES_AT + count_slides() * SLIDE_SIZE + number]  # type: ignore[no-any-return]  # a table


def slide_word(tables: Tables, slide: int, word: int) -> int:
    """One of the numbers that describe a slide."""
    return to_int(tables[to_word(SLIDES_AT + slide * SLIDE_SIZE + word)])


def turn_sides(sides: int, quarters: int) -> int:
    """A tile turned counter-clockwise (Labyrinth 1.6)."""
    return ((sides >> quarters) | (sides << (4 - quarters))) & 15


def carry_cell(tables: Tables, slide: int, cell: int) -> int:
    """Where a slide carries an avatar that stands on `cell`, or leaves it (Labyrinth 3.4)."""
    entry, exit = slide_word(tables, slide, ENTRY), slide_word(tables, slide, EXIT)
    if cell == exit:
        return entry
    by = slide_word(tables, slide, BY)
    first = min(entry, exit)
    if not (first <= cell < first + COLUMNS if by == 1 else cell % WIDTH == first):
        return cell
    return cell + by if slide & 1 else cell - by


def is_reached(row: Row, cell: int) -> bool:
    """Is this one of the cells that were found last?"""
    return to_int((row[REACHED + (cell >> 6)] >> to_word(cell & 63)) & ONE) == 1
