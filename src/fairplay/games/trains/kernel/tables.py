"""The map and the terms of a match as one array."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from random import Random

import numpy as np

from fairplay.core import immutable
from fairplay.core.kernel import Row, Tables
from fairplay.games.trains import deal
from fairplay.games.trains.kernel import layout
from fairplay.games.trains.map import COLORS, RailNetwork
from fairplay.games.trains.state import Setup, State

__all__ = ["count_colors", "encode_pair", "make_tables", "split_words", "write_cards", "write_codes"]

LANE = 12  # bits for the cards of one colour


def make_tables(state: State, setup: Setup | None = None) -> Tables:
    """Everything that all matches like this share: one array; raises KernelSizeError.

    Without a setup, `start` deals the cards of the state's deck and the destinations of its map at random.
    """
    constants, network, terms = layout.constants_for(state), state.network, state.terms
    pairs = [encode_pair(network, network.destination(rank)) for rank in range(network.destination_count)]
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
        count_colors(state.deck),
        count_colors(deal.full_deck(terms.deck_size)),
        len(pairs),
        *(0, 0),
        terms.offered,
        terms.kept,
        deal.destinations_needed(terms, len(state.rails)),
        len(picks),
        pairs_at,
    ]
    tables[constants["PICK_MASKS"] : pairs_at] = picks
    write_codes(pairs, tables, pairs_at)
    write_masks(network, tables, constants["LINK_WORDS"])
    write_network(network, tables, constants["LINKS"], constants["ADJACENT"], constants["LINK_WORDS"])
    if setup is not None:
        write_given(state, setup, tables, constants)
    return tables


def write_given(state: State, setup: Setup, tables: Tables, constants: Mapping[str, int]) -> None:
    """Write the deck and the destinations of a setup that gives them."""
    if setup.deck is not None:
        tables[layout.TABLE_GIVEN_CARDS] = len(setup.deck)
        write_cards(map(COLORS.index, setup.deck), tables, constants["GIVEN_CARDS"])
    if setup.destinations is not None:
        needed = tables[layout.TABLE_GIVEN_PAIRS] = deal.destinations_needed(setup, len(state.rails))
        given = deal.deal_destinations(setup, state.network, needed, Random(0))  # without chance
        write_codes([encode_pair(state.network, pair) for pair in given], tables, constants["GIVEN_PAIRS"])


def write_masks(network: RailNetwork, tables: Tables, words: int) -> None:
    """Write which connections can be paid for, and which have others beside them."""
    wanted = [network.payable[color][length] for color in range(4) for length in (0, 3, 4, 5)]
    wanted += [network.buildable[length] for length in (0, 3, 4, 5)]
    wanted.append(immutable.mask(index for index, later in enumerate(count_parallels(network)) if later))
    for nth, mask in enumerate(wanted):
        at = layout.PAYABLE + nth * words
        tables[at : at + words] = split_words(mask, words)


def write_network(network: RailNetwork, tables: Tables, links: int, adjacent: int, words: int) -> None:
    """Write the connections, and the connections at each city."""
    at_city = [0] * len(network.names)
    parts = zip(network.ends, network.lengths, network.colors, count_parallels(network), strict=True)
    for index, ((first, second), length, color, later) in enumerate(parts):
        tables[links + index] = first | second << 8 | length << 16 | color << 24 | later << 32
        at_city[first] |= 1 << index
        at_city[second] |= 1 << index
    for city, mask in enumerate(at_city):
        at = adjacent + city * words
        tables[at : at + words] = split_words(mask, words)


def count_parallels(network: RailNetwork) -> list[int]:
    """For each connection how many that come later by Trains 8.2, so are no shorter, join the same cities."""
    return [network.ends[index + 1 :][:3].count(ends) for index, ends in enumerate(network.ends)]


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


def count_colors(cards: bytes) -> int:
    """How many cards of each colour there are, side by side."""
    return sum(cards.count(color) << LANE * color for color in range(4))


def encode_pair(network: RailNetwork, pair: tuple[str, str]) -> int:
    """The two cities of a destination as one number; numbers are in the order of Trains 8.1, and never 0."""
    first, second = pair
    return network.number[first] << 8 | network.number[second]
