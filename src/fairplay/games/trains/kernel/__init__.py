"""The rule book of Trains over rows of words: see `fairplay.core.kernel` for what the functions do.

`layout` says what stands where, `states` turns states into rows and back, `tables` describes the map; the rest is
compiled: cards and destinations, turns, scoring, observations, and dealing again what a seat cannot see.

A state does not say whether its deck or destinations were given.  Tables made without the setup deal the cards of the
state's deck in random order, and destinations of its map at random.
"""

from fairplay.games.trains.kernel.imagining import imagine
from fairplay.games.trains.kernel.layout import constants_for
from fairplay.games.trains.kernel.observing import observe
from fairplay.games.trains.kernel.scoring import scores
from fairplay.games.trains.kernel.states import pack, unpack
from fairplay.games.trains.kernel.tables import make_tables
from fairplay.games.trains.kernel.turns import (
    legal,
    legal_mask,
    play_on,
    playout,
    random_action,
    remove,
    start,
    step,
    to_move,
)

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
