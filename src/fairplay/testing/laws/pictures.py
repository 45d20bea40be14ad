"""Every state can be drawn and put into words, and pages show change as motion."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

from hypothesis import given, settings, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import Picture, Seat, Turn
from fairplay.testing.walks import kit, walk

_SVG = "{http://www.w3.org/2000/svg}"


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 30))
@settings(max_examples=15)
def test_states_views_and_turns_can_be_shown(name: str, data: st.DataObject, seed: int, turns: int) -> None:
    """Each state and view can be drawn as SVG and put into words, and so can each turn."""
    table = data.draw(kit(name).tables)
    found = walk(name, table, seed, turns, faults=True)
    game, last = found.game, next((event for event in reversed(found.events) if isinstance(event, Turn)), None)
    for shown in (found.state, *(game.rules.view(found.state, seat) for seat in found.seats)):
        for options in ({}, {"open": True}, {"seats": False}, {"seats": False, "open": True}):
            picture = game.shown.picture(shown, last, **options)
            assert isinstance(picture, Picture)
            assert ElementTree.fromstring(picture).tag == f"{_SVG}svg"
    assert game.words.board(found.state).strip()
    names = [game.words.seat_name(Seat(seat)) for seat in range(table.seats)]
    assert len(set(names)) == table.seats
    for event in found.events:
        if isinstance(event, Turn):
            assert names[event.seat] in game.words.describe_open_turn(event)
            assert names[event.seat] in game.words.describe_turn(event, None)
    for shown in (found.state, *(game.rules.view(found.state, seat) for seat in found.seats)):
        facts = game.words.facts(shown)
        assert list(facts) == sorted(found.seats)
        assert all(label and value for pairs in facts.values() for label, value in pairs)


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 30))
@settings(max_examples=15)
def test_pictures_can_stand_on_one_page(name: str, data: st.DataObject, seed: int, turns: int) -> None:
    """Styles and ids of a picture are bound to the game, and an id always means the same, since pictures share a
    page."""
    found = walk(name, data.draw(kit(name).tables), seed, turns)
    game, defined = found.game, dict[str, bytes]()
    for shown in (found.states[0], found.state, *(game.rules.view(found.state, seat) for seat in found.seats)):
        root = ElementTree.fromstring(game.shown.picture(shown))
        assert root.get("class") == f"{name}-board"
        rules = [rule for style in root.iter(f"{_SVG}style") for rule in (style.text or "").split("}") if rule.strip()]
        selectors = [part for rule in rules for part in rule.partition("{")[0].split(",")]
        assert all(selector.startswith(f".{name}-board") for selector in selectors), selectors
        for element in root.iter():
            if id := element.get("id"):
                assert id.startswith(f"{name}-")
                assert defined.setdefault(id, ElementTree.tostring(element)) == ElementTree.tostring(element)
        used = [(use.get("href") or "").removeprefix("#") for use in root.iter(f"{_SVG}use")]
        assert set(used) <= defined.keys()
        assert not [element for element in root.iter() if element.tag == f"{_SVG}script" or element.get("style")]


_MOTIONS = {"data-enter": r"fade|grow|drop|from \S+", "data-leave": r"fade|shrink|sink|to \S+"}
"""How things appear and disappear: see core/shown.py."""


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 12))
@settings(max_examples=15)
def test_the_head_of_a_picture_stays_the_same(name: str, data: st.DataObject, seed: int, turns: int) -> None:
    """The head of a picture is the same for a whole match, and for whoever looks."""
    found = walk(name, data.draw(kit(name).tables), seed, turns, faults=True)
    game, heads = found.game, set()
    for state, event in zip(found.states, (None, *found.events), strict=True):
        last = event if isinstance(event, Turn) else None
        views = [game.rules.view(state, seat) for seat in game.rules.scores(state)]
        pictures = [
            game.shown.picture(shown, last, seats=False, open=open)
            for shown in (state, *views)
            for open in (False, True)
        ]
        heads |= {picture.head for picture in pictures}
        for picture in pictures:
            assert picture.body in picture
            assert not picture.head or ElementTree.fromstring(f"{picture.head}{picture.body}</svg>") is not None
    assert len(heads) == 1


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 30))
@settings(max_examples=15)
def test_keys_are_unique_and_motions_known(name: str, data: st.DataObject, seed: int, turns: int) -> None:
    """No two elements of a picture share a `data-key`, and only motions that pages know are asked for."""
    found = walk(name, data.draw(kit(name).tables), seed, turns, faults=True)
    game, last = found.game, next((event for event in reversed(found.events) if isinstance(event, Turn)), None)
    for shown in (found.state, *(game.rules.view(found.state, seat) for seat in found.seats)):
        root = ElementTree.fromstring(game.shown.picture(shown, last, seats=False))
        cards = [card for group in (game.shown.cards(shown) if game.shown.cards else ()) for card in group.cards]
        keys = Counter([*(one.get("data-key") for one in root.iter()), *(card.key or None for card in cards)])
        del keys[None]
        assert not [key for key, count in keys.items() if count > 1]
        for element in root.iter():
            for attribute, allowed in _MOTIONS.items():
                assert re.fullmatch(allowed, element.get(attribute, "fade")), element.attrib
                assert element.get(attribute) is None or element.get("data-key")
            assert re.fullmatch(r"(-?[\d.]+,-?[\d.]+ ?)*", element.get("data-path", ""))
            assert (element.get("data-step", "0") + element.get("data-order", "0")).isdigit()


def test_what_moves_is_found_again(name: str) -> None:
    """A picture with a head has a `data-key` that lasts from turn to turn: else nothing would be seen to move."""
    game = GAMES[name]
    found = walk(name, kit(name).first_table, 1, 8)
    drawn = [re.findall(r'data-key="([^"]+)"', game.shown.picture(state, seats=False)) for state in found.states]
    if game.shown.picture(found.state, seats=False).head:  # otherwise it is plain, and nothing in it moves
        assert all(set(before) & set(after) for before, after in pairwise(drawn[1:]))
