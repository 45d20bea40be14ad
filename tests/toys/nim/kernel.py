"""Nim over rows of words: a word of heaps, a word of seats in turn order, one that says who took last and the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fairplay.core import Seat
from fairplay.core.arithmetic import random_below, to_int, to_word
from fairplay.core.kernel import OVER
from nim.rules import Heaps

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairplay.core.kernel import Row, Tables

WORDS = 4
HEAPS, SEATS, LAST = 1, 2, 3  # words of a row
LARGEST = 5
MOST_SEATS = 3

# -- in Python only ----------------------------------------------------------------------------


def constants_for(state: Heaps) -> Mapping[str, int]:
    return {"WORDS": WORDS}


def make_tables(state: Heaps, setup: Any = None) -> Tables:
    return np.array([len(state.heaps), len(state.seats)])


def pack(state: Heaps, row: Row) -> None:
    row[HEAPS] = sum(size << 4 * heap for heap, size in enumerate(state.heaps))
    row[SEATS] = sum((seat + 1) << 4 * place for place, seat in enumerate(state.seats))
    row[LAST] = (0 if state.last is None else state.last + 1) | state.turn_number << 4


def unpack(row: Row, like: Heaps) -> Heaps:
    heaps = tuple(nibble(row, HEAPS, heap) for heap in range(len(like.heaps)))
    seats = tuple(Seat(seat - 1) for place in range(MOST_SEATS) if (seat := nibble(row, SEATS, place)))
    last = nibble(row, LAST, 0)
    return Heaps(heaps, seats, Seat(last - 1) if last else None, int(row[LAST]) >> 4)


# -- interpreted and compiled ------------------------------------------------------------------


def nibble(row: Row, word: int, place: int) -> int:
    return int(to_int((row[word] >> to_word(4 * place)) & to_word(15)))


def start(tables: Tables, row: Row) -> None:
    row[HEAPS] = row[SEATS] = row[LAST] = to_word(0)
    for heap in range(tables[0]):
        row[HEAPS] |= to_word(1 + random_below(row, LARGEST)) << to_word(4 * heap)
    for seat in range(tables[1]):
        row[SEATS] |= to_word(seat + 1) << to_word(4 * seat)


def to_move(tables: Tables, row: Row) -> int:
    if row[HEAPS] == to_word(0) or row[SEATS] == to_word(0):
        return OVER
    return nibble(row, SEATS, 0) - 1


def legal(tables: Tables, row: Row, out: Any) -> int:
    found = 0
    if to_move(tables, row) != OVER:
        for heap in range(tables[0]):
            for matches in range(nibble(row, HEAPS, heap)):
                out[found] = heap * LARGEST + matches
                found += 1
    return found


def legal_mask(tables: Tables, row: Row, out: Any) -> None:
    over = to_move(tables, row) == OVER
    for heap in range(tables[0]):
        size = 0 if over else nibble(row, HEAPS, heap)
        for matches in range(LARGEST):
            out[heap * LARGEST + matches] = 1 if matches < size else 0


def step(tables: Tables, row: Row, action: int) -> None:
    heap, matches = action // LARGEST, action % LARGEST + 1
    row[HEAPS] -= to_word(matches) << to_word(4 * heap)
    mover = row[SEATS] & to_word(15)
    turn = (row[LAST] >> to_word(4)) + to_word(1)
    row[LAST] = mover | turn << to_word(4)
    remove(tables, row, to_int(mover) - 1)
    row[SEATS] |= mover << to_word(4 * count_seats(row))


def count_seats(row: Row) -> int:
    found = 0
    while found < MOST_SEATS and nibble(row, SEATS, found) != 0:
        found += 1
    return found


def remove(tables: Tables, row: Row, seat: int) -> None:
    left, kept = row[SEATS], 0
    row[SEATS] = to_word(0)
    for place in range(MOST_SEATS):
        other = (left >> to_word(4 * place)) & to_word(15)
        if other != to_word(0) and to_int(other) != seat + 1:
            row[SEATS] |= other << to_word(4 * kept)
            kept += 1


def find_place(row: Row, seat: int) -> int:
    for place in range(MOST_SEATS):
        if nibble(row, SEATS, place) == seat + 1:
            return place
    return -1


def scores(tables: Tables, row: Row, out: Any) -> None:
    for seat in range(tables[1]):
        out[seat] = -1 if find_place(row, seat) < 0 else 1 if nibble(row, LAST, 0) == seat + 1 else 0


def observe(tables: Tables, row: Row, seat: int, out: Any) -> None:
    heaps = tables[0]
    for heap in range(heaps):
        out[heap] = nibble(row, HEAPS, heap) / LARGEST
    for place in range(MOST_SEATS):
        out[heaps + place] = 1.0 if nibble(row, SEATS, place) == seat + 1 else 0.0
    out[heaps + MOST_SEATS] = 1.0 if nibble(row, LAST, 0) == seat + 1 else 0.0


def imagine(tables: Tables, row: Row, seat: int) -> None:
    """Nothing is hidden."""


def random_action(tables: Tables, row: Row) -> int:
    rank = 0
    for heap in range(tables[0]):
        rank += nibble(row, HEAPS, heap)
    rank = random_below(row, rank)
    heap = 0
    while rank >= nibble(row, HEAPS, heap):
        rank -= nibble(row, HEAPS, heap)
        heap += 1
    return heap * LARGEST + rank


def play_on(tables: Tables, row: Row) -> int:
    step(tables, row, random_action(tables, row))
    return 1


def playout(tables: Tables, row: Row) -> int:
    turns = 0
    while to_move(tables, row) != OVER:
        turns += play_on(tables, row)
    return turns
