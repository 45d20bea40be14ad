"""The nets, and what a position is worth by them.

For each bucket of positions a net is a straight line over the features plus 15 hidden units.  All numbers are whole, so
every machine gets the same.
"""

from io import BytesIO
from pkgutil import get_data

import numpy as np

from fairplay.core.arithmetic import ZERO, count_bits, to_int
from fairplay.core.kernel import OVER, AnyArray, Integers, Row
from fairplay.games.fish.kernel import row as layout
from fairplay.games.fish.players.nets import features as inputs
from fairplay.games.fish.players.territory import UNIT, bank

NET = 0
"""1 if there is a net for the board."""

HIDDEN = 15
NET_UNIT = 1 << 14
"""What a fish counts in a net."""

FINER = 12  # bits that the weights after the hidden units have more
LARGEST = 1400  # weight before a hidden unit: no position can make more of it than a lane holds

STRIDE = 1 + HIDDEN // 3
SIZE = STRIDE * (1 + inputs.FEATURES) + HIDDEN
LANE_BITS = 21
LANE = (1 << LANE_BITS) - 1
SIGN = 1 << LANE_BITS - 1


# -- files -------------------------------------------------------------------------------------------


def load_net(variant: str) -> Integers:
    """Read the net of a variant."""
    content = get_data(__name__, f"{variant}.npz")
    assert content is not None, "it lies beside this module"
    with np.load(BytesIO(content)) as file:
        return pack_net(*(file[part] for part in ("base", "line", "bias", "first", "second")))


def pack_net(base: AnyArray, line: AnyArray, bias: AnyArray, first: AnyArray, second: AnyArray) -> Integers:
    """The net as `apply_net` reads it, from arrays by bucket, then by feature, then by hidden unit.

    Three hidden units share a word, as numbers of 21 bits.
    """
    lanes = np.array([1, 1 << LANE_BITS, 1 << 2 * LANE_BITS], np.int64)

    def join(units: AnyArray) -> Integers:
        joined: Integers = (units.astype(np.int64).reshape(*units.shape[:-1], HIDDEN // 3, 3) * lanes).sum(-1)
        return joined

    head = np.concatenate([base[:, None].astype(np.int64), join(bias)], 1)
    body = np.concatenate([line[:, :, None].astype(np.int64), join(first)], 2).reshape(inputs.BUCKETS, -1)
    return np.concatenate([head, body, second.astype(np.int64)], 1).reshape(-1)


STANDARD_NET, ORIGINAL_NET = load_net("standard"), load_net("original")


# -- values ------------------------------------------------------------------------------------------


def apply_net(net: Integers, bucket: int, features: Integers) -> int:
    """By how much the seat on turn can expect to gain on the other."""
    at = bucket * SIZE
    line, a, b, c, d, e = net[at], net[at + 1], net[at + 2], net[at + 3], net[at + 4], net[at + 5]
    for place in range(inputs.FEATURES):
        feature = to_int(features[place])
        at += STRIDE
        line += feature * net[at]
        a += feature * net[at + 1]
        b += feature * net[at + 2]
        c += feature * net[at + 3]
        d += feature * net[at + 4]
        e += feature * net[at + 5]
    at += STRIDE
    units = weigh_units(net, at, a) + weigh_units(net, at + 3, b) + weigh_units(net, at + 6, c)
    units += weigh_units(net, at + 9, d) + weigh_units(net, at + 12, e)
    return to_int(line + (units >> FINER))


def weigh_units(net: Integers, at: int, packed: int) -> int:
    """What three hidden units add, by the weights from `at` on; negative ones add nothing."""
    low = ((packed & LANE) ^ SIGN) - SIGN
    packed = (packed - low) >> LANE_BITS
    middle = ((packed & LANE) ^ SIGN) - SIGN
    high = (packed - middle) >> LANE_BITS
    return to_int(max(low, 0) * net[at] + max(middle, 0) * net[at + 1] + max(high, 0) * net[at + 2])


def is_known(row: Row) -> bool:
    """Can the net say something about this position?"""
    return NET == 1 and row[layout.OUT] == ZERO and to_int(row[layout.TURN]) != OVER


def estimate_worths(row: Row, features: Integers, worths: Integers) -> int:
    """Write what each seat can expect; return how many tiles two seats reach in the same number of moves.

    features: scratch.
    """
    bank(row, worths)
    me, free = to_int(row[layout.TURN]), row[layout.FREE]
    mine = layout.standing_cells(row[layout.PENGUINS + me])
    theirs = layout.standing_cells(row[layout.PENGUINS + 1 - me])
    waiting = 2 * layout.LANES - count_bits(mine | theirs) if row[layout.PLACING] != ZERO else 0
    inputs.write_features(
        mine, theirs, free, row[layout.PLANES], row[layout.PLANES + 1], row[layout.PLANES + 2], features
    )
    lead = apply_net(ORIGINAL_NET if layout.ORIGINAL else STANDARD_NET, inputs.bucket_of(free, waiting), features)
    lead //= NET_UNIT // UNIT
    fish, split = to_int(features[inputs.MY_PENGUINS + 1] + features[inputs.THEIR_PENGUINS + 1]), 0
    for place in range(inputs.MINE, inputs.SPLIT + inputs.WAVES):
        fish += to_int(features[place])
    for place in range(inputs.SPLIT, inputs.SPLIT + inputs.WAVES):
        split += to_int(features[inputs.COUNTED + place])
    share = (UNIT * fish + lead) >> 1
    worths[me] += share
    worths[1 - me] += share - lead
    return split
