"""Joined cities and the longest path, against networkx and against trying everything."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random
from typing import cast

import networkx
import pytest
from hypothesis import given, settings, strategies as st

from fairplay.games.trains.map import City, Color, Connection, Map, RailNetwork, build_network
from fairplay.games.trains.paths import are_joined, joined_cities, longest_path, shortest_way

from .sheets import atlas_map

NAMES = "ABCDEFGH"


@st.composite
def dense(draw: st.DrawFn) -> tuple[RailNetwork, int]:
    """A map with many parallel connections, and up to 12 of them owned."""
    lines = draw(
        st.lists(
            st.tuples(
                st.sampled_from(list(combinations(NAMES, 2))),
                st.sampled_from(["red", "blue", "green", "white"]),
                st.integers(3, 5),
            ),
            unique_by=lambda line: line[:2],
            max_size=30,
        )
    )
    cities = tuple(City(name, (10 * number, 0)) for number, name in enumerate(NAMES))
    connections = tuple(Connection(*pair, cast("Color", color), length) for pair, color, length in lines)
    found = build_network(Map(100, 10, cities, connections))
    owned = draw(st.sets(st.sampled_from(range(len(lines))), max_size=12)) if lines else set()
    return found, sum(1 << index for index in owned)


def graph(network: RailNetwork, owned: int) -> networkx.Graph:
    result = networkx.Graph()
    result.add_nodes_from(range(len(network.names)))
    for index, (first, second) in enumerate(network.ends):
        if owned >> index & 1:
            before = result.get_edge_data(first, second, {"length": 0})["length"]
            result.add_edge(first, second, length=max(before, network.lengths[index]))
    return result


@given(case=dense())
@settings(max_examples=80)
def test_the_longest_path_is_the_longest_of_all_simple_paths(case: tuple[RailNetwork, int]) -> None:
    found, owned = case
    roads = graph(found, owned)
    best = 0
    for first, second in combinations(roads, 2):
        for path in networkx.all_simple_paths(roads, first, second):
            best = max(best, networkx.path_weight(roads, path, "length"))
    assert longest_path(found, owned) == best


@pytest.mark.parametrize("seed", range(60))
def test_rings_with_chords_and_tails(seed: int) -> None:
    """Where many pieces of path run side by side; a pair of lines that is drawn twice counts once."""
    rng = Random(seed)
    names = [chr(65 + number) for number in range(rng.randrange(5, 10))]
    pairs = {tuple(sorted(pair)) for pair in pairwise([*names, names[0]])}
    pairs |= {tuple(sorted(rng.sample(names, 2))) for _ in range(rng.randrange(2, 9))}
    pairs |= {(name, f"{name}z") for name in names if rng.random() < 0.3}
    found = build_network(
        atlas_map(",".join(f"{first}-{second} red {rng.randrange(3, 6)}" for first, second in sorted(pairs)))
    )
    assert longest_path(found, found.every) == walked(found)


def walked(network: RailNetwork) -> int:
    """The longest path, found by walking every one there is."""
    ways: dict[int, dict[int, int]] = {}
    for (first, second), length in zip(network.ends, network.lengths, strict=True):
        ways.setdefault(first, {})[second] = length
        ways.setdefault(second, {})[first] = length

    def onward(city: int, visited: int) -> int:
        free = [(other, length) for other, length in ways[city].items() if not visited >> other & 1]
        return max((length + onward(other, visited | 1 << other) for other, length in free), default=0)

    return max(onward(city, 1 << city) for city in ways)


@given(case=dense())
def test_joined_cities_are_those_of_networkx(case: tuple[RailNetwork, int]) -> None:
    found, owned = case
    roads = graph(found, owned)
    for first, second in combinations(roads, 2):
        assert are_joined(found, owned, (found.names[first], found.names[second])) == networkx.has_path(
            roads, first, second
        )
    for city in roads:
        together = networkx.node_connected_component(roads, city)
        assert joined_cities(found, owned, city) == sum(1 << other for other in together)


@pytest.mark.parametrize(
    ("lines", "longest"),
    [
        ("Alma-Bree red 3,Alma-Cove blue 3,Bree-Cove green 4", 7),  # Trains 5.8: a ring is not a path
        ("Cove-Dell blue 5,Cove-Dell white 3,Dell-Erin red 4", 9),  # Trains 5.8: of parallel ones one
        ("Alma-Bree blue 5,Bree-Erin green 4", 9),
        ("A-B red 3", 3),
        ("A-B red 3,C-D red 5", 5),  # in two parts
        ("M-A red 3,M-B red 4,M-C red 5", 9),  # a star
        ("A-B red 3,B-C red 3,C-D red 3,A-D red 3,D-E red 5,C-F red 4", 18),  # a ring with two tails
        ("A-B red 5,B-C red 5,C-D red 5,B-D red 3", 15),  # round the ring from the tail
    ],
)
def test_known_longest_paths(lines: str, longest: int) -> None:
    found = build_network(atlas_map(lines))
    assert longest_path(found, found.every) == longest


def test_holding_nothing_is_no_path() -> None:
    """Trains 14.9."""
    assert longest_path(build_network(atlas_map("A-B red 3")), 0) == 0


def test_all_of_a_complete_map_of_six() -> None:
    """Fifteen connections of length 3, the densest that 45 rails buy: five of them in a row."""
    found = build_network(atlas_map(",".join(f"{first}-{second} red 3" for first, second in combinations("ABCDEF", 2))))
    assert longest_path(found, found.every) == 15


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (3, 4), (5, 6), (6, 7)])
def test_a_grid_has_a_path_through_all_its_cities(rows: int, columns: int) -> None:
    """Far more than 45 rails buy; other settings allow it (Trains 13.1)."""
    spots = [(row, column) for row in range(rows) for column in range(columns)]
    lines = [
        f"{chr(65 + row)}{column}-{chr(65 + row + down)}{column + right} red 3"
        for row, column in spots
        for down, right in ((0, 1), (1, 0))
        if row + down < rows and column + right < columns
    ]
    found = build_network(atlas_map(",".join(lines)))
    assert longest_path(found, found.every) == 3 * (rows * columns - 1)


def test_tails_at_both_ends_of_a_ring_count() -> None:
    ring = "B-C red 3,C-D red 3,D-E red 3,B-E red 3"
    found = build_network(atlas_map(f"{ring},A-B red 5,C-F red 5,D-G red 4"))
    assert longest_path(found, found.every) == 5 + 3 + 3 + 3 + 5  # A B E D C F


@given(dense(), st.integers(0, 2**30))
@settings(max_examples=60)
def test_the_shortest_way_against_networkx(case: tuple[RailNetwork, int], chance: int) -> None:
    """What is owned costs nothing; what is neither owned nor free cannot be used."""
    network, owned = case
    free = network.every & ~owned & chance
    weighted = networkx.Graph()
    weighted.add_nodes_from(network.names)
    for index, one in enumerate(network.connections):
        if (owned | free) >> index & 1:
            price = one.length if free >> index & 1 else 0
            known = weighted.get_edge_data(one.first, one.second, {"weight": price})["weight"]
            weighted.add_edge(one.first, one.second, weight=min(price, known))
    route = shortest_way(network, owned, free, ("A", "H"))
    if not networkx.has_path(weighted, "A", "H"):
        assert route is None
        return
    assert route is not None
    assert sum(network.lengths[index] for index in route) == networkx.dijkstra_path_length(weighted, "A", "H")
    assert are_joined(network, owned | sum(1 << index for index in route), ("A", "H"))
    assert all(free >> index & 1 for index in route)
