"""Cards and destinations of a row.

Only the first cards of a deck are written down, in a row that was packed all of them.  Each other card is decided when
it is drawn: by the row's DECK_SEED and the card's place, among the cards that are left.  So the order of the deck is
fixed from the start, every order has the same chance, and cards that nobody draws cost nothing.
"""

from __future__ import annotations

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, random_below, to_int, to_word
from fairplay.core.kernel import Row, Tables
from fairplay.games.trains.kernel.layout import (
    COUNTS,
    DECK,
    DECK_LEFT,
    DECK_SEED,
    EDGES,
    HANDS,
    KEPT_AT,
    TABLE_DECK_SIZE,
    TABLE_PAIRS,
    TABLE_PAIRS_AT,
)

__all__ = [
    "card_of",
    "color_of",
    "count_cards",
    "draw_cards",
    "get_code",
    "has_code",
    "new_code",
    "random_at",
    "set_code",
]

LANES = np.uint64((1 << 48) - 1)
SPREAD = np.uint64(1 | 1 << 12 | 1 << 24 | 1 << 36)  # a product with it has the sums from the first lane on
LANE = np.uint64(4095)
LANE_1, LANE_2, LANE_3 = np.uint64(12), np.uint64(24), np.uint64(36)
HALF = np.uint64(32)
THREE = np.uint64(3)
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_A, MIX_B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFT_A, SHIFT_B = np.uint64(30), np.uint64(27)
CODE = np.uint64(0xFFFF)
FIXED_AT = np.uint64(16)
CODES_ONE = np.uint64(0x0001000100010001)
CODES_TOP = np.uint64(0x8000800080008000)


# -- cards -------------------------------------------------------------------------------------


def random_at(seed: np.uint64, place: int) -> np.uint64:
    """The random number, below 2^32, for the card at this place of the deck (splitmix64)."""
    word = seed + to_word(place) * GOLDEN
    word = (word ^ (word >> SHIFT_A)) * MIX_A
    word = (word ^ (word >> SHIFT_B)) * MIX_B
    return word >> HALF


def color_of(cards: np.uint64, random: np.uint64) -> int:
    """The colour that a random number below 2^32 chooses among the cards of four lanes."""
    sums = cards * SPREAD
    chosen = (random * ((sums >> LANE_3) & LANE)) >> HALF
    return (
        to_int(chosen >= (sums & LANE))  # type: ignore[arg-type]  # a truth value is a number
        + to_int(chosen >= ((sums >> LANE_1) & LANE))  # type: ignore[arg-type]  # as above
        + to_int(chosen >= ((sums >> LANE_2) & LANE))  # type: ignore[arg-type]  # as above
    )


def card_of(color: int) -> np.uint64:
    """One card of this colour, in its lane."""
    return ONE << to_word(12 * color)


def count_cards(hand: np.uint64) -> int:
    """How many cards there are in the four lanes of a hand, above which its rails stand."""
    return to_int((((hand & LANES) * SPREAD) >> LANE_3) & LANE)


def draw_cards(tables: Tables, row: Row, seat: int, wanted: int) -> int:
    """Move cards from the deck to the hand of `seat`, as many as the deck has; return how many."""
    counts = row[COUNTS]
    drawn, fixed = to_int(counts & CODE), to_int((counts >> FIXED_AT) & CODE)
    number = min(wanted, to_int(tables[TABLE_DECK_SIZE]) - drawn)
    hand, left, seed = row[HANDS + seat], row[DECK_LEFT], row[DECK_SEED]
    for place in range(drawn, drawn + number):
        if place < fixed:
            color = to_int((row[DECK + (place >> 5)] >> to_word(2 * (place & 31))) & THREE)
        else:
            color = color_of(left, random_at(seed, place))
            left -= card_of(color)
        hand += card_of(color)
    row[HANDS + seat], row[DECK_LEFT] = hand, left
    row[COUNTS] = counts + to_word(number)
    return number


# -- destinations ------------------------------------------------------------------------------


def get_code(row: Row, at: int, nth: int) -> int:
    """The destination with this number, of those that begin at a word of the row; 0: none."""
    return to_int((row[at + (nth >> 2)] >> to_word(16 * (nth & 3))) & CODE)


def set_code(row: Row, at: int, nth: int, code: int) -> None:
    """Write the destination with this number."""
    shift = to_word(16 * (nth & 3))
    row[at + (nth >> 2)] = (row[at + (nth >> 2)] & ~(CODE << shift)) | (to_word(code) << shift)


def new_code(tables: Tables, row: Row) -> int:
    """Draw a destination that stands nowhere in the row."""
    while True:
        rank = random_below(row, to_int(tables[TABLE_PAIRS]))
        code = to_int((tables[to_int(tables[TABLE_PAIRS_AT]) + (rank >> 2)] >> to_word(16 * (rank & 3))) & CODE)
        if not has_code(row, to_word(code)):
            return code


def has_code(row: Row, code: np.uint64) -> bool:
    """Has some seat kept this destination, or is it still to be offered?"""
    found = ZERO
    for at in range(KEPT_AT, EDGES):
        different = row[at] ^ (code * CODES_ONE)  # a lane of zeros where the codes are equal
        found |= (different - CODES_ONE) & ~different & CODES_TOP
    return bool(found != ZERO)
