"""What the desks share."""

from __future__ import annotations

import pytest

from fairplay.games.trains import rules
from fairplay.games.trains.state import Acquire
from fairplay.memos.trains_table import GameOverException, awaited_seat, begun, find_owners, hand_as_deck
from games.trains.sheets import atlas_map, cards, line

MAP = atlas_map("A-B red 3,B-C red 3,C-D red 3,A-D red 3,A-E red 3")


def test_a_match_is_begun_with_cards_and_destinations() -> None:
    state = begun(MAP, 2, rails=9, deck=cards("rrrrrrrr"))
    assert (state.picking, state.turn, state.rails) == (False, 0, (9, 9))
    assert all(len(pairs) == 2 for pairs in state.destinations)
    assert begun("tiny", 3, seed=1) == begun("tiny", 3, seed=1) != begun("tiny", 3, seed=2)


def test_nobody_is_on_turn_when_the_game_is_over() -> None:
    state = begun(MAP, 2, deck=())
    assert awaited_seat(state) == 0
    over = rules.apply(rules.apply(state, rules.DRAW), rules.DRAW)
    with pytest.raises(GameOverException):
        awaited_seat(over)


def test_owners_and_counts_are_new_dictionaries() -> None:
    state = rules.apply(begun(MAP, 2, deck=cards("rrrrrrrr")), Acquire(line("A-B red 3")))
    assert find_owners(state) == {line("A-B red 3"): 0}
    find_owners(state).clear()
    assert find_owners(state)
    assert hand_as_deck((1, 2, 3, 4)) == {"red": 1, "blue": 2, "green": 3, "white": 4}
