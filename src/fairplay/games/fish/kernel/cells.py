"""What lies in a row: cells, penguins, free tiles; and the lines in the tables."""

from __future__ import annotations

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, count_bits, to_int, to_word
from fairplay.core.kernel import Row, Tables
from fairplay.games.fish.kernel.rows import (
    COLUMNS,
    FREE,
    HEADER,
    LANE,
    LANES,
    MASK_WORDS,
    NOBODY,
    OUT,
    PENGUINS,
    PLANES,
    RAYS,
    SPOTS,
)
from fairplay.games.fish.kernel.sliding import ORIGINAL, neighbours, slide

__all__ = [
    "EMPTY",
    "action_at",
    "can_move",
    "cell_of",
    "count_placeable",
    "first_move",
    "fish_at",
    "flip_bit",
    "free_steps",
    "has_bit",
    "is_out",
    "move_lane",
    "number_of",
    "penguin_at",
    "placeable_word",
    "standing_cells",
    "target_of",
]

EMPTY = np.uint64(0xFFFF_FFFF_FFFF_FFFF)  # no penguins
LANE_ONES, LANE_TOPS = np.uint64(0x0001_0001_0001_0001), np.uint64(0x8000_8000_8000_8000)
TOP_OF_LANE = np.uint64(15)
IN_LANE = np.uint64(NOBODY)


# -- cells and penguins ----------------------------------------------------------------------------


def has_bit(row: Row, mask: int, bit: int) -> bool:
    """Is the bit set in the mask that begins at the word `mask`?"""
    word: np.uint64 = row[mask + (bit >> 6)]
    return bool(word >> to_word(bit & 63) & ONE)


def flip_bit(row: Row, mask: int, bit: int) -> None:
    """Change one bit of the mask that begins at the word `mask`."""
    row[mask + (bit >> 6)] ^= ONE << to_word(bit & 63)


def penguin_at(penguins: np.uint64, lane: int) -> int:
    """The bit where one penguin of a seat stands; NOBODY if it is not on the board."""
    return to_int(penguins >> to_word(lane * LANE) & IN_LANE)


def move_lane(penguins: np.uint64, start: int, target: int) -> np.uint64:
    """The penguins of a seat after the one on `start` has gone to `target`."""
    others = penguins ^ to_word(start) * LANE_ONES  # 0 in its lane
    its_lane = ~((others | LANE_TOPS) - LANE_ONES) & LANE_TOPS
    return penguins ^ (its_lane >> TOP_OF_LANE) * to_word(start ^ target)


def standing_cells(penguins: np.uint64) -> np.uint64:
    """The mask of one word with the penguins of a seat."""
    cells = ZERO
    for lane in range(LANES):
        bit = penguin_at(penguins, lane)
        if bit != NOBODY:
            cells |= ONE << to_word(bit)
    return cells


def cell_of(tables: Tables, bit: int) -> int:
    """The cell of a bit."""
    if MASK_WORDS == 1:
        return (bit >> 3) * to_int(tables[COLUMNS]) + (bit & 7)
    return bit


def fish_at(row: Row, bit: int) -> np.uint64:
    """How many fish were dealt to the tile."""
    word, place = PLANES + (bit >> 6), to_word(bit & 63)
    ones, twos, fours = row[word] >> place, row[word + MASK_WORDS] >> place, row[word + 2 * MASK_WORDS] >> place
    fish: np.uint64 = (ones & ONE) + ((twos & ONE) << ONE) + ((fours & ONE) << ONE << ONE)
    return fish


def is_out(row: Row, seat: int) -> bool:
    """Was the seat removed?"""
    out: np.uint64 = row[OUT]
    return bool(out >> to_word(seat) & ONE)


def placeable_word(row: Row, word: int) -> np.uint64:
    """One word of the mask of tiles where a penguin may be placed (Fish 2.6, 13.2)."""
    free: np.uint64 = row[FREE + word]
    if ORIGINAL:
        plane = PLANES + word
        free &= row[plane] & ~row[plane + MASK_WORDS] & ~row[plane + 2 * MASK_WORDS]
    return free


def count_placeable(row: Row) -> int:
    """On how many tiles a penguin may be placed."""
    count = 0
    for word in range(MASK_WORDS):
        count += count_bits(placeable_word(row, word))
    return count


# -- lines in the tables ---------------------------------------------------------------------------


def first_move(tables: Tables, bit: int, direction: int) -> int:
    """The number of the first move from `bit` in a direction; after the last direction, of that from the next bit."""
    return to_int(tables[HEADER + 4 * MASK_WORDS + bit * RAYS + direction])


def action_at(tables: Tables, number: int) -> int:
    """The bits of an action's start, if any, and target, the first one shifted by LANE."""
    return to_int(tables[HEADER + 4 * MASK_WORDS + to_int(tables[SPOTS]) * RAYS + 1 + number])


def target_of(tables: Tables, number: int) -> int:
    """The bit where a penguin stands after this action."""
    return action_at(tables, number) & NOBODY


def number_of(tables: Tables, start: int, target: int) -> int:
    """The number of a move."""
    number = first_move(tables, start, 0)
    while target_of(tables, number) != target:
        number += 1
    return number


def free_steps(tables: Tables, row: Row, bit: int, direction: int) -> int:
    """How far a penguin on `bit` can go in a direction."""
    if MASK_WORDS == 1:
        return count_bits(slide(ONE << to_word(bit), row[FREE], direction))
    first, last = first_move(tables, bit, direction), first_move(tables, bit, direction + 1)
    number = first
    while number < last and has_bit(row, FREE, target_of(tables, number)):
        number += 1
    return number - first


def can_move(tables: Tables, row: Row, seat: int) -> bool:
    """Can a penguin of this seat move?"""
    penguins: np.uint64 = row[PENGUINS + seat]
    if MASK_WORDS == 1:
        free: np.uint64 = row[FREE]
        return bool(neighbours(standing_cells(penguins)) & free)
    for lane in range(LANES):
        bit = penguin_at(penguins, lane)
        if bit != NOBODY:
            for direction in range(RAYS):
                if free_steps(tables, row, bit, direction) > 0:
                    return True
    return False
