"""Maps: what may be wrong with one, and the numbers and masks made of it."""

from __future__ import annotations

import pickle
import tracemalloc
from itertools import combinations, pairwise
from typing import Any, cast

import networkx
import pytest
from hypothesis import given, strategies as st

from fairplay.core.chance import derived
from fairplay.games.trains.map import (
    COLORS,
    City,
    Connection,
    Map,
    RailNetwork,
    bits,
    build_network,
    connection_order,
    find_components,
    find_map_flaws,
)
from fairplay.games.trains.maps.generator import generate_map

from .sheets import atlas_map

ALMA, BREE = City("Alma", (10, 10)), City("Bree", (50, 10))
RED = Connection("Alma", "Bree", "red", 3)


def test_a_map_by_the_rules_has_no_flaws() -> None:
    assert not list(
        find_map_flaws(Map(10, 800, (City("A", (0, 0)), City("B", (10, 800))), ()))
    )  # Trains 1.3: ends included
    assert not list(find_map_flaws(Map(100, 100, (ALMA, BREE), (RED, Connection("Alma", "Bree", "blue", 5)))))


@pytest.mark.parametrize(
    ("map", "where", "what"),
    [
        (Map(9, 80, (), ()), "$.width", "width 9 is not between 10 and 800"),
        (Map(80, 801, (), ()), "$.height", "height 801"),
        (Map(80, 80, (City("", (1, 1)),), ()), "$.cities[0][0]", "city name ''"),
        (Map(80, 80, (ALMA, City("Zürich", (1, 1))), ()), "$.cities[1][0]", "ASCII"),
        (Map(80, 80, (City("a\n", (1, 1)),), ()), "$.cities[0][0]", "ASCII"),
        (Map(80, 80, (City("x" * 26, (1, 1)),), ()), "$.cities[0][0]", "1 to 25"),  # Trains 14.16
        (Map(80, 80, (City("y" * 400, (1, 1)),), ()), "$.cities[0][0]", "yyy…"),
        (Map(80, 80, (ALMA, City("Alma", (1, 1))), ()), "$.cities[1][0]", "already listed at $.cities[0]"),
        (Map(80, 80, (ALMA, City("Bree", (10, 10))), ()), "$.cities[1][1]", "same spot [10, 10] as 'Alma'"),
        (Map(80, 80, (City("Alma", (81, 0)),), ()), "$.cities[0][1]", "off the map"),
        (Map(80, 80, (City("Alma", (0, -1)),), ()), "$.cities[0][1]", "off the map"),
        (Map(80, 80, (ALMA,), (RED,)), "$.connections.Alma.Bree", "'Bree' is not a city"),
        (Map(80, 80, (ALMA,), (Connection("Alma", "Alma", "red", 3),)), "$.connections.Alma.Alma", "to itself"),
        (
            Map(80, 80, (ALMA, BREE), (Connection("Bree", "Alma", "red", 3),)),
            "$.connections.Bree.Alma",
            "'Alma' comes before 'Bree'",
        ),  # Trains 1.6
        (
            Map(80, 80, (ALMA, BREE), (Connection("Alma", "Bree", cast("Any", "pink"), 3),)),
            "$.connections.Alma.Bree.pink",
            "not one of the colours",
        ),
        (
            Map(80, 80, (ALMA, BREE), (Connection("Alma", "Bree", "red", 6),)),
            "$.connections.Alma.Bree.red",
            "length 6 is not 3, 4 or 5",
        ),
        (
            Map(80, 80, (ALMA, BREE), (RED, Connection("Alma", "Bree", "red", 4))),
            "$.connections.Alma.Bree.red",
            "a second red connection",
        ),  # Trains 1.4
    ],
)
def test_what_is_wrong_is_named_with_its_place(map: Map, where: str, what: str) -> None:
    found = list(find_map_flaws(map))
    assert [flaw.where for flaw in found] == [where]
    assert what in found[0].what


def test_connections_are_ordered_by_pair_length_and_colour() -> None:
    """Trains 8.3."""
    ordered = [
        Connection("Boston", "Seattle", "green", 3),
        Connection("Boston", "Seattle", "red", 3),
        Connection("Boston", "Seattle", "blue", 4),
        Connection("Boston", "Tulsa", "white", 3),
        Connection("NYC", "Tulsa", "red", 3),
        Connection("New York", "Tulsa", "red", 3),
        Connection("Newark", "Tulsa", "red", 3),
    ]
    assert sorted(ordered[3:] + ordered[:3], key=connection_order) == ordered


@given(seed=st.integers(0, 500), hand=st.tuples(*[st.integers(0, 9)] * 4), rails=st.integers(0, 9))
def test_affordable_is_what_cards_and_rails_pay_for(seed: int, hand: tuple[int, ...], rails: int) -> None:
    found = build_network(generate_map(derived(seed, "map"), 7 + seed % 5))
    paid = [
        index
        for index, one in enumerate(found.connections)
        if hand[COLORS.index(one.color)] >= one.length and rails >= one.length
    ]
    assert list(bits(found.affordable(hand, rails))) == paid


@given(edges=st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=14))
def test_components_are_those_of_networkx(edges: list[tuple[int, int]]) -> None:
    graph = networkx.Graph()
    graph.add_nodes_from(range(12))
    graph.add_edges_from(edges)
    labels = find_components(12, edges)
    for first, second in combinations(range(12), 2):
        assert (labels[first] == labels[second]) == networkx.has_path(graph, first, second)


def test_destinations_are_counted_and_made_in_order() -> None:
    """Trains 1.7, 8.1: pairs that some path joins, on a map of two parts and a lonely city."""
    map = atlas_map("A-C red 3,C-E red 3,B-D blue 4")
    map = Map(map.width, map.height, (*map.cities, City("Lonely", (700, 5))), map.connections)
    found = build_network(map)
    pairs = [("A", "C"), ("A", "E"), ("B", "D"), ("C", "E")]
    assert found.destination_count == 4
    assert [found.destination(rank) for rank in range(4)] == pairs
    every = combinations([city.name for city in map.cities], 2)
    assert [pair for pair in sorted(every) if found.is_destination(pair)] == pairs
    assert not found.is_destination(("C", "A"))  # Trains 1.6
    assert not found.is_destination(("A", "A"))
    assert not found.is_destination(("A", "Nowhere"))


def test_a_map_without_cities_has_a_network() -> None:
    found = build_network(Map(10, 10, (), ()))
    assert (found.destination_count, found.every) == (0, 0)


def test_charts_of_equal_maps_are_equal_and_survive_pickling() -> None:
    one, other = atlas_map("A-B red 3"), atlas_map("A-B red 3")
    assert build_network(one) == build_network(other)
    assert hash(build_network(one)) == hash(build_network(other))
    assert build_network(one) != build_network(atlas_map("A-B red 4"))
    assert build_network(one) != "a network"
    assert pickle.loads(pickle.dumps(build_network(one))) == build_network(one)


def test_a_map_with_thousands_of_cities_is_charted_without_listing_its_destinations() -> None:
    cities = tuple(City(f"c{number}", (number % 800, number // 800)) for number in range(6_000))
    names = [city.name for city in cities]
    lines = tuple(Connection(min(pair), max(pair), "red", 3) for pair in pairwise(names))
    found = build_network(Map(800, 800, cities, lines))
    assert found.destination_count == 6_000 * 5_999 // 2
    assert found.destination(found.destination_count - 1) == tuple(sorted(names)[-2:])


def test_a_map_with_very_many_connections_has_a_small_network() -> None:
    """A mask for each of them would take 50 MB here, and ten times as much where one message is full of them."""
    names = [f"{number:03}" for number in range(120)]
    cities = tuple(City(name, (number, 0)) for number, name in enumerate(names))
    lines = tuple(Connection(*pair, color, 3) for pair in combinations(names, 2) for color in COLORS)
    tracemalloc.start()
    found = RailNetwork(Map(800, 800, cities, lines))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 25_000_000
    assert found.bit(found.connections[-1]) == 1 << len(lines) - 1
    assert found.bit(Connection("000", "Nowhere", "red", 3)) == 0
    assert found.affordable((2, 3, 2, 2), 45).bit_count() == len(lines) // 4
