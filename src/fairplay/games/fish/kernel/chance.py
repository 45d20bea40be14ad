"""Random play."""

from typing import TypeAlias

import numpy as np

from fairplay.core.arithmetic import (
    ONE,
    STAR,
    ZERO,
    advance_random,
    count_bits,
    next_random,
    random_below,
    to_int,
    to_word,
)
from fairplay.core.kernel import OVER, RANDOM, Row, Tables
from fairplay.games.fish.kernel import row as layout
from fairplay.games.fish.kernel.board import NO_MOVE, choose_move, first_move, free_steps, number_of
from fairplay.games.fish.kernel.turns import place_penguin, step

_Lifted: TypeAlias = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
"""One seat out of its row: penguins, the mask of them, what it has collected since, and its number."""


def random_action(tables: Tables, row: Row) -> int:
    """Choose one of the legal actions, each with the same chance.  ASSUME the match is not over."""
    if row[layout.PLACING] != ZERO:
        return layout.cell_of(tables, _random_tile(row))
    if layout.MASK_WORDS == 1:
        mine = layout.standing_cells(row[layout.PENGUINS + to_int(row[layout.TURN])])
        move = choose_move(mine, row[layout.FREE], next_random(row))
        return number_of(tables, move >> 6, move & 63)
    return _nth_move(tables, row, random_below(row, _count_moves(tables, row)))


def _random_tile(row: Row) -> int:
    """Choose the bit of a tile where a penguin may be placed."""
    return layout.nth_bit(row, random_below(row, layout.count_placeable(row)), 1)


def _count_moves(tables: Tables, row: Row) -> int:
    """How many moves the seat on turn has."""
    count = 0
    for lane in range(layout.LANES):
        bit = layout.penguin_at(row[layout.PENGUINS + to_int(row[layout.TURN])], lane)
        if bit != layout.NOBODY:
            for direction in range(layout.RAYS):
                count += free_steps(tables, row, bit, direction)
    return count


def _nth_move(tables: Tables, row: Row, rank: int) -> int:
    """The number of the move with `rank` others before it."""
    for lane in range(layout.LANES):
        bit = layout.penguin_at(row[layout.PENGUINS + to_int(row[layout.TURN])], lane)
        if bit != layout.NOBODY:
            for direction in range(layout.RAYS):
                steps = free_steps(tables, row, bit, direction)
                if rank < steps:
                    return first_move(tables, bit, direction) + rank
                rank -= steps
    return 0


def play_on(tables: Tables, row: Row) -> int:
    """Make all the turns that are left: matches are about equally long."""
    return playout(tables, row)


def playout(tables: Tables, row: Row) -> int:
    """Choose at random until the match is over; return the number of turns."""
    before = to_int(row[layout.TURNS])
    while row[layout.PLACING] != ZERO and to_int(row[layout.TURN]) != OVER:
        place_penguin(tables, row, _random_tile(row))
    if layout.MASK_WORDS == 1:
        _play_moves(row)
    else:
        while to_int(row[layout.TURN]) != OVER:
            step(tables, row, random_action(tables, row))
    return to_int(row[layout.TURNS]) - before


def _play_moves(row: Row) -> None:
    """Move at random until nobody can, for masks of one word; what changes is kept out of the row.

    The first `left` seats can still move and take turns.  One that cannot never will again, for nobody is removed
    here, so it goes behind them.
    """
    seat, left = to_int(row[layout.TURN]), layout.SEATS
    if seat == OVER:
        return
    me, second, third, fourth = _lift(row, seat), _lift(row, seat + 1), _lift(row, seat + 2), _lift(row, seat + 3)
    free, random, turns = row[layout.FREE], row[RANDOM], row[layout.TURNS]
    while left > 0:
        following = advance_random(random)
        move = choose_move(me[1], free, following * STAR)
        able = left
        if move == NO_MOVE:
            left -= 1
        else:
            random = following
            turns += ONE
            free ^= ONE << to_word(move & 63)
            me = _move_lifted(me, move >> 6, move & 63)
        if able == 2:
            me, second = second, me
        if layout.SEATS > 2 and able == 3:
            me, second, third = second, third, me
        if layout.SEATS > 3 and able == 4:
            me, second, third, fourth = second, third, fourth, me
    _put_back(row, me)
    _put_back(row, second)
    if layout.SEATS > 2:
        _put_back(row, third)
    if layout.SEATS > 3:
        _put_back(row, fourth)
    row[layout.TURN], row[layout.FREE], row[RANDOM], row[layout.TURNS] = to_word(OVER), free, random, turns


def _lift(row: Row, seat: int) -> _Lifted:
    """Read one seat, counted round the table, from the row."""
    seat %= layout.SEATS
    penguins = row[layout.PENGUINS + seat]
    return penguins, layout.standing_cells(penguins), ZERO, to_word(seat)


def _move_lifted(me: _Lifted, begin: int, end: int) -> _Lifted:
    """One seat after a move."""
    penguins, standing, collected, seat = me
    left, reached = ONE << to_word(begin), ONE << to_word(end)
    return layout.move_lane(penguins, begin, end), standing ^ left ^ reached, collected | left, seat


def _put_back(row: Row, me: _Lifted) -> None:
    """Write one seat that cannot move to the row; in the original game it retires."""
    penguins, standing, collected, word = me
    seat = to_int(word)
    if layout.ORIGINAL:
        penguins, collected = layout.EMPTY, collected | standing
    row[layout.PENGUINS + seat] = penguins
    row[layout.COLLECTED + seat] |= collected
    fish = count_bits(collected & row[layout.PLANES])
    fish += 2 * count_bits(collected & row[layout.PLANES + 1]) + 4 * count_bits(collected & row[layout.PLANES + 2])
    row[layout.FISH + seat] += to_word(fish)
