"""Large boards, of more than 64 cells: one word for each cell.

A word holds the open sides of the tile, 16 times its number, and in its upper half, while cells are searched, one entry
of the list of cells to go on from.
"""

from __future__ import annotations

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, to_int, to_word
from fairplay.core.kernel import Row, Tables
from fairplay.games.labyrinth.kernel.layout import (
    BOARD,
    BY,
    ENTRY,
    EXIT,
    REACHED,
    ROWS,
    SPARE,
    SPARE_NUMBER,
    THIRTY_TWO,
    WIDTH,
    get_lane,
    is_reached,
    set_lane,
    slide_word,
    turn_sides,
)

LOWER = np.uint64(0xFFFFFFFF)


def tile_on_word(row: Row, cell: int) -> int:
    """The open sides of the tile on a cell, and 16 times its number."""
    return to_int(row[BOARD + cell] & LOWER)


def lay_on_word(row: Row, cell: int, sides: int, number: int) -> None:
    """Put a tile on a cell."""
    row[BOARD + cell] = to_word(sides | (number << 4))


def clear_words(row: Row) -> None:
    """Take all tiles off the board; the column on the right stays empty."""
    for cell in range(ROWS * WIDTH):
        row[BOARD + cell] = ZERO


def slide_words(tables: Tables, row: Row, slide: int, quarters: int) -> None:
    """Slide a line and insert the spare tile, turned (Labyrinth 3.3)."""
    by = slide_word(tables, slide, BY) if slide & 1 else -slide_word(tables, slide, BY)
    entry, cell = slide_word(tables, slide, ENTRY), slide_word(tables, slide, EXIT)
    sides, number = turn_sides(get_lane(row, SPARE), quarters), get_lane(row, SPARE_NUMBER)
    dropped = tile_on_word(row, cell)
    while cell != entry:
        row[BOARD + cell] = row[BOARD + cell - by]
        cell -= by
    lay_on_word(row, entry, sides, number)
    set_lane(row, SPARE, dropped & 15)
    set_lane(row, SPARE_NUMBER, dropped >> 4)


def push_cell(row: Row, cell: int, height: int) -> int:
    """Reach a cell, unless it was reached before, and put it on the list of `height` cells; return the new height."""
    if is_reached(row, cell):
        return height
    row[REACHED + (cell >> 6)] |= ONE << to_word(cell & 63)
    row[BOARD + height] = (row[BOARD + height] & LOWER) | (to_word(cell) << THIRTY_TWO)
    return height + 1


def flood_words(tables: Tables, row: Row, first: int, start: int) -> None:
    """Find the cells connected with `start` after a slide and the turn of the spare tile (Labyrinth 1.5)."""
    spare = get_lane(row, SPARE)
    slide_words(tables, row, first >> 2, first & 3)
    for word in range((ROWS * WIDTH + 63) // 64):
        row[REACHED + word] = ZERO
    height = push_cell(row, start, 0)
    while height > 0:
        height -= 1
        cell = to_int(row[BOARD + height] >> THIRTY_TWO)
        sides = tile_on_word(row, cell)
        if sides & 1 and cell >= WIDTH and tile_on_word(row, cell - WIDTH) & 4:
            height = push_cell(row, cell - WIDTH, height)
        if sides & 2 and tile_on_word(row, cell + 1) & 8:
            height = push_cell(row, cell + 1, height)
        if sides & 4 and cell + WIDTH < ROWS * WIDTH and tile_on_word(row, cell + WIDTH) & 1:
            height = push_cell(row, cell + WIDTH, height)
        if sides & 8 and cell > 0 and tile_on_word(row, cell - 1) & 2:
            height = push_cell(row, cell - 1, height)
    slide_words(tables, row, (first >> 2) ^ 1, 0)
    set_lane(row, SPARE, spare)
