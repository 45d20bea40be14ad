"""The rule book of Trains over rows of words: see `fairplay.core.kernel` for what the functions do.

`row` says what stands where, and turns states into rows and back; the rest is compiled: `turns`, `legal`, `scoring`,
`observe`, `chance` (random play) and `deal` (the tables, and cards and destinations, dealt again too for `imagine`).

A state does not say whether its deck or destinations were given.  Tables made without the setup deal the cards of the
state's deck in random order, and destinations of its map at random.
"""

from fairplay.games.trains.kernel.chance import play_on, playout, random_action
from fairplay.games.trains.kernel.deal import imagine, make_tables, start
from fairplay.games.trains.kernel.legal import legal, legal_mask
from fairplay.games.trains.kernel.observe import observe
from fairplay.games.trains.kernel.row import constants_for, pack, unpack
from fairplay.games.trains.kernel.scoring import scores
from fairplay.games.trains.kernel.turns import remove, step, to_move

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
