"""Random play."""

from fairplay.core.arithmetic import random_below
from fairplay.core.kernel import OVER, Row, Tables
from fairplay.games.labyrinth.kernel import row as layout
from fairplay.games.labyrinth.kernel.legal import is_legal
from fairplay.games.labyrinth.kernel.turns import step

TRIES = 5
"""Actions drawn in one call of `play_on`."""


def random_action(tables: Tables, row: Row) -> int:
    """Choose one of the legal actions, each with the same chance.  ASSUME the match is not over.

    About one number in eight is legal, so numbers are drawn until one is.
    """
    while True:
        action = random_below(row, 1 + layout.count_slides() * 4 * layout.ROWS * layout.COLUMNS)
        if is_legal(tables, row, action):
            return action


def play_on(tables: Tables, row: Row) -> int:
    """Draw a few actions, and make a turn of the first that is legal; return the number of turns.

    Threads that draw until they find one would wait for the unluckiest among them.
    """
    action, found = 0, False
    for _ in range(TRIES):
        if not found:
            action = random_below(row, 1 + layout.count_slides() * 4 * layout.ROWS * layout.COLUMNS)
            found = is_legal(tables, row, action)
    if found:
        step(tables, row, action)
    return 1 if found else 0


def playout(tables: Tables, row: Row) -> int:
    """Choose at random until the match is over; return the number of turns."""
    turns = 0
    while layout.get_lane(row, layout.TURN) != OVER:
        step(tables, row, random_action(tables, row))
        turns += 1
    return turns
