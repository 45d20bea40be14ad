"""The rule book of Labyrinth once more, over rows of 64-bit words: all variants, boards of up to 4,096 cells."""

from fairplay.games.labyrinth.kernel.chance import play_on, playout, random_action
from fairplay.games.labyrinth.kernel.deal import imagine, start
from fairplay.games.labyrinth.kernel.legal import legal, legal_mask
from fairplay.games.labyrinth.kernel.observe import observe
from fairplay.games.labyrinth.kernel.row import constants_for, make_tables, pack, unpack
from fairplay.games.labyrinth.kernel.turns import remove, scores, step, to_move

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
