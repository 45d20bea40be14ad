"""Turns: whose it is, and what it does."""

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, count_bits, lowest_bit, to_int, to_word
from fairplay.core.kernel import OVER, Row, Tables
from fairplay.games.trains.deal import FEW_RAILS
from fairplay.games.trains.kernel import row as layout

_FEW_RAILS = np.uint64(FEW_RAILS)
_NOT_IDLE = ~np.uint64(255 << 32)
_TURN_OVER = np.uint64(OVER)


def to_move(tables: Tables, row: Row) -> int:
    """Whose decision is awaited; OVER when the match is over."""
    return to_int(row[layout.STATUS] & layout.BYTE)


def step(tables: Tables, row: Row, action: int) -> None:
    """Do the action with this number.  ASSUME it is legal."""
    seat = to_move(tables, row)
    if action == 0:
        drawn = draw_cards(tables, row, seat, to_int(tables[layout.TABLE_PER_DRAW]))
        idle = to_int((row[layout.STATUS] >> layout.IDLE_AT) & layout.BYTE) + 1 if drawn == 0 else 0  # Trains 4.3
        _finish_turn(row, seat, idle)
    elif action <= to_int(tables[layout.TABLE_CONNECTIONS]):
        _acquire(tables, row, seat, action - 1)
        _finish_turn(row, seat, 0)
    else:
        _keep(tables, row, seat, tables[layout.PICK_MASKS + action - 1 - to_int(tables[layout.TABLE_CONNECTIONS])])
        row[layout.COUNTS] += layout.ONE_TURN
        next_pick(tables, row, seat + 1)


def _acquire(tables: Tables, row: Row, seat: int, connection: int) -> None:
    """Pay for a connection and own it (Trains 3.6)."""
    link = tables[layout.LINKS + connection]
    length, color = (link >> layout.LENGTH_AT) & layout.BYTE, to_int((link >> layout.COLOR_AT) & layout.BYTE)
    index, bit = connection >> 6, ONE << to_word(connection & 63)
    row[layout.HANDS + seat] -= (length << layout.RAILS_AT) + (length << to_word(12 * color))
    row[layout.FREE + index] &= ~bit
    row[layout.OWNED + seat * layout.LINK_WORDS + index] |= bit


def _finish_turn(row: Row, seat: int, idle: int) -> None:
    """Complete a turn: pass it on, or end the match (Trains 4)."""
    status = row[layout.STATUS]
    closer, out = to_int((status >> layout.CLOSER_AT) & layout.BYTE), (status >> layout.OUT_AT) & layout.BYTE
    if closer == layout.NOBODY and row[layout.HANDS + seat] >> layout.RAILS_AT <= _FEW_RAILS:
        closer = seat  # Trains 4.1
    turn = _following_seat(seat, out, closer)
    if idle > 0 and closer == layout.NOBODY and idle >= layout.SEATS - count_bits(out):
        turn = OVER  # Trains 4.3
    status = to_word(turn) | out << layout.OUT_AT | to_word(idle) << layout.IDLE_AT
    row[layout.STATUS] = status | to_word(closer) << layout.CLOSER_AT
    row[layout.COUNTS] += layout.ONE_TURN


def _following_seat(seat: int, out: np.uint64, closer: int) -> int:
    """Whose turn follows that of `seat`, which itself comes last; OVER if the last round is over or nobody is left."""
    stops = ~out & to_word((1 << layout.SEATS) - 1)
    if closer != layout.NOBODY:
        stops |= ONE << to_word(closer)
    if stops == ZERO:
        return OVER
    ahead = (stops | stops << to_word(layout.SEATS)) >> to_word(seat + 1)
    other = seat + 1 + lowest_bit(ahead)
    if other >= layout.SEATS:
        other -= layout.SEATS
    return OVER if other == closer else other


def _keep(tables: Tables, row: Row, seat: int, picked: np.uint64) -> None:
    """Give `seat` the picked ones of the sorted offer; the sequence closes up (Trains 2.7)."""
    offered, needed = to_int(tables[layout.TABLE_OFFERED]), to_int(tables[layout.TABLE_NEEDED])
    taken = ZERO  # of the offer as it stands in the sequence
    for place in range(offered):
        code = layout.get_code(row, layout.SEQUENCE, place)
        rank = layout.rank_of(row, offered, code)
        if (picked >> to_word(rank)) & ONE:
            taken |= ONE << to_word(place)
            below = picked & ((ONE << to_word(rank)) - ONE)
            layout.set_code(row, layout.KEPT_AT + seat * layout.KEPT_WORDS, count_bits(below), code)
    at = 0
    for place in range(needed):
        if place >= offered or (taken >> to_word(place)) & ONE == ZERO:
            layout.set_code(row, layout.SEQUENCE, at, layout.get_code(row, layout.SEQUENCE, place))
            at += 1
    for place in range(at, needed):
        layout.set_code(row, layout.SEQUENCE, place, 0)


def draw_cards(tables: Tables, row: Row, seat: int, wanted: int) -> int:
    """Move cards from the deck to the hand of `seat`, as many as the deck has; return how many."""
    counts = row[layout.COUNTS]
    drawn, fixed = to_int(counts & layout.CODE), to_int((counts >> layout.FIXED_AT) & layout.CODE)
    number = min(wanted, to_int(tables[layout.TABLE_DECK_SIZE]) - drawn)
    hand, left, seed = row[layout.HANDS + seat], row[layout.DECK_LEFT], row[layout.DECK_SEED]
    for place in range(drawn, drawn + number):
        if place < fixed:
            color = to_int((row[layout.DECK + (place >> 5)] >> to_word(2 * (place & 31))) & layout.THREE)
        else:
            color = layout.color_of(left, layout.random_at(seed, place))
            left -= layout.card_of(color)
        hand += layout.card_of(color)
    row[layout.HANDS + seat], row[layout.DECK_LEFT] = hand, left
    row[layout.COUNTS] = counts + to_word(number)
    return number


def next_pick(tables: Tables, row: Row, seat: int) -> None:
    """Before play: the next seat from `seat` on gets its cards (Trains 2.3, 2.4), or play begins (3.1)."""
    status = row[layout.STATUS] & ~(layout.BYTE | layout.PICKING)
    left = ~(status >> layout.OUT_AT) & to_word((1 << layout.SEATS) - 1)
    ahead = (left >> to_word(seat)) << to_word(seat)
    if ahead:
        turn = lowest_bit(ahead)
        row[layout.STATUS] = status | layout.PICKING | to_word(turn)
        draw_cards(tables, row, turn, to_int(tables[layout.TABLE_DEALT]))
    else:
        row[layout.STATUS] = status | (to_word(lowest_bit(left)) if left else _TURN_OVER)


def remove(tables: Tables, row: Row, seat: int) -> None:
    """Throw `seat` out: its connections are free; its cards, rails and destinations are gone (Trains 2.8, 6.4)."""
    row[layout.HANDS + seat] = ZERO
    for index in range(layout.LINK_WORDS):
        row[layout.FREE + index] |= row[layout.OWNED + seat * layout.LINK_WORDS + index]
        row[layout.OWNED + seat * layout.LINK_WORDS + index] = ZERO
    for index in range(layout.KEPT_WORDS):
        row[layout.KEPT_AT + seat * layout.KEPT_WORDS + index] = ZERO
    status = (row[layout.STATUS] & _NOT_IDLE) | ONE << (layout.OUT_AT + to_word(seat))
    row[layout.STATUS] = status
    if to_int(status & layout.BYTE) != seat:
        return
    if status & layout.PICKING:
        next_pick(tables, row, seat + 1)
    else:
        out = (status >> layout.OUT_AT) & layout.BYTE
        turn = _following_seat(seat, out, layout.closer_of(row))
        row[layout.STATUS] = (status & ~layout.BYTE) | to_word(turn)
