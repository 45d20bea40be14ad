"""What is legal."""

from typing import Any

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, lowest_bit, to_int, to_word
from fairplay.core.kernel import OVER, Row, Tables
from fairplay.games.trains.kernel.row import (
    BUILDABLE,
    FREE,
    HANDS,
    LANE,
    LINK_WORDS,
    PAYABLE,
    PICKING,
    RAILS_AT,
    STATUS,
    TABLE_CONNECTIONS,
    TABLE_PICKS,
)
from fairplay.games.trains.kernel.turns import to_move


def _level_of(count: int) -> int:
    """How long a connection this many cards or rails pay for: 0 none, 1 up to 3, 2 up to 4, 3 up to 5."""
    return min(max(count - 2, 0), 3)


def takeable(tables: Tables, row: Row, hand: np.uint64, index: int) -> np.uint64:
    """One word of the mask of free connections that this hand pays for (Trains 3.5)."""
    paid = ZERO
    for color in range(4):
        level = _level_of(to_int((hand >> to_word(12 * color)) & LANE))
        paid |= tables[PAYABLE + (4 * color + level) * LINK_WORDS + index]
    built = tables[BUILDABLE + _level_of(to_int(hand >> RAILS_AT)) * LINK_WORDS + index]
    able: np.uint64 = row[FREE + index] & paid & built
    return able


def legal(tables: Tables, row: Row, out: Any) -> int:
    """Write the numbers of the legal actions into `out`, ascending, and return how many there are."""
    seat = to_move(tables, row)
    if seat == OVER:
        return 0
    if row[STATUS] & PICKING:
        picks = to_int(tables[TABLE_PICKS])
        for pick in range(picks):
            out[pick] = 1 + to_int(tables[TABLE_CONNECTIONS]) + pick
        return picks
    out[0] = 0
    count = 1
    for index in range(LINK_WORDS):
        word = takeable(tables, row, row[HANDS + seat], index)
        while word != ZERO:
            out[count] = 1 + 64 * index + lowest_bit(word)
            count += 1
            word &= word - ONE
    return count


def legal_mask(tables: Tables, row: Row, out: Any) -> None:
    """Set `out` to 1 at the numbers of the legal actions and to 0 elsewhere."""
    seat, connections = to_move(tables, row), to_int(tables[TABLE_CONNECTIONS])
    picking = seat != OVER and row[STATUS] & PICKING != ZERO
    for action in range(1 + connections):
        out[action] = 0
    for pick in range(to_int(tables[TABLE_PICKS])):
        out[1 + connections + pick] = 1 if picking else 0
    if seat == OVER or picking:
        return
    out[0] = 1
    for index in range(LINK_WORDS):
        word = takeable(tables, row, row[HANDS + seat], index)
        while word != ZERO:
            out[1 + 64 * index + lowest_bit(word)] = 1
            word &= word - ONE
