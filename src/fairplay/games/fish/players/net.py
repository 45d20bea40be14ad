"""What a position of two seats is worth by the net that was trained for it; see `estimate`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from fairplay.games.fish.kernel.cells import standing_cells
from fairplay.games.fish.kernel.rows import FREE, LANES, OUT, PENGUINS, PLACING, PLANES, TURN
from fairplay.games.fish.kernel.sliding import ORIGINAL
from fairplay.games.fish.players.estimate import apply_net, bucket_of, pack_net, write_features
from fairplay.games.fish.players.estimate import UNIT as NET_UNIT
from fairplay.games.fish.players.territory import UNIT, bank
from fairplay.parts.arithmetic import ZERO, count_bits, to_int
from fairplay.parts.kernel import OVER, Row

__all__ = ["NET", "appraise", "knows"]

NET = 0
"""1 where there is a net for the board."""

FINENESS: Final = NET_UNIT // UNIT


def load_net(name: str) -> Any:
    """Read the net of a variant."""
    with np.load(Path(__file__).with_name(f"net-{name}.npz")) as file:
        return pack_net(*(file[part] for part in ("base", "line", "bias", "first", "second")))


STANDARD_NET, ORIGINAL_NET = load_net("standard"), load_net("original")


def knows(row: Row) -> bool:
    """Can the net say something about this position?"""
    return bool(NET) and row[OUT] == ZERO and to_int(row[TURN]) != OVER


def appraise(row: Row, features: Any, worths: Any) -> int:
    """Write what each seat can expect; return how many tiles two seats reach in the same number of moves.

    features: scratch.
    """
    bank(row, worths)
    me, free = to_int(row[TURN]), row[FREE]
    mine, theirs = standing_cells(row[PENGUINS + me]), standing_cells(row[PENGUINS + 1 - me])
    waiting = 2 * LANES - count_bits(mine | theirs) if row[PLACING] != ZERO else 0
    write_features(mine, theirs, free, row[PLANES], row[PLANES + 1], row[PLANES + 2], features)
    bucket = bucket_of(free, waiting)
    lead = apply_net(ORIGINAL_NET if ORIGINAL else STANDARD_NET, bucket, features) // FINENESS
    fish = features[19] + features[22]
    for place in range(9):
        fish += features[place]
    share = (UNIT * fish + lead) >> 1
    worths[me] += share
    worths[1 - me] += share - lead
    return to_int(features[15] + features[16] + features[17])
