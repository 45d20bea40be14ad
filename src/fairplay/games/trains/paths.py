"""What the connections of a seat achieve: which cities they join, and how long a path they make (Trains 5.3, 5.4).

The longest path that visits no city twice is hard in general.  Dead ends are cut off first; the rings that remain are
swept from one side to the other: see `_longest_through`.  `steps_of_longest_path` says how long that can take at most.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import accumulate
from math import comb, inf, prod
from typing import TypeAlias

from fairplay.games.trains.map import Destination, RailNetwork, bits

MAX_STEPS = 10_000_000
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


def cheapest_route(network: RailNetwork, prices: Sequence[float], pair: Destination) -> tuple[float, int] | None:
    """Find the cheapest way between two cities: its price and the mask of its connections; None if there is none.

    prices: of each connection; infinite if it is closed.
    """
    exits, (first, second) = _list_exits(network), (network.number[name] for name in pair)
    queue: list[tuple[float, int, int]] = [(0.0, first, 0)]
    done = set()
    while queue:
        paid, city, used = heappop(queue)
        if city == second:
            return paid, used
        if city in done:
            continue
        done.add(city)
        for index, other in exits[city]:
            if other not in done and prices[index] < inf:
                heappush(queue, (paid + prices[index], other, used | 1 << index))
    return None


@lru_cache(maxsize=64)
def _list_exits(network: RailNetwork) -> Sequence[Sequence[tuple[int, int]]]:
    """The connections that leave each city, with the city at their other end."""
    exits: list[list[tuple[int, int]]] = [[] for _ in network.names]
    for index, (first, second) in enumerate(network.ends):
        exits[first].append((index, second))
        exits[second].append((index, first))
    return exits


def shortest_way(
    network: RailNetwork, owned: int, free: int, pair: Destination, prices: Sequence[int] | None = None
) -> list[int] | None:
    """The connections of `free`, in order, that with those `owned` join two cities at the lowest price.

    prices: of each connection; None: its length.  Of ways with the same price, one with fewer connections is taken.
    Returns None if there is no way left.
    """
    many = len(network.lengths) + 1
    paid = [
        many * price + 1 if free >> index & 1 else 0 if owned >> index & 1 else inf
        for index, price in enumerate(network.lengths if prices is None else prices)
    ]
    route = cheapest_route(network, paid, pair)
    if route is None:
        return None
    city, left, way = network.number[pair[0]], route[1], list[int]()
    while left:
        index, city = next(step for step in _list_exits(network)[city] if left >> step[0] & 1)
        left ^= 1 << index
        way.append(index)
    return [index for index in way if free >> index & 1]


def longest_path(network: RailNetwork, owned: int) -> int:
    """Compute the greatest total length of a path through `owned` that visits no city twice; exact (Trains 5.3)."""
    best = 0
    for roads in _split_components(_build_roads(network, owned)):
        best = max(best, _longest_within(roads))
    return best


_Roads: TypeAlias = dict[int, dict[int, int]]
"""City -> neighbour -> length, both ways."""

_Exits: TypeAlias = Sequence[Sequence[tuple[int, int]]]
"""For each city, numbered from 0, its neighbours and the lengths of the ways to them."""


def _build_roads(network: RailNetwork, owned: int) -> _Roads:
    """Turn `owned` into roads; of parallel connections only the longest counts."""
    roads: _Roads = {}
    for index in bits(owned):
        first, second = network.ends[index]
        length = network.lengths[index]
        if roads.setdefault(first, {}).get(second, 0) < length:
            roads[first][second] = length
            roads.setdefault(second, {})[first] = length
    return roads


def _split_components(roads: _Roads) -> list[_Roads]:
    """Split `roads` into connected parts."""
    parts = []
    left = dict(roads)
    while left:
        part: _Roads = {}
        queue = [next(iter(left))]
        while queue:
            city = queue.pop()
            if city in left:
                part[city] = left.pop(city)
                queue.extend(part[city])
        parts.append(part)
    return parts


def _longest_within(roads: _Roads) -> int:
    """Compute the longest path through `roads`.  ASSUME they are connected."""
    best, tails, core = _without_branches(roads)
    cities = list(core)
    place = {city: index for index, city in enumerate(cities)}
    exits = [[(place[other], length) for other, length in core[city].items()] for city in cities]
    tail = [tails.get(city, 0) for city in cities]
    return max(best, _longest_through(exits, tail)) if cities else best


def _without_branches(roads: _Roads) -> tuple[int, dict[int, int], _Roads]:
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

_ENDED = -1
"""Instead of a mate: the other end of this piece lies behind the front and is an end of the path."""

_INSIDE = -2
"""Instead of a mate: the path goes through this city."""

_Mates: TypeAlias = tuple[int, ...]
"""For each city of the front: the other end of its piece of path, itself if it has none, or one of the values above."""

_WHOLE: _Mates = ()
"""Instead of mates: two pieces met whose other ends both lie behind the front, and there are no others."""


def _longest_through(exits: _Exits, tail: Sequence[int]) -> int:
    """Compute the longest path over `exits` that visits nothing twice, with the tails at both of its ends.

    Each way is taken or not.  All that matters for the rest is how the pieces taken so far end in the *front*: the
    cities with ways both behind and ahead.  Of two choices with the same ends only the longer one is kept.
    """
    best, front = 0, list[int]()
    found: dict[_Mates, int] = {(): 0}
    for first, second, length, left_behind in _ordered_ways(exits):
        for city in (first, second):
            if city not in front:
                front.append(city)
                found = {(*mates, city): total for mates, total in found.items()}
        taken = dict(found)
        for mates, total in found.items():
            after = _take_way(front, mates, first, second)
            if after == _WHOLE:
                best = max(best, total + length)
            elif after is not None and taken.get(after, -1) < total + length:
                taken[after] = total + length
        found = taken
        for city in left_behind:
            best = max(best, _whole_paths(front, found, city, tail[city]))
            found = _drop_city(front, found, city, tail[city])
            front.remove(city)
    return best


def _ordered_ways(exits: _Exits) -> Iterator[tuple[int, int, int, list[int]]]:
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


def _take_way(front: Sequence[int], mates: _Mates, first: int, second: int) -> _Mates | None:
    """Take the way between two cities of the front: the mates after it, or None if it cannot be taken."""
    at, to = front.index(first), front.index(second)
    one, other = mates[at], mates[to]
    if _INSIDE in (one, other) or one == second:  # the last would close a ring
        return None
    if one == other == _ENDED:
        return _WHOLE if len(_open_ends(front, mates)) == 2 else None
    after = list(mates)
    after[at] = after[to] = _INSIDE
    if one == _ENDED:
        after[front.index(other)] = _ENDED
    elif other == _ENDED:
        after[front.index(one)] = _ENDED
    else:
        after[front.index(one)], after[front.index(other)] = other, one
    return tuple(after)


def _open_ends(front: Sequence[int], mates: _Mates) -> list[int]:
    """List the cities of the front where pieces end."""
    return [city for city, mate in zip(front, mates, strict=True) if mate not in (city, _INSIDE)]


def _whole_paths(front: Sequence[int], found: dict[_Mates, int], city: int, tail: int) -> int:
    """The longest path that is complete when `city` is left behind, because it ends there."""
    at = front.index(city)
    whole = (total for mates, total in found.items() if mates[at] == _ENDED and len(_open_ends(front, mates)) == 1)
    return max(whole, default=-tail) + tail


def _drop_city(front: Sequence[int], found: dict[_Mates, int], city: int, tail: int) -> dict[_Mates, int]:
    """Leave `city` behind: the path ends there, goes through it, or does not touch it."""
    at = front.index(city)
    kept: dict[_Mates, int] = {}
    for mates, total in found.items():
        mate = mates[at]
        if mate == _ENDED:
            continue  # a complete path: nothing can be added
        after = list(mates)
        if mate not in (city, _INSIDE):
            after[front.index(mate)] = _ENDED
            total += tail
        del after[at]
        if after.count(_ENDED) <= 2 and kept.get(tuple(after), -1) < total:
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
    for roads in _split_components(_build_roads(network, network.every)):
        _, _, core = _without_branches(roads)
        lengths = sorted(shortest[city, other] for city in core for other in core[city] if city < other)
        ways = _count_affordable(lengths, segments)
        widths = range(1, min(len(core) - 1, ways, _MAX_WIDTH) + 1)
        most = max(most, ways * max((min(1 << (ways - width), _count_mates(width)) for width in widths), default=0))
    return most


_MAX_WIDTH = 12
"""A front of this width alone can take more than MAX_STEPS; wider ones need not be looked at."""


def _count_affordable(lengths: Sequence[int], segments: int) -> int:
    """How many of `lengths`, which are sorted, fit into `segments` together."""
    return sum(total <= segments for total in accumulate(lengths))


def _count_mates(width: int) -> int:
    """How many different `_Mates` a front can have: at most two ended, some in pairs, the rest alone or inside."""
    return sum(
        comb(width, ended) * comb(width - ended, 2 * pairs) * prod(range(1, 2 * pairs, 2)) * 2 ** (single - 2 * pairs)
        for ended in range(min(2, width) + 1)
        for single in [width - ended]
        for pairs in range(single // 2 + 1)
    )
