"""What stands where in a row and in the tables; states written into rows, and rows read as states.

The values here are those of the standard setup with two seats; `constants_for` gives those of any other.  A row holds

- STATUS: whose turn it is, whether destinations are being picked, who began the last round, who is out, idle turns;
- COUNTS: cards drawn, how many cards of the deck are written down, and completed turns;
- DECK_SEED, DECK_LEFT, DECK_FIRST: what decides the cards that are not written down (see `random_at`);
- FREE and, for each seat, HANDS (cards and rails), OWNED and KEPT_AT (its destinations);
- SEQUENCE: the destinations still to be offered, and DECK: the cards that are written down;
- EDGES, TAILS, VISITED, STACK: room for the search for the longest path.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import comb

import numpy as np

from fairplay.core import KernelSizeError, Seat
from fairplay.core.arithmetic import GOLDEN, ONE, ZERO, scramble, to_int, to_word
from fairplay.core.kernel import OVER, RANDOM, Row
from fairplay.games.trains import deal
from fairplay.games.trains.map import Destination, RailNetwork, bits
from fairplay.games.trains.numbers import MAX_PICKS
from fairplay.games.trains.state import Hand, State, Terms

# -- sizes -------------------------------------------------------------------------------------

SEATS = 2
LINK_WORDS = 2  # of a mask of connections
CITY_WORDS = 1  # of a mask of cities
KEPT_WORDS = 1  # of the destinations of one seat

# -- a row -------------------------------------------------------------------------------------

STATUS = 1
COUNTS = 2
DECK_SEED = 3
DECK_LEFT = 4
DECK_FIRST = 5
FREE = 6
HANDS = 8
OWNED = 10
KEPT_AT = 14
SEQUENCE = 16  # right after the destinations that are kept
EDGES = 18
TAILS = 20
VISITED = 28
STACK = 29
DECK = 31
WORDS = 39

# -- the tables --------------------------------------------------------------------------------

TABLE_CONNECTIONS = 0
TABLE_CITIES = 1
TABLE_RAILS = 2
TABLE_DEALT = 3
TABLE_PER_DRAW = 4
TABLE_DECK_SIZE = 5
TABLE_DECK = 6  # the cards that `start` deals, by colour
TABLE_STANDARD_DECK = 7  # the cards that players expect, by colour
TABLE_PAIRS = 8  # how many destinations the map has
TABLE_GIVEN_CARDS = 9  # how many cards of the deck are given, and not dealt at random: none or all
TABLE_GIVEN_PAIRS = 10  # the same of destinations
TABLE_OFFERED = 11
TABLE_KEPT = 12
TABLE_NEEDED = 13  # destinations in all
TABLE_PICKS = 14  # ways to pick
TABLE_PAIRS_AT = 15  # where all destinations begin, four to a word
PAYABLE = 16  # for each colour, the connections of length 0, up to 3, up to 4, up to 5
BUILDABLE = 48  # the same of all colours
PARALLEL = 56  # connections that have a longer one beside them, or an equal one later by Trains 8.2
LINKS = 58  # the connections: cities, length, colour, number of those later beside it
ADJACENT = 186  # for each city the connections at it
GIVEN_CARDS = 314  # as in a row
GIVEN_PAIRS = 322  # as in a row
PICK_MASKS = 324  # for each way to pick, which of the sorted offer it keeps

# -- the words of a row ------------------------------------------------------------------------

BYTE, CODE, LANE = np.uint64(255), np.uint64(0xFFFF), np.uint64(4095)
THREE = np.uint64(3)
HALF = np.uint64(32)

# STATUS, after a byte with the seat to move
NOBODY = 255  # instead of the seat that began the last round
PICKING = np.uint64(1 << 8)
CLOSER_AT, OUT_AT, IDLE_AT = np.uint64(16), np.uint64(24), np.uint64(32)

# COUNTS, after two bytes with the number of cards that were drawn
FIXED_AT = np.uint64(16)
NOT_FIXED = ~np.uint64(0xFFFF << 16)
ONE_TURN = np.uint64(1 << 32)

# HANDS: the cards of each colour in a lane of 12 bits, and the rails above them
LANES = np.uint64((1 << 48) - 1)
RAILS_AT = np.uint64(48)
_SPREAD = np.uint64(1 | 1 << 12 | 1 << 24 | 1 << 36)  # a product with it has the sums from the first lane on
_LANE_1, _LANE_2, _LANE_3 = np.uint64(12), np.uint64(24), np.uint64(36)

# LINKS, after a byte with the first city
SECOND_AT, LENGTH_AT, COLOR_AT, LATER_AT = np.uint64(8), np.uint64(16), np.uint64(24), np.uint64(32)


def is_picking(row: Row) -> bool:
    """Are destinations being picked?"""
    return bool(row[STATUS] & PICKING != ZERO)


def is_out(row: Row, seat: int) -> bool:
    """Was `seat` removed?"""
    return bool((row[STATUS] >> (OUT_AT + to_word(seat))) & ONE != ZERO)


def closer_of(row: Row) -> int:
    """The seat that began the last round, or NOBODY."""
    return to_int((row[STATUS] >> CLOSER_AT) & BYTE)


def drawn_of(row: Row) -> int:
    """How many cards have left the deck."""
    return to_int(row[COUNTS] & CODE)


def rails_of(hand: np.uint64) -> int:
    """How many rails stand above the cards of a hand."""
    return to_int(hand >> RAILS_AT)


def count_color(hand: np.uint64, color: int) -> int:
    """How many cards of a colour are in a hand."""
    return to_int((hand >> to_word(12 * color)) & LANE)


def length_of(link: np.uint64) -> int:
    """How many segments a connection has."""
    return to_int((link >> LENGTH_AT) & BYTE)


def color_of_link(link: np.uint64) -> int:
    """The colour of a connection."""
    return to_int((link >> COLOR_AT) & BYTE)


def first_city(link: np.uint64) -> int:
    """The city of a connection whose name comes first."""
    return to_int(link & BYTE)


def second_city(link: np.uint64) -> int:
    """The other one."""
    return to_int((link >> SECOND_AT) & BYTE)


def far_city(link: np.uint64, city: int) -> int:
    """The city at the other end of a connection."""
    return first_city(link) ^ second_city(link) ^ city


# -- cards -------------------------------------------------------------------------------------
#
# Only the first cards of a deck are written down, in a row that was packed all of them.  Each other card is decided
# when it is drawn: by the row's DECK_SEED and the card's place, among the cards that are left.  So the order of the
# deck is fixed from the start, every order has the same chance, and cards that nobody draws cost nothing.


def random_at(seed: np.uint64, place: int) -> np.uint64:
    """The random number, below 2^32, for the card at this place of the deck (splitmix64)."""
    return scramble(seed + to_word(place) * GOLDEN) >> HALF


def color_of(cards: np.uint64, random: np.uint64) -> int:
    """The colour that a random number below 2^32 chooses among the cards of four lanes."""
    sums = cards * _SPREAD
    chosen = (random * ((sums >> _LANE_3) & LANE)) >> HALF
    return (
        to_int(chosen >= (sums & LANE))
        + to_int(chosen >= ((sums >> _LANE_1) & LANE))
        + to_int(chosen >= ((sums >> _LANE_2) & LANE))
    )


def card_of(color: int) -> np.uint64:
    """One card of this colour, in its lane."""
    return ONE << to_word(12 * color)


def count_cards(hand: np.uint64) -> int:
    """How many cards there are in the four lanes of a hand, above which its rails stand."""
    return to_int((((hand & LANES) * _SPREAD) >> _LANE_3) & LANE)


# -- destinations: codes of 16 bits, four to a word --------------------------------------------

_CODES_ONE = np.uint64(0x0001000100010001)
_CODES_TOP = np.uint64(0x8000800080008000)


def get_code(row: Row, at: int, nth: int) -> int:
    """The destination with this number, of those that begin at a word of the row; 0: none."""
    return to_int((row[at + (nth >> 2)] >> to_word(16 * (nth & 3))) & CODE)


def set_code(row: Row, at: int, nth: int, code: int) -> None:
    """Write the destination with this number."""
    shift = to_word(16 * (nth & 3))
    row[at + (nth >> 2)] = (row[at + (nth >> 2)] & ~(CODE << shift)) | (to_word(code) << shift)


def rank_of(row: Row, offered: int, code: int) -> int:
    """How many of the first destinations of the sequence come before this one by Trains 8.1."""
    rank = 0
    for place in range(offered):
        rank += 1 if get_code(row, SEQUENCE, place) < code else 0
    return rank


def has_code(row: Row, code: np.uint64) -> bool:
    """Has some seat kept this destination, or is it still to be offered?"""
    found = ZERO
    for at in range(KEPT_AT, EDGES):
        different = row[at] ^ (code * _CODES_ONE)  # a lane of zeros where the codes are equal
        found |= (different - _CODES_ONE) & ~different & _CODES_TOP
    return bool(found != ZERO)


# -- sizes of a match --------------------------------------------------------------------------

_MAX_SEATS = 8
_MAX_CONNECTIONS = _MAX_CITIES = 256
_MAX_CARDS = 4095
_MAX_RAILS = 65_535
_MAX_OFFERED = 32
_MAX_SEGMENTS = 255
"""The most segments that one seat can own: the lengths of paths are bytes."""


def constants_for(state: State) -> Mapping[str, int]:
    """What the source is compiled for; raises KernelSizeError."""
    return _lay_out(state.network, len(state.rails), state.terms)


@lru_cache(maxsize=256)
def _lay_out(network: RailNetwork, seats: int, terms: Terms) -> Mapping[str, int]:
    """All sizes, and the places in rows and tables that follow from them; raises KernelSizeError.

    Sizes are rounded up, so that one compilation serves many setups.
    """
    _check_sizes(network, seats, terms)
    links, cities = _count_words(len(network.connections), 64), _count_words(len(network.names), 64)
    kept = _count_words(terms.kept, 4)
    sequence = _count_words(deal.destinations_needed(terms, seats), 4, least=2)
    deck = _count_words(terms.deck_size, 32, least=8)
    longest = min(len(network.names), _count_segments(network, terms) // 3)
    row = _line_up(
        FREE,
        HANDS=links,
        OWNED=seats,
        KEPT_AT=seats * links,
        SEQUENCE=seats * kept,
        EDGES=sequence,
        TAILS=links,
        VISITED=8 * cities,
        STACK=cities,
        DECK=_count_words(longest, 8, least=2),
        WORDS=deck,
    )
    tables = _line_up(
        PAYABLE,
        BUILDABLE=16 * links,
        PARALLEL=4 * links,
        LINKS=links,
        ADJACENT=64 * links,
        GIVEN_CARDS=64 * cities * links,
        GIVEN_PAIRS=deck,
        PICK_MASKS=sequence,
    )
    return {"SEATS": seats, "LINK_WORDS": links, "CITY_WORDS": cities, "KEPT_WORDS": kept, **row, **tables}


def _count_words(things: int, in_one: int, least: int = 1) -> int:
    """How many words hold that many `things`: `least`, or twice, four times, ... as many."""
    words = least
    while words * in_one < things:
        words *= 2
    return words


def _line_up(at: int, **sizes: int) -> dict[str, int]:
    """Where each part begins: as far behind the one before as that is long."""
    places = {}
    for name, size in sizes.items():
        at += size
        places[name] = at
    return places


def _count_segments(network: RailNetwork, terms: Terms) -> int:
    """How many segments one seat can own at most."""
    return min(terms.rails, terms.deck_size, sum(network.lengths))


def _check_sizes(network: RailNetwork, seats: int, terms: Terms) -> None:
    """Raise KernelSizeError if something is too large for a row."""
    bounds = {
        "seats": (seats, _MAX_SEATS),
        "cities": (len(network.names), _MAX_CITIES),
        "connections": (len(network.connections), _MAX_CONNECTIONS),
        "cards": (terms.deck_size, _MAX_CARDS),
        "rails": (terms.rails, _MAX_RAILS),
        "segments of one seat": (_count_segments(network, terms), _MAX_SEGMENTS),
        "destinations offered": (terms.offered, _MAX_OFFERED),
        "ways to pick": (comb(terms.offered, terms.kept), MAX_PICKS),
    }
    for what, (size, most) in bounds.items():
        if size > most:
            raise KernelSizeError(f"the kernel of Trains supports at most {most:,} {what}, not {size:,}")


# -- states ------------------------------------------------------------------------------------


def pack(state: State, row: Row) -> None:
    """Write `state` into `row`, all but its random numbers; raises KernelSizeError."""
    constants, network = constants_for(state), state.network
    _check_owned(state)
    row[RANDOM + 1 :] = 0
    turn = OVER if state.turn is None else state.turn
    closer = NOBODY if state.closer is None else state.closer
    out = sum(1 << seat for seat in state.out)
    row[STATUS] = turn | state.picking << 8 | closer << 16 | out << 24 | state.idle << 32
    row[COUNTS] = state.drawn | len(state.deck) << 16 | state.turn_number << 32
    words, kept_words = constants["LINK_WORDS"], constants["KEPT_WORDS"]
    taken = 0
    for seat, (hand, rails) in enumerate(zip(state.hands, state.rails, strict=True)):
        row[constants["HANDS"] + seat] = rails << 48 | sum(count << 12 * color for color, count in enumerate(hand))
        at = constants["OWNED"] + seat * words
        row[at : at + words] = split_words(state.owned[seat], words)
        kept = [encode_pair(network, pair) for pair in state.destinations[seat]]
        write_codes(kept, row, constants["KEPT_AT"] + seat * kept_words)
        taken |= state.owned[seat]
    row[FREE : FREE + words] = split_words(network.every & ~taken, words)
    sequence = [encode_pair(network, pair) for pair in state.sequence]
    write_codes(sequence, row, constants["SEQUENCE"])
    write_cards(state.deck, row, constants["DECK"])


def _check_owned(state: State) -> None:
    """Refuse positions that no match leads to, with longer paths than a row has room for."""
    most = _count_segments(state.network, state.terms)
    for mask in state.owned:
        if (segments := sum(state.network.lengths[index] for index in bits(mask))) > most:
            raise KernelSizeError(f"a seat owns {segments} segments; in a match like this it can own at most {most}")


def unpack(row: Row, like: State) -> State:
    """The state in `row`; `like` is any state of the same setup and seats."""
    constants, seats = constants_for(like), len(like.rails)
    words = [int(word) for word in row]
    status, counts = words[STATUS], words[COUNTS]
    turn, closer, out = status & 255, status >> 16 & 255, status >> 24 & 255
    hands = [words[constants["HANDS"] + seat] for seat in range(seats)]
    kept, links = constants["KEPT_WORDS"], constants["LINK_WORDS"]
    destinations = [words[constants["KEPT_AT"] + seat * kept :][:kept] for seat in range(seats)]
    owned = [words[constants["OWNED"] + seat * links :][:links] for seat in range(seats)]
    return State(
        network=like.network,
        terms=like.terms,
        deck=_read_deck(row, constants["DECK"], like.terms.deck_size),
        drawn=counts & 0xFFFF,
        sequence=_read_codes(like.network, words[constants["SEQUENCE"] : constants["EDGES"]]),
        hands=tuple(_read_hand(hand) for hand in hands),
        rails=tuple(hand >> 48 for hand in hands),
        owned=tuple(sum(word << 64 * nth for nth, word in enumerate(mask)) for mask in owned),
        destinations=tuple(_read_codes(like.network, codes) for codes in destinations),
        out=frozenset(map(Seat, bits(out))),
        turn=None if turn == OVER else Seat(turn),
        picking=bool(status >> 8 & 1),
        idle=status >> 32 & 255,
        closer=None if closer == NOBODY else Seat(closer),
        turn_number=counts >> 32,
    )


def _read_hand(word: int) -> Hand:
    """The number of cards of each colour."""
    return word & 4095, word >> 12 & 4095, word >> 24 & 4095, word >> 36 & 4095


def _read_codes(network: RailNetwork, words: list[int]) -> tuple[Destination, ...]:
    """The destinations in these words."""
    codes = [word >> 16 * nth & 0xFFFF for word in words for nth in range(4)]
    return tuple((network.names[code >> 8], network.names[code & 255]) for code in codes if code)


def _read_deck(row: Row, at: int, size: int) -> bytes:
    """All cards of the deck: those that are written down, and those that its random numbers will bring."""
    fixed = int(row[COUNTS]) >> 16 & 0xFFFF
    deck = [int(row[at + nth // 32]) >> 2 * (nth % 32) & 3 for nth in range(fixed)]
    left, seed = row[DECK_FIRST], row[DECK_SEED]
    with np.errstate(over="ignore"):
        for nth in range(fixed, size):
            color = color_of(left, random_at(seed, nth))
            left -= card_of(color)
            deck.append(int(color))
    return bytes(deck)


def write_cards(cards: Iterable[int], words: Row, at: int) -> None:
    """Write cards from a word on that is 0, 32 to a word."""
    for nth, color in enumerate(cards):
        words[at + nth // 32] |= np.uint64(color << 2 * (nth % 32))


def write_codes(codes: Iterable[int], words: Row, at: int) -> None:
    """Write destinations from a word on that is 0, four to a word."""
    for nth, code in enumerate(codes):
        words[at + nth // 4] |= np.uint64(code << 16 * (nth % 4))


def split_words(mask: int, words: int) -> list[int]:
    """A mask of any size as words, the lowest bits first."""
    return [mask >> 64 * nth & (1 << 64) - 1 for nth in range(words)]


def encode_pair(network: RailNetwork, pair: tuple[str, str]) -> int:
    """The two cities of a destination as one number; numbers are in the order of Trains 8.1, and never 0."""
    first, second = pair
    return network.number[first] << 8 | network.number[second]
