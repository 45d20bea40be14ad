"""Trains for programs that learn: actions as numbers, views as arrays.

A connection counts from 1 in the order of Trains 8.2, so its number is one more than its index in the network; 0 draws
cards.  After the connections come the ways to keep some of what the seat itself is offered, in the order of Trains 8.1.

The scales are fixed (a rail is always 1/45, a card in the deck 1/250), so that an element means the same amount in
every setup; settings far from the standard ones make elements above 1.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import comb

from fairplay.core import NumberError
from fairplay.core.numbers import Channels, Floats, Mask
from fairplay.games.trains.map import COLORS, Destination, RailNetwork, bits
from fairplay.games.trains.rules import DRAW, Picks, acquirable_connections, acquire_actions
from fairplay.games.trains.state import Acquire, Action, Pick, State, View

VERSION = "trains_v0"

CARD_SCALE = 20.0
HAND_SCALE = 40.0
RAIL_SCALE = 45.0
DECK_SCALE = 250.0
MAX_PICKS = 1_000
"""Setups with more ways to pick than this have no numbers."""


class _TrainsEncoding:
    """The numbers and arrays of all matches on one map with one number of seats and of destinations."""

    def __init__(self, network: RailNetwork, seats: int, offered: int, kept: int) -> None:
        self.network, self.seats, self.offered, self.kept = network, seats, offered, kept
        self.picks = comb(offered, kept)
        if self.picks > MAX_PICKS:
            raise NumberError(
                f"there are {self.picks:,} ways to keep {kept} of {offered} destinations;"
                f" setups with more than {MAX_PICKS:,} have no numbers"
            )
        self.connections = len(network.connections)
        self.first_pick = 1 + self.connections
        self.actions = self.first_pick + self.picks
        self.channels = _list_channels(self.connections, len(network.names), seats, offered, kept)
        self.shape: tuple[int, ...] = (sum(each.size for each in self.channels),)

    def number(self, action: Action, view: View) -> int:
        """The number of `action`, legal or not; raises NumberError if the setup has no such action."""
        if isinstance(action, Pick):
            return self.first_pick + self.rank(action, view)
        if not isinstance(action, Acquire):
            return 0
        index = self.network.index.get(action.connection)
        if index is None:
            raise NumberError(f"the map has no connection {action.connection}")
        return 1 + index

    def rank(self, pick: Pick, view: View) -> int:
        """How many ways to pick come before this one."""
        places = [place for place, pair in enumerate(view.offer) if pair in pick.keep]
        if len(places) != self.kept or len(pick.keep) != self.kept:
            raise NumberError(f"a pick keeps {self.kept} different destinations of those that the seat is offered now")
        offered = len(view.offer)
        after = sum(comb(offered - 1 - place, self.kept - nth) for nth, place in enumerate(places))
        return self.picks - 1 - after

    def action(self, number: int, view: View) -> Action:
        """The action with this number, legal or not; raises NumberError if there is none."""
        if number == 0:
            return DRAW
        if 0 < number < self.first_pick:
            return acquire_actions(self.network)[number - 1]
        if not self.first_pick <= number < self.actions:
            raise NumberError(f"{number} is not the number of an action; they run from 0 to {self.actions - 1}")
        if not view.offer:
            raise NumberError(f"{number} is a pick, and the seat is offered no destinations now")
        return Picks(view.offer, self.kept)[number - self.first_pick]

    def legal_numbers(self, view: View) -> Sequence[int]:
        """The numbers of the legal actions, ascending; none if it is not the owner's turn."""
        if view.turn == view.me and view.picking:
            return range(self.first_pick, self.actions)
        return list(bits(self.legal_bits(view)))

    def legal_bits(self, view: View) -> int:
        """The legal actions as a mask of their numbers."""
        if view.turn != view.me:
            return 0
        if view.picking:
            return ((1 << self.picks) - 1) << self.first_pick
        return acquirable_connections(view) << 1 | 1

    def fill_mask(self, view: View, out: Mask) -> None:
        """Set `out`, of `actions` elements, to 1 where the action is legal and to 0 elsewhere."""
        out[:] = _spread_bits(self.legal_bits(view), self.actions)

    def observe(self, view: View, out: Floats) -> None:
        """Write the observation into `out`, which has this encoding's `shape`."""
        me, seats, cities = view.me, self.seats, len(self.network.names)
        rails = view.rails[me:] + view.rails[:me]
        hands = view.hand_sizes[me:] + view.hand_sizes[:me]
        gone = [float((me + step) % seats in view.out) for step in range(seats)] if view.out else [0.0] * seats
        counts = [card / CARD_SCALE for card in view.cards]
        counts += [left / RAIL_SCALE for left in rails]
        counts += [size / HAND_SCALE for size in hands]
        counts += gone
        counts += view.left / DECK_SCALE, float(view.picking)

        owned = self.connections * seats
        ones = self.city_bits(view.offer) << self.kept * cities | self.city_bits(view.destinations)
        ones <<= owned + len(counts)
        for step in range(seats):
            ones |= view.owned[(me + step) % seats] << step * self.connections
        out[:] = _spread_bits(ones, self.shape[0])
        out[owned : owned + len(counts)] = counts

    def city_bits(self, destinations: Sequence[Destination]) -> int:
        """For each destination one bit per city, set for both of its cities."""
        number, ones, at = self.network.number, 0, 0
        for first, second in destinations:
            ones |= (1 << number[first] | 1 << number[second]) << at
            at += len(number)
        return ones


def _list_channels(connections: int, cities: int, seats: int, offered: int, kept: int) -> tuple[Channels, ...]:
    """What the elements of an observation say, in order."""
    return (
        Channels("owned", connections * seats, "the connections by Trains 8.2, of each seat: 1 where it owns it"),
        Channels("cards", len(COLORS), f"my red, blue, green and white cards / {CARD_SCALE:g}"),
        Channels("rails", seats, f"the rails of each seat / {RAIL_SCALE:g}"),
        Channels("hands", seats, f"how many cards each seat has / {HAND_SCALE:g}"),
        Channels("removed", seats, "1 for each seat that was removed"),
        Channels("deck", 1, f"cards in the deck / {DECK_SCALE:g}"),
        Channels("picking", 1, "1 while destinations are being picked"),
        Channels("destinations", kept * cities, "the cities by name, of each destination of mine: 1 for its two"),
        Channels("offer", offered * cities, "the same, of each destination that I am offered"),
    )


def _spread_bits(ones: int, size: int) -> Mask:
    """An array of `size` elements, each 1 where this bit of `ones` is set."""
    import numpy as np

    packed = np.frombuffer(ones.to_bytes((size + 7) // 8, "little"), dtype=np.uint8)
    return np.unpackbits(packed, bitorder="little", count=size).view(np.int8)


def encoding_of(shown: State | View) -> _TrainsEncoding:
    """The encoding for matches like the one `shown`; raises NumberError if there are too many ways to pick."""
    terms = shown.terms
    return _make_encoding(shown.network, len(shown.rails), terms.offered, terms.kept)


_make_encoding = lru_cache(maxsize=256)(_TrainsEncoding)


def map_features(shown: State | View) -> Floats:
    """What never changes in matches on one map: an array with a line for each connection, by Trains 8.2.

    A line holds the colour one-hot in the order red, blue, green, white (4 elements), the length / 5 (1), x / width and
    y / height of both cities, the smaller name first (4), and 1 for its two cities among all cities by name.
    """
    import numpy as np

    network, area = shown.network, shown.network.map
    spots = {city.name: city.spot for city in area.cities}
    out = np.zeros((len(network.connections), 9 + len(network.names)), dtype=np.float32)
    for line, connection in zip(out, network.connections, strict=True):
        (x, y), (to_x, to_y) = spots[connection.first], spots[connection.second]
        line[COLORS.index(connection.color)] = 1
        line[4] = connection.length / 5
        line[5:9] = x / area.width, y / area.height, to_x / area.width, to_y / area.height
        for name in connection.first, connection.second:
            line[9 + network.number[name]] = 1
    return out
