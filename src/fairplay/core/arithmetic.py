"""Arithmetic on 64-bit words that kernels share; the same source runs interpreted and compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fairplay.core.kernel import RANDOM

if TYPE_CHECKING:
    from fairplay.core.kernel import Row

    def to_int(word: np.uint64 | np.bool_) -> int:
        """The number that a word holds; 1 for what is true, and 0 for what is not."""

    def to_word(number: int) -> np.uint64:
        """A number as a word, so that the two can be combined: numba would make a float of a word and an integer."""
else:
    to_int, to_word = np.int64, np.uint64

ZERO = np.uint64(0)
ONE = np.uint64(1)

PAIRS = np.uint64(0x5555555555555555)
FOURS = np.uint64(0x3333333333333333)
EIGHTS = np.uint64(0x0F0F0F0F0F0F0F0F)
BYTES = np.uint64(0x0101010101010101)
TWO, FOUR, EIGHT, SIXTEEN, HALF = np.uint64(2), np.uint64(4), np.uint64(8), np.uint64(16), np.uint64(32)
LOW_EIGHT, LOW_SIXTEEN, LOW_HALF = np.uint64(0xFF), np.uint64(0xFFFF), np.uint64(0xFFFF_FFFF)
TOP_BYTE = np.uint64(56)
STAR = np.uint64(0x2545F4914F6CDD1D)
SHIFT_A, SHIFT_B, SHIFT_C = np.uint64(12), np.uint64(25), np.uint64(27)
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_A, MIX_B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFT_D = np.uint64(30)


def count_bits(word: np.uint64) -> int:
    """How many bits are set; compilers know this idiom."""
    pairs = word - ((word >> ONE) & PAIRS)
    fours = (pairs & FOURS) + ((pairs >> TWO) & FOURS)
    return to_int((((fours + (fours >> FOUR)) & EIGHTS) * BYTES) >> TOP_BYTE)


def lowest_bit(word: np.uint64) -> int:
    """The number of the lowest bit that is set; 64 if none is."""
    return count_bits(~word & (word - ONE))


def highest_bit(word: np.uint64) -> int:
    """The number of the highest bit that is set; -1 if none is."""
    word |= word >> ONE
    word |= word >> TWO
    word |= word >> FOUR
    word |= word >> EIGHT
    word |= word >> SIXTEEN
    word |= word >> HALF
    return count_bits(word) - 1


def pick_bit(word: np.uint64, rank: int) -> int:
    """The number of the set bit that has `rank` set bits below it.  ASSUME there is one."""
    for _ in range(rank):
        word &= word - ONE
    return lowest_bit(word)


def pick_bit_of_many(word: np.uint64, rank: int) -> int:
    """The same as `pick_bit`, and faster when many bits are set: halves without the bit are left out first."""
    bit, below = 0, count_bits(word & LOW_HALF)
    if rank >= below:
        word, rank, bit = word >> HALF, rank - below, 32
    below = count_bits(word & LOW_SIXTEEN)
    if rank >= below:
        word, rank, bit = word >> SIXTEEN, rank - below, bit + 16
    below = count_bits(word & LOW_EIGHT)
    if rank >= below:
        word, rank, bit = word >> EIGHT, rank - below, bit + 8
    return bit + pick_bit(word, rank)


def next_random(row: Row) -> np.uint64:
    """Advance the random numbers of a row (xorshift64*), and return 64 bits of which the upper ones are best."""
    row[RANDOM] = word = advance_random(row[RANDOM])
    return word * STAR


def advance_random(word: np.uint64) -> np.uint64:
    """What a row's random numbers are after `word`; times STAR it is the random number itself."""
    word ^= word >> SHIFT_A
    word ^= word << SHIFT_B
    word ^= word >> SHIFT_C
    return word


def random_below(row: Row, bound: int) -> int:
    """Choose from 0 to `bound` - 1, which is below 2^31; no number is likelier than another by more than 2^-32."""
    return to_int(((next_random(row) >> HALF) * to_word(bound)) >> HALF)


def scramble(word: np.uint64) -> np.uint64:
    """A word of which the upper half depends on every bit of `word` (splitmix64, but for its last shift)."""
    word = (word ^ (word >> SHIFT_D)) * MIX_A
    return (word ^ (word >> SHIFT_C)) * MIX_B
