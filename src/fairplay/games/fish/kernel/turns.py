"""What happens in a match: dealing, placing, moving, being removed."""

from __future__ import annotations

import numpy as np

from fairplay.core.arithmetic import (
    ONE,
    ZERO,
    count_bits,
    next_random,
    pick_bit_of_many,
    random_below,
    to_int,
    to_word,
)
from fairplay.core.kernel import OVER, Row, Tables
from fairplay.games.fish.kernel.cells import (
    EMPTY,
    action_at,
    can_move,
    count_placeable,
    fish_at,
    flip_bit,
    has_bit,
    is_out,
    move_lane,
    penguin_at,
    placeable_word,
)
from fairplay.games.fish.kernel.rows import (
    COLLECTED,
    DRAWN,
    FISH,
    FREE,
    GIVEN,
    LANE,
    LANES,
    MASK_WORDS,
    NOBODY,
    OUT,
    PENGUINS,
    PLACING,
    PLANES,
    SEATS,
    TURN,
    TURNS,
    UNIFORM,
)
from fairplay.games.fish.kernel.sliding import ORIGINAL

__all__ = [
    "deal_word",
    "draw_tile",
    "move_penguin",
    "next_move",
    "next_placement",
    "nth_bit",
    "place_penguin",
    "remove",
    "retire_penguins",
    "start",
    "step",
    "take_off",
    "to_move",
]

# -- dealing ---------------------------------------------------------------------------------------


def start(tables: Tables, row: Row) -> None:
    """Deal a match by the row's random numbers, with the same chances as the rule book, from any row."""
    row[PLACING], row[OUT], row[TURNS] = ONE, ZERO, ZERO
    for seat in range(SEATS):
        row[PENGUINS + seat], row[FISH + seat] = EMPTY, ZERO
        for word in range(MASK_WORDS):
            row[COLLECTED + seat * MASK_WORDS + word] = ZERO
    for word in range(MASK_WORDS):
        deal_word(tables, row, word)
    for fish in range(1, 4):
        for _ in range(to_int(tables[DRAWN + fish - 1])):
            draw_tile(row, fish)
    for word in range(MASK_WORDS):
        row[FREE + word] = tables[GIVEN + word]
    next_placement(tables, row, SEATS - 1)


def deal_word(tables: Tables, row: Row, word: int) -> None:
    """Deal the tiles of one word: what is given, or 1 to 5 fish each; all of them stay free to be drawn."""
    tiles: np.uint64 = tables[GIVEN + word]
    row[FREE + word] = tiles
    ones: np.uint64 = tables[GIVEN + MASK_WORDS + word]
    twos: np.uint64 = tables[GIVEN + 2 * MASK_WORDS + word]
    fours: np.uint64 = tables[GIVEN + 3 * MASK_WORDS + word]
    if tables[UNIFORM] != ZERO:
        ones, twos, fours, open = ZERO, ZERO, ZERO, tiles
        while open != ZERO:  # numbers from 0 to 7, and again if they are 5 or more
            ones = (ones & ~open) | (next_random(row) & open)
            twos = (twos & ~open) | (next_random(row) & open)
            fours = (fours & ~open) | (next_random(row) & open)
            open = fours & (ones | twos)
        fours |= ones & twos  # and one more
        twos ^= ones
        ones = ~ones & tiles
    row[PLANES + word], row[PLANES + MASK_WORDS + word], row[PLANES + 2 * MASK_WORDS + word] = ones, twos, fours


def draw_tile(row: Row, fish: int) -> None:
    """Give one of the free tiles this number of fish, and set it aside."""
    tiles = 0
    for word in range(MASK_WORDS):
        tiles += count_bits(row[FREE + word])
    bit = nth_bit(row, random_below(row, tiles), 0)
    flip_bit(row, FREE, bit)
    for digit in range(3):
        plane = PLANES + digit * MASK_WORDS
        if has_bit(row, plane, bit) != (fish >> digit & 1 != 0):
            flip_bit(row, plane, bit)


def nth_bit(row: Row, rank: int, placing: int) -> int:
    """The free tile with `rank` others before it; if `placing`, of those where a penguin may be placed."""
    for word in range(MASK_WORDS):
        tiles: np.uint64 = placeable_word(row, word) if placing else row[FREE + word]
        count = count_bits(tiles)
        if rank < count:
            return (word << 6) + pick_bit_of_many(tiles, rank)
        rank -= count
    return 0


# -- whose turn it is ------------------------------------------------------------------------------


def to_move(tables: Tables, row: Row) -> int:
    """Whose decision is awaited; OVER when the match is over."""
    return to_int(row[TURN])


def next_placement(tables: Tables, row: Row, seat: int) -> None:
    """Pass the turn on from `seat` to the seat that places next, or to the first move."""
    for steps in range(1, SEATS + 1):
        other = (seat + steps) % SEATS
        if is_out(row, other):
            continue
        if penguin_at(row[PENGUINS + other], 6 - SEATS - 1) != NOBODY:  # everyone has placed all
            break
        if count_placeable(row) > 0:
            row[TURN] = to_word(other)
            return
        take_off(row, other)  # Fish 2.7
    row[PLACING] = ZERO
    next_move(tables, row, SEATS - 1)


def next_move(tables: Tables, row: Row, seat: int) -> None:
    """Pass the turn on from `seat` to the next one that can move (Fish 3.2, 4.1, 13.5)."""
    for steps in range(1, SEATS + 1):
        other = (seat + steps) % SEATS
        if can_move(tables, row, other):
            row[TURN] = to_word(other)
            return
        if ORIGINAL:
            retire_penguins(row, other)
    row[TURN] = to_word(OVER)


def retire_penguins(row: Row, seat: int) -> None:
    """Take the penguins of `seat` off; the tiles under them count for it (Fish 13.5)."""
    for lane in range(LANES):
        bit = penguin_at(row[PENGUINS + seat], lane)
        if bit != NOBODY:
            row[FISH + seat] += fish_at(row, bit)
            flip_bit(row, COLLECTED + seat * MASK_WORDS, bit)
    row[PENGUINS + seat] = EMPTY


def take_off(row: Row, seat: int) -> None:
    """Take `seat` out: its penguins leave, the tiles under them stay, its fish are lost."""
    for lane in range(LANES):
        bit = penguin_at(row[PENGUINS + seat], lane)
        if bit != NOBODY:
            flip_bit(row, FREE, bit)
    row[PENGUINS + seat], row[FISH + seat] = EMPTY, ZERO
    for word in range(MASK_WORDS):
        row[COLLECTED + seat * MASK_WORDS + word] = ZERO
    row[OUT] |= ONE << to_word(seat)


def remove(tables: Tables, row: Row, seat: int) -> None:
    """Throw `seat` out of the match (Fish 6.4)."""
    take_off(row, seat)
    if to_int(row[TURN]) == seat:
        if row[PLACING] != ZERO:
            next_placement(tables, row, seat)
        else:
            next_move(tables, row, seat)


# -- what seats do ----------------------------------------------------------------------------------


def step(tables: Tables, row: Row, action: int) -> None:
    """Do the action with this number.  ASSUME it is legal."""
    bits = action_at(tables, action)
    if row[PLACING] != ZERO:
        place_penguin(tables, row, bits)
    else:
        move_penguin(tables, row, bits >> LANE, bits & NOBODY)


def place_penguin(tables: Tables, row: Row, bit: int) -> None:
    """Put a penguin of the seat on turn on a tile, and pass the turn on (Fish 2.6)."""
    seat = to_int(row[TURN])
    lane = 0
    while penguin_at(row[PENGUINS + seat], lane) != NOBODY:
        lane += 1
    row[PENGUINS + seat] ^= to_word(NOBODY ^ bit) << to_word(lane * LANE)
    flip_bit(row, FREE, bit)
    row[TURNS] += ONE
    next_placement(tables, row, seat)


def move_penguin(tables: Tables, row: Row, begin: int, end: int) -> None:
    """Move a penguin: the tile it leaves becomes a hole, and its fish are collected (Fish 3.4)."""
    seat = to_int(row[TURN])
    row[PENGUINS + seat] = move_lane(row[PENGUINS + seat], begin, end)
    row[FISH + seat] += fish_at(row, begin)
    flip_bit(row, COLLECTED + seat * MASK_WORDS, begin)
    flip_bit(row, FREE, end)
    row[TURNS] += ONE
    next_move(tables, row, seat)
