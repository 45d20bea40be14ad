"""What a seat believes of the others: hands and destinations that agree with all it saw, likelier ones more often.

Hands: a seat that spent many cards of a colour probably has few of it left; all cards were drawn alike.  Destinations:
each seat was offered some and kept those that suited it.  What it built tells which these were: they are joined
cheaply by what it owns, and what it owns was of use for them.
"""

import numpy as np

from fairplay.core.arithmetic import ZERO, count_bits, next_random, random_below, to_int
from fairplay.core.kernel import Row, Tables
from fairplay.games.trains.kernel import deal, row as layout
from fairplay.games.trains.players.routes import BUILT, DISTANCE, FAR, OPEN, Arrays, spread_out

_TRIES = 3  # how many times as many destinations a seat is offered, for each connection it has
_NEAR, _USE = 2, 2  # how much it counts that a destination is cheap now, and that what was built made it cheaper
_SCALE = 64


def deal_again(arrays: Arrays, row: Row, me: int) -> None:
    """Replace what `me` may not know by something that it believes, by the row's random numbers."""
    _deal_hands(arrays, row, me)
    _deal_destinations(arrays, row, me)


# -- cards -------------------------------------------------------------------------------------


def _deal_hands(arrays: Arrays, row: Row, me: int) -> None:
    """Deal the other hands; what is left is the deck, in a new order."""
    tables, clues = arrays.tables, arrays.clues
    known = deal.count_spent(tables, row) + clues[0]
    unknown = deal.take_away(deal.take_away(tables[layout.TABLE_STANDARD_DECK], known), row[layout.HANDS + me])
    for seat in range(layout.SEATS):
        if seat != me:
            unknown = _deal_hand(tables, row, seat, unknown)
    row[layout.DECK_SEED] = next_random(row)
    row[layout.DECK_FIRST] = row[layout.DECK_LEFT] = unknown
    row[layout.COUNTS] = (row[layout.COUNTS] & layout.NOT_FIXED) | (row[layout.COUNTS] & layout.CODE) << layout.FIXED_AT


def _deal_hand(tables: Tables, row: Row, seat: int, cards: np.uint64) -> np.uint64:
    """Give `seat` as many cards as it has, of a colour it spent less likely than of others; return the other cards."""
    paid = _count_paid(tables, row, seat)
    number = min(layout.count_cards(row[layout.HANDS + seat]), layout.count_cards(cards))
    hand = row[layout.HANDS + seat] & ~layout.LANES
    for _ in range(number):
        total = 0
        for color in range(4):
            total += _weight_of(cards, hand, paid, color)
        chosen, color = random_below(row, total), 0
        while chosen >= _weight_of(cards, hand, paid, color):
            chosen -= _weight_of(cards, hand, paid, color)
            color += 1
        cards -= layout.card_of(color)
        hand += layout.card_of(color)
    row[layout.HANDS + seat] = hand
    return cards


def _weight_of(cards: np.uint64, hand: np.uint64, paid: np.uint64, color: int) -> int:
    """How likely the next card of a hand has this colour."""
    held = layout.count_color(hand, color) + 1
    return layout.count_color(cards, color) * (1 + _SCALE * held // (held + layout.count_color(paid, color)))


def _count_paid(tables: Tables, row: Row, seat: int) -> np.uint64:
    """How many cards of each colour `seat` has spent on its connections."""
    paid = ZERO
    for index in range(layout.LINK_WORDS):
        paid += deal.cost_of(tables, row[layout.OWNED + seat * layout.LINK_WORDS + index], index)
    return paid


# -- destinations ------------------------------------------------------------------------------


def _deal_destinations(arrays: Arrays, row: Row, me: int) -> None:
    """Deal what each other seat keeps, and while destinations are picked the sequence."""
    tables = arrays.tables
    shown = deal.forget_destinations(tables, row, me)
    for seat in range(layout.SEATS):
        if seat != me and deal.has_picked(row, seat):
            _deal_kept(arrays, row, seat, me)
    if layout.is_picking(row):
        deal.deal_sequence(tables, row, shown)


def _deal_kept(arrays: Arrays, row: Row, seat: int, me: int) -> None:
    """Offer `seat` some destinations, and let it keep those that suit it best, sorted."""
    tables, clues = arrays.tables, arrays.clues
    at, kept = layout.KEPT_AT + seat * layout.KEPT_WORDS, to_int(tables[layout.TABLE_KEPT])
    known = to_int(clues[1]) if seat == me + 1 else 0  # what I gave back was offered to the next seat
    offers = max(1, (to_int(tables[layout.TABLE_OFFERED]) - known + kept - 1) // kept)
    if known == 0:
        offers *= 1 + _TRIES * _count_owned(row, seat)
    for nth in range(kept):
        best, chosen = 1 << 40, 0
        for each in range(known + offers):
            if each < known:
                code = to_int(clues[2 + each])
                if layout.has_code(row, clues[2 + each]):
                    continue
            else:
                code = deal.new_code(tables, row)
                while seat < me and _is_known(clues, code):  # what I was offered, nobody before me has
                    code = deal.new_code(tables, row)
            value = _fit_of(arrays, seat, code)
            if value < best:
                best, chosen = value, code
        deal.insert_code(row, at, nth, chosen)


def _is_known(clues: Row, code: int) -> bool:
    """Did I give this destination back?"""
    for nth in range(to_int(clues[1])):
        if to_int(clues[2 + nth]) == code:
            return True
    return False


def _count_owned(row: Row, seat: int) -> int:
    """How many connections `seat` has."""
    count = 0
    for index in range(layout.LINK_WORDS):
        count += count_bits(row[layout.OWNED + seat * layout.LINK_WORDS + index])
    return count


def _fit_of(arrays: Arrays, seat: int, code: int) -> int:
    """How badly a destination suits `seat`."""
    tables, fit = arrays.tables, arrays.fit
    cities = to_int(tables[layout.TABLE_CITIES])
    return to_int(fit[(seat * cities + (code >> 8)) * cities + (code & 255)])


def measure_map(arrays: Arrays) -> None:
    """Fill the part of `fit` after those of the seats: the price of each pair of cities on the empty map."""
    tables, masks = arrays.tables, arrays.masks
    for index in range(layout.LINK_WORDS):
        buildable = tables[layout.BUILDABLE + 3 * layout.LINK_WORDS + index]
        masks[(layout.SEATS + OPEN) * layout.LINK_WORDS + index] = buildable
        masks[(layout.SEATS + BUILT) * layout.LINK_WORDS + index] = ZERO
    _write_prices(arrays, layout.SEATS)


def weigh_destinations(arrays: Arrays, row: Row, seat: int) -> None:
    """Fill the part of `fit` of `seat`: how badly each pair of cities suits what it owns."""
    tables, fit, masks = arrays.tables, arrays.fit, arrays.masks
    cities = to_int(tables[layout.TABLE_CITIES])
    for index in range(layout.LINK_WORDS):
        mine = row[layout.OWNED + seat * layout.LINK_WORDS + index]
        masks[(layout.SEATS + OPEN) * layout.LINK_WORDS + index] = row[layout.FREE + index] | mine
        masks[(layout.SEATS + BUILT) * layout.LINK_WORDS + index] = mine
    _write_prices(arrays, seat)
    at, empty = seat * cities * cities, layout.SEATS * cities * cities
    for nth in range(cities * cities):
        if fit[at + nth] < FAR:
            fit[at + nth] = _NEAR * fit[at + nth] - _USE * (fit[empty + nth] - fit[at + nth])


def _write_prices(arrays: Arrays, part: int) -> None:
    """Write the price of the cheapest route of each pair of cities into a part of `fit`."""
    tables, fit, notes = arrays.tables, arrays.fit, arrays.notes
    cities = to_int(tables[layout.TABLE_CITIES])
    for first in range(cities):
        spread_out(arrays, ZERO, first, -1)
        for second in range(cities):
            fit[(part * cities + first) * cities + second] = notes[DISTANCE + second]


def pick_cheapest(arrays: Arrays, row: Row) -> int:
    """The pick of the seat to move that keeps the cheapest destinations of its offer on the empty map, as a mask."""
    tables = arrays.tables
    offered, kept = to_int(tables[layout.TABLE_OFFERED]), to_int(tables[layout.TABLE_KEPT])
    picked = 0
    for _ in range(kept):
        best, chosen = 1 << 40, 0
        for place in range(offered):
            code = layout.get_code(row, layout.SEQUENCE, place)
            rank = layout.rank_of(row, offered, code)
            price = _fit_of(arrays, layout.SEATS, code)
            if not picked >> rank & 1 and price < best:
                best, chosen = price, rank
        picked |= 1 << chosen
    return picked
