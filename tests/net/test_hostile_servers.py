"""Servers that say anything at all: a client refuses what is no call, and raises nothing else."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import WireError
from fairplay.core.established import Call, Client
from fairplay.core.game import established_of
from fairplay.games.fish.state import Move, Place
from fairplay.games.labyrinth.state import Pass
from fairplay.games.trains.players.strategies import keep_first
from fairplay.games.trains.rules import DRAW
from fairplay.net.established import read_call

from .test_protocol_pages import conversation

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6)
    | st.sampled_from(["red", "Ash", "PASS", "├", "start", "setup"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)
CALLS = {
    name: [msgspec.json.decode(asked) for asked, _ in conversation(name)] for name in ("fish", "trains", "labyrinth")
}

STRATEGIES: dict[str, Any] = {
    "fish": lambda view: Place((0, 0)) if view.state.placing else Move((0, 0), (1, 0)),
    "trains": lambda view: keep_first(view) if view.picking else DRAW,
    "labyrinth": lambda view: Pass(),
}


@st.composite
def mutated(draw: st.DrawFn, value: Any) -> Any:
    """`value` with one thing in it, at any depth, replaced, left out or doubled."""
    if isinstance(value, list) and value and draw(st.booleans()):
        at = draw(st.integers(0, len(value) - 1))
        part = draw(st.sampled_from(["in", "out", "double"]))
        inner = [draw(mutated(value[at]))] if part == "in" else [] if part == "out" else [value[at]] * 2
        return [*value[:at], *inner, *value[at + 1 :]]
    if isinstance(value, dict) and value and draw(st.booleans()):
        key = draw(st.sampled_from(sorted(value)))
        rest = {other: kept for other, kept in value.items() if other != key}
        return {**rest, key: draw(mutated(value[key]))} if draw(st.booleans()) else rest
    return draw(JSON)


def client(name: str) -> Client:
    """One that has been told the beginning of a match."""
    game = GAMES[name]
    one = established_of(game).client(STRATEGIES[name])
    for call in CALLS[name][:3]:
        one.answer(Call(*call))
    return one


@pytest.mark.parametrize("name", list(CALLS))
@given(data=st.data())
@settings(max_examples=100)
def test_whatever_a_server_says_is_answered_or_refused(name: str, data: st.DataObject) -> None:
    said = data.draw(st.sampled_from(CALLS[name]).flatmap(mutated) | JSON)
    try:
        msgspec.json.encode(client(name).answer(read_call(said)))
    except WireError as error:
        assert error.path.startswith("$")
