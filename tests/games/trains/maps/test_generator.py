"""Random maps that look like maps."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from fairplay.core import UsageError
from fairplay.core.chance import derived
from fairplay.games.trains.map import Map, build_network, find_components, find_map_flaws
from fairplay.games.trains.maps.generator import MOST_CITIES, generate_map, lines_cross, near_pairs, passes_city


def spots_of(map: Map) -> dict[str, tuple[int, int]]:
    return {city.name: city.spot for city in map.cities}


@given(seed=st.integers(0, 10_000), cities=st.integers(7, 45))
@settings(max_examples=25)
def test_a_surveyed_map_is_valid_connected_and_planar(seed: int, cities: int) -> None:
    map = generate_map(derived(seed, "map"), cities)
    found, spots = build_network(map), spots_of(map)
    assert not list(find_map_flaws(map))
    assert len(map.cities) == cities
    assert max(find_components(cities, found.ends)) == 0
    assert found.destination_count == cities * (cities - 1) // 2 >= 19  # Trains 2.2: eight can play
    lines = sorted({(one.first, one.second) for one in map.connections})
    for at, (first, second) in enumerate(lines):
        for one, other in lines[:at]:
            assert not lines_cross(spots[first], spots[second], spots[one], spots[other])


def test_longer_ways_are_longer_connections_and_colours_are_even() -> None:
    map = generate_map(derived(2, "map"), 60)
    spots = spots_of(map)
    mean: dict[int, list[int]] = {}
    for one in map.connections:
        (x, y), (to_x, to_y) = spots[one.first], spots[one.second]
        mean.setdefault(one.length, []).append((x - to_x) ** 2 + (y - to_y) ** 2)
    three, four, five = (sum(mean[length]) / len(mean[length]) for length in (3, 4, 5))
    assert three < four < five
    counts = [sum(one.color == colour for one in map.connections) for colour in ("red", "blue", "green", "white")]
    assert min(counts) > len(map.connections) / 6


def test_the_same_seed_gives_the_same_map_and_another_another() -> None:
    assert generate_map(derived(5, "map"), 12) == generate_map(derived(5, "map"), 12)
    assert generate_map(derived(5, "map"), 12) != generate_map(derived(6, "map"), 12)


@pytest.mark.parametrize(
    ("cities", "width", "height", "reason"),
    [
        (6, None, None, "7 to 300 cities, not 6"),
        (MOST_CITIES + 1, None, None, "not 301"),
        (10, 9, None, "width must be between 10 and 800, not 9"),
        (10, None, 801, "height must be between 10 and 800, not 801"),
        (300, 10, 10, "300 cities do not fit on 10 by 10 pixels"),
    ],
)
def test_what_cannot_be_surveyed_is_refused(cities: int, width: int | None, height: int | None, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        generate_map(derived(1), cities, width, height)


def test_a_small_sheet_can_be_asked_for() -> None:
    map = generate_map(derived(1), 9, 60, 40)
    assert (map.width, map.height) == (60, 40)
    assert not list(find_map_flaws(map))


def test_far_groups_of_cities_are_considered_for_connecting() -> None:
    near = [(x, y) for x in range(0, 40, 10) for y in range(0, 40, 10)]
    far = [(x + 700, y + 700) for x, y in near]
    pairs = list(near_pairs([*near, *far]))
    assert max(find_components(32, pairs)) == 0
    assert any(first < 16 <= second for first, second in pairs)


def test_a_line_through_a_city_is_noticed() -> None:
    assert passes_city([(0, 0), (100, 0), (50, 3)], 0, 1)
    assert not passes_city([(0, 0), (100, 0), (50, 40)], 0, 1)
    assert not passes_city([(0, 0), (100, 0), (150, 0)], 0, 1)
