"""What the connections of a seat achieve: which cities they join, and how long a path they make (Trains 5.3, 5.4).

The longest path that visits no city twice is hard in general.  Dead ends are cut off first; the rings that remain are
swept from one side to the other: see `longest_through`.  `steps_of_longest_path` says how long that can take at most.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import accumulate
from math import comb, prod
from typing import Final, TypeAlias

from fairplay.games.trains.map import Destination, RailNetwork, bits

__all__ = ["MAX_STEPS", "are_joined", "cheapest_route", "joined_cities", "longest_path", "steps_of_longest_path"]

MAX_STEPS: Final = 10_000_000
"""A setup whose longest path could take more steps than this is refused; this many take about half a second."""


def are_joined(network: RailNetwork, owned: int, destination: Destination) -> bool:
    """Do the connections `owned` join the two cities of a destination?"""
    first, second = destination
    return bool(joined_cities(network, owned, network.number[first]) >> network.number[second] & 1)


def joined_cities(network: RailNetwork, owned: int, start: int) -> int:
    """Find the mask of cities that the connections `owned` join with `start`, itself included."""
    ends = [network.ends[index] for index in bits(owned)]
    reached = 1 << start
    grown = True
    while grown:
        grown = False
        rest = []
        for pair in ends:
            first, second = pair
            has_first, has_second = reached >> first & 1, reached >> second & 1
            if has_first != has_second:
                reached |= 1 << first | 1 << second
                grown = True
            elif not has_first:
                rest.append(pair)
        ends = rest
    return reached


def cheapest_route(
    network: RailNetwork, owned: int, free: int, destination: Destination, prices: Sequence[int] | None = None
) -> list[int] | None:
    """Find the connections of `free` that, with those `owned`, join a destination at the lowest price.

    prices: of each connection; None: its length.  Of routes with the same price, one with fewer connections is taken.
    Returns None if there is no way left.
    """
    prices = network.lengths if prices is None else prices
    first, second = (network.number[name] for name in destination)
    exits = list_exits(network, owned, free)
    best: dict[int, tuple[int, int]] = {first: (0, 0)}
    via: dict[int, tuple[int, int]] = {}
    waiting = [(0, 0, first)]
    while waiting:
        price, count, city = heappop(waiting)
        if city == second:
            return trace_route(via, first, second, free)
        if (price, count) > best[city]:
            continue
        for index, other in exits.get(city, ()):
            new = (price + prices[index], count + 1) if free >> index & 1 else (price, count)
            if other not in best or new < best[other]:
                best[other], via[other] = new, (index, city)
                heappush(waiting, (*new, other))
    return None


def list_exits(network: RailNetwork, owned: int, free: int) -> dict[int, list[tuple[int, int]]]:
    """For each city the connections that can be used from there, with the cities they lead to."""
    exits: dict[int, list[tuple[int, int]]] = {}
    for index in bits(owned | free):
        first, second = network.ends[index]
        exits.setdefault(first, []).append((index, second))
        exits.setdefault(second, []).append((index, first))
    return exits


def trace_route(via: Mapping[int, tuple[int, int]], first: int, second: int, free: int) -> list[int]:
    """Follow a route back from its end; list those of its connections that are still to be taken, first ones first."""
    route = []
    while second != first:
        index, second = via[second]
        if free >> index & 1:
            route.append(index)
    return route[::-1]


def longest_path(network: RailNetwork, owned: int) -> int:
    """Compute the greatest total length of a path through `owned` that visits no city twice; exact (Trains 5.3)."""
    best = 0
    for roads in split_components(build_roads(network, owned)):
        best = max(best, longest_within(roads))
    return best


Roads: TypeAlias = dict[int, dict[int, int]]
"""City -> neighbour -> length, both ways."""

Exits: TypeAlias = Sequence[Sequence[tuple[int, int]]]
"""For each city, numbered from 0, its neighbours and the lengths of the ways to them."""


def build_roads(network: RailNetwork, owned: int) -> Roads:
    """Turn `owned` into roads; of parallel connections only the longest counts."""
    roads: Roads = {}
    for index in bits(owned):
        first, second = network.ends[index]
        length = network.lengths[index]
        if roads.setdefault(first, {}).get(second, 0) < length:
            roads[first][second] = length
            roads.setdefault(second, {})[first] = length
    return roads


def split_components(roads: Roads) -> list[Roads]:
    """Split `roads` into connected parts."""
    parts = []
    left = dict(roads)
    while left:
        part: Roads = {}
        queue = [next(iter(left))]
        while queue:
            city = queue.pop()
            if city in left:
                part[city] = left.pop(city)
                queue.extend(part[city])
        parts.append(part)
    return parts


def longest_within(roads: Roads) -> int:
    """Compute the longest path through `roads`.  ASSUME they are connected."""
    best, tails, core = without_branches(roads)
    cities = list(core)
    place = {city: index for index, city in enumerate(cities)}
    exits = [[(place[other], length) for other, length in core[city].items()] for city in cities]
    tail = [tails.get(city, 0) for city in cities]
    return max(best, longest_through(exits, tail)) if cities else best


def without_branches(roads: Roads) -> tuple[int, dict[int, int], Roads]:
    """Cut dead ends off until only rings remain: the longest path cut off, the depth cut off at each city, the rest."""
    best = 0
    tails: dict[int, int] = {}
    core = {city: dict(exits) for city, exits in roads.items()}
    ends = [city for city, exits in core.items() if len(exits) == 1]
    while ends:
        city = ends.pop()
        if not core[city]:  # its only neighbour was cut off first: all of it was a tree
            continue
        ((other, length),) = core.pop(city).items()
        reach = tails.get(city, 0) + length
        best = max(best, reach + tails.get(other, 0))
        tails[other] = max(reach, tails.get(other, 0))
        del core[other][city]
        if len(core[other]) == 1:
            ends.append(other)
    return best, tails, core


# -- rings -----------------------------------------------------------------------------------

ENDED: Final = -1
"""Instead of a mate: the other end of this piece lies behind the front and is an end of the path."""

INSIDE: Final = -2
"""Instead of a mate: the path goes through this city."""

Mates: TypeAlias = tuple[int, ...]
"""For each city of the front: the other end of its piece of path, itself if it has none, or one of the values above."""

WHOLE: Final[Mates] = ()
"""Instead of mates: two pieces met whose other ends both lie behind the front, and there are no others."""


def longest_through(exits: Exits, tail: Sequence[int]) -> int:
    """Compute the longest path over `exits` that visits nothing twice, with the tails at both of its ends.

    Each way is taken or not.  All that matters for the rest is how the pieces taken so far end in the *front*: the
    cities with ways both behind and ahead.  Of two choices with the same ends only the longer one is kept.
    """
    best, front = 0, list[int]()
    found: dict[Mates, int] = {(): 0}
    for first, second, length, left_behind in ordered_ways(exits):
        for city in (first, second):
            if city not in front:
                front.append(city)
                found = {(*mates, city): total for mates, total in found.items()}
        taken = dict(found)
        for mates, total in found.items():
            after = take_way(front, mates, first, second)
            if after == WHOLE:
                best = max(best, total + length)
            elif after is not None and taken.get(after, -1) < total + length:
                taken[after] = total + length
        found = taken
        for city in left_behind:
            best = max(best, whole_paths(front, found, city, tail[city]))
            found = drop_city(front, found, city, tail[city])
            front.remove(city)
    return best


def ordered_ways(exits: Exits) -> Iterator[tuple[int, int, int, list[int]]]:
    """List every way once, in the order of a search from one side, with the cities that have no way after it."""
    start = min(range(len(exits)), key=lambda city: len(exits[city]))
    order, place = [start], {start: 0}
    for city in order:
        for other, _ in exits[city]:
            if other not in place:
                place[other] = len(order)
                order.append(other)
    ways = [(city, other, length) for city in order for other, length in exits[city] if place[other] < place[city]]
    last = {}
    for index, (city, other, _) in enumerate(ways):
        last[city] = last[other] = index
    for index, (city, other, length) in enumerate(ways):
        yield city, other, length, [one for one in (city, other) if last[one] == index]


def take_way(front: Sequence[int], mates: Mates, first: int, second: int) -> Mates | None:
    """Take the way between two cities of the front: the mates after it, or None if it cannot be taken."""
    at, to = front.index(first), front.index(second)
    one, other = mates[at], mates[to]
    if INSIDE in (one, other) or one == second:  # the last would close a ring
        return None
    if one == other == ENDED:
        return WHOLE if len(open_ends(front, mates)) == 2 else None
    after = list(mates)
    after[at] = after[to] = INSIDE
    if one == ENDED:
        after[front.index(other)] = ENDED
    elif other == ENDED:
        after[front.index(one)] = ENDED
    else:
        after[front.index(one)], after[front.index(other)] = other, one
    return tuple(after)


def open_ends(front: Sequence[int], mates: Mates) -> list[int]:
    """List the cities of the front where pieces end."""
    return [city for city, mate in zip(front, mates, strict=True) if mate not in (city, INSIDE)]


def whole_paths(front: Sequence[int], found: dict[Mates, int], city: int, tail: int) -> int:
    """The longest path that is complete when `city` is left behind, because it ends there."""
    at = front.index(city)
    whole = (total for mates, total in found.items() if mates[at] == ENDED and len(open_ends(front, mates)) == 1)
    return max(whole, default=-tail) + tail


def drop_city(front: Sequence[int], found: dict[Mates, int], city: int, tail: int) -> dict[Mates, int]:
    """Leave `city` behind: the path ends there, goes through it, or does not touch it."""
    at = front.index(city)
    kept: dict[Mates, int] = {}
    for mates, total in found.items():
        mate = mates[at]
        if mate == ENDED:
            continue  # a complete path: nothing can be added
        after = list(mates)
        if mate not in (city, INSIDE):
            after[front.index(mate)] = ENDED
            total += tail
        del after[at]
        if after.count(ENDED) <= 2 and kept.get(tuple(after), -1) < total:
            kept[tuple(after)] = total
    return kept


# -- effort ------------------------------------------------------------------------------------


def steps_of_longest_path(network: RailNetwork, segments: int) -> int:
    """How many steps `longest_path` can take for connections of this many `segments` in all; above MAX_STEPS, a part.

    Only rings count.  A front of w cities has at least w ways ahead, so of e ways at most e - w were decided: there are
    at most 2 ** (e - w) choices, and at most as many as there are ways to label the front.
    """
    shortest: dict[tuple[int, int], int] = {}
    for ends, length in zip(network.ends, network.lengths, strict=True):
        shortest[ends] = shortest[ends[::-1]] = min(length, shortest.get(ends, length))
    most = 0
    for roads in split_components(build_roads(network, network.every)):
        _, _, core = without_branches(roads)
        lengths = sorted(shortest[city, other] for city in core for other in core[city] if city < other)
        ways = count_affordable(lengths, segments)
        widths = range(1, min(len(core) - 1, ways, MAX_WIDTH) + 1)
        most = max(most, ways * max((min(1 << (ways - width), count_mates(width)) for width in widths), default=0))
    return most


MAX_WIDTH: Final = 12
"""A front of this width alone can take more than MAX_STEPS; wider ones need not be looked at."""


def count_affordable(lengths: Sequence[int], segments: int) -> int:
    """How many of `lengths`, which are sorted, fit into `segments` together."""
    return sum(total <= segments for total in accumulate(lengths))


def count_mates(width: int) -> int:
    """How many different `Mates` a front can have: at most two ended, some in pairs, the rest alone or inside."""
    return sum(
        comb(width, ended) * comb(width - ended, 2 * pairs) * prod(range(1, 2 * pairs, 2)) * 2 ** (single - 2 * pairs)
        for ended in range(min(2, width) + 1)
        for single in [width - ended]
        for pairs in range(single // 2 + 1)
    )
