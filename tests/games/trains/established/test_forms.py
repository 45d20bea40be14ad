"""The player states of Trains 10.1."""

from __future__ import annotations

from typing import Any

import pytest

from fairplay.core import Seat, WireError
from fairplay.core.convert import text
from fairplay.games.trains import rules
from fairplay.games.trains.established.forms import player_state_from_json, player_state_to_json
from fairplay.games.trains.map import build_network
from fairplay.games.trains.maps.files import map_from_json
from fairplay.games.trains.state import Acquire, Setup, State, Terms
from games.trains.sheets import MAP_M, cards, line, played

M = map_from_json(MAP_M)
A, B, C = map(Seat, range(3))


def some_state() -> State:
    start = played(Setup(map=M, deck=cards("rrrrbbbbgggg" + "rb"), destinations="ordered"), 3)
    return rules.apply(start, Acquire(line("Alma-Bree red 3")))


def test_the_player_state_is_written_in_the_canonical_form() -> None:
    """Trains 10.6, 10.8: all four colours, others from the next player on."""
    assert text(player_state_to_json(rules.view(some_state(), B))) == (
        '{"this":{"destination1":["Alma","Dell"],"destination2":["Alma","Erin"],"rails":45,'
        '"cards":{"red":0,"blue":4,"green":0,"white":0},"acquired":[]},'
        '"acquired":[[],[["Alma","Bree","red",3]]]}'
    )


def test_removed_players_are_not_listed() -> None:
    """Trains 10.6."""
    state = rules.remove(some_state(), A)
    assert player_state_to_json(rules.view(state, B))["acquired"] == [[]]


def test_with_other_numbers_of_destinations_there_are_other_keys() -> None:
    """Trains 13.4."""
    state = played(Setup(map=M, kept=3, destinations="ordered"), 2)
    this = player_state_to_json(rules.view(state, A))["this"]
    assert list(this)[:4] == ["destination1", "destination2", "destination3", "rails"]


def test_a_player_state_becomes_a_view_with_its_owner_first() -> None:
    state = some_state()
    value = player_state_to_json(rules.view(state, B))
    view = player_state_from_json(value, state.network)
    assert (view.me, view.turn, view.cards, view.destinations) == (A, A, (0, 4, 0, 0), state.destinations[B])
    assert view.owned == (0, 0, state.owned[A])
    assert view.rails == (45, 45, 42)
    assert player_state_to_json(view) == value


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
    view = player_state_from_json(value, build_network(M))
    assert view.owned[A] == view.owned[B] != 0
    assert view.destinations == (("Alma", "Bree"), ("Alma", "Cove"))
    assert (view.cards, view.rails[A]) == ((3, 0, 0, 0), 250)


def sample(**changes: Any) -> Any:
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
        (sample(rails=None), "$.this"),
        (sample(rails=-1), "$.this.rails"),
        (sample(rails=45.0), "$.this.rails"),  # Trains 10.2
        (sample(cards={"red": "1"}), "$.this.cards.red"),
        (sample(acquired=[["Alma", "Bree", "red"]]), "$.this.acquired[0]"),
        (sample(acquired=[["Alma", "Bree", "pink", 3]]), "$.this.acquired[0][2]"),
        (sample(acquired=[["Bree", "Alma", "red", 3]]), "$"),  # Trains 10.4
        (sample(destination2=None), "$.this"),
        (sample(destination2=["Cove", "Alma"]), "$.this.destination2"),  # Trains 10.4
        (sample(destination2=["Cove"]), "$.this.destination2"),
    ],
)
def test_player_states_of_another_form_are_refused(value: Any, path: str) -> None:
    with pytest.raises(WireError) as caught:
        player_state_from_json(value, build_network(M))
    assert caught.value.path == path


def test_a_player_state_with_three_destinations_is_read_by_its_terms() -> None:
    value = sample(destination3=["Alma", "Dell"])
    assert len(player_state_from_json(value, build_network(M), Terms(kept=3)).destinations) == 3
