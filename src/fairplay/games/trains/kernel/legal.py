"""What is legal."""

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, lowest_bit, to_int, to_word
from fairplay.core.kernel import OVER, Integers, Row, Tables
from fairplay.core.numbers import Mask
from fairplay.games.trains.kernel import row as layout
from fairplay.games.trains.kernel.turns import to_move


def _level_of(count: int) -> int:
    """How long a connection this many cards or rails pay for: 0 none, 1 up to 3, 2 up to 4, 3 up to 5."""
    return min(max(count - 2, 0), 3)


def takeable(tables: Tables, row: Row, hand: np.uint64, index: int) -> np.uint64:
    """One word of the mask of free connections that this hand pays for (Trains 3.5)."""
    paid = ZERO
    for color in range(4):
        level = _level_of(to_int((hand >> to_word(12 * color)) & layout.LANE))
        paid |= tables[layout.PAYABLE + (4 * color + level) * layout.LINK_WORDS + index]
    built = tables[layout.BUILDABLE + _level_of(to_int(hand >> layout.RAILS_AT)) * layout.LINK_WORDS + index]
    able: np.uint64 = row[layout.FREE + index] & paid & built
    return able


def legal(tables: Tables, row: Row, out: Integers) -> int:
    """Write the numbers of the legal actions into `out`, ascending, and return how many there are."""
    seat = to_move(tables, row)
    if seat == OVER:
        return 0
    if row[layout.STATUS] & layout.PICKING:
        picks = to_int(tables[layout.TABLE_PICKS])
        for pick in range(picks):
            out[pick] = 1 + to_int(tables[layout.TABLE_CONNECTIONS]) + pick
        return picks
    out[0] = 0
    count = 1
    for index in range(layout.LINK_WORDS):
        word = takeable(tables, row, row[layout.HANDS + seat], index)
        while word != ZERO:
            out[count] = 1 + 64 * index + lowest_bit(word)
            count += 1
            word &= word - ONE
    return count


def legal_mask(tables: Tables, row: Row, out: Mask) -> None:
    """Set `out` to 1 at the numbers of the legal actions and to 0 elsewhere."""
    seat, connections = to_move(tables, row), to_int(tables[layout.TABLE_CONNECTIONS])
    picking = seat != OVER and row[layout.STATUS] & layout.PICKING != ZERO
    for action in range(1 + connections):
        out[action] = 0
    for pick in range(to_int(tables[layout.TABLE_PICKS])):
        out[1 + connections + pick] = 1 if picking else 0
    if seat == OVER or picking:
        return
    out[0] = 1
    for index in range(layout.LINK_WORDS):
        word = takeable(tables, row, row[layout.HANDS + seat], index)
        while word != ZERO:
            out[1 + 64 * index + lowest_bit(word)] = 1
            word &= word - ONE
