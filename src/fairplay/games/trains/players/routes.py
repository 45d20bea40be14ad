"""Cheapest routes and lengths of networks, over the tables of the kernel: for the rollouts of the search.

`Arrays` is all that the search works on.  Its `masks` hold masks of connections, `notes` numbers by city.  Before a
question about routes, OPEN is filled with the connections that may be used, and BUILT with those that cost nothing.
"""

from typing import NamedTuple

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, lowest_bit, to_int, to_word
from fairplay.core.kernel import Integers, Row, Tables, Words
from fairplay.games.trains.kernel import row as layout
from fairplay.games.trains.players.planner import TURN_COST


class Arrays(NamedTuple):
    """The arrays of a search, which the caller makes; compiled code takes them whole."""

    tables: Tables
    root: Row  # the position, with the seed of all worlds as its random numbers
    world: Row  # the position as it may be, before a candidate
    row: Row  # that world while it is played
    clues: Row  # cards that were spent by seats that are gone; how many destinations I gave back, and those
    fit: Integers  # for each seat and pair of cities, how badly it suits as a destination; then prices on the empty map
    masks: Words
    notes: Integers
    points: Integers  # of each seat, at the end of a rollout
    line: Integers  # the first actions of a rollout


# -- masks, after those of the plans of all seats ----------------------------------------------

OPEN = 0
BUILT = 1
TRIAL = 2  # three of them
SAVED = 5  # the plans of all seats once more

# -- notes -------------------------------------------------------------------------------------

_CITIES = 256  # at most
DISTANCE = 0 * _CITIES  # from where the route begins
_VIA = 1 * _CITIES  # the connection over which a city was reached
_WAITING = 2 * _CITIES  # cities that were reached, and whose connections were not looked at yet
PART = 3 * _CITIES  # which part of a network a city belongs to; -1: none
REACH = 4 * _CITIES  # the length of a path from there through the network
_STACK = 5 * _CITIES
_DEPTH = 6 * _CITIES
_SEEN = 7 * _CITIES  # from which city it was last visited
WANTED = 8 * _CITIES  # destinations that are not joined yet
AGES = WANTED + 64  # of the plans of all seats
NOTES = AGES + 8

FAR = 1 << 30  # longer than every route


# -- routes ------------------------------------------------------------------------------------


def spread_out(arrays: Arrays, hand: np.uint64, first: int, second: int) -> int:
    """The price of the cheapest route from one city to another, FAR without one; with `second` -1, to all of them.

    A connection costs a turn, its length, and the cards that are missing from `hand`; one in BUILT costs nothing.
    """
    tables, masks, notes = arrays.tables, arrays.masks, arrays.notes
    opened, built = (layout.SEATS + OPEN) * layout.LINK_WORDS, (layout.SEATS + BUILT) * layout.LINK_WORDS
    for city in range(to_int(tables[layout.TABLE_CITIES])):
        notes[DISTANCE + city] = FAR
    notes[DISTANCE + first] = 0
    notes[_WAITING] = first
    waiting = 1
    while waiting > 0:
        nearest = 0
        for nth in range(1, waiting):
            if notes[DISTANCE + notes[_WAITING + nth]] < notes[DISTANCE + notes[_WAITING + nearest]]:
                nearest = nth
        city = notes[_WAITING + nearest]
        if city == second:
            return to_int(notes[DISTANCE + city])
        waiting -= 1
        notes[_WAITING + nearest] = notes[_WAITING + waiting]
        here = notes[DISTANCE + city]
        for index in range(layout.LINK_WORDS):
            word = masks[opened + index] & tables[layout.ADJACENT + city * layout.LINK_WORDS + index]
            while word != ZERO:
                bit = lowest_bit(word)
                link = tables[layout.LINKS + 64 * index + bit]
                other = layout.far_city(link, city)
                price = 0
                if not (masks[built + index] >> to_word(bit)) & ONE:
                    length = layout.length_of(link)
                    missing = length - layout.count_color(hand, layout.color_of_link(link))
                    price = TURN_COST + length + max(0, missing)
                if here + price < notes[DISTANCE + other]:
                    if notes[DISTANCE + other] == FAR:
                        notes[_WAITING + waiting] = other
                        waiting += 1
                    notes[DISTANCE + other] = here + price
                    notes[_VIA + other] = 64 * index + bit
                word &= word - ONE
    return FAR


def find_route(arrays: Arrays, row: Row, seat: int, code: int) -> int:
    """The price of the cheapest route that joins a destination for `seat`, FAR without one."""
    return spread_out(arrays, row[layout.HANDS + seat], code >> 8, code & 255)


def mark_route(arrays: Arrays, code: int, trial: int) -> int:
    """Add the route that was just found to a trial and to what is built; return the length of what was not built."""
    tables, masks, notes = arrays.tables, arrays.masks, arrays.notes
    built, at = (layout.SEATS + BUILT) * layout.LINK_WORDS, (layout.SEATS + TRIAL + trial) * layout.LINK_WORDS
    city, length = code & 255, 0
    while city != code >> 8:
        edge = to_int(notes[_VIA + city])
        link, bit = tables[layout.LINKS + edge], ONE << to_word(edge & 63)
        if masks[built + (edge >> 6)] & bit == ZERO:
            masks[built + (edge >> 6)] |= bit
            masks[at + (edge >> 6)] |= bit
            length += layout.length_of(link)
        city = layout.far_city(link, city)
    return length


# -- networks ----------------------------------------------------------------------------------


def measure_network(arrays: Arrays, row: Row, seat: int) -> int:
    """Fill PART and REACH for the connections of `seat`; return the length of its longest path.

    If the network has rings, there may be longer paths: only one way through them is looked at.
    """
    tables, notes = arrays.tables, arrays.notes
    cities = to_int(tables[layout.TABLE_CITIES])
    for city in range(cities):
        notes[PART + city] = notes[_SEEN + city] = -1
        notes[REACH + city] = 0
    longest = 0
    for city in range(cities):
        met = ZERO
        for index in range(layout.LINK_WORDS):
            owned = row[layout.OWNED + seat * layout.LINK_WORDS + index]
            met |= owned & tables[layout.ADJACENT + city * layout.LINK_WORDS + index]
        if met != ZERO:
            if notes[PART + city] < 0:
                notes[PART + city] = city
            notes[REACH + city] = _walk_from(arrays, row, seat, city)
            longest = max(longest, to_int(notes[REACH + city]))
    return longest


def _walk_from(arrays: Arrays, row: Row, seat: int, start: int) -> int:
    """Visit the part of a network around a city; return how far away its farthest city is."""
    tables, notes = arrays.tables, arrays.notes
    longest, waiting = 0, 1
    notes[_STACK], notes[_DEPTH], notes[_SEEN + start] = start, 0, start
    while waiting > 0:
        waiting -= 1
        city, depth = notes[_STACK + waiting], notes[_DEPTH + waiting]
        longest = max(longest, depth)
        for index in range(layout.LINK_WORDS):
            owned = row[layout.OWNED + seat * layout.LINK_WORDS + index]
            word = owned & tables[layout.ADJACENT + city * layout.LINK_WORDS + index]
            while word != ZERO:
                link = tables[layout.LINKS + 64 * index + lowest_bit(word)]
                word &= word - ONE
                other = layout.far_city(link, city)
                if notes[_SEEN + other] != start:
                    notes[_SEEN + other], notes[PART + other] = start, notes[PART + start]
                    notes[_STACK + waiting] = other
                    notes[_DEPTH + waiting] = depth + layout.length_of(link)
                    waiting += 1
    return longest
