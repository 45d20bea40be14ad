"""What a seat sees, as an array: the same as `fairplay.games.trains.numbers` makes of its view."""

from typing import Any

from fairplay.core.arithmetic import ONE, ZERO, lowest_bit, to_int, to_word
from fairplay.core.kernel import Row, Tables
from fairplay.games.trains.kernel.row import (
    BYTE,
    CODE,
    COUNTS,
    HANDS,
    KEPT_AT,
    KEPT_WORDS,
    LANE,
    LINK_WORDS,
    OUT_AT,
    OWNED,
    PICKING,
    RAILS_AT,
    SEATS,
    SEQUENCE,
    STATUS,
    TABLE_CITIES,
    TABLE_CONNECTIONS,
    TABLE_DECK_SIZE,
    TABLE_KEPT,
    TABLE_OFFERED,
    count_cards,
    get_code,
    rank_of,
)
from fairplay.games.trains.numbers import CARD_SCALE, DECK_SCALE, HAND_SCALE, RAIL_SCALE


def observe(tables: Tables, row: Row, seat: int, out: Any) -> None:
    """Write the observation of `seat` into the flat `out`."""
    connections, cities = to_int(tables[TABLE_CONNECTIONS]), to_int(tables[TABLE_CITIES])
    offered, kept = to_int(tables[TABLE_OFFERED]), to_int(tables[TABLE_KEPT])
    at = connections * SEATS
    for nth in range(at + 3 * SEATS + 6 + (kept + offered) * cities):
        out[nth] = 0.0
    for ahead in range(SEATS):
        _show_owned(row, (seat + ahead) % SEATS, ahead * connections, out)
    _show_counts(tables, row, seat, at, out)
    at += 3 * SEATS + 6
    for nth in range(kept):
        _show_pair(get_code(row, KEPT_AT + seat * KEPT_WORDS, nth), at + nth * cities, out)
    status = row[STATUS]
    if status & PICKING and to_int(status & BYTE) == seat:
        _show_offer(row, offered, at + kept * cities, cities, out)


def _show_owned(row: Row, seat: int, at: int, out: Any) -> None:
    """Set the connections that `seat` owns."""
    for index in range(LINK_WORDS):
        word = row[OWNED + seat * LINK_WORDS + index]
        while word != ZERO:
            out[at + 64 * index + lowest_bit(word)] = 1.0
            word &= word - ONE


def _show_counts(tables: Tables, row: Row, seat: int, at: int, out: Any) -> None:
    """Write my cards, each seat's rails and number of cards, who is out, the deck, and whether seats still pick."""
    for color in range(4):
        out[at + color] = to_int((row[HANDS + seat] >> to_word(12 * color)) & LANE) / CARD_SCALE
    for ahead in range(SEATS):
        other = (seat + ahead) % SEATS
        hand = row[HANDS + other]
        out[at + 4 + ahead] = to_int(hand >> RAILS_AT) / RAIL_SCALE
        out[at + 4 + SEATS + ahead] = count_cards(hand) / HAND_SCALE
        if (row[STATUS] >> (OUT_AT + to_word(other))) & ONE:
            out[at + 4 + 2 * SEATS + ahead] = 1.0
    left = to_int(tables[TABLE_DECK_SIZE]) - to_int(row[COUNTS] & CODE)
    out[at + 4 + 3 * SEATS] = left / DECK_SCALE
    if row[STATUS] & PICKING:
        out[at + 5 + 3 * SEATS] = 1.0


def _show_offer(row: Row, offered: int, at: int, cities: int, out: Any) -> None:
    """Show the offered destinations in the order of Trains 8.1."""
    for place in range(offered):
        code = get_code(row, SEQUENCE, place)
        _show_pair(code, at + rank_of(row, offered, code) * cities, out)


def _show_pair(code: int, at: int, out: Any) -> None:
    """Set both cities of a destination, if there is one."""
    if code:
        out[at + (code >> 8)] = 1.0
        out[at + (code & 255)] = 1.0
