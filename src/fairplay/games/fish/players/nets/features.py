"""What a net sees of a position of Fish between two seats: 32 whole numbers.

Compiled like a kernel, for boards whose masks are one word.  Tiles are told apart by who reaches them in fewer moves,
and in how many: one, two, or three and more.
"""

import numpy as np

from fairplay.core.arithmetic import ZERO, count_bits
from fairplay.core.kernel import Integers
from fairplay.games.fish.kernel.board import neighbours, step_ne, step_nw
from fairplay.games.fish.players.territory import reach

FEATURES = 32
BUCKETS = 12

WAVES = 3
MINE, THEIRS, SPLIT = 0, 3, 6  # the fish that I reach first, that the rival does, and that both do, by waves
COUNTED = 9  # the same for tiles instead of fish begins here
MY_PENGUINS, THEIR_PENGUINS = 18, 21  # how many can move, the fish under these, and under the others
MY_LINKS, THEIR_LINKS = 24, 25  # pairs of tiles that touch, of those that one reaches first
MY_STEPS, THEIR_STEPS = 26, 27  # free tiles beside penguins
RICH, RICH_SPLIT = 28, 29  # tiles of 4 or 5 fish in the first wave: mine less theirs, and those of both
UNREACHED = 30  # the fish, and the tiles, that nobody reaches


def write_features(
    me: np.uint64, rival: np.uint64, free: np.uint64, ones: np.uint64, twos: np.uint64, fours: np.uint64, out: Integers
) -> None:
    """Write the features into the first places of `out`.

    me: the penguins of the seat on turn.  ones, twos, fours: the digits of the fish on each tile.
    """
    for place in range(FEATURES):
        out[place] = 0
    mine, theirs, left, front, other, wave = ZERO, ZERO, free, me, rival, 0
    while (front | other) != ZERO:
        front, other = reach(front, left), reach(other, left)
        left &= ~(front | other)
        both = front & other
        mine |= front ^ both
        theirs |= other ^ both
        add_tiles(out, MINE + wave, front ^ both, ones, twos, fours)
        add_tiles(out, THEIRS + wave, other ^ both, ones, twos, fours)
        add_tiles(out, SPLIT + wave, both, ones, twos, fours)
        if wave == 0:
            out[RICH] = count_bits((front ^ both) & fours) - count_bits((other ^ both) & fours)
            out[RICH_SPLIT] = count_bits(both & fours)
        wave = min(wave + 1, WAVES - 1)
    around = neighbours(free)
    write_penguins(out, MY_PENGUINS, me, around, ones, twos, fours)
    write_penguins(out, THEIR_PENGUINS, rival, around, ones, twos, fours)
    out[MY_LINKS], out[THEIR_LINKS] = count_links(mine), count_links(theirs)
    out[MY_STEPS], out[THEIR_STEPS] = count_bits(neighbours(me) & free), count_bits(neighbours(rival) & free)
    out[UNREACHED], out[UNREACHED + 1] = count_fish(left, ones, twos, fours), count_bits(left)


def count_fish(cells: np.uint64, ones: np.uint64, twos: np.uint64, fours: np.uint64) -> int:
    """The fish on some tiles."""
    return count_bits(cells & ones) + 2 * count_bits(cells & twos) + 4 * count_bits(cells & fours)


def add_tiles(out: Integers, at: int, cells: np.uint64, ones: np.uint64, twos: np.uint64, fours: np.uint64) -> None:
    """Add the fish and the number of some tiles."""
    out[at] += count_fish(cells, ones, twos, fours)
    out[at + COUNTED] += count_bits(cells)


def write_penguins(
    out: Integers, at: int, cells: np.uint64, around: np.uint64, ones: np.uint64, twos: np.uint64, fours: np.uint64
) -> None:
    """Write what is said about the penguins of a seat; those `around` free tiles can move."""
    out[at] = count_bits(cells & around)
    out[at + 1] = count_fish(cells & around, ones, twos, fours)
    out[at + 2] = count_fish(cells & ~around, ones, twos, fours)


def count_links(cells: np.uint64) -> int:
    """How many pairs of these cells touch in the slanting directions."""
    return count_bits(cells & step_ne(cells)) + count_bits(cells & step_nw(cells))


def bucket_of(free: np.uint64, waiting: int) -> int:
    """Which part of a net serves a position with this many penguins still to be placed."""
    if waiting > 0:
        return 8 + (waiting - 1) // 2
    return (count_bits(free) - 1) >> 3 if free != ZERO else 0
