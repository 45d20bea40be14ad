"""What a position of Fish between two seats is worth: features of it, and a small net over them.

Compiled with the kernel; for boards whose masks are one word.  All numbers are integers, so every machine gets the same.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from fairplay.games.fish.kernel.sliding import (
    neighbours,
    slide_down,
    slide_ne,
    slide_nw,
    slide_se,
    slide_sw,
    slide_up,
    step_ne,
    step_nw,
)
from fairplay.parts.arithmetic import ZERO, count_bits, to_int

__all__ = ["BUCKETS", "FEATURES", "FINER", "HIDDEN", "LARGEST", "SIZE", "UNIT", "apply_net", "bucket_of", "pack_net", "write_features"]

FEATURES: Final = 32
HIDDEN: Final = 15
BUCKETS: Final = 12
STRIDE: Final = 1 + HIDDEN // 3
SIZE: Final = STRIDE * (1 + FEATURES) + HIDDEN
UNIT: Final = 1 << 14  # of the net's output: so much is one fish
FINER: Final = 12  # bits that the weights after the hidden units have more
LANE_BITS: Final = 21
LANE: Final = (1 << LANE_BITS) - 1
SIGN: Final = 1 << LANE_BITS - 1
LARGEST: Final = 1400  # weight before a hidden unit: no position can make more of it than a lane holds


def count_fish(cells: np.uint64, ones: np.uint64, twos: np.uint64, fours: np.uint64) -> int:
    """The fish on some tiles."""
    return count_bits(cells & ones) + 2 * count_bits(cells & twos) + 4 * count_bits(cells & fours)


def reach(cells: np.uint64, free: np.uint64) -> np.uint64:
    """The free cells that can be reached in one move."""
    slanting = slide_ne(cells, free) | slide_se(cells, free) | slide_sw(cells, free) | slide_nw(cells, free)
    return slanting | slide_up(cells, free) | slide_down(cells, free)


def write_wave(out: Any, at: int, cells: np.uint64, ones: np.uint64, twos: np.uint64, fours: np.uint64) -> None:
    """Add the fish and the tiles of one wave."""
    out[at] += count_fish(cells, ones, twos, fours)
    out[at + 9] += count_bits(cells)


def write_features(
    me: np.uint64,
    rival: np.uint64,
    free: np.uint64,
    ones: np.uint64,
    twos: np.uint64,
    fours: np.uint64,
    out: Any,
) -> None:
    """Write what the net looks at into the first FEATURES places of `out`; `me` is the seat on turn."""
    for place in range(FEATURES):
        out[place] = 0
    mine, theirs, open, front, other = ZERO, ZERO, free, me, rival
    wave = 0
    while (front | other) != ZERO:
        front, other = reach(front, open), reach(other, open)
        both = front & other
        open &= ~(front | other)
        mine |= front ^ both
        theirs |= other ^ both
        write_wave(out, wave, front ^ both, ones, twos, fours)
        write_wave(out, wave + 3, other ^ both, ones, twos, fours)
        write_wave(out, wave + 6, both, ones, twos, fours)
        if wave == 0:
            out[28] = count_bits((front ^ both) & fours) - count_bits((other ^ both) & fours)
            out[29] = count_bits(both & fours)
        if wave < 2:
            wave += 1
    around = neighbours(free)
    able, stuck = me & around, me & ~around
    out[18], out[19] = count_bits(able), count_fish(able, ones, twos, fours)
    out[20] = count_fish(stuck, ones, twos, fours)
    able, stuck = rival & around, rival & ~around
    out[21], out[22] = count_bits(able), count_fish(able, ones, twos, fours)
    out[23] = count_fish(stuck, ones, twos, fours)
    out[24], out[25] = count_links(mine), count_links(theirs)
    out[26] = count_bits(neighbours(me) & free)
    out[27] = count_bits(neighbours(rival) & free)
    out[30] = count_fish(open, ones, twos, fours)
    out[31] = count_bits(open)


def count_links(cells: np.uint64) -> int:
    """How many pairs of these cells touch along the two slanting directions."""
    return count_bits(cells & step_ne(cells)) + count_bits(cells & step_nw(cells))


def bucket_of(free: np.uint64, waiting: int) -> int:
    """Which part of the net serves a position with so many penguins still to be placed."""
    if waiting > 0:
        return 8 + (waiting - 1) // 2
    return (count_bits(free) - 1) >> 3 if free != ZERO else 0


def apply_net(net: Any, bucket: int, features: Any) -> int:
    """What the seat on turn can still expect to gain on the other, in units.

    Three hidden units share a word: numbers of 21 bits beside each other are multiplied and added all at once.
    """
    at = bucket * SIZE
    total, a, b, c, d, e = net[at], net[at + 1], net[at + 2], net[at + 3], net[at + 4], net[at + 5]
    for place in range(FEATURES):
        feature = to_int(features[place])
        at += STRIDE
        total += feature * net[at]
        a += feature * net[at + 1]
        b += feature * net[at + 2]
        c += feature * net[at + 3]
        d += feature * net[at + 4]
        e += feature * net[at + 5]
    at += STRIDE
    units = weigh_units(net, at, a) + weigh_units(net, at + 3, b) + weigh_units(net, at + 6, c)
    units += weigh_units(net, at + 9, d) + weigh_units(net, at + 12, e)
    return to_int(total + (units >> FINER))


def weigh_units(net: Any, at: int, packed: int) -> int:
    """What the three hidden units in a word add, by the weights from `at` on; negative ones add nothing."""
    low = ((packed & LANE) ^ SIGN) - SIGN
    packed = (packed - low) >> LANE_BITS
    middle = ((packed & LANE) ^ SIGN) - SIGN
    high = (packed - middle) >> LANE_BITS
    return to_int(max(low, 0) * net[at] + max(middle, 0) * net[at + 1] + max(high, 0) * net[at + 2])


def pack_net(base: Any, line: Any, bias: Any, first: Any, second: Any) -> Any:
    """The net as `apply_net` reads it, from whole numbers: by bucket, then by feature, then by hidden unit."""
    scale = np.array([1, 1 << LANE_BITS, 1 << 2 * LANE_BITS], np.int64)

    def join(units: Any) -> Any:
        return (units.astype(np.int64).reshape(*units.shape[:-1], HIDDEN // 3, 3) * scale).sum(-1)

    head = np.concatenate([base[:, None].astype(np.int64), join(bias)], 1)
    body = np.concatenate([line[:, :, None].astype(np.int64), join(first)], 2).reshape(BUCKETS, -1)
    return np.concatenate([head, body, second.astype(np.int64)], 1).reshape(-1)
