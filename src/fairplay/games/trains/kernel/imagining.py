"""What a seat cannot see, dealt again: cards and destinations of the others, the deck, the sequence."""

from __future__ import annotations

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, count_bits, next_random, random_below, to_int, to_word
from fairplay.core.kernel import Row, Tables
from fairplay.games.trains.kernel.cards import card_of, color_of, count_cards, get_code, new_code, set_code
from fairplay.games.trains.kernel.layout import (
    COUNTS,
    DECK,
    DECK_FIRST,
    DECK_LEFT,
    DECK_SEED,
    EDGES,
    HANDS,
    KEPT_AT,
    KEPT_WORDS,
    LINK_WORDS,
    OWNED,
    PAYABLE,
    SEATS,
    SEQUENCE,
    STATUS,
    TABLE_KEPT,
    TABLE_NEEDED,
    TABLE_OFFERED,
    TABLE_STANDARD_DECK,
    WORDS,
)

__all__ = ["count_spent", "imagine", "take_away"]

BYTE, CODE, LANE = np.uint64(255), np.uint64(0xFFFF), np.uint64(4095)
HALF = np.uint64(32)
LANES = np.uint64((1 << 48) - 1)
PICKING = np.uint64(1 << 8)
OUT_AT, FIXED_AT = np.uint64(24), np.uint64(16)
NOT_FIXED = ~np.uint64(0xFFFF << 16)
THREE = np.uint64(3)


def imagine(tables: Tables, row: Row, seat: int) -> None:
    """Replace what `seat` may not know by something that it could be, by the row's random numbers."""
    imagine_cards(tables, row, seat)
    imagine_destinations(tables, row, seat)


# -- cards -------------------------------------------------------------------------------------


def imagine_cards(tables: Tables, row: Row, seat: int) -> None:
    """Deal the other hands and the deck: a card that is neither in my hand nor spent can be anywhere."""
    spent = count_spent(tables, row)
    unknown = take_away(take_away(tables[TABLE_STANDARD_DECK], spent), row[HANDS + seat])
    for other in range(SEATS):
        if other != seat:
            unknown = deal_hand(row, other, unknown)
    drawn = to_int(row[COUNTS] & CODE)
    at = write_cards(row, 0, spent)
    held = 0
    for other in range(SEATS):
        held += count_cards(row[HANDS + other])
    for place in range(at, min(drawn - held, at + count_cards(unknown))):  # cards of seats that were removed
        color = color_of(unknown, next_random(row) >> HALF)
        unknown -= card_of(color)
        write_card(row, place, color)
        at = place + 1
    turn = to_int(row[STATUS] & BYTE)
    for other in range(SEATS):  # the seat being dealt to has the last cards that left the deck
        if other != turn:
            at = write_cards(row, at, row[HANDS + other])
    if turn < SEATS:
        write_cards(row, at, row[HANDS + turn])
    row[DECK_SEED] = next_random(row)
    row[DECK_FIRST] = row[DECK_LEFT] = unknown
    row[COUNTS] = (row[COUNTS] & NOT_FIXED) | to_word(drawn) << FIXED_AT


def count_spent(tables: Tables, row: Row) -> np.uint64:
    """How many cards of each colour the owners of connections have spent on them."""
    spent = ZERO
    for index in range(LINK_WORDS):
        owned = ZERO
        for seat in range(SEATS):
            owned |= row[OWNED + seat * LINK_WORDS + index]
        for color in range(4):
            at = PAYABLE + 4 * color * LINK_WORDS + index
            up_to_3, up_to_4 = tables[at + LINK_WORDS], tables[at + 2 * LINK_WORDS]
            every = count_bits(owned & tables[at + 3 * LINK_WORDS])
            cards = 5 * every - count_bits(owned & up_to_4) - count_bits(owned & up_to_3)
            spent += to_word(cards) << to_word(12 * color)
    return spent


def take_away(cards: np.uint64, fewer: np.uint64) -> np.uint64:
    """The cards without `fewer`; of no colour less than none: a given deck may have other colours than expected."""
    rest = ZERO
    for color in range(4):
        shift = to_word(12 * color)
        count, less = (cards >> shift) & LANE, (fewer >> shift) & LANE
        if count > less:
            rest |= (count - less) << shift
    return rest


def deal_hand(row: Row, seat: int, cards: np.uint64) -> np.uint64:
    """Give `seat` as many cards as it has, at random; return the others."""
    hand = row[HANDS + seat]
    fresh = hand & ~LANES
    for _ in range(min(count_cards(hand), count_cards(cards))):
        color = color_of(cards, next_random(row) >> HALF)
        cards -= card_of(color)
        fresh += card_of(color)
    row[HANDS + seat] = fresh
    return cards


def write_cards(row: Row, at: int, cards: np.uint64) -> int:
    """Write cards into the deck, colour by colour; return the place after them."""
    for color in range(4):
        for _ in range(to_int((cards >> to_word(12 * color)) & LANE)):
            write_card(row, at, color)
            at += 1
    return at


def write_card(row: Row, place: int, color: int) -> None:
    """Write one card of the deck down, if it has that place: positions that no match leads to may have more cards."""
    at = DECK + (place >> 5)
    if at < WORDS:
        shift = to_word(2 * (place & 31))
        row[at] = (row[at] & ~(THREE << shift)) | (to_word(color) << shift)


# -- destinations ------------------------------------------------------------------------------


def imagine_destinations(tables: Tables, row: Row, seat: int) -> None:
    """Deal the sequence, and what each other seat keeps."""
    status = row[STATUS]
    picking, turn = status & PICKING != ZERO, to_int(status & BYTE)
    kept = to_int(tables[TABLE_KEPT])
    shown = to_int(tables[TABLE_OFFERED]) if picking and turn == seat else 0
    shuffle_codes(row, shown)
    for place in range(shown, 4 * (EDGES - SEQUENCE)):
        set_code(row, SEQUENCE, place, 0)
    for other in range(SEATS):
        for index in range(KEPT_WORDS):
            if other != seat:
                row[KEPT_AT + other * KEPT_WORDS + index] = ZERO
    keepers = 0
    for other in range(SEATS):
        if not (status >> (OUT_AT + to_word(other))) & ONE and (not picking or other < turn):
            keepers += 1
            if other != seat:
                imagine_kept(tables, row, kept, KEPT_AT + other * KEPT_WORDS)
    for place in range(shown, to_int(tables[TABLE_NEEDED]) - kept * keepers):
        set_code(row, SEQUENCE, place, new_code(tables, row))


def shuffle_codes(row: Row, number: int) -> None:
    """Shuffle the first destinations of the sequence."""
    for place in range(number - 1, 0, -1):
        other = random_below(row, place + 1)
        code = get_code(row, SEQUENCE, place)
        set_code(row, SEQUENCE, place, get_code(row, SEQUENCE, other))
        set_code(row, SEQUENCE, other, code)


def imagine_kept(tables: Tables, row: Row, kept: int, at: int) -> None:
    """Draw what a seat keeps, sorted by Trains 8.1."""
    for nth in range(kept):
        code = new_code(tables, row)
        place = nth
        while place > 0 and get_code(row, at, place - 1) > code:
            set_code(row, at, place, get_code(row, at, place - 1))
            place -= 1
        set_code(row, at, place, code)
