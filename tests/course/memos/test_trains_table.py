"""What the three Trains memos share."""

from __future__ import annotations

from typing import Any

import pytest

from fairplay.course.memos.trains_table import (
    GameOverException,
    awaited_seat,
    find_owners,
    hand_as_deck,
    keep_destinations,
    read_fields,
    read_value,
    start_match,
    whole_number,
)
from fairplay.games.trains import rules
from fairplay.games.trains.map import Connection
from fairplay.games.trains.players.strategies import keep_first
from fairplay.games.trains.state import Acquire, State
from games.trains.sheets import atlas_map, cards, line

MAP = atlas_map("A-B red 3,B-C red 3,C-D red 3,A-D red 3,A-E red 3")


def picked(**fields: Any) -> State:
    """A match of two in which both have kept the first destinations."""
    state = start_match({"map": MAP, **fields}, 2, 0)
    while state.picking:
        state = keep_destinations(state, keep_first)
    return state


def test_a_match_starts_with_cards_and_then_destinations() -> None:
    state = picked(rails=9, deck=cards("rrrrrrrr"))
    assert (state.picking, state.turn, state.rails) == (False, 0, (9, 9))
    assert all(len(pairs) == 2 for pairs in state.destinations)
    tiny = {"map": "tiny"}
    assert start_match(tiny, 3, 1) == start_match(tiny, 3, 1) != start_match(tiny, 3, 2)


def test_no_seat_is_awaited_when_the_game_is_over() -> None:
    state = picked(deck=())
    assert awaited_seat(state) == 0
    over = rules.apply(rules.apply(state, rules.DRAW), rules.DRAW)
    with pytest.raises(GameOverException):
        awaited_seat(over)


def test_owners_and_counts_are_new_dictionaries() -> None:
    state = rules.apply(picked(deck=cards("rrrrrrrr")), Acquire(line("A-B red 3")))
    assert find_owners(state) == {line("A-B red 3"): 0}
    find_owners(state).clear()
    assert find_owners(state)
    assert hand_as_deck((1, 2, 3, 4)) == {"red": 1, "blue": 2, "green": 3, "white": 4}


def test_a_value_is_read_only_if_all_its_fields_are_of_their_types() -> None:
    good = line("A-B red 3")
    assert read_value(good, Connection) == good
    for garbage in (None, ["A", "B", "red", 3], Connection("A", "B", "red", 3.0), Connection("A", "B", "pink", 3)):  # type: ignore[arg-type]  # wrong on purpose
        assert read_value(garbage, Connection) is None
    assert read_fields(["A", "B", "red", 3], Connection) == good
    with pytest.raises(ValueError, match=r"Expected int, got float - at \$\[3\]"):
        read_fields(["A", "B", "red", 3.0], Connection)
    with pytest.raises(ValueError, match="plain data"):
        read_fields(object(), Connection)


@pytest.mark.parametrize("number", [True, 1.0, "1", None])
def test_a_whole_number_is_an_int_and_nothing_like_it(number: object) -> None:
    assert whole_number(-1, "a number") == -1
    with pytest.raises(ValueError, match="expected a number of hats, got"):
        whole_number(number, "a number of hats")
