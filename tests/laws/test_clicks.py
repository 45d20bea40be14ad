"""By clicks a person can do what the rules allow, and nothing breaks where it clicks anything else."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, Fault, UsageError, WireError
from fairplay.match.referee import decode_action
from fairplay.parts.clicks import PartialMove
from kit import kit, walk

MOST_WISHES = 500
LONGEST = 8
"""No action needs more clicks."""


def paths(game: AnyGame, view: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every different wish that lit choices lead to, and every action, each with the fewest clicks to it."""
    assert game.clicks is not None
    seen: set[Any] = set()
    waiting: deque[tuple[str, ...]] = deque([()])
    while waiting:
        clicked = waiting.popleft()
        after = game.clicks(view, clicked)
        if after not in seen:
            seen.add(after)
            assert len(seen) <= MOST_WISHES + len(game.rules.legal_actions(view))
            yield clicked, after
            waiting += [(*clicked, choice.key) for choice in getattr(after, "choices", ())]


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 30))
@settings(max_examples=15)
def test_lit_choices_lead_to_all_legal_actions_and_no_others(
    name: str, data: st.DataObject, seed: int, turns: int
) -> None:
    found = walk(name, data.draw(kit(name).tables), seed, turns, faults=True)
    rules, mover = found.game.rules, found.game.rules.to_move(found.state)
    if mover is None:
        return
    view = rules.view(found.state, mover)
    reached = list(paths(found.game, view))
    assert {after for _, after in reached if not isinstance(after, PartialMove)} == set(rules.legal_actions(view))
    assert max(len(clicked) for clicked, _ in reached) <= LONGEST


def keys(element: ElementTree.Element) -> list[str]:
    """What a click on an element may stand for."""
    marks = ((name.removeprefix("data-"), value) for name, value in element.items() if name.startswith("data-"))
    return [f"{name}={value}" for name, value in marks]


def keys_in(picture: str) -> list[str]:
    return [key for element in ElementTree.fromstring(picture).iter() for key in keys(element)]


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 30))
@settings(max_examples=15)
def test_what_may_be_clicked_is_lit_and_nothing_else(name: str, data: st.DataObject, seed: int, turns: int) -> None:
    found = walk(name, data.draw(kit(name).tables), seed, turns)
    mover = found.game.rules.to_move(found.state)
    if mover is None:
        return
    for _, wish in paths(found.game, found.game.rules.view(found.state, mover)):
        if not isinstance(wish, PartialMove):
            continue
        asked = [choice.key for choice in wish.choices]
        assert asked and len(set(asked)) == len(asked)
        assert all(re.fullmatch("[a-z]+=.+", key) for key in asked)
        assert wish.prompt and all(choice.label for choice in wish.choices)
        lit = [
            keys(one) for one in ElementTree.fromstring(wish.picture).iter() if "lit" in one.get("class", "").split()
        ]
        assert all(set(marks) & set(asked) for marks in lit)
        assert {key for marks in lit for key in marks} >= set(asked) & set(keys_in(wish.picture))


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 12), nonsense=st.text(max_size=12))
def test_any_clicks_are_answered_or_refused_with_words(
    name: str, data: st.DataObject, seed: int, turns: int, nonsense: str
) -> None:
    """What is in some picture, what is nearly so, and plain nonsense; the referee may still forbid what comes of it."""
    game = GAMES[name]
    assert game.clicks is not None
    here, there = (walk(name, data.draw(kit(name).tables), each, turns) for each in (seed, seed + 1))
    mover = game.rules.to_move(here.state)
    if mover is None:
        return
    view = game.rules.view(here.state, mover)
    known = [*keys_in(game.clicks(view, ()).picture), *keys_in(game.picture(there.state))]
    names = st.sampled_from(sorted({key.partition("=")[0] for key in known})) | st.text(max_size=5)
    odd = st.builds("{}={}".format, names, st.sampled_from(["", "-1,0", "9999999,0", "²,1", "7,LEFT", "1,1", nonsense]))
    clicked = data.draw(st.lists(st.sampled_from(known) | odd | st.just(nonsense), max_size=5))
    try:
        after = game.clicks(view, clicked)
    except (UsageError, WireError) as error:
        assert str(error)
        return
    if not isinstance(after, PartialMove):
        action = decode_action(game, after)
        assert not isinstance(action, Fault)
        assert (game.rules.why_illegal(view, action) is None) == (action in set(game.rules.legal_actions(view)))


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 12))
def test_nobody_clicks_out_of_turn(name: str, data: st.DataObject, seed: int, turns: int) -> None:
    found = walk(name, data.draw(kit(name).tables), seed, turns)
    game, mover = found.game, found.game.rules.to_move(found.state)
    assert game.clicks is not None
    for seat in found.seats:
        if seat != mover:
            with pytest.raises(UsageError, match="not your turn"):
                game.clicks(game.rules.view(found.state, seat), ())
