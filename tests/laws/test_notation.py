"""Actions survive being written down, and other texts are refused with words."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import example, given, settings, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import NotationError
from kit import kit, walk


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 30))
def test_parsing_what_was_formatted_gives_it_back(name: str, data: st.DataObject, seed: int, turns: int) -> None:
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
    found = walk(name, data.draw(kit(name).tables), seed, turns, faults=True)
    notation = found.game.notation
    text = notation.format_position(found.state)
    assert text.isprintable()
    assert notation.parse_position(text) == found.state
    cut = data.draw(st.integers(0, len(text)))
    changed = text[:cut] + data.draw(TEXTS) + text[cut + data.draw(st.integers(0, 3)) :]
    with contextlib.suppress(NotationError):  # some happen to be positions
        state = notation.parse_position(changed)
        assert notation.parse_position(notation.format_position(state)) == state


TEXTS = st.text(max_size=30) | st.text(["-", ";", ",", " ", "0", "9", "x", "\ud800", "k", "²", "\x00"], max_size=400)
"""Also with lone surrogates, and longer than any name or number."""


@given(text=TEXTS)
@example(text="keep " + "x" * 30 + "-y")
@example(text="x" * 30 + "-y red 3")
@example(text="9" * 5000 + "x1")
def test_other_texts_are_refused_with_words(name: str, text: str) -> None:
    with contextlib.suppress(NotationError):
        GAMES[name].notation.parse_position(text)
    with contextlib.suppress(NotationError):  # some happen to be actions
        action = GAMES[name].notation.parse_action(text)
        assert GAMES[name].notation.parse_action(GAMES[name].notation.format_action(action)) == action


def test_a_refusal_says_what_was_expected(name: str) -> None:
    with pytest.raises(NotationError, match=r"^'nonsense' is not an action; expected ."):
        GAMES[name].notation.parse_action("nonsense")
