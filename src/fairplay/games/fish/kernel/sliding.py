"""Moves on boards of at most eight rows and columns: a mask is one word, and steps are shifts of it.

The cell in row r and column c is bit 8 r + c.  A direction is followed for all penguins of a seat at once: a tile is
reached by at most one of them, since the nearer one hides the farther.  So no table is read, which is what bounds
random play on graphics cards.  Compiled as part of `kernel`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, count_bits, pick_bit, to_int, to_word

__all__ = ["NO_MOVE", "ORIGINAL", "choose_move", "neighbours", "slide"]

ORIGINAL = 0  # 1: the layout of Fish 13.3

NO_MOVE: Final = -1

EVEN_ROWS, ODD_ROWS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0xFF00FF00FF00FF00)
NOT_FIRST, NOT_LAST = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)  # columns
TWO, FOUR = np.uint64(2), np.uint64(4)
SEVEN, EIGHT, NINE, SIXTEEN = np.uint64(7), np.uint64(8), np.uint64(9), np.uint64(16)  # shifts by one step
FIFTEEN, SEVENTEEN, THIRTY, THIRTY_FOUR = np.uint64(15), np.uint64(17), np.uint64(30), np.uint64(34)  # by two and four
HALF = np.uint64(32)

# Steps, as differences of twice the bit plus 1 in rows that lie to the right: they are the same from every row.
NE, SE, SW, NW, NORTH, SOUTH, EAST, WEST = -15, 17, 15, -17, -32, 32, 2, -2


# -- one step --------------------------------------------------------------------------------------


def left_rows(cells: np.uint64) -> np.uint64:
    """Those of `cells` in rows that lie half a tile to the left of their neighbours."""
    return cells & (ODD_ROWS if ORIGINAL else EVEN_ROWS)


def right_rows(cells: np.uint64) -> np.uint64:
    """Those of `cells` in rows that lie half a tile to the right of their neighbours."""
    return cells & (EVEN_ROWS if ORIGINAL else ODD_ROWS)


def step_ne(cells: np.uint64) -> np.uint64:
    """The cells north-east of `cells`."""
    return left_rows(cells) >> EIGHT | right_rows(cells & NOT_LAST) >> SEVEN


def step_se(cells: np.uint64) -> np.uint64:
    """The cells south-east of `cells`."""
    return left_rows(cells) << EIGHT | right_rows(cells & NOT_LAST) << NINE


def step_sw(cells: np.uint64) -> np.uint64:
    """The cells south-west of `cells`."""
    return left_rows(cells & NOT_FIRST) << SEVEN | right_rows(cells) << EIGHT


def step_nw(cells: np.uint64) -> np.uint64:
    """The cells north-west of `cells`."""
    return left_rows(cells & NOT_FIRST) >> NINE | right_rows(cells) >> EIGHT


def neighbours(cells: np.uint64) -> np.uint64:
    """The cells that touch one of `cells`."""
    slanting = step_ne(cells) | step_se(cells) | step_sw(cells) | step_nw(cells)
    if ORIGINAL:
        return slanting | (cells & NOT_LAST) << ONE | (cells & NOT_FIRST) >> ONE
    return slanting | cells << SIXTEEN | cells >> SIXTEEN


# -- as far as tiles are free ----------------------------------------------------------------------
#
# Steps are doubled: what is one step away, then what is one or two further if both cells are free, then four.


def slide_ne(cells: np.uint64, free: np.uint64) -> np.uint64:
    """The free cells reached from `cells` by going north-east."""
    reached = cells | (step_ne(cells) & free)
    twice = free & NOT_FIRST & step_ne(free)
    reached |= reached >> FIFTEEN & twice
    reached |= reached >> THIRTY & twice & twice >> FIFTEEN
    return reached ^ cells


def slide_se(cells: np.uint64, free: np.uint64) -> np.uint64:
    """The free cells reached from `cells` by going south-east."""
    reached = cells | (step_se(cells) & free)
    twice = free & NOT_FIRST & step_se(free)
    reached |= reached << SEVENTEEN & twice
    reached |= reached << THIRTY_FOUR & twice & twice << SEVENTEEN
    return reached ^ cells


def slide_sw(cells: np.uint64, free: np.uint64) -> np.uint64:
    """The free cells reached from `cells` by going south-west."""
    reached = cells | (step_sw(cells) & free)
    twice = free & NOT_LAST & step_sw(free)
    reached |= reached << FIFTEEN & twice
    reached |= reached << THIRTY & twice & twice << FIFTEEN
    return reached ^ cells


def slide_nw(cells: np.uint64, free: np.uint64) -> np.uint64:
    """The free cells reached from `cells` by going north-west."""
    reached = cells | (step_nw(cells) & free)
    twice = free & NOT_LAST & step_nw(free)
    reached |= reached >> SEVENTEEN & twice
    reached |= reached >> THIRTY_FOUR & twice & twice >> SEVENTEEN
    return reached ^ cells


def slide_up(cells: np.uint64, free: np.uint64) -> np.uint64:
    """The free cells reached from `cells` by going north, or west in the original layout."""
    if ORIGINAL:
        free &= NOT_LAST
        reached = cells | (cells >> ONE & free)
        twice = free & free >> ONE
        reached |= reached >> TWO & twice
        reached |= reached >> FOUR & twice & twice >> TWO
        return reached ^ cells
    once = cells >> SIXTEEN & free
    twice = once >> SIXTEEN & free
    return once | twice | (twice >> SIXTEEN & free)


def slide_down(cells: np.uint64, free: np.uint64) -> np.uint64:
    """The free cells reached from `cells` by going south, or east in the original layout."""
    if ORIGINAL:
        free &= NOT_FIRST
        reached = cells | (cells << ONE & free)
        twice = free & free << ONE
        reached |= reached << TWO & twice
        reached |= reached << FOUR & twice & twice << TWO
        return reached ^ cells
    once = cells << SIXTEEN & free
    twice = once << SIXTEEN & free
    return once | twice | (twice << SIXTEEN & free)


def slide(cells: np.uint64, free: np.uint64, direction: int) -> np.uint64:
    """The free cells reached from `cells` in a direction, by its place in the layout's order."""
    if direction == (4 if ORIGINAL else 0):
        return slide_up(cells, free)
    if direction == (0 if ORIGINAL else 1):
        return slide_ne(cells, free)
    if direction == 2:
        return slide_se(cells, free)
    if direction == (1 if ORIGINAL else 3):
        return slide_down(cells, free)
    if direction == (3 if ORIGINAL else 4):
        return slide_sw(cells, free)
    return slide_nw(cells, free)


# -- choosing --------------------------------------------------------------------------------------


def choose_move(mine: np.uint64, free: np.uint64, random: np.uint64) -> int:
    """Choose one of the moves of the penguins `mine`: 64 times the bit of its start plus that of its target.

    All have the same chance.  NO_MOVE if there is none.
    """
    ne, se, sw, nw = slide_ne(mine, free), slide_se(mine, free), slide_sw(mine, free), slide_nw(mine, free)
    up, down = slide_up(mine, free), slide_down(mine, free)
    after_ne = count_bits(ne)
    after_se = after_ne + count_bits(se)
    after_sw = after_se + count_bits(sw)
    after_nw = after_sw + count_bits(nw)
    after_up = after_nw + count_bits(up)
    moves = after_up + count_bits(down)
    if moves == 0:
        return NO_MOVE
    rank = to_int((random >> HALF) * to_word(moves) >> HALF)
    targets, before, stride = ne, 0, NE
    if rank >= after_ne:
        targets, before, stride = se, after_ne, SE
    if rank >= after_se:
        targets, before, stride = sw, after_se, SW
    if rank >= after_sw:
        targets, before, stride = nw, after_sw, NW
    if rank >= after_nw:
        targets, before, stride = up, after_nw, WEST if ORIGINAL else NORTH
    if rank >= after_up:
        targets, before, stride = down, after_up, EAST if ORIGINAL else SOUTH
    target = pick_bit(targets, rank - before)
    return walk_back(mine, target, stride) << 6 | target


def walk_back(mine: np.uint64, target: int, stride: int) -> int:
    """The bit of the penguin that reaches `target` by such steps."""
    place = 2 * target + ((target >> 3 ^ ORIGINAL) & 1)
    while True:
        place -= stride
        if mine >> to_word(place >> 1) & ONE != ZERO:
            return place >> 1
