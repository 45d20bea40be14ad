"""Random play."""

from fairplay.core.arithmetic import count_bits, pick_bit, random_below, to_int
from fairplay.core.kernel import OVER, Row, Tables
from fairplay.games.trains.kernel import row as layout
from fairplay.games.trains.kernel.legal import takeable
from fairplay.games.trains.kernel.turns import step, to_move


def random_action(tables: Tables, row: Row) -> int:
    """Choose one of the legal actions, each with the same chance.  ASSUME the match is not over."""
    if row[layout.STATUS] & layout.PICKING:
        return 1 + to_int(tables[layout.TABLE_CONNECTIONS]) + random_below(row, to_int(tables[layout.TABLE_PICKS]))
    hand = row[layout.HANDS + to_move(tables, row)]
    count = 1
    for index in range(layout.LINK_WORDS):
        word = takeable(tables, row, hand, index)
        row[layout.EDGES + index] = word  # for the second look
        count += count_bits(word)
    rank = random_below(row, count) - 1
    if rank < 0:
        return 0
    for index in range(layout.LINK_WORDS):
        word = row[layout.EDGES + index]
        here = count_bits(word)
        if rank < here:
            return 1 + 64 * index + pick_bit(word, rank)
        rank -= here
    return 0


def play_on(tables: Tables, row: Row) -> int:
    """Make all the turns that are left: matches are about equally long."""
    return playout(tables, row)


def playout(tables: Tables, row: Row) -> int:
    """Choose at random until the match is over; return the number of turns."""
    turns = 0
    while to_move(tables, row) != OVER:
        step(tables, row, random_action(tables, row))
        turns += 1
    return turns
