"""What a seat's own connections achieve: which cities they join, and how long a path they make (Trains 5.3, 5.4).

The longest path that visits no city twice is hard in general.  All ways of walking are tried, but two walks that end in
the same city having visited the same cities continue alike, so only the longer one goes on.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairplay.games.trains.map import Chart, bits

__all__ = ["joined", "longest_path", "spanned"]


def joined(chart: Chart, owned: int, first: int, second: int) -> bool:
    """Do the connections `owned` join these two cities?"""
    return bool(spanned(chart, owned, first) >> second & 1)


def spanned(chart: Chart, owned: int, start: int) -> int:
    """The mask of cities that the connections `owned` join with `start`, itself included."""
    ends = [chart.ends[index] for index in bits(owned)]
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


def longest_path(chart: Chart, owned: int) -> int:
    """The greatest total length of a path through `owned` that visits no city twice; exact (Trains 5.3)."""
    best = 0
    for roads in separate(roads_of(chart, owned)):
        best = max(best, longest_within(roads))
    return best


Roads = dict[int, dict[int, int]]
"""City -> neighbour -> length, both ways."""


def roads_of(chart: Chart, owned: int) -> Roads:
    """`owned` as roads; of parallel connections the longest stands for all."""
    roads: Roads = {}
    for index in bits(owned):
        first, second = chart.ends[index]
        length = chart.lengths[index]
        if roads.setdefault(first, {}).get(second, 0) < length:
            roads[first][second] = length
            roads.setdefault(second, {})[first] = length
    return roads


def separate(roads: Roads) -> list[Roads]:
    """The parts of `roads` that hang together, each on its own."""
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
    """The longest path through `roads`.  ASSUME they hang together."""
    best, tails, core = without_branches(roads)
    cities = list(core)
    place = {city: index for index, city in enumerate(cities)}
    exits = [[(place[other], 1 << place[other], length) for other, length in core[city].items()] for city in cities]
    tail = [tails.get(city, 0) for city in cities]
    return max(best, longest_walk(exits, tail))


def without_branches(roads: Roads) -> tuple[int, dict[int, int], Roads]:
    """Cut dead ends off until only rings remain: the longest path cut off, its depth per city, the rest."""
    best = 0
    tails: dict[int, int] = {}
    core = {city: dict(exits) for city, exits in roads.items()}
    ends = [city for city, exits in core.items() if len(exits) == 1]
    while ends:
        city = ends.pop()
        if not core[city]:  # its only neighbour was cut off first: the whole was a tree
            continue
        ((other, length),) = core.pop(city).items()
        reach = tails.get(city, 0) + length
        best = max(best, reach + tails.get(other, 0))
        tails[other] = max(reach, tails.get(other, 0))
        del core[other][city]
        if len(core[other]) == 1:
            ends.append(other)
    return best, tails, core


def longest_walk(exits: Sequence[Sequence[tuple[int, int, int]]], tail: Sequence[int]) -> int:
    """The longest walk over `exits` that visits nothing twice, with the tails at both its ends.

    Walks grow by one city at a time; `grown[city]` maps the cities visited to the longest walk that ends in `city`.
    """
    best = 0
    grown: list[dict[int, int]] = [{1 << city: length} for city, length in enumerate(tail)]
    while any(grown):
        walks, grown = grown, [{} for _ in tail]
        for city, visited_lengths in enumerate(walks):
            for other, bit, length in exits[city]:
                following, end = grown[other], tail[other]
                for visited, walked in visited_lengths.items():
                    if not visited & bit:
                        total = walked + length
                        if following.get(visited | bit, 0) < total:
                            following[visited | bit] = total
                            if best < total + end:
                                best = total + end
    return best
