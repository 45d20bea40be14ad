"""What stands where in a row and in the tables.

The values here are those of the standard setup with two seats; `constants_for` gives those of any other.  A row holds

- STATUS: whose turn it is, whether destinations are being picked, who began the last round, who is out, idle turns;
- COUNTS: cards drawn, how many cards of the deck are written down, and completed turns;
- DECK_SEED, DECK_LEFT, DECK_FIRST: what decides the cards that are not written down (see `cards`);
- FREE and, for each seat, HANDS (cards and rails), OWNED and KEPT_AT (its destinations);
- SEQUENCE: the destinations still to be offered, and DECK: the cards that are written down;
- EDGES, TAILS, VISITED, STACK: room for the search for the longest path.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import comb

from fairplay.core import KernelSizeError
from fairplay.games.trains import deal
from fairplay.games.trains.map import RailNetwork
from fairplay.games.trains.state import State, Terms

__all__ = [
    "ADJACENT",
    "BUILDABLE",
    "CITY_WORDS",
    "COUNTS",
    "DECK",
    "DECK_FIRST",
    "DECK_LEFT",
    "DECK_SEED",
    "EDGES",
    "FREE",
    "GIVEN_CARDS",
    "GIVEN_PAIRS",
    "HANDS",
    "KEPT_AT",
    "KEPT_WORDS",
    "LINKS",
    "LINK_WORDS",
    "MAX_SEGMENTS",
    "OWNED",
    "PARALLEL",
    "PAYABLE",
    "PICK_MASKS",
    "SEATS",
    "SEQUENCE",
    "STACK",
    "STATUS",
    "TABLE_CITIES",
    "TABLE_CONNECTIONS",
    "TABLE_DEALT",
    "TABLE_DECK",
    "TABLE_DECK_SIZE",
    "TABLE_GIVEN_CARDS",
    "TABLE_GIVEN_PAIRS",
    "TABLE_KEPT",
    "TABLE_NEEDED",
    "TABLE_OFFERED",
    "TABLE_PAIRS",
    "TABLE_PAIRS_AT",
    "TABLE_PER_DRAW",
    "TABLE_PICKS",
    "TABLE_RAILS",
    "TABLE_STANDARD_DECK",
    "TAILS",
    "VISITED",
    "WORDS",
    "constants_for",
    "count_segments",
]

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

# -- bounds ------------------------------------------------------------------------------------

MAX_SEATS = 8
MAX_CONNECTIONS = MAX_CITIES = 256
MAX_CARDS = 4095
MAX_RAILS = 65_535
MAX_OFFERED = 32
MAX_PICKS = 1_000
MAX_SEGMENTS = 255
"""The most segments that one seat can own: the lengths of paths are bytes."""


def constants_for(state: State) -> Mapping[str, int]:
    """What the source is compiled for; raises KernelSizeError."""
    return lay_out(state.network, len(state.rails), state.terms)


@lru_cache(maxsize=256)
def lay_out(network: RailNetwork, seats: int, terms: Terms) -> Mapping[str, int]:
    """All sizes, and the places in rows and tables that follow from them; raises KernelSizeError.

    Sizes are rounded up, so that one compilation serves many setups.
    """
    check_sizes(network, seats, terms)
    links, cities = count_words(len(network.connections), 64), count_words(len(network.names), 64)
    kept = count_words(terms.kept, 4)
    sequence = count_words(deal.destinations_needed(terms, seats), 4, least=2)
    deck = count_words(terms.deck_size, 32, least=8)
    longest = min(len(network.names), count_segments(network, terms) // 3)
    row = line_up(
        FREE,
        HANDS=links,
        OWNED=seats,
        KEPT_AT=seats * links,
        SEQUENCE=seats * kept,
        EDGES=sequence,
        TAILS=links,
        VISITED=8 * cities,
        STACK=cities,
        DECK=count_words(longest, 8, least=2),
        WORDS=deck,
    )
    tables = line_up(
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


def count_words(things: int, in_one: int, least: int = 1) -> int:
    """How many words hold that many `things`: `least`, or twice, four times, ... as many."""
    words = least
    while words * in_one < things:
        words *= 2
    return words


def line_up(at: int, **sizes: int) -> dict[str, int]:
    """Where each part begins: as far behind the one before as that is long."""
    places = {}
    for name, size in sizes.items():
        at += size
        places[name] = at
    return places


def count_segments(network: RailNetwork, terms: Terms) -> int:
    """How many segments one seat can own at most."""
    return min(terms.rails, terms.deck_size, sum(network.lengths))


def check_sizes(network: RailNetwork, seats: int, terms: Terms) -> None:
    """Raise KernelSizeError if something is too large for a row."""
    bounds = {
        "seats": (seats, MAX_SEATS),
        "cities": (len(network.names), MAX_CITIES),
        "connections": (len(network.connections), MAX_CONNECTIONS),
        "cards": (terms.deck_size, MAX_CARDS),
        "rails": (terms.rails, MAX_RAILS),
        "segments of one seat": (count_segments(network, terms), MAX_SEGMENTS),
        "destinations offered": (terms.offered, MAX_OFFERED),
        "ways to pick": (comb(terms.offered, terms.kept), MAX_PICKS),
    }
    for what, (size, most) in bounds.items():
        if size > most:
            raise KernelSizeError(f"the kernel of Trains supports at most {most:,} {what}, not {size:,}")
