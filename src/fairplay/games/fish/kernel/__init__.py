"""The rule book of Fish over rows of words; see `fairplay.core.kernel`.

On boards of at most eight rows and columns masks are one word, and moves are found by shifts (see `sliding`); on
larger boards they are found by walking along the lines in the tables.  A "bit" is the place of a cell in a mask.
"""

from fairplay.games.fish.kernel.chance import play_on, playout, random_action
from fairplay.games.fish.kernel.looks import imagine, legal, legal_mask, observe, scores
from fairplay.games.fish.kernel.rows import WORDS, constants_for, make_tables, pack, unpack
from fairplay.games.fish.kernel.turns import remove, start, step, to_move

__all__ = [
    "WORDS",
    "constants_for",
    "imagine",
    "legal",
    "legal_mask",
    "make_tables",
    "observe",
    "pack",
    "play_on",
    "playout",
    "random_action",
    "remove",
    "scores",
    "start",
    "step",
    "to_move",
    "unpack",
]
