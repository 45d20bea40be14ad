"""Turns: whose it is, what is legal, and what it does."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairplay.core.arithmetic import (
    ONE,
    ZERO,
    count_bits,
    lowest_bit,
    next_random,
    pick_bit,
    random_below,
    to_int,
    to_word,
)
from fairplay.core.kernel import OVER, Row, Tables
from fairplay.games.trains.kernel.cards import draw_cards, get_code, new_code, set_code
from fairplay.games.trains.kernel.layout import (
    BUILDABLE,
    COUNTS,
    DECK,
    DECK_FIRST,
    DECK_LEFT,
    DECK_SEED,
    EDGES,
    FREE,
    GIVEN_CARDS,
    GIVEN_PAIRS,
    HANDS,
    KEPT_AT,
    KEPT_WORDS,
    LINK_WORDS,
    LINKS,
    OWNED,
    PAYABLE,
    PICK_MASKS,
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
    TABLE_PICKS,
    TABLE_RAILS,
    WORDS,
)

__all__ = [
    "legal",
    "legal_mask",
    "play_on",
    "playout",
    "random_action",
    "remove",
    "start",
    "step",
    "takeable",
    "to_move",
]

NOBODY = 255  # instead of the seat that began the last round
FEW_RAILS = np.uint64(2)
BYTE, LANE = np.uint64(255), np.uint64(4095)
PICKING = np.uint64(1 << 8)
CLOSER_AT, FIXED_AT, OUT_AT, IDLE_AT = np.uint64(16), np.uint64(16), np.uint64(24), np.uint64(32)
NOT_IDLE = ~np.uint64(255 << 32)
TURN_OVER = np.uint64(255)
ONE_TURN = np.uint64(1 << 32)
RAILS_AT = np.uint64(48)
LENGTH_AT, COLOR_AT = np.uint64(16), np.uint64(24)
FRESH = np.uint64(1 << 8 | NOBODY << 16)


def to_move(tables: Tables, row: Row) -> int:
    """Whose decision is awaited; OVER when the match is over."""
    return to_int(row[STATUS] & BYTE)


# -- what is legal -----------------------------------------------------------------------------


def level_of(count: int) -> int:
    """How long a connection this many cards or rails pay for: 0 none, 1 up to 3, 2 up to 4, 3 up to 5."""
    return min(max(count - 2, 0), 3)


def takeable(tables: Tables, row: Row, hand: np.uint64, index: int) -> np.uint64:
    """One word of the mask of free connections that this hand pays for (Trains 3.5)."""
    paid = ZERO
    for color in range(4):
        level = level_of(to_int((hand >> to_word(12 * color)) & LANE))
        paid |= tables[PAYABLE + (4 * color + level) * LINK_WORDS + index]
    built = tables[BUILDABLE + level_of(to_int(hand >> RAILS_AT)) * LINK_WORDS + index]
    able: np.uint64 = row[FREE + index] & paid & built
    return able


def legal(tables: Tables, row: Row, out: Any) -> int:
    """Write the numbers of the legal actions into `out`, ascending, and return how many there are."""
    seat = to_move(tables, row)
    if seat == OVER:
        return 0
    if row[STATUS] & PICKING:
        picks = to_int(tables[TABLE_PICKS])
        for pick in range(picks):
            out[pick] = 1 + to_int(tables[TABLE_CONNECTIONS]) + pick
        return picks
    out[0] = 0
    count = 1
    for index in range(LINK_WORDS):
        word = takeable(tables, row, row[HANDS + seat], index)
        while word != ZERO:
            out[count] = 1 + 64 * index + lowest_bit(word)
            count += 1
            word &= word - ONE
    return count


def legal_mask(tables: Tables, row: Row, out: Any) -> None:
    """Set `out` to 1 at the numbers of the legal actions and to 0 elsewhere."""
    seat, connections = to_move(tables, row), to_int(tables[TABLE_CONNECTIONS])
    picking = seat != OVER and row[STATUS] & PICKING != ZERO
    for action in range(1 + connections):
        out[action] = 0
    for pick in range(to_int(tables[TABLE_PICKS])):
        out[1 + connections + pick] = 1 if picking else 0
    if seat == OVER or picking:
        return
    out[0] = 1
    for index in range(LINK_WORDS):
        word = takeable(tables, row, row[HANDS + seat], index)
        while word != ZERO:
            out[1 + 64 * index + lowest_bit(word)] = 1
            word &= word - ONE


def random_action(tables: Tables, row: Row) -> int:
    """Choose one of the legal actions, each with the same chance.  ASSUME the match is not over."""
    if row[STATUS] & PICKING:
        return 1 + to_int(tables[TABLE_CONNECTIONS]) + random_below(row, to_int(tables[TABLE_PICKS]))
    hand = row[HANDS + to_move(tables, row)]
    count = 1
    for index in range(LINK_WORDS):
        word = takeable(tables, row, hand, index)
        row[EDGES + index] = word  # for the second look
        count += count_bits(word)
    rank = random_below(row, count) - 1
    if rank < 0:
        return 0
    for index in range(LINK_WORDS):
        word = row[EDGES + index]
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


# -- what happens ------------------------------------------------------------------------------


def step(tables: Tables, row: Row, action: int) -> None:
    """Do the action with this number.  ASSUME it is legal."""
    seat = to_move(tables, row)
    if action == 0:
        drawn = draw_cards(tables, row, seat, to_int(tables[TABLE_PER_DRAW]))
        idle = to_int((row[STATUS] >> IDLE_AT) & BYTE) + 1 if drawn == 0 else 0  # Trains 4.3
        finish_turn(row, seat, idle)
    elif action <= to_int(tables[TABLE_CONNECTIONS]):
        acquire(tables, row, seat, action - 1)
        finish_turn(row, seat, 0)
    else:
        keep(tables, row, seat, tables[PICK_MASKS + action - 1 - to_int(tables[TABLE_CONNECTIONS])])
        row[COUNTS] += ONE_TURN
        next_pick(tables, row, seat + 1)


def acquire(tables: Tables, row: Row, seat: int, connection: int) -> None:
    """Pay for a connection and own it (Trains 3.6)."""
    link = tables[LINKS + connection]
    length, color = (link >> LENGTH_AT) & BYTE, to_int((link >> COLOR_AT) & BYTE)
    index, bit = connection >> 6, ONE << to_word(connection & 63)
    row[HANDS + seat] -= (length << RAILS_AT) + (length << to_word(12 * color))
    row[FREE + index] &= ~bit
    row[OWNED + seat * LINK_WORDS + index] |= bit


def finish_turn(row: Row, seat: int, idle: int) -> None:
    """Complete a turn: pass it on, or end the match (Trains 4)."""
    status = row[STATUS]
    closer, out = to_int((status >> CLOSER_AT) & BYTE), (status >> OUT_AT) & BYTE
    if closer == NOBODY and row[HANDS + seat] >> RAILS_AT <= FEW_RAILS:
        closer = seat  # Trains 4.1
    turn = following_seat(seat, out, closer)
    if idle > 0 and closer == NOBODY and idle >= SEATS - count_bits(out):
        turn = OVER  # Trains 4.3
    row[STATUS] = to_word(turn) | to_word(closer) << CLOSER_AT | out << OUT_AT | to_word(idle) << IDLE_AT
    row[COUNTS] += ONE_TURN


def following_seat(seat: int, out: np.uint64, closer: int) -> int:
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


def keep(tables: Tables, row: Row, seat: int, picked: np.uint64) -> None:
    """Give `seat` the picked ones of the sorted offer; the sequence closes up (Trains 2.7)."""
    offered, needed = to_int(tables[TABLE_OFFERED]), to_int(tables[TABLE_NEEDED])
    taken = ZERO  # of the offer as it stands in the sequence
    for place in range(offered):
        code = get_code(row, SEQUENCE, place)
        rank = 0
        for other in range(offered):
            rank += 1 if get_code(row, SEQUENCE, other) < code else 0
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


def next_pick(tables: Tables, row: Row, seat: int) -> None:
    """Before play: the next seat from `seat` on gets its cards (Trains 2.3, 2.4), or play begins (3.1)."""
    status = row[STATUS] & ~(BYTE | PICKING)
    left = ~(status >> OUT_AT) & to_word((1 << SEATS) - 1)
    ahead = (left >> to_word(seat)) << to_word(seat)
    if ahead:
        turn = lowest_bit(ahead)
        row[STATUS] = status | PICKING | to_word(turn)
        draw_cards(tables, row, turn, to_int(tables[TABLE_DEALT]))
    else:
        row[STATUS] = status | (to_word(lowest_bit(left)) if left else TURN_OVER)


def remove(tables: Tables, row: Row, seat: int) -> None:
    """Throw `seat` out: its connections are free; its cards, rails and destinations are gone (Trains 2.8, 6.4)."""
    row[HANDS + seat] = ZERO
    for index in range(LINK_WORDS):
        row[FREE + index] |= row[OWNED + seat * LINK_WORDS + index]
        row[OWNED + seat * LINK_WORDS + index] = ZERO
    for index in range(KEPT_WORDS):
        row[KEPT_AT + seat * KEPT_WORDS + index] = ZERO
    status = (row[STATUS] & NOT_IDLE) | ONE << (OUT_AT + to_word(seat))
    row[STATUS] = status
    if to_int(status & BYTE) != seat:
        return
    if status & PICKING:
        next_pick(tables, row, seat + 1)
    else:
        turn = following_seat(seat, (status >> OUT_AT) & BYTE, to_int((status >> CLOSER_AT) & BYTE))
        row[STATUS] = (status & ~BYTE) | to_word(turn)


def start(tables: Tables, row: Row) -> None:
    """Deal a match by the row's random numbers (Trains 2)."""
    for at in range(STATUS, WORDS):
        row[at] = ZERO
    row[STATUS] = FRESH
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
    next_pick(tables, row, 0)
