"""Where penguins can go: by the lines in the tables, or on boards of at most eight rows and columns by shifts.

There a mask is one word, and the cell in row r and column c is bit 8 r + c.  A direction is followed for all penguins
of a seat at once: a tile is reached by at most one of them, since the nearer one hides the farther.  So no table is
read, which is what bounds random play on graphics cards.
"""

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, count_bits, pick_bit, to_int, to_word
from fairplay.core.kernel import Row, Tables
from fairplay.games.fish.kernel import row as layout

NO_MOVE = -1

_EVEN_ROWS, _ODD_ROWS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0xFF00FF00FF00FF00)
_NOT_FIRST, _NOT_LAST = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)  # columns
_TWO, _FOUR = np.uint64(2), np.uint64(4)
_SEVEN, _EIGHT, _NINE, _SIXTEEN = np.uint64(7), np.uint64(8), np.uint64(9), np.uint64(16)  # shifts by one step
_FIFTEEN, _SEVENTEEN, _THIRTY, _THIRTY_FOUR = (
    np.uint64(15),
    np.uint64(17),
    np.uint64(30),
    np.uint64(34),
)  # by two and four
_HALF = np.uint64(32)

# Steps, as differences of twice the bit plus 1 in rows that lie to the right: they are the same from every row.
_NE, _SE, _SW, _NW, _NORTH, _SOUTH, _EAST, _WEST = -15, 17, 15, -17, -32, 32, 2, -2


# -- one step --------------------------------------------------------------------------------------


def _left_rows(cells: np.uint64) -> np.uint64:
    """Those of `cells` in rows that lie half a tile to the left of their neighbours."""
    return cells & (_ODD_ROWS if layout.ORIGINAL else _EVEN_ROWS)


def _right_rows(cells: np.uint64) -> np.uint64:
    """Those of `cells` in rows that lie half a tile to the right of their neighbours."""
    return cells & (_EVEN_ROWS if layout.ORIGINAL else _ODD_ROWS)


def step_ne(cells: np.uint64) -> np.uint64:
    """The cells north-east of `cells`."""
    return _left_rows(cells) >> _EIGHT | _right_rows(cells & _NOT_LAST) >> _SEVEN


def _step_se(cells: np.uint64) -> np.uint64:
    """The cells south-east of `cells`."""
    return _left_rows(cells) << _EIGHT | _right_rows(cells & _NOT_LAST) << _NINE


def _step_sw(cells: np.uint64) -> np.uint64:
    """The cells south-west of `cells`."""
    return _left_rows(cells & _NOT_FIRST) << _SEVEN | _right_rows(cells) << _EIGHT


def step_nw(cells: np.uint64) -> np.uint64:
    """The cells north-west of `cells`."""
    return _left_rows(cells & _NOT_FIRST) >> _NINE | _right_rows(cells) >> _EIGHT


def neighbours(cells: np.uint64) -> np.uint64:
    """The cells that touch one of `cells`."""
    slanting = step_ne(cells) | _step_se(cells) | _step_sw(cells) | step_nw(cells)
    if layout.ORIGINAL:
        return slanting | (cells & _NOT_LAST) << ONE | (cells & _NOT_FIRST) >> ONE
    return slanting | cells << _SIXTEEN | cells >> _SIXTEEN


# -- as far as tiles are free ----------------------------------------------------------------------
#
# Steps are doubled: what is one step away, then what is one or two further if both cells are free, then four.


def slide_ne(cells: np.uint64, free: np.uint64) -> np.uint64:
    """The free cells reached from `cells` by going north-east."""
    reached = cells | (step_ne(cells) & free)
    twice = free & _NOT_FIRST & step_ne(free)
    reached |= reached >> _FIFTEEN & twice
    reached |= reached >> _THIRTY & twice & twice >> _FIFTEEN
    return reached ^ cells


def slide_se(cells: np.uint64, free: np.uint64) -> np.uint64:
    """The free cells reached from `cells` by going south-east."""
    reached = cells | (_step_se(cells) & free)
    twice = free & _NOT_FIRST & _step_se(free)
    reached |= reached << _SEVENTEEN & twice
    reached |= reached << _THIRTY_FOUR & twice & twice << _SEVENTEEN
    return reached ^ cells


def slide_sw(cells: np.uint64, free: np.uint64) -> np.uint64:
    """The free cells reached from `cells` by going south-west."""
    reached = cells | (_step_sw(cells) & free)
    twice = free & _NOT_LAST & _step_sw(free)
    reached |= reached << _FIFTEEN & twice
    reached |= reached << _THIRTY & twice & twice << _FIFTEEN
    return reached ^ cells


def slide_nw(cells: np.uint64, free: np.uint64) -> np.uint64:
    """The free cells reached from `cells` by going north-west."""
    reached = cells | (step_nw(cells) & free)
    twice = free & _NOT_LAST & step_nw(free)
    reached |= reached >> _SEVENTEEN & twice
    reached |= reached >> _THIRTY_FOUR & twice & twice >> _SEVENTEEN
    return reached ^ cells


def slide_up(cells: np.uint64, free: np.uint64) -> np.uint64:
    """The free cells reached from `cells` by going north, or west in the original layout."""
    if layout.ORIGINAL:
        free &= _NOT_LAST
        reached = cells | (cells >> ONE & free)
        twice = free & free >> ONE
        reached |= reached >> _TWO & twice
        reached |= reached >> _FOUR & twice & twice >> _TWO
        return reached ^ cells
    once = cells >> _SIXTEEN & free
    twice = once >> _SIXTEEN & free
    return once | twice | (twice >> _SIXTEEN & free)


def slide_down(cells: np.uint64, free: np.uint64) -> np.uint64:
    """The free cells reached from `cells` by going south, or east in the original layout."""
    if layout.ORIGINAL:
        free &= _NOT_FIRST
        reached = cells | (cells << ONE & free)
        twice = free & free << ONE
        reached |= reached << _TWO & twice
        reached |= reached << _FOUR & twice & twice << _TWO
        return reached ^ cells
    once = cells << _SIXTEEN & free
    twice = once << _SIXTEEN & free
    return once | twice | (twice << _SIXTEEN & free)


def slide(cells: np.uint64, free: np.uint64, direction: int) -> np.uint64:
    """The free cells reached from `cells` in a direction, by its place in the layout's order."""
    if direction == (4 if layout.ORIGINAL else 0):
        return slide_up(cells, free)
    if direction == (0 if layout.ORIGINAL else 1):
        return slide_ne(cells, free)
    if direction == 2:
        return slide_se(cells, free)
    if direction == (1 if layout.ORIGINAL else 3):
        return slide_down(cells, free)
    if direction == (3 if layout.ORIGINAL else 4):
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
    rank = to_int((random >> _HALF) * to_word(moves) >> _HALF)
    targets, before, stride = ne, 0, _NE
    if rank >= after_ne:
        targets, before, stride = se, after_ne, _SE
    if rank >= after_se:
        targets, before, stride = sw, after_se, _SW
    if rank >= after_sw:
        targets, before, stride = nw, after_sw, _NW
    if rank >= after_nw:
        targets, before, stride = up, after_nw, _WEST if layout.ORIGINAL else _NORTH
    if rank >= after_up:
        targets, before, stride = down, after_up, _EAST if layout.ORIGINAL else _SOUTH
    target = pick_bit(targets, rank - before)
    return _walk_back(mine, target, stride) << 6 | target


def _walk_back(mine: np.uint64, target: int, stride: int) -> int:
    """The bit of the penguin that reaches `target` by such steps."""
    place = 2 * target + ((target >> 3 ^ layout.ORIGINAL) & 1)
    while True:
        place -= stride
        if mine >> to_word(place >> 1) & ONE != ZERO:
            return place >> 1


# -- lines in the tables ---------------------------------------------------------------------------


def first_move(tables: Tables, bit: int, direction: int) -> int:
    """The number of the first move from `bit` in a direction; after the last direction, of that from the next bit."""
    return to_int(tables[layout.HEADER + 4 * layout.MASK_WORDS + bit * layout.RAYS + direction])


def action_at(tables: Tables, number: int) -> int:
    """The bits of an action's start, if any, and target, the first one shifted by LANE."""
    rays, spots = layout.HEADER + 4 * layout.MASK_WORDS, to_int(tables[layout.SPOTS])
    return to_int(tables[rays + spots * layout.RAYS + 1 + number])


def target_of(tables: Tables, number: int) -> int:
    """The bit where a penguin stands after this action."""
    return action_at(tables, number) & layout.NOBODY


def number_of(tables: Tables, start: int, target: int) -> int:
    """The number of a move."""
    number = first_move(tables, start, 0)
    while target_of(tables, number) != target:
        number += 1
    return number


def free_steps(tables: Tables, row: Row, bit: int, direction: int) -> int:
    """How far a penguin on `bit` can go in a direction."""
    if layout.MASK_WORDS == 1:
        return count_bits(slide(ONE << to_word(bit), row[layout.FREE], direction))
    first, last = first_move(tables, bit, direction), first_move(tables, bit, direction + 1)
    number = first
    while number < last and layout.has_bit(row, layout.FREE, target_of(tables, number)):
        number += 1
    return number - first


def can_move(tables: Tables, row: Row, seat: int) -> bool:
    """Can a penguin of this seat move?"""
    penguins: np.uint64 = row[layout.PENGUINS + seat]
    if layout.MASK_WORDS == 1:
        free: np.uint64 = row[layout.FREE]
        return bool(neighbours(layout.standing_cells(penguins)) & free)
    for lane in range(layout.LANES):
        bit = layout.penguin_at(penguins, lane)
        if bit != layout.NOBODY:
            for direction in range(layout.RAYS):
                if free_steps(tables, row, bit, direction) > 0:
                    return True
    return False
