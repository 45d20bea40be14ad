"""The rule book of Fish over rows of words; see `fairplay.core.kernel`.

On boards of at most eight rows and columns masks are one word, and moves are found by shifts (see `board`); on
larger boards they are found by walking along the lines in the tables.  A "bit" is the place of a cell in a mask.
"""

from fairplay.games.fish.kernel.chance import play_on, playout, random_action
from fairplay.games.fish.kernel.deal import imagine, make_tables, start
from fairplay.games.fish.kernel.legal import legal, legal_mask
from fairplay.games.fish.kernel.observe import observe
from fairplay.games.fish.kernel.row import constants_for, pack, unpack
from fairplay.games.fish.kernel.turns import remove, scores, step, to_move

__all__ = [
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
