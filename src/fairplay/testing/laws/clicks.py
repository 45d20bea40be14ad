"""By clicks a person can do what the rules allow, and nothing breaks where it clicks anything else."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, Fault, UsageError, WireError
from fairplay.core.shown import COMPLETE, PartialMove, build_click_tree
from fairplay.match.referee import decode_action
from fairplay.testing.walks import kit, walk

_MOST_WISHES = 500
_LONGEST = 8
"""No action needs more clicks."""


def _list_paths(game: AnyGame, view: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every different wish that lit choices lead to, and every action, each with the fewest clicks to it."""
    assert game.shown.clicks is not None
    seen: set[Any] = set()
    waiting: deque[tuple[str, ...]] = deque([()])
    while waiting:
        clicked = waiting.popleft()
        after = game.shown.clicks(view, clicked)
        if after not in seen:
            seen.add(after)
            assert len(seen) <= _MOST_WISHES + len(game.rules.legal_actions(view))
            yield clicked, after
            waiting += [(*clicked, choice.key) for choice in getattr(after, "choices", ())]


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 30))
@settings(max_examples=15)
def test_lit_choices_lead_to_all_legal_actions_and_no_others(
    clickable: str, data: st.DataObject, seed: int, turns: int
) -> None:
    """By clicking what is offered, a person can do everything that is legal and nothing else."""
    found = walk(clickable, data.draw(kit(clickable).tables), seed, turns, faults=True)
    rules, mover = found.game.rules, found.game.rules.to_move(found.state)
    if mover is None:
        return
    view = rules.view(found.state, mover)
    reached = list(_list_paths(found.game, view))
    assert {after for _, after in reached if not isinstance(after, PartialMove)} == set(rules.legal_actions(view))
    assert max(len(clicked) for clicked, _ in reached) <= _LONGEST


def _keys_of(element: ElementTree.Element) -> list[str]:
    """What a click on an element may stand for."""
    marks = ((name.removeprefix("data-"), value) for name, value in element.items() if name.startswith("data-"))
    return [f"{name}={value}" for name, value in marks]


def _keys_in(picture: str) -> list[str]:
    return [key for element in ElementTree.fromstring(picture).iter() for key in _keys_of(element)]


def _keys_beside(game: AnyGame, shown: Any) -> list[str]:
    """What a click on a card beside the board may stand for, and the keys of cards."""
    cards = [card for group in (game.shown.cards(shown) if game.shown.cards else ()) for card in group.cards]
    return [key for card in cards for key in (card.click, f"key={card.key}") if key]


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 30))
@settings(max_examples=15)
def test_choices_are_there_to_be_clicked_and_marked(clickable: str, data: st.DataObject, seed: int, turns: int) -> None:
    """Choices have keys, labels and a prompt, and whatever they highlight is in the picture or on a card."""
    found = walk(clickable, data.draw(kit(clickable).tables), seed, turns)
    game, mover = found.game, found.game.rules.to_move(found.state)
    if mover is None:
        return
    view = game.rules.view(found.state, mover)
    there = {*_keys_in(game.shown.picture(view, seats=False)), *_keys_beside(game, view)}
    for _, move in _list_paths(game, view):
        if not isinstance(move, PartialMove):
            continue
        asked = [choice.key for choice in move.choices]
        assert asked and len(set(asked)) == len(asked)
        assert all(re.fullmatch("[a-z]+=.+", key) for key in asked)
        assert move.prompt and all(choice.label for choice in move.choices)
        assert {key for choice in move.choices for key in choice.highlights} <= there
        assert {f"key={place.key}" for place in move.places} <= there
        assert len({place.key for place in move.places}) == len(move.places)


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 30))
@settings(max_examples=15)
def test_what_may_be_clicked_is_lit_in_stills(clickable: str, data: st.DataObject, seed: int, turns: int) -> None:
    """A picture marks with the class `lit` what it is told to, as far as it draws it, and nothing else."""
    found = walk(clickable, data.draw(kit(clickable).tables), seed, turns)
    game, mover = found.game, found.game.rules.to_move(found.state)
    if mover is None:
        return
    assert game.shown.clicks is not None
    view = game.rules.view(found.state, mover)
    asked = [choice.key for choice in game.shown.clicks(view, ()).choices]
    root = ElementTree.fromstring(game.shown.picture(view, seats=False, lit=asked))
    lit = [_keys_of(one) for one in root.iter() if "lit" in one.get("class", "").split()]
    assert all(set(marks) & set(asked) for marks in lit)
    assert {key for marks in lit for key in marks} >= set(asked) & set(_keys_in(game.shown.picture(view, seats=False)))


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 30))
@settings(max_examples=15)
def test_a_tree_says_what_every_click_leads_to(clickable: str, data: st.DataObject, seed: int, turns: int) -> None:
    """What a page finds in the tree of all clicks is what the server would have answered."""
    found = walk(clickable, data.draw(kit(clickable).tables), seed, turns)
    game, mover = found.game, found.game.rules.to_move(found.state)
    if mover is None:
        return
    interpret = game.shown.clicks
    assert interpret is not None
    view = game.rules.view(found.state, mover)
    tree = build_click_tree(lambda clicks: interpret(view, clicks))
    for _ in range(10):
        clicks: tuple[str, ...] = ()
        at = 0
        while at >= 0 and len(clicks) < _LONGEST:
            answer, node = interpret(view, clicks), tree.nodes[at]
            assert isinstance(answer, PartialMove)
            assert (node.prompt, node.chosen) == (answer.prompt, answer.chosen)
            assert node.places == tuple((place.key, place.transform) for place in answer.places)
            assert [*node.next] == [choice.key for choice in answer.choices]
            for choice in answer.choices:
                assert tree.odd_labels.get(f"{at} {choice.key}", tree.labels[choice.key]) == choice.label
                assert tree.highlights.get(f"{at} {choice.key}", ()) == choice.highlights
            clicks = (*clicks, data.draw(st.sampled_from([*node.next])))
            at = node.next[clicks[-1]]
        assert (at == COMPLETE) == (not isinstance(interpret(view, clicks), PartialMove))


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 12), nonsense=st.text(max_size=12))
def test_any_clicks_are_answered_or_refused_with_words(
    clickable: str, data: st.DataObject, seed: int, turns: int, nonsense: str
) -> None:
    """Whatever is clicked is answered, or refused with a UsageError or WireError."""
    game = GAMES[clickable]
    assert game.shown.clicks is not None
    here, there = (walk(clickable, data.draw(kit(clickable).tables), each, turns) for each in (seed, seed + 1))
    mover = game.rules.to_move(here.state)
    if mover is None:
        return
    view = game.rules.view(here.state, mover)
    known = [*_keys_in(game.shown.picture(view)), *_keys_in(game.shown.picture(there.state)), *_keys_beside(game, view)]
    known += [choice.key for choice in game.shown.clicks(view, ()).choices]  # buttons are in no picture
    names = st.sampled_from(sorted({key.partition("=")[0] for key in known})) | st.text(max_size=5)
    odd = st.builds("{}={}".format, names, st.sampled_from(["", "-1,0", "9999999,0", "²,1", "7,LEFT", "1,1", nonsense]))
    clicked = data.draw(st.lists(st.sampled_from(known) | odd | st.just(nonsense), max_size=5))
    try:
        after = game.shown.clicks(view, clicked)
    except (UsageError, WireError) as error:
        assert str(error)
        return
    if not isinstance(after, PartialMove):
        action = decode_action(game, after)
        assert not isinstance(action, Fault)
        assert (game.rules.why_illegal(view, action) is None) == (action in set(game.rules.legal_actions(view)))


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 12))
def test_nobody_clicks_out_of_turn(clickable: str, data: st.DataObject, seed: int, turns: int) -> None:
    """`clicks` refuses a seat that is not on turn, and says 'not your turn'."""
    found = walk(clickable, data.draw(kit(clickable).tables), seed, turns)
    game, mover = found.game, found.game.rules.to_move(found.state)
    assert game.shown.clicks is not None
    for seat in found.seats:
        if seat != mover:
            with pytest.raises(UsageError, match="not your turn"):
                game.shown.clicks(game.rules.view(found.state, seat), ())
