"""What all matches like one share, how they are dealt, and what a seat cannot see dealt again."""

from collections.abc import Mapping
from itertools import combinations
from random import Random

import numpy as np

from fairplay.core import immutable
from fairplay.core.arithmetic import ONE, ZERO, count_bits, next_random, random_below, to_int, to_word
from fairplay.core.kernel import Row, Tables
from fairplay.games.trains import deal
from fairplay.games.trains.kernel import row as layout
from fairplay.games.trains.kernel.turns import next_pick
from fairplay.games.trains.map import COLORS, RailNetwork
from fairplay.games.trains.state import Setup, State

# -- tables ------------------------------------------------------------------------------------


def make_tables(state: State, setup: Setup | None = None) -> Tables:
    """Everything that all matches like this share: one array; raises KernelSizeError.

    Without a setup, `start` deals the cards of the state's deck and the destinations of its map at random.
    """
    constants, network, terms = layout.constants_for(state), state.network, state.terms
    pairs = [layout.encode_pair(network, network.destination(rank)) for rank in range(network.destination_count)]
    picks = [immutable.mask(kept) for kept in combinations(range(terms.offered), terms.kept)]
    pairs_at = constants["PICK_MASKS"] + len(picks)
    tables = np.zeros(pairs_at + -(-len(pairs) // 4), dtype=np.uint64)
    tables[: layout.PAYABLE] = [
        len(network.connections),
        len(network.names),
        terms.rails,
        terms.dealt,
        terms.per_draw,
        terms.deck_size,
        _count_colors(state.deck),
        _count_colors(deal.full_deck(terms.deck_size)),
        len(pairs),
        *(0, 0),
        terms.offered,
        terms.kept,
        deal.destinations_needed(terms, len(state.rails)),
        len(picks),
        pairs_at,
    ]
    tables[constants["PICK_MASKS"] : pairs_at] = picks
    layout.write_codes(pairs, tables, pairs_at)
    _write_masks(network, tables, constants["LINK_WORDS"])
    _write_network(network, tables, constants["LINKS"], constants["ADJACENT"], constants["LINK_WORDS"])
    if setup is not None:
        _write_given(state, setup, tables, constants)
    return tables


def _write_given(state: State, setup: Setup, tables: Tables, constants: Mapping[str, int]) -> None:
    """Write the deck and the destinations of a setup that gives them."""
    if setup.deck is not None:
        tables[layout.TABLE_GIVEN_CARDS] = len(setup.deck)
        layout.write_cards(map(COLORS.index, setup.deck), tables, constants["GIVEN_CARDS"])
    if setup.destinations is not None:
        needed = tables[layout.TABLE_GIVEN_PAIRS] = deal.destinations_needed(setup, len(state.rails))
        given = deal.deal_destinations(setup, state.network, needed, Random(0))  # without chance
        codes = [layout.encode_pair(state.network, pair) for pair in given]
        layout.write_codes(codes, tables, constants["GIVEN_PAIRS"])


def _write_masks(network: RailNetwork, tables: Tables, words: int) -> None:
    """Write which connections can be paid for, and which have others beside them."""
    wanted = [network.payable[color][length] for color in range(4) for length in (0, 3, 4, 5)]
    wanted += [network.buildable[length] for length in (0, 3, 4, 5)]
    wanted.append(immutable.mask(index for index, later in enumerate(_count_parallels(network)) if later))
    for nth, mask in enumerate(wanted):
        at = layout.PAYABLE + nth * words
        tables[at : at + words] = layout.split_words(mask, words)


def _write_network(network: RailNetwork, tables: Tables, links: int, adjacent: int, words: int) -> None:
    """Write the connections, and the connections at each city."""
    at_city = [0] * len(network.names)
    parts = zip(network.ends, network.lengths, network.colors, _count_parallels(network), strict=True)
    for index, ((first, second), length, color, later) in enumerate(parts):
        tables[links + index] = first | second << 8 | length << 16 | color << 24 | later << 32
        at_city[first] |= 1 << index
        at_city[second] |= 1 << index
    for city, mask in enumerate(at_city):
        at = adjacent + city * words
        tables[at : at + words] = layout.split_words(mask, words)


def _count_parallels(network: RailNetwork) -> list[int]:
    """For each connection how many that come later by Trains 8.2, so are no shorter, join the same cities."""
    return [network.ends[index + 1 :][:3].count(ends) for index, ends in enumerate(network.ends)]


def _count_colors(cards: bytes) -> int:
    """How many cards of each colour there are, side by side."""
    return sum(cards.count(color) << 12 * color for color in range(4))


# -- dealing -----------------------------------------------------------------------------------

_FRESH = np.uint64(1 << 8 | layout.NOBODY << 16)


def start(tables: Tables, row: Row) -> None:
    """Deal a match by the row's random numbers (Trains 2)."""
    for at in range(layout.STATUS, layout.WORDS):
        row[at] = ZERO
    row[layout.STATUS] = _FRESH
    row[layout.DECK_SEED] = next_random(row)
    row[layout.DECK_FIRST] = row[layout.DECK_LEFT] = tables[layout.TABLE_DECK]
    for index in range(layout.LINK_WORDS):
        row[layout.FREE + index] = tables[layout.BUILDABLE + 3 * layout.LINK_WORDS + index]
    for seat in range(layout.SEATS):
        row[layout.HANDS + seat] = tables[layout.TABLE_RAILS] << layout.RAILS_AT
    if tables[layout.TABLE_GIVEN_CARDS] != ZERO:
        row[layout.COUNTS] = tables[layout.TABLE_GIVEN_CARDS] << layout.FIXED_AT
        for index in range(layout.WORDS - layout.DECK):
            row[layout.DECK + index] = tables[layout.GIVEN_CARDS + index]
    if tables[layout.TABLE_GIVEN_PAIRS] != ZERO:
        for index in range(layout.EDGES - layout.SEQUENCE):
            row[layout.SEQUENCE + index] = tables[layout.GIVEN_PAIRS + index]
    else:
        for place in range(to_int(tables[layout.TABLE_NEEDED])):
            layout.set_code(row, layout.SEQUENCE, place, new_code(tables, row))
    next_pick(tables, row, 0)


def new_code(tables: Tables, row: Row) -> int:
    """Draw a destination that stands nowhere in the row."""
    while True:
        rank = random_below(row, to_int(tables[layout.TABLE_PAIRS]))
        word = tables[to_int(tables[layout.TABLE_PAIRS_AT]) + (rank >> 2)]
        code = to_int((word >> to_word(16 * (rank & 3))) & layout.CODE)
        if not layout.has_code(row, to_word(code)):
            return code


def imagine(tables: Tables, row: Row, seat: int) -> None:
    """Replace what `seat` may not know by something that it could be, by the row's random numbers."""
    _imagine_cards(tables, row, seat)
    _imagine_destinations(tables, row, seat)


# -- cards -------------------------------------------------------------------------------------


def _imagine_cards(tables: Tables, row: Row, seat: int) -> None:
    """Deal the other hands and the deck: a card that is neither in my hand nor spent can be anywhere."""
    spent = count_spent(tables, row)
    unknown = take_away(take_away(tables[layout.TABLE_STANDARD_DECK], spent), row[layout.HANDS + seat])
    for other in range(layout.SEATS):
        if other != seat:
            unknown = _deal_hand(row, other, unknown)
    drawn = to_int(row[layout.COUNTS] & layout.CODE)
    at = _write_hand(row, 0, spent)
    held = 0
    for other in range(layout.SEATS):
        held += layout.count_cards(row[layout.HANDS + other])
    for place in range(at, min(drawn - held, at + layout.count_cards(unknown))):  # cards of seats that were removed
        color = layout.color_of(unknown, next_random(row) >> layout.HALF)
        unknown -= layout.card_of(color)
        _write_card(row, place, color)
        at = place + 1
    turn = to_int(row[layout.STATUS] & layout.BYTE)
    for other in range(layout.SEATS):  # the seat being dealt to has the last cards that left the deck
        if other != turn:
            at = _write_hand(row, at, row[layout.HANDS + other])
    if turn < layout.SEATS:
        _write_hand(row, at, row[layout.HANDS + turn])
    row[layout.DECK_SEED] = next_random(row)
    row[layout.DECK_FIRST] = row[layout.DECK_LEFT] = unknown
    row[layout.COUNTS] = (row[layout.COUNTS] & layout.NOT_FIXED) | to_word(drawn) << layout.FIXED_AT


def count_spent(tables: Tables, row: Row) -> np.uint64:
    """How many cards of each colour the owners of connections have spent on them."""
    spent = ZERO
    for index in range(layout.LINK_WORDS):
        owned = ZERO
        for seat in range(layout.SEATS):
            owned |= row[layout.OWNED + seat * layout.LINK_WORDS + index]
        spent += cost_of(tables, owned, index)
    return spent


def cost_of(tables: Tables, owned: np.uint64, index: int) -> np.uint64:
    """How many cards of each colour the connections in one word of a mask cost."""
    spent = ZERO
    for color in range(4):
        at = layout.PAYABLE + 4 * color * layout.LINK_WORDS + index
        up_to_3, up_to_4 = tables[at + layout.LINK_WORDS], tables[at + 2 * layout.LINK_WORDS]
        every = count_bits(owned & tables[at + 3 * layout.LINK_WORDS])
        cards = 5 * every - count_bits(owned & up_to_4) - count_bits(owned & up_to_3)
        spent += to_word(cards) << to_word(12 * color)
    return spent


def take_away(cards: np.uint64, fewer: np.uint64) -> np.uint64:
    """The cards without `fewer`; of no colour less than none: a given deck may have other colours than expected."""
    rest = ZERO
    for color in range(4):
        shift = to_word(12 * color)
        count, less = (cards >> shift) & layout.LANE, (fewer >> shift) & layout.LANE
        if count > less:
            rest |= (count - less) << shift
    return rest


def _deal_hand(row: Row, seat: int, cards: np.uint64) -> np.uint64:
    """Give `seat` as many cards as it has, at random; return the others."""
    hand = row[layout.HANDS + seat]
    fresh = hand & ~layout.LANES
    for _ in range(min(layout.count_cards(hand), layout.count_cards(cards))):
        color = layout.color_of(cards, next_random(row) >> layout.HALF)
        cards -= layout.card_of(color)
        fresh += layout.card_of(color)
    row[layout.HANDS + seat] = fresh
    return cards


def _write_hand(row: Row, at: int, cards: np.uint64) -> int:
    """Write cards into the deck, colour by colour; return the place after them."""
    for color in range(4):
        for _ in range(to_int((cards >> to_word(12 * color)) & layout.LANE)):
            _write_card(row, at, color)
            at += 1
    return at


def _write_card(row: Row, place: int, color: int) -> None:
    """Write one card of the deck down, if it has that place: positions that no match leads to may have more cards."""
    at = layout.DECK + (place >> 5)
    if at < layout.WORDS:
        shift = to_word(2 * (place & 31))
        row[at] = (row[at] & ~(layout.THREE << shift)) | (to_word(color) << shift)


# -- destinations ------------------------------------------------------------------------------


def _imagine_destinations(tables: Tables, row: Row, seat: int) -> None:
    """Deal the sequence, and what each other seat keeps."""
    shown = forget_destinations(tables, row, seat)
    _shuffle_codes(row, shown)
    for other in range(layout.SEATS):
        if other != seat and has_picked(row, other):
            at = layout.KEPT_AT + other * layout.KEPT_WORDS
            for nth in range(to_int(tables[layout.TABLE_KEPT])):
                insert_code(row, at, nth, new_code(tables, row))
    deal_sequence(tables, row, shown)


def forget_destinations(tables: Tables, row: Row, seat: int) -> int:
    """Clear the destinations that `seat` does not see; return how many of the sequence it is offered."""
    offered = row[layout.STATUS] & layout.PICKING != ZERO and to_int(row[layout.STATUS] & layout.BYTE) == seat
    shown = to_int(tables[layout.TABLE_OFFERED]) if offered else 0
    for place in range(shown, 4 * (layout.EDGES - layout.SEQUENCE)):
        layout.set_code(row, layout.SEQUENCE, place, 0)
    for other in range(layout.SEATS):
        for index in range(layout.KEPT_WORDS):
            if other != seat:
                row[layout.KEPT_AT + other * layout.KEPT_WORDS + index] = ZERO
    return shown


def has_picked(row: Row, seat: int) -> bool:
    """Does `seat`, which was not removed, have its destinations already?"""
    status = row[layout.STATUS]
    out = (status >> (layout.OUT_AT + to_word(seat))) & ONE != ZERO
    return bool(not out and (status & layout.PICKING == ZERO or seat < to_int(status & layout.BYTE)))


def deal_sequence(tables: Tables, row: Row, shown: int) -> None:
    """Draw the sequence, but for what is shown of it."""
    needed = to_int(tables[layout.TABLE_NEEDED])
    for seat in range(layout.SEATS):
        if has_picked(row, seat):
            needed -= to_int(tables[layout.TABLE_KEPT])
    for place in range(shown, needed):
        layout.set_code(row, layout.SEQUENCE, place, new_code(tables, row))


def _shuffle_codes(row: Row, number: int) -> None:
    """Shuffle the first destinations of the sequence."""
    for place in range(number - 1, 0, -1):
        other = random_below(row, place + 1)
        code = layout.get_code(row, layout.SEQUENCE, place)
        layout.set_code(row, layout.SEQUENCE, place, layout.get_code(row, layout.SEQUENCE, other))
        layout.set_code(row, layout.SEQUENCE, other, code)


def insert_code(row: Row, at: int, nth: int, code: int) -> None:
    """Add a destination to the `nth` that a seat keeps, sorted by Trains 8.1."""
    while nth > 0 and layout.get_code(row, at, nth - 1) > code:
        layout.set_code(row, at, nth, layout.get_code(row, at, nth - 1))
        nth -= 1
    layout.set_code(row, at, nth, code)
