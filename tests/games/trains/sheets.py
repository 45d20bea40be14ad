"""Maps and decks that several test modules use."""

from __future__ import annotations

from typing import Any, cast

from fairplay.core.chance import derived
from fairplay.games.trains import rules
from fairplay.games.trains.map import City, Color, Connection, Map
from fairplay.games.trains.state import Setup, State

MAP_M: dict[str, Any] = {
    "width": 100,
    "height": 80,
    "cities": [["Alma", [10, 10]], ["Bree", [50, 10]], ["Cove", [90, 10]], ["Dell", [70, 60]], ["Erin", [30, 60]]],
    "connections": {
        "Alma": {"Bree": {"red": 3}, "Erin": {"blue": 3}},
        "Bree": {"Cove": {"green": 4, "red": 3}},
        "Cove": {"Dell": {"white": 5}},
        "Dell": {"Erin": {"blue": 4}},
        "Erin": {},
    },
}
"""Trains 10.10."""


def atlas_map(lines: str) -> Map:
    """A map from lines such as ``Alma-Bree red 3``, separated by commas; its cities lie on a row."""
    connections = []
    for line in lines.split(","):
        pair, color, length = line.split()
        first, second = sorted(pair.split("-"))
        connections.append(Connection(first, second, cast("Color", color), int(length)))
    names = sorted({name for one in connections for name in (one.first, one.second)})
    cities = tuple(City(name, (10 * number, 5)) for number, name in enumerate(names))
    return Map(800, 10, cities, tuple(connections))


def line(text: str) -> Connection:
    """One connection from its words."""
    return atlas_map(text).connections[0]


def cards(letters: str) -> tuple[Color, ...]:
    """A deck from the first letters of its colours."""
    words: dict[str, Color] = {"r": "red", "b": "blue", "g": "green", "w": "white"}
    return tuple(words[letter] for letter in letters)


def played(setup: Setup, seats: int, seed: int = 0) -> State:
    """A match with everybody's destinations picked: always the first ones."""
    state = rules.start(setup, seats, derived(seed, "deal"))
    while state.picking:
        assert state.turn is not None
        state = rules.apply(state, rules.legal_actions(rules.view(state, state.turn))[0])
    return state
