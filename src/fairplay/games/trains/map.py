"""Maps of Trains: what one is, what may be wrong with it, and the same map as a network of numbers and masks.

Cities are numbered by name and connections by the order of Trains 8.2, so the lowest bit of a mask of connections
is the one that comes first by the rule book.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import or_
from typing import Annotated, Literal, NamedTuple, TypeAlias

from msgspec import Meta, Struct

from fairplay.core.immutable import bits as bits

Color: TypeAlias = Literal["red", "blue", "green", "white"]
COLORS: tuple[Color, ...] = ("red", "blue", "green", "white")  # Trains 1.1, in the order of 10.8
LENGTHS = range(3, 6)  # Trains 1.4
SIDES = range(10, 801)  # Trains 1.5

CityName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=25)]
CITY_NAME = re.compile(r"[A-Za-z0-9 .,]{1,25}", re.ASCII)  # Trains 1.3

Destination: TypeAlias = tuple[CityName, CityName]
"""Two cities, the smaller name first (Trains 1.6, 1.7)."""


class City(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """A name and a spot on the map (Trains 1.3)."""

    name: str
    spot: tuple[int, int]


class Connection(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """A direct line between two cities (Trains 1.4)."""

    first: CityName
    second: CityName
    color: Color
    length: Annotated[int, Meta(ge=3, le=5)]

    def __str__(self) -> str:
        return f"{self.first} - {self.second} ({self.color} {self.length})"


class Map(Struct, frozen=True, forbid_unknown_fields=True):
    """Cities and the connections between them on an area of `width` by `height` pixels (Trains 1.5)."""

    width: int
    height: int
    cities: tuple[City, ...]
    connections: tuple[Connection, ...]


def connection_order(connection: Connection) -> tuple[str, str, int, str]:
    """The sort key of connections (Trains 8.2)."""
    return connection.first, connection.second, connection.length, connection.color


# -- what may be wrong with a map --------------------------------------------------------------


class MapFlaw(NamedTuple):
    """One thing that is wrong with a map, and where: a path into its JSON form."""

    where: str
    what: str


def find_map_flaws(map: Map) -> Iterator[MapFlaw]:
    """Find everything in `map` that breaks Trains 1.3 to 1.6."""
    for side, length in (("width", map.width), ("height", map.height)):
        if length not in SIDES:
            yield MapFlaw(f"$.{side}", f"{side} {length} is not between {SIDES[0]} and {SIDES[-1]}")
    yield from _find_city_flaws(map)
    yield from _find_connection_flaws(map)


def _find_city_flaws(map: Map) -> Iterator[MapFlaw]:
    """Find names and spots that break Trains 1.3."""
    names: dict[str, int] = {}
    spots: dict[tuple[int, int], str] = {}
    for index, (name, (x, y)) in enumerate((city.name, city.spot) for city in map.cities):
        where = f"$.cities[{index}]"
        if not CITY_NAME.fullmatch(name):
            shown = name if len(name) <= 40 else name[:40] + "…"
            yield MapFlaw(
                f"{where}[0]", f"city name {shown!r} is not 1 to 25 ASCII letters, digits, spaces, dots and commas"
            )
        if names.setdefault(name, index) != index:
            yield MapFlaw(f"{where}[0]", f"city {name!r} was already listed at $.cities[{names[name]}]")
        if not (0 <= x <= map.width and 0 <= y <= map.height):
            yield MapFlaw(f"{where}[1]", f"spot [{x}, {y}] of {name!r} is off the map of {map.width} by {map.height}")
        if spots.setdefault((x, y), name) != name:
            yield MapFlaw(f"{where}[1]", f"{name!r} has the same spot [{x}, {y}] as {spots[x, y]!r}")


def _find_connection_flaws(map: Map) -> Iterator[MapFlaw]:
    """Find connections that break Trains 1.4 or 1.6."""
    cities = {city.name for city in map.cities}
    seen: set[tuple[str, str, str]] = set()
    for one in map.connections:
        first, second, line = one.first, one.second, (one.first, one.second, one.color)
        known = first in cities and second in cities
        if line in seen or not (known and first < second and one.color in COLORS and one.length in LENGTHS):
            yield from _explain_flaws(one, cities, seen)
        seen.add(line)


def _explain_flaws(one: Connection, cities: Container[str], seen: Container[tuple[str, str, str]]) -> Iterator[MapFlaw]:
    """Say what is wrong with one connection, given those `seen` before."""
    first, second, color = one.first, one.second, one.color
    where = f"$.connections.{first}.{second}"
    for name in (first, second):
        if name not in cities:
            yield MapFlaw(where, f"{name!r} is not a city of this map")
    if first == second:
        yield MapFlaw(where, f"{first!r} is connected to itself")
    elif first > second:
        yield MapFlaw(where, f"{second!r} comes before {first!r} in string order and must be written first")
    if color not in COLORS:
        yield MapFlaw(f"{where}.{color}", f"{color!r} is not one of the colours {', '.join(COLORS)}")
    if one.length not in LENGTHS:
        yield MapFlaw(f"{where}.{color}", f"length {one.length} is not 3, 4 or 5")
    if (first, second, color) in seen:
        yield MapFlaw(f"{where}.{color}", f"{first!r} and {second!r} have a second {color} connection")


# -- a map as a network ------------------------------------------------------------------------


class RailNetwork:
    """A map as numbers and masks of connections; networks of equal maps are equal.  ASSUME no flaws."""

    def __init__(self, map: Map) -> None:
        self.map, self.hash = map, hash(map)
        self.names: Sequence[str] = sorted(city.name for city in map.cities)
        self.number = {name: number for number, name in enumerate(self.names)}
        self.connections: Sequence[Connection] = sorted(map.connections, key=connection_order)
        self.index = {connection: index for index, connection in enumerate(self.connections)}
        self.ends = [(self.number[one.first], self.number[one.second]) for one in self.connections]
        self.lengths = [one.length for one in self.connections]
        self.colors = [COLORS.index(one.color) for one in self.connections]
        self.every = (1 << len(self.connections)) - 1
        self.payable: list[list[int]] = [list(accumulate(masks, or_)) for masks in self._masks()]  # by greatest length
        self.buildable: list[int] = [
            red | blue | green | white for red, blue, green, white in zip(*self.payable, strict=True)
        ]
        self._count_destinations()

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, RailNetwork) and self.map == other.map)

    def __hash__(self) -> int:
        return self.hash

    def __reduce__(self) -> tuple[Callable[[Map], RailNetwork], tuple[Map]]:
        return build_network, (self.map,)

    def _masks(self) -> list[list[int]]:
        """The connections of each colour and each length from 0 to 5; built digit by digit, as there may be many."""
        count = len(self.connections)
        digits = [[bytearray(b"0" * (count + 1)) for _ in range(6)] for _ in COLORS]
        for index, (color, length) in enumerate(zip(self.colors, self.lengths, strict=True)):
            digits[color][length][count - index] = ord("1")
        return [[int(each, 2) for each in of_color] for of_color in digits]

    def bit(self, connection: Connection) -> int:
        """The mask of one connection; 0 if the map does not have it."""
        index = self.index.get(connection)
        return 0 if index is None else 1 << index

    def affordable(self, cards: Sequence[int], rails: int) -> int:
        """The connections that these cards and rails pay for (Trains 3.5), owned ones included."""
        (red, blue, green, white), payable = cards, self.payable
        return (
            payable[0][min(5, red)] | payable[1][min(5, blue)] | payable[2][min(5, green)] | payable[3][min(5, white)]
        ) & self.buildable[min(5, rails)]

    # Destinations are counted, and made one by one on request: a map may have very many (Trains 1.5).

    def _count_destinations(self) -> None:
        """Find which cities some path joins; count each city's destinations with larger names."""
        group = self.group = find_components(len(self.names), self.ends)
        self.members: list[list[int]] = [[] for _ in range(max(group, default=-1) + 1)]
        for city, label in enumerate(group):
            self.members[label].append(city)
        left = [len(cities) for cities in self.members]
        larger = []
        for label in group:
            left[label] -= 1
            larger.append(left[label])
        self.ranks = list(accumulate(larger, initial=0))
        self.destination_count = self.ranks[-1]

    def destination(self, rank: int) -> Destination:
        """The destination with this rank in the order of Trains 8.1, from 0."""
        first = bisect_right(self.ranks, rank) - 1
        members = self.members[self.group[first]]
        second = members[members.index(first) + 1 + rank - self.ranks[first]]
        return self.names[first], self.names[second]

    def is_destination(self, pair: Sequence[str]) -> bool:
        """Are these distinct cities of this map, the smaller name first, that some path joins (Trains 1.7)?"""
        first, second = (self.number.get(name) for name in pair)
        return first is not None and second is not None and first < second and self.group[first] == self.group[second]


@lru_cache(maxsize=64)
def build_network(map: Map) -> RailNetwork:
    """Return the network of this map; it is built once."""
    return RailNetwork(map)


def find_components(cities: int, ends: Iterable[tuple[int, int]]) -> list[int]:
    """Number the components; for each city the number of its component, in the order of their smallest cities."""
    parent = list(range(cities))

    def root(city: int) -> int:
        while parent[city] != city:
            parent[city] = parent[parent[city]]
            city = parent[city]
        return city

    for first, second in ends:
        low, high = sorted((root(first), root(second)))
        parent[high] = low
    labels: dict[int, int] = {}
    return [labels.setdefault(root(city), len(labels)) for city in range(cities)]
