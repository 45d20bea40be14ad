"""Trains values as JSON."""

from __future__ import annotations

from typing import Any

import pytest

from fairplay.core import Seat, WireError
from fairplay.core.chance import derived
from fairplay.games.trains import codec, rules
from fairplay.games.trains.maps.files import map_from_json
from fairplay.games.trains.players.strategies import buy_now
from fairplay.games.trains.state import Acquire, Pick, Setup, State

from .sheets import MAP_M, cards, line, played

M = map_from_json(MAP_M)
A, B, C = map(Seat, range(3))


def some_state() -> State:
    start = played(Setup(map=M, deck=cards("rrrrbbbbgggg" + "rb"), destinations="ordered"), 3)
    return rules.apply(start, Acquire(line("Alma-Bree red 3")))


def test_states_and_views_come_back_at_every_point_of_a_match() -> None:
    state = rules.start(Setup(map="tiny", rails=20), 3, derived(3))
    strategy, steps = buy_now(derived(0)), 0
    while state.turn is not None:
        assert codec.state_from_json(codec.state_to_json(state)) == state
        for seat in map(Seat, range(3)):
            view = rules.view(state, seat)
            assert codec.view_from_json(codec.view_to_json(view)) == view
        state = rules.apply(state, strategy(rules.view(state, state.turn)))
        steps += 1
    assert steps > 20
    assert codec.state_from_json(codec.state_to_json(state)).closer == state.closer


def damaged(value: Any, path: str, new: Any) -> Any:
    """`value` with the place named by `path` replaced."""
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    inner = value
    for step in way:
        inner = inner[step]
    inner[last] = new
    return value


@pytest.mark.parametrize(
    ("path", "new", "where"),
    [
        ("map.width", 5, "$.map.width"),
        ("map", 5, "$.map"),
        ("map.cities.0.0", "Zed", "$.map.connections"),
        ("map.connections.0.3", 6, "$.map.connections[0][3]"),
        ("map.cities.1.0", "Alma", "$.map.cities[1][0]"),
        ("drawn", 99, "$.drawn"),
        ("terms.deck_size", 3, "$.terms.deck_size"),
        ("terms.kept", -1, "$.terms.kept"),
        ("sequence", [["Alma", "Zed"]], "$.sequence[0]"),
        ("turn", 3, "$.turn"),
        ("closer", 3, "$.closer"),
        ("seats.0.out", True, None),
        ("seats.1.out", True, "$.turn"),
        ("seats.1.acquired", [["Alma", "Bree", "red", 3]], "$.seats[1].acquired[0]"),
        ("seats.1.acquired", [["Alma", "Bree", "red", 4]], "$.seats[1].acquired[0]"),
        ("seats.1.destinations", [["Bree", "Alma"]], "$.seats[1].destinations[0]"),
        ("deck.0", "pink", "$.deck[0]"),
    ],
)
def test_damaged_states_are_refused_with_the_place(path: str, new: Any, where: str | None) -> None:
    value = damaged(codec.state_to_json(some_state()), path, new)
    if where is None:
        assert codec.state_from_json(value).out == {A}
        return
    with pytest.raises(WireError) as caught:
        codec.state_from_json(value)
    assert caught.value.path == where


@pytest.mark.parametrize(
    ("path", "new", "where"),
    [
        ("me", 7, "$.me"),
        ("offer", [["Alma", "Alma"]], "$.offer[0]"),
        ("destinations.0", ["Zed", "Zee"], "$.destinations[0]"),
        ("seats.2.acquired", [["Alma", "Bree", "red", 3]], "$.seats[2].acquired[0]"),
    ],
)
def test_damaged_views_are_refused_with_the_place(path: str, new: Any, where: str) -> None:
    value = damaged(codec.view_to_json(rules.view(some_state(), B)), path, new)
    with pytest.raises(WireError) as caught:
        codec.view_from_json(value)
    assert caught.value.path == where


def test_a_view_holds_no_word_about_hidden_cards() -> None:
    state = rules.start(Setup(map=M, deck=cards("rrrr" + "wwww"), destinations="ordered"), 2, derived(0))
    state = rules.apply(state, Pick(rules.view(state, A).offer[:2]))
    seen = codec.view_to_json(rules.view(state, B))
    assert [seat["cards"] for seat in seen["seats"]] == [4, 4]
    assert seen["cards"] == {"red": 0, "blue": 0, "green": 0, "white": 4}
    assert seen["destinations"] == []
