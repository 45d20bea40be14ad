"""The player's side of the established protocol of Trains."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from fairplay.core import WireError
from fairplay.core.chance import derived
from fairplay.core.established import Call
from fairplay.games.trains import GAME
from fairplay.games.trains.established.client import TrainsClient
from fairplay.games.trains.players.strategies import hold_10
from fairplay.games.trains.state import Setup
from games.trains.sheets import MAP_M
from kit import Table, kit
from over_wire import record_inline, record_over_wire

FIVE = [["Alma", "Bree"], ["Alma", "Cove"], ["Alma", "Dell"], ["Alma", "Erin"], ["Bree", "Cove"]]
THIS = {"destination1": ["Alma", "Bree"], "destination2": ["Alma", "Cove"], "rails": 45, "acquired": []}
RICH = {"this": {**THIS, "cards": {"red": 4, "blue": 3, "green": 4}}, "acquired": [[["Alma", "Bree", "red", 3]]]}
POOR = {"this": {**THIS, "cards": {"red": 3, "blue": 3, "green": 4}}, "acquired": [[["Alma", "Bree", "red", 3]]]}


@given(
    table=kit("trains").tables,
    seed=st.integers(0, 2**32),
    specs=st.lists(st.sampled_from(["hold-10", "buy-now", "cheat", "random"]), min_size=8, max_size=8),
)
def test_a_match_over_the_protocol_is_the_match_inline(table: Table, seed: int, specs: list[str]) -> None:
    chosen = specs[: table.seats]
    assert record_over_wire(GAME, table, seed, chosen) == record_inline(GAME, table, seed, chosen)


def client() -> TrainsClient:
    return TrainsClient(hold_10(derived(0)), Setup(map="tiny"))


def test_11_6_every_call_has_its_answer() -> None:
    one = client()
    assert one.answer(Call("start", [True]))["width"] > 0  # Trains 8.10: the map it was set up with
    assert one.answer(Call("setup", [MAP_M, 45, ["red", "red", "blue", "white"]])) == "void"
    assert one.answer(Call("pick", [FIVE])) == FIVE[2:]  # Trains 11.7
    assert one.answer(Call("pick", [FIVE[::-1]])) == FIVE[2:]  # a set has no order
    assert one.answer(Call("play", [RICH])) == ["Alma", "Erin", "blue", 3]  # Trains 12.8
    assert one.answer(Call("play", [POOR])) == "more cards"
    assert one.answer(Call("more", [["red", "white"]])) == "void"
    assert one.answer(Call("win", [True])) == "void"
    assert not one.over
    assert one.answer(Call("end", [False])) == "void"
    assert (one.over, one.won) == (True, False)


def test_cities_of_a_servers_map_may_lie_on_fractions_of_a_pixel() -> None:
    cities = [[name, [x + 0.25, float(y)]] for name, (x, y) in MAP_M["cities"]]
    cities[1][1] = [cities[0][1][0] + 0.125, cities[0][1][1]]  # the same pixel, but another spot
    one = client()
    assert one.answer(Call("setup", [{**MAP_M, "cities": cities}, 45, ["red"]])) == "void"
    assert one.answer(Call("pick", [FIVE])) == FIVE[2:]
    assert one.network is not None
    spots = {city.name: city.spot for city in one.network.map.cities}
    assert spots["Cove"] == tuple(MAP_M["cities"][2][1])
    assert len({*spots.values()}) == len(cities)
    with pytest.raises(WireError, match="has the same spot"):
        one.answer(Call("setup", [{**MAP_M, "cities": [cities[0], ["Bree", cities[0][1]], *cities[2:]]}, 45, ["red"]]))
    with pytest.raises(WireError, match="is off the map"):
        one.answer(Call("setup", [{**MAP_M, "cities": [["Alma", [1e300, 1]], *cities[1:]]}, 45, ["red"]]))


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("begin", []),
        ("start", [1]),
        ("setup", [MAP_M, 45]),
        ("setup", [MAP_M, -1, []]),
        ("setup", [{**MAP_M, "cities": MAP_M["cities"][1:]}, 45, []]),
        ("setup", [MAP_M, 45, ["black"]]),
        ("pick", FIVE),
        ("pick", [[["Alma"]]]),
        ("play", [{**RICH, "this": {}}]),
        ("play", []),
        ("more", ["red"]),
        ("win", ["true"]),
        ("end", []),
    ],
)
def test_11_11_anything_else_is_no_call(method: str, arguments: list[Any]) -> None:
    one = client()
    one.answer(Call("setup", [MAP_M, 45, ["red", "red", "blue", "white"]]))
    with pytest.raises(WireError):
        one.answer(Call(method, arguments))


@pytest.mark.parametrize(("method", "argument"), [("pick", FIVE), ("play", RICH)])
def test_nothing_can_be_asked_before_setup(method: str, argument: Any) -> None:
    with pytest.raises(WireError, match="expected a call of setup first"):
        client().answer(Call(method, [argument]))
