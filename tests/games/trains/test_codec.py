"""Trains values as JSON."""

from __future__ import annotations

from typing import Any

import pytest

from fairplay.core import Seat, WireError
from fairplay.core.chance import derived
from fairplay.core.convert import text
from fairplay.games.trains import codec, rules
from fairplay.games.trains.map import chart
from fairplay.games.trains.map_files import map_from_json
from fairplay.games.trains.players.strategies import buy_now
from fairplay.games.trains.state import Acquire, Pick, Setup, State, Terms

from .sheets import MAP_M, cards, line, played

M = map_from_json(MAP_M)
A, B, C = map(Seat, range(3))


def some_state() -> State:
    start = played(Setup(map=M, deck=cards("rrrrbbbbgggg" + "rb"), destinations="ordered"), 3)
    return rules.apply(start, Acquire(line("Alma-Bree red 3")))


def test_the_player_state_is_written_in_the_canonical_form() -> None:
    """Trains 10.6, 10.8: all four colours, others from the next player on."""
    assert text(codec.player_state_to_json(rules.view(some_state(), B))) == (
        '{"this":{"destination1":["Alma","Dell"],"destination2":["Alma","Erin"],"rails":45,'
        '"cards":{"red":0,"blue":4,"green":0,"white":0},"acquired":[]},'
        '"acquired":[[],[["Alma","Bree","red",3]]]}'
    )


def test_removed_players_are_not_listed() -> None:
    """Trains 10.6."""
    state = rules.remove(some_state(), A)
    assert codec.player_state_to_json(rules.view(state, B))["acquired"] == [[]]


def test_with_other_numbers_of_destinations_there_are_other_keys() -> None:
    """Trains 13.4."""
    state = played(Setup(map=M, kept=3, destinations="ordered"), 2)
    this = codec.player_state_to_json(rules.view(state, A))["this"]
    assert list(this)[:4] == ["destination1", "destination2", "destination3", "rails"]


def test_a_player_state_becomes_a_view_with_its_owner_first() -> None:
    state = some_state()
    value = codec.player_state_to_json(rules.view(state, B))
    view = codec.player_state_from_json(value, state.chart)
    assert (view.me, view.turn, view.cards, view.destinations) == (A, A, (0, 4, 0, 0), state.destinations[B])
    assert view.owned == (0, 0, state.owned[A])
    assert view.rails == (45, 45, 42)
    assert codec.player_state_to_json(view) == value


def test_leniency_of_player_states() -> None:
    """Trains 10.5, 12.2: a missing colour is 0; what is owned may be shared, or not on the map at all."""
    value = {
        "this": {
            "destination2": ["Alma", "Bree"],
            "destination1": ["Alma", "Cove"],
            "rails": 250,
            "cards": {"red": 3},
            "acquired": [["Alma", "Bree", "red", 3], ["Nowhere", "Somewhere", "white", 5]],
            "mood": "good",
        },
        "acquired": [[["Alma", "Bree", "red", 3]]],
        "more": 1,
    }
    view = codec.player_state_from_json(value, chart(M))
    assert view.owned[A] == view.owned[B] != 0
    assert view.destinations == (("Alma", "Bree"), ("Alma", "Cove"))
    assert (view.cards, view.rails[A]) == ((3, 0, 0, 0), 250)


def player_state(**changes: Any) -> Any:
    this = {
        "destination1": ["Alma", "Bree"],
        "destination2": ["Alma", "Cove"],
        "rails": 45,
        "cards": {"red": 1},
        "acquired": [],
    }
    return {"this": {key: value for key, value in {**this, **changes}.items() if value is not None}, "acquired": []}


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"this": {}}, "$"),
        (player_state(rails=None), "$.this"),
        (player_state(rails=-1), "$.this.rails"),
        (player_state(rails=45.0), "$.this.rails"),  # Trains 10.2
        (player_state(cards={"red": "1"}), "$.this.cards.red"),
        (player_state(acquired=[["Alma", "Bree", "red"]]), "$.this.acquired[0]"),
        (player_state(acquired=[["Alma", "Bree", "pink", 3]]), "$.this.acquired[0][2]"),
        (player_state(acquired=[["Bree", "Alma", "red", 3]]), "$"),  # Trains 10.4
        (player_state(destination2=None), "$.this"),
        (player_state(destination2=["Cove", "Alma"]), "$.this.destination2"),  # Trains 10.4
        (player_state(destination2=["Cove"]), "$.this.destination2"),
    ],
)
def test_player_states_of_another_form_are_refused(value: Any, path: str) -> None:
    with pytest.raises(WireError) as caught:
        codec.player_state_from_json(value, chart(M))
    assert caught.value.path == path


def test_a_player_state_with_three_destinations_is_read_by_its_terms() -> None:
    value = player_state(destination3=["Alma", "Dell"])
    assert len(codec.player_state_from_json(value, chart(M), Terms(kept=3)).destinations) == 3


# -- our own -----------------------------------------------------------------------------------


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
