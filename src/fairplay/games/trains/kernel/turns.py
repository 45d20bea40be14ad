"""Turns: whose it is, and what it does."""

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, count_bits, lowest_bit, next_random, to_int, to_word
from fairplay.core.kernel import OVER, Row, Tables
from fairplay.games.trains.deal import FEW_RAILS
from fairplay.games.trains.kernel.deal import draw_cards, new_code
from fairplay.games.trains.kernel.row import (
    BUILDABLE,
    BYTE,
    CLOSER_AT,
    COLOR_AT,
    COUNTS,
    DECK,
    DECK_FIRST,
    DECK_LEFT,
    DECK_SEED,
    EDGES,
    FIXED_AT,
    FREE,
    GIVEN_CARDS,
    GIVEN_PAIRS,
    HANDS,
    IDLE_AT,
    KEPT_AT,
    KEPT_WORDS,
    LENGTH_AT,
    LINK_WORDS,
    LINKS,
    NOBODY,
    ONE_TURN,
    OUT_AT,
    OWNED,
    PICK_MASKS,
    PICKING,
    RAILS_AT,
    SEATS,
    SEQUENCE,
    STATUS,
    TABLE_CONNECTIONS,
    TABLE_DEALT,
    TABLE_DECK,
    TABLE_GIVEN_CARDS,
    TABLE_GIVEN_PAIRS,
    TABLE_NEEDED,
    TABLE_OFFERED,
    TABLE_PER_DRAW,
    TABLE_RAILS,
    WORDS,
    get_code,
    rank_of,
    set_code,
)

_FEW_RAILS = np.uint64(FEW_RAILS)
_NOT_IDLE = ~np.uint64(255 << 32)
_TURN_OVER = np.uint64(OVER)
_FRESH = np.uint64(1 << 8 | NOBODY << 16)


def to_move(tables: Tables, row: Row) -> int:
    """Whose decision is awaited; OVER when the match is over."""
    return to_int(row[STATUS] & BYTE)


def step(tables: Tables, row: Row, action: int) -> None:
    """Do the action with this number.  ASSUME it is legal."""
    seat = to_move(tables, row)
    if action == 0:
        drawn = draw_cards(tables, row, seat, to_int(tables[TABLE_PER_DRAW]))
        idle = to_int((row[STATUS] >> IDLE_AT) & BYTE) + 1 if drawn == 0 else 0  # Trains 4.3
        _finish_turn(row, seat, idle)
    elif action <= to_int(tables[TABLE_CONNECTIONS]):
        _acquire(tables, row, seat, action - 1)
        _finish_turn(row, seat, 0)
    else:
        _keep(tables, row, seat, tables[PICK_MASKS + action - 1 - to_int(tables[TABLE_CONNECTIONS])])
        row[COUNTS] += ONE_TURN
        _next_pick(tables, row, seat + 1)


def _acquire(tables: Tables, row: Row, seat: int, connection: int) -> None:
    """Pay for a connection and own it (Trains 3.6)."""
    link = tables[LINKS + connection]
    length, color = (link >> LENGTH_AT) & BYTE, to_int((link >> COLOR_AT) & BYTE)
    index, bit = connection >> 6, ONE << to_word(connection & 63)
    row[HANDS + seat] -= (length << RAILS_AT) + (length << to_word(12 * color))
    row[FREE + index] &= ~bit
    row[OWNED + seat * LINK_WORDS + index] |= bit


def _finish_turn(row: Row, seat: int, idle: int) -> None:
    """Complete a turn: pass it on, or end the match (Trains 4)."""
    status = row[STATUS]
    closer, out = to_int((status >> CLOSER_AT) & BYTE), (status >> OUT_AT) & BYTE
    if closer == NOBODY and row[HANDS + seat] >> RAILS_AT <= _FEW_RAILS:
        closer = seat  # Trains 4.1
    turn = _following_seat(seat, out, closer)
    if idle > 0 and closer == NOBODY and idle >= SEATS - count_bits(out):
        turn = OVER  # Trains 4.3
    row[STATUS] = to_word(turn) | to_word(closer) << CLOSER_AT | out << OUT_AT | to_word(idle) << IDLE_AT
    row[COUNTS] += ONE_TURN


def _following_seat(seat: int, out: np.uint64, closer: int) -> int:
    """Whose turn follows that of `seat`, which itself comes last; OVER if the last round is over or nobody is left."""
    stops = ~out & to_word((1 << SEATS) - 1)
    if closer != NOBODY:
        stops |= ONE << to_word(closer)
    if stops == ZERO:
        return OVER
    ahead = (stops | stops << to_word(SEATS)) >> to_word(seat + 1)
    other = seat + 1 + lowest_bit(ahead)
    if other >= SEATS:
        other -= SEATS
    return OVER if other == closer else other


def _keep(tables: Tables, row: Row, seat: int, picked: np.uint64) -> None:
    """Give `seat` the picked ones of the sorted offer; the sequence closes up (Trains 2.7)."""
    offered, needed = to_int(tables[TABLE_OFFERED]), to_int(tables[TABLE_NEEDED])
    taken = ZERO  # of the offer as it stands in the sequence
    for place in range(offered):
        code = get_code(row, SEQUENCE, place)
        rank = rank_of(row, offered, code)
        if (picked >> to_word(rank)) & ONE:
            taken |= ONE << to_word(place)
            below = picked & ((ONE << to_word(rank)) - ONE)
            set_code(row, KEPT_AT + seat * KEPT_WORDS, count_bits(below), code)
    at = 0
    for place in range(needed):
        if place >= offered or (taken >> to_word(place)) & ONE == ZERO:
            set_code(row, SEQUENCE, at, get_code(row, SEQUENCE, place))
            at += 1
    for place in range(at, needed):
        set_code(row, SEQUENCE, place, 0)


def _next_pick(tables: Tables, row: Row, seat: int) -> None:
    """Before play: the next seat from `seat` on gets its cards (Trains 2.3, 2.4), or play begins (3.1)."""
    status = row[STATUS] & ~(BYTE | PICKING)
    left = ~(status >> OUT_AT) & to_word((1 << SEATS) - 1)
    ahead = (left >> to_word(seat)) << to_word(seat)
    if ahead:
        turn = lowest_bit(ahead)
        row[STATUS] = status | PICKING | to_word(turn)
        draw_cards(tables, row, turn, to_int(tables[TABLE_DEALT]))
    else:
        row[STATUS] = status | (to_word(lowest_bit(left)) if left else _TURN_OVER)


def remove(tables: Tables, row: Row, seat: int) -> None:
    """Throw `seat` out: its connections are free; its cards, rails and destinations are gone (Trains 2.8, 6.4)."""
    row[HANDS + seat] = ZERO
    for index in range(LINK_WORDS):
        row[FREE + index] |= row[OWNED + seat * LINK_WORDS + index]
        row[OWNED + seat * LINK_WORDS + index] = ZERO
    for index in range(KEPT_WORDS):
        row[KEPT_AT + seat * KEPT_WORDS + index] = ZERO
    status = (row[STATUS] & _NOT_IDLE) | ONE << (OUT_AT + to_word(seat))
    row[STATUS] = status
    if to_int(status & BYTE) != seat:
        return
    if status & PICKING:
        _next_pick(tables, row, seat + 1)
    else:
        turn = _following_seat(seat, (status >> OUT_AT) & BYTE, to_int((status >> CLOSER_AT) & BYTE))
        row[STATUS] = (status & ~BYTE) | to_word(turn)


def start(tables: Tables, row: Row) -> None:
    """Deal a match by the row's random numbers (Trains 2)."""
    for at in range(STATUS, WORDS):
        row[at] = ZERO
    row[STATUS] = _FRESH
    row[DECK_SEED] = next_random(row)
    row[DECK_FIRST] = row[DECK_LEFT] = tables[TABLE_DECK]
    for index in range(LINK_WORDS):
        row[FREE + index] = tables[BUILDABLE + 3 * LINK_WORDS + index]
    for seat in range(SEATS):
        row[HANDS + seat] = tables[TABLE_RAILS] << RAILS_AT
    if tables[TABLE_GIVEN_CARDS] != ZERO:
        row[COUNTS] = tables[TABLE_GIVEN_CARDS] << FIXED_AT
        for index in range(WORDS - DECK):
            row[DECK + index] = tables[GIVEN_CARDS + index]
    if tables[TABLE_GIVEN_PAIRS] != ZERO:
        for index in range(EDGES - SEQUENCE):
            row[SEQUENCE + index] = tables[GIVEN_PAIRS + index]
    else:
        for place in range(to_int(tables[TABLE_NEEDED])):
            set_code(row, SEQUENCE, place, new_code(tables, row))
    _next_pick(tables, row, 0)
