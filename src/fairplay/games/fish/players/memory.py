"""The arrays that the search of Fish works in, and where everything lies in them."""

from typing import NamedTuple

from fairplay.core.kernel import Integers, Tables, Words


class Arrays(NamedTuple):
    """The arrays of a search, which the caller makes; compiled code takes them whole."""

    tables: Tables
    rows: Words  # positions from the root on, then those of `solo`, then masks
    frames: Integers  # what is known of these positions, then their moves, then how promising the moves are
    keys: Words  # positions that were searched before, those of `solo` at the end
    entries: Integers  # what is known of them
    control: Integers  # how far the search is
    worths: Integers  # what a position is worth to each seat
    history: Integers  # for each action how much it was better than others


DEEPEST = 62
"""The most turns that are looked ahead."""

SOLO_AT = DEEPEST + 2
MASKS_AT = SOLO_AT + 66
ROWS = MASKS_AT + 1

FRAME = 11
"""How much is known of a position before its moves."""

TABLE = 1 << 16
"""How many positions of the search are kept in mind."""

MEMO_AT = TABLE
MEMO = 1 << 14
ENTRY = 4
"""How much is known of a position that was searched before."""

# -- in `control` ------------------------------------------------------------------------------------

NODES = 0  # made so far
PLY = 1  # where the search stands; -1: it is complete
AGE = 2  # of entries that count
REDUCE = 3  # 1: moves that promise little are searched less deep first
SOLO = 4  # nodes for each region that a seat has to itself; 0: they are searched like all others
VALUE = 5  # of the position that was finished last, for the seat on turn there
SURE = 6  # 1: that value is certain
CONSIDERED = 7  # this many moves at the root get their exact value
CALLS = 8  # how many regions were searched alone
LINE = 16  # the best line in the last one of them, 64 times the start plus the target; -1 ends it
CONTROL = LINE + 67
