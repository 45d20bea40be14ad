"""Maps as JSON, and the maps of the package."""

from __future__ import annotations

from hashlib import blake2b
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st

from fairplay.core import SetupError, WireError
from fairplay.core.chance import derived
from fairplay.core.convert import text
from fairplay.games.trains.map import Connection, build_network, find_map_flaws
from fairplay.games.trains.maps.files import (
    find_flaws,
    find_map,
    map_from_json,
    map_to_json,
    packaged_maps,
    setup_on_map,
)
from fairplay.games.trains.maps.generator import generate_map
from fairplay.games.trains.paths import longest_path
from fairplay.games.trains.state import Setup
from games.trains.sheets import MAP_M


def changed(**fields: Any) -> Any:
    return {**MAP_M, **fields}


def test_the_canonical_form_is_written_as_the_rule_book_shows_it() -> None:
    """Trains 10.9, 10.10."""
    assert text(map_to_json(map_from_json(MAP_M))) == text(MAP_M)


def test_reading_accepts_any_order_unknown_keys_missing_outer_names_and_empty_segments() -> None:
    """Trains 10.3, 10.5, 10.7."""
    untidy = {
        "connections": {"Cove": {"Dell": {"white": 5}, "Erin": {}}, "Alma": {"Erin": {"blue": 3}, "Bree": {"red": 3}},
                        "Bree": {"Cove": {"red": 3, "green": 4}}, "Dell": {"Erin": {"blue": 4}}},
        "comment": [1, 2], "height": 80, "cities": MAP_M["cities"], "width": 100,
    }  # fmt: skip
    assert map_from_json(untidy) == map_from_json(MAP_M)


def test_cities_keep_the_order_in_which_they_were_given() -> None:
    """Trains 10.9."""
    cities = list(reversed(MAP_M["cities"]))
    assert map_to_json(map_from_json(changed(cities=cities)))["cities"] == cities


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ([], "$"),
        ({"width": 100}, "$"),
        (changed(width=45.0), "$.width"),  # Trains 10.2
        (changed(width="100"), "$.width"),
        (changed(height=True), "$.height"),
        (changed(height=5), "$.height"),
        (changed(cities={}), "$.cities"),
        (changed(cities=[["Alma", [1]]]), "$.cities[0][1]"),
        (changed(cities=[["Alma", [-1, 0]]], connections={}), "$.cities[0][1]"),
        (changed(connections=[]), "$.connections"),
        (changed(connections={"Zed": {}}), "$.connections.Zed"),
        (changed(connections={"Alma": {"Zed": {}}}), "$.connections.Alma.Zed"),
        (changed(connections={"Bree": {"Alma": {}}}), "$.connections.Bree.Alma"),
        (changed(connections={"Bree": {"Alma": {"red": 3}}}), "$.connections.Bree.Alma"),  # Trains 10.3
        (changed(connections={"Alma": {"Bree": {"pink": 3}}}), "$.connections.Alma.Bree.pink"),
        (changed(connections={"Alma": {"Bree": {"red": 2}}}), "$.connections.Alma.Bree.red"),
        (changed(cities=MAP_M["cities"][1:]), "$.connections.Alma"),  # Trains 12.7: rm-invalid-game-map
    ],
)
def test_a_form_that_is_wrong_is_refused_with_its_path(value: Any, path: str) -> None:
    with pytest.raises(WireError) as caught:
        map_from_json(value)
    assert caught.value.path == path
    assert next(flaw.where for flaw in find_flaws(value)) == path


def test_all_flaws_are_listed() -> None:
    value = changed(width=5, connections={"Alma": {"Bree": {"red": 2, "blue": 9}}})
    assert [flaw.where for flaw in find_flaws(value)] == [
        "$.width",
        "$.cities[0][1]",
        "$.cities[1][1]",
        "$.cities[2][1]",
        "$.cities[3][1]",
        "$.cities[4][1]",
        "$.connections.Alma.Bree.red",
        "$.connections.Alma.Bree.blue",
    ]
    assert find_flaws(MAP_M) == []


def test_a_reversed_pair_is_put_in_order_where_that_is_asked_for() -> None:
    """Trains 12.2."""
    map = map_from_json(changed(connections={"Bree": {"Alma": {"red": 3}}}), ordered=False)
    assert map.connections == (Connection("Alma", "Bree", "red", 3),)


@given(seed=st.integers(0, 200))
def test_what_was_written_is_read_back(seed: int) -> None:
    map = generate_map(derived(seed, "map"), 7 + seed % 20)
    assert map_from_json(map_to_json(map)) == map
    assert map_from_json({**map_to_json(map), "about": 'a "remark"', "seats": 8}) == map


# -- the maps of the package -------------------------------------------------------------------


def test_there_are_at_least_five_maps() -> None:
    assert {"tiny", "small", "continent", "vast", "coast"} <= set(packaged_maps())
    assert len(packaged_maps()) == len(set(packaged_maps())) >= 5
    with pytest.raises(KeyError):
        packaged_maps()["nowhere"]


@pytest.mark.parametrize("name", list(packaged_maps()))
def test_each_map_is_valid_for_the_seats_it_claims(name: str) -> None:
    """Trains 2.2."""
    sheet = packaged_maps()[name]
    assert not list(find_map_flaws(sheet.map))
    assert 2 <= sheet.seats <= 8
    assert build_network(sheet.map).destination_count >= 2 * sheet.seats + 3
    assert sheet.about


def test_the_maps_are_of_the_sizes_they_are_for() -> None:
    continent, vast = packaged_maps()["continent"].map, packaged_maps()["vast"].map
    assert (len(continent.cities), len(continent.connections)) == (36, 90)
    assert (vast.width, vast.height, len(vast.cities)) == (800, 800, 100)


def test_on_the_coast_forty_five_rails_can_all_lie_on_one_path() -> None:
    """The map where the longest path matters: whoever goes round has a path of nearly all its rails."""
    coast = build_network(packaged_maps()["coast"].map)
    around, rails = 0, 45
    harbours = [name for name in coast.names if name != "Queen Light"]
    for first, second in pairwise(harbours):
        index = next(at for at, one in enumerate(coast.connections) if (one.first, one.second) == (first, second))
        if coast.lengths[index] <= rails:
            around |= 1 << index
            rails -= coast.lengths[index]
        else:
            break
    assert longest_path(coast, around) >= 40


def test_a_map_becomes_a_setup_by_its_name_or_its_form() -> None:
    assert setup_on_map("tiny") == Setup(map="tiny")
    assert setup_on_map(MAP_M) == Setup(map=map_from_json(MAP_M))
    assert msgspec.json.decode(msgspec.json.encode(setup_on_map(MAP_M)), type=Setup) == setup_on_map(MAP_M)
    with pytest.raises(SetupError, match="there is no map 'nowhere'; the maps are coast, continent, small, tiny, vast"):
        setup_on_map("nowhere")
    with pytest.raises(WireError):
        setup_on_map({})
    assert find_map("tiny") is packaged_maps()["tiny"].map


def test_a_packaged_map_never_changes() -> None:
    """Records name it: a changed map would make them lie.  Add another one instead."""
    prints = {
        name: blake2b(text(map_to_json(sheet.map)).encode(), digest_size=8).hexdigest()
        for name, sheet in packaged_maps().items()
    }
    assert prints == PRINTS


PRINTS = {
    "coast": "20ff4561fb245126",
    "continent": "861bda7021b39713",
    "small": "e5c5c01c112f7b9a",
    "tiny": "74d9ad74d1a0987a",
    "vast": "423a5313794aea81",
}
