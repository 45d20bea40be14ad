"""Pages show change as motion: elements keep their keys, and what never changes is sent once."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

from hypothesis import given, settings, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import Turn
from kit import kit, walk

MOTIONS = {"data-enter": r"fade|grow|drop|from \S+", "data-leave": r"fade|shrink|sink|to \S+"}
"""How things appear and disappear: see core/shown.py."""


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 12))
@settings(max_examples=15)
def test_the_head_of_a_picture_stays_the_same(name: str, data: st.DataObject, seed: int, turns: int) -> None:
    """For a whole match, and for whoever looks."""
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
    found = walk(name, data.draw(kit(name).tables), seed, turns, faults=True)
    game, last = found.game, next((event for event in reversed(found.events) if isinstance(event, Turn)), None)
    for shown in (found.state, *(game.rules.view(found.state, seat) for seat in found.seats)):
        root = ElementTree.fromstring(game.shown.picture(shown, last, seats=False))
        cards = [card for group in (game.shown.cards(shown) if game.shown.cards else ()) for card in group.cards]
        keys = Counter([*(one.get("data-key") for one in root.iter()), *(card.key or None for card in cards)])
        del keys[None]
        assert not [key for key, count in keys.items() if count > 1]
        for element in root.iter():
            for attribute, allowed in MOTIONS.items():
                assert re.fullmatch(allowed, element.get(attribute, "fade")), element.attrib
                assert element.get(attribute) is None or element.get("data-key")
            assert re.fullmatch(r"(-?[\d.]+,-?[\d.]+ ?)*", element.get("data-path", ""))
            assert (element.get("data-step", "0") + element.get("data-order", "0")).isdigit()


def test_what_moves_is_found_again(name: str) -> None:
    """Without keys that last, nothing on a board would be seen to move."""
    game = GAMES[name]
    found = walk(name, kit(name).first_table, 1, 8)
    drawn = [re.findall(r'data-key="([^"]+)"', game.shown.picture(state, seats=False)) for state in found.states]
    if game.shown.picture(found.state, seats=False).head:  # otherwise it is plain, and nothing in it moves
        assert all(set(before) & set(after) for before, after in pairwise(drawn[1:]))
