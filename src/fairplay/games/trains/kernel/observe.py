"""What a seat sees, as an array: the same as `fairplay.games.trains.numbers` makes of its view."""

from fairplay.core.arithmetic import ONE, ZERO, lowest_bit, to_int, to_word
from fairplay.core.kernel import Row, Tables
from fairplay.core.numbers import Floats
from fairplay.games.trains.kernel import row as layout
from fairplay.games.trains.numbers import CARD_SCALE, DECK_SCALE, HAND_SCALE, RAIL_SCALE


def observe(tables: Tables, row: Row, seat: int, out: Floats) -> None:
    """Write the observation of `seat` into the flat `out`."""
    connections, cities = to_int(tables[layout.TABLE_CONNECTIONS]), to_int(tables[layout.TABLE_CITIES])
    offered, kept = to_int(tables[layout.TABLE_OFFERED]), to_int(tables[layout.TABLE_KEPT])
    at = connections * layout.SEATS
    for nth in range(at + 3 * layout.SEATS + 6 + (kept + offered) * cities):
        out[nth] = 0.0
    for ahead in range(layout.SEATS):
        _show_owned(row, (seat + ahead) % layout.SEATS, ahead * connections, out)
    _show_counts(tables, row, seat, at, out)
    at += 3 * layout.SEATS + 6
    for nth in range(kept):
        _show_pair(layout.get_code(row, layout.KEPT_AT + seat * layout.KEPT_WORDS, nth), at + nth * cities, out)
    status = row[layout.STATUS]
    if status & layout.PICKING and to_int(status & layout.BYTE) == seat:
        _show_offer(row, offered, at + kept * cities, cities, out)


def _show_owned(row: Row, seat: int, at: int, out: Floats) -> None:
    """Set the connections that `seat` owns."""
    for index in range(layout.LINK_WORDS):
        word = row[layout.OWNED + seat * layout.LINK_WORDS + index]
        while word != ZERO:
            out[at + 64 * index + lowest_bit(word)] = 1.0
            word &= word - ONE


def _show_counts(tables: Tables, row: Row, seat: int, at: int, out: Floats) -> None:
    """Write my cards, each seat's rails and number of cards, who is out, the deck, and whether seats still pick."""
    for color in range(4):
        out[at + color] = to_int((row[layout.HANDS + seat] >> to_word(12 * color)) & layout.LANE) / CARD_SCALE
    for ahead in range(layout.SEATS):
        other = (seat + ahead) % layout.SEATS
        hand = row[layout.HANDS + other]
        out[at + 4 + ahead] = to_int(hand >> layout.RAILS_AT) / RAIL_SCALE
        out[at + 4 + layout.SEATS + ahead] = layout.count_cards(hand) / HAND_SCALE
        if (row[layout.STATUS] >> (layout.OUT_AT + to_word(other))) & ONE:
            out[at + 4 + 2 * layout.SEATS + ahead] = 1.0
    left = to_int(tables[layout.TABLE_DECK_SIZE]) - to_int(row[layout.COUNTS] & layout.CODE)
    out[at + 4 + 3 * layout.SEATS] = left / DECK_SCALE
    if row[layout.STATUS] & layout.PICKING:
        out[at + 5 + 3 * layout.SEATS] = 1.0


def _show_offer(row: Row, offered: int, at: int, cities: int, out: Floats) -> None:
    """Show the offered destinations in the order of Trains 8.1."""
    for place in range(offered):
        code = layout.get_code(row, layout.SEQUENCE, place)
        _show_pair(code, at + layout.rank_of(row, offered, code) * cities, out)


def _show_pair(code: int, at: int, out: Floats) -> None:
    """Set both cities of a destination, if there is one."""
    if code:
        out[at + (code >> 8)] = 1.0
        out[at + (code & 255)] = 1.0
