"""The arrays that the search of Fish works in, and where everything lies in them.

rows: words; positions from the root on, then those of `solo`, then masks.
frames: integers; what is known of these positions, then their moves, then how promising the moves are.
keys, entries: words and integers; positions that were searched before, those of `solo` at the end.
control: integers; how far the search is.
worths: integers; what a position is worth to each seat.
history: integers; for each seat and action how much it was better than others.
"""

from typing import Final

DEEPEST: Final = 62
"""The most turns that are looked ahead."""

SOLO_AT: Final = DEEPEST + 2
MASKS_AT: Final = SOLO_AT + 66
ROWS: Final = MASKS_AT + 1

FRAME: Final = 11
"""How much is known of a position before its moves."""

TABLE: Final = 1 << 16
"""How many positions of the search are kept in mind."""

MEMO_AT: Final = TABLE
MEMO: Final = 1 << 14
ENTRY: Final = 4
"""How much is known of a position that was searched before."""

# -- in `control` ------------------------------------------------------------------------------------

NODES: Final = 0  # made so far
PLY: Final = 1  # where the search stands; -1: it is complete
AGE: Final = 2  # of entries that count
REDUCE: Final = 3  # 1: moves that promise little are searched less deep first
SOLO: Final = 4  # nodes for each region that a seat has to itself; 0: they are searched like all others
VALUE: Final = 5  # of the position that was finished last, for the seat on turn there
SURE: Final = 6  # 1: that value is certain
CONSIDERED: Final = 7  # this many moves at the root get their exact value
CALLS: Final = 8  # how many regions were searched alone
LINE: Final = 16  # the best line in the last one of them, 64 times the start plus the target; -1 ends it
CONTROL: Final = LINE + 67
