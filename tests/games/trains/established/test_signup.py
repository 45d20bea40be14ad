"""Tournaments of Trains over TCP: which map is played, and how the result is written."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fairplay.core import Fault, FaultKind, SetupError
from fairplay.core.established import KnockoutResult
from fairplay.games.trains.established import signup
from fairplay.games.trains.maps.files import find_map, map_from_json, map_to_json
from games.trains.sheets import MAP_M

SMALL = map_to_json(find_map("small"))


def test_9_4_the_first_map_in_age_order_that_suffices_is_played() -> None:
    """Map M has 10 destinations: enough for three players, not for four."""
    for answers, chosen in [([MAP_M, SMALL, SMALL], MAP_M), ([MAP_M, SMALL, SMALL, MAP_M], SMALL)]:
        agreed = signup.agree_on_setup(signup.SETUP, answers)
        assert agreed == replace(signup.SETUP, map=map_from_json(chosen))


def test_9_4_no_map_suffices() -> None:
    with pytest.raises(SetupError, match="error: not enough destinations"):
        signup.agree_on_setup(signup.SETUP, [MAP_M] * 4)


def test_9_4_for_more_players_than_one_match_has_the_map_must_do_for_eight() -> None:
    with pytest.raises(SetupError):
        signup.agree_on_setup(signup.SETUP, [map_to_json(find_map("tiny"))] * 9)
    assert signup.agree_on_setup(signup.SETUP, [SMALL] * 9).map == find_map("small")


def test_9_3_fewer_than_two_players_need_no_map() -> None:
    assert signup.agree_on_setup(signup.SETUP, [MAP_M]) is signup.SETUP
    assert signup.agree_on_setup(signup.SETUP, []) is signup.SETUP


def test_the_house_proposes_the_map_of_the_setup() -> None:
    setup = replace(signup.SETUP, map="small")
    assert signup.agree_on_setup(setup, [MAP_M, None, MAP_M, MAP_M]).map == find_map("small")
    assert signup.agree_on_setup(replace(setup, map=find_map("small")), [None, MAP_M]).map == find_map("small")


def test_13_1_sizes_follow_the_setup() -> None:
    assert signup.sign_up_terms(replace(signup.SETUP, fewest=3, most=5)).sizes == range(3, 6)


def test_12_4_the_result_is_two_lists_of_names_or_the_error() -> None:
    gone = Fault(FaultKind.GONE)
    names = ["bob", "ann", "Zoe", "ann"]
    assert signup.format_result(names, KnockoutResult((0, 1, 2), (None, None, None, gone))) == [
        ["Zoe", "ann", "bob"],
        ["ann"],
    ]
    assert signup.format_result(names, None) == "error: not enough destinations"
    assert signup.format_result([], KnockoutResult((), ())) == [[], []]
