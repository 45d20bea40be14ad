"""What is written down can be read again, as JSON and as text, and nonsense is refused with words."""

from __future__ import annotations

import contextlib
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import Fault, FaultKind, NotationError, Turn, WireError
from fairplay.match.referee import decode_action
from fairplay.testing.walks import NONSENSE, kit, list_places, pass_through_json, walk


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 30))
def test_decoding_what_was_encoded_gives_it_back(name: str, data: st.DataObject, seed: int, turns: int) -> None:
    """Setups, states, views and actions survive being written as JSON, and a view says its variant and how many turns
    were taken."""
    table = data.draw(kit(name).tables)
    found = walk(name, table, seed, turns, faults=True)
    game = found.game
    assert msgspec.json.decode(msgspec.json.encode(table.setup), type=game.setup) == table.setup
    assert game.codec.state_from_json(pass_through_json(game.codec.state_to_json(found.state))) == found.state
    for seat in found.seats:
        view = game.rules.view(found.state, seat)
        written = pass_through_json(game.codec.view_to_json(view))
        assert game.codec.view_from_json(written) == view
        assert written["variant"] == view.variant == table.setup.variant
        assert written["turn_number"] == view.turn_number == sum(isinstance(each, Turn) for each in found.events)
        for action in game.rules.legal_actions(view):
            assert game.action_decoder.decode(msgspec.json.encode(action)) == action
            assert decode_action(game, action) == action


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 8), nonsense=NONSENSE)
def test_nonsense_is_a_wire_error(name: str, data: st.DataObject, seed: int, turns: int, nonsense: Any) -> None:
    """What is no state or view is refused by the codec with a WireError that names the place, whatever it is."""
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
    container, key = data.draw(st.sampled_from(list_places(damaged)))
    container[key] = nonsense
    with contextlib.suppress(WireError):
        game.codec.view_from_json(damaged)


@given(nonsense=NONSENSE | st.builds(object) | st.binary())
def test_a_reply_that_is_no_action_is_malformed(name: str, nonsense: Any) -> None:
    """A reply that is no action of the game is a fault of its player, and never reaches the rules."""
    fault = decode_action(GAMES[name], nonsense)
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.MALFORMED


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 8), nonsense=NONSENSE | st.builds(object))
def test_an_action_with_nonsense_inside_is_malformed(
    name: str, data: st.DataObject, seed: int, turns: int, nonsense: Any
) -> None:
    """An action with a value in it that does not belong there never reaches the rules."""
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


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 30))
def test_parsing_what_was_formatted_gives_it_back(name: str, data: st.DataObject, seed: int, turns: int) -> None:
    """Each legal action has a text of its own, of one line, that `parse_action` reads back."""
    found = walk(name, data.draw(kit(name).tables), seed, turns)
    game, mover = found.game, found.game.rules.to_move(found.state)
    if mover is None:
        return
    view = game.rules.view(found.state, mover)
    texts = set()
    for action in (actions := game.rules.legal_actions(view)):
        text = game.notation.format_action(action)
        assert text.isprintable() and len(text) <= 400
        assert game.notation.parse_action(text) == game.notation.parse_action(text, view) == action
        texts.add(text)
    assert len(texts) == len(actions)


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 30))
@settings(max_examples=50)
def test_a_position_survives_being_written_down(name: str, data: st.DataObject, seed: int, turns: int) -> None:
    """A state has a text of one line that `parse_position` reads back."""
    found = walk(name, data.draw(kit(name).tables), seed, turns, faults=True)
    notation = found.game.notation
    text = notation.format_position(found.state)
    assert text.isprintable()
    assert notation.parse_position(text) == found.state
    cut = data.draw(st.integers(0, len(text)))
    changed = text[:cut] + data.draw(_TEXTS) + text[cut + data.draw(st.integers(0, 3)) :]
    with contextlib.suppress(NotationError):  # some happen to be positions
        state = notation.parse_position(changed)
        assert notation.parse_position(notation.format_position(state)) == state


_TEXTS = st.text(max_size=30) | st.text(["-", ";", ",", " ", "0", "9", "x", "\ud800", "k", "²", "\x00"], max_size=400)
"""Also with lone surrogates, and longer than any name or number."""


@given(text=_TEXTS)
@example(text="keep " + "x" * 30 + "-y")
@example(text="x" * 30 + "-y red 3")
@example(text="9" * 5000 + "x1")
def test_other_texts_are_refused_with_words(name: str, text: str) -> None:
    """A text that is no action or position is refused with a NotationError, whatever it is."""
    with contextlib.suppress(NotationError):
        GAMES[name].notation.parse_position(text)
    with contextlib.suppress(NotationError):  # some happen to be actions
        action = GAMES[name].notation.parse_action(text)
        assert GAMES[name].notation.parse_action(GAMES[name].notation.format_action(action)) == action


def test_a_refusal_says_what_was_expected(name: str) -> None:
    """The error about a wrong text says what was expected."""
    with pytest.raises(NotationError, match=r"^'nonsense' is not an action; expected ."):
        GAMES[name].notation.parse_action("nonsense")
