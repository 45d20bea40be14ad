"""Values survive JSON, and nonsense is refused with words, never with an accident."""

from __future__ import annotations

import contextlib
from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import Fault, FaultKind, Turn, WireError
from fairplay.match.referee import decode_action
from kit import NONSENSE, kit, places, through_json, walk


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 30))
def test_decoding_what_was_encoded_gives_it_back(name: str, data: st.DataObject, seed: int, turns: int) -> None:
    table = data.draw(kit(name).tables)
    found = walk(name, table, seed, turns, faults=True)
    game = found.game
    assert msgspec.json.decode(msgspec.json.encode(table.setup), type=game.setup) == table.setup
    assert game.codec.state_from_json(through_json(game.codec.state_to_json(found.state))) == found.state
    for seat in found.seats:
        view = game.rules.view(found.state, seat)
        written = through_json(game.codec.view_to_json(view))
        assert game.codec.view_from_json(written) == view
        assert written["variant"] == view.variant == table.setup.variant
        assert written["turn_number"] == view.turn_number == sum(isinstance(each, Turn) for each in found.events)
        for action in game.rules.legal_actions(view):
            assert game.action_decoder.decode(msgspec.json.encode(action)) == action
            assert decode_action(game, action) == action


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 8), nonsense=NONSENSE)
def test_nonsense_is_a_wire_error(name: str, data: st.DataObject, seed: int, turns: int, nonsense: Any) -> None:
    found = walk(name, data.draw(kit(name).tables), seed, turns)
    game, mover = found.game, found.game.rules.to_move(found.state)
    with pytest.raises(WireError, match=r"\$"):
        game.codec.view_from_json(nonsense)
    with pytest.raises(WireError, match=r"\$"):
        game.codec.state_from_json(nonsense)
    if mover is None:
        return
    view = game.rules.view(found.state, mover)
    with contextlib.suppress(WireError):  # some nonsense happens to be an action, which the rules then judge
        if game.parts.established is not None:
            action = decode_action(game, game.parts.established.wire.read_action(view, nonsense))
            assert isinstance(action, Fault) or isinstance(game.rules.why_illegal(view, action), str | None)
    damaged = game.codec.view_to_json(view)
    container, key = data.draw(st.sampled_from(places(damaged)))
    container[key] = nonsense
    with contextlib.suppress(WireError):
        game.codec.view_from_json(damaged)


@given(nonsense=NONSENSE | st.builds(object) | st.binary())
def test_a_reply_that_is_no_action_is_malformed(name: str, nonsense: Any) -> None:
    fault = decode_action(GAMES[name], nonsense)
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.MALFORMED


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 8), nonsense=NONSENSE | st.builds(object))
def test_an_action_with_nonsense_inside_is_malformed(
    name: str, data: st.DataObject, seed: int, turns: int, nonsense: Any
) -> None:
    """In this process nothing stops a player from building one; it must not reach the rules."""
    found = walk(name, data.draw(kit(name).tables), seed, turns)
    game, mover = found.game, found.game.rules.to_move(found.state)
    if mover is None:
        return
    action = data.draw(st.sampled_from(game.rules.legal_actions(game.rules.view(found.state, mover))))
    for field in action.__struct_fields__:
        broken = msgspec.structs.replace(action, **{field: nonsense})
        reply = decode_action(game, broken)
        if not isinstance(reply, Fault):  # the nonsense was of the right type after all
            assert msgspec.json.decode(msgspec.json.encode(reply)) == msgspec.json.decode(msgspec.json.encode(broken))
