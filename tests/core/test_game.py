"""Ladders of games: as they lie in their files, and what must be true of all of them."""

from __future__ import annotations

from random import Random

import pytest

from fairplay.catalog import GAMES
from fairplay.core.game import Rung, choose_tense, read_ladder
from fairplay.match.players import house_strategy

NAMES = ["Beginner", "Easy", "Medium", "Hard", "Master"]


def test_a_ladder_lies_in_a_file_of_its_game() -> None:
    ladder = read_ladder("nim")
    assert ladder == GAMES["nim"].players.ladder
    assert ladder["standard"][0] == Rung(1, "random", "Beginner")


def test_a_game_without_the_file_has_no_levels() -> None:
    assert read_ladder("fairplay.core") == {}


@pytest.mark.parametrize("name", GAMES)
def test_levels_are_numbered_and_five_of_them_have_names(name: str) -> None:
    game = GAMES[name]
    assert set(game.players.ladder) <= set(game.variants)
    for rungs in game.players.ladder.values():
        assert [rung.level for rung in rungs] == [*range(1, len(rungs) + 1)]
        assert [rung.name for rung in rungs if rung.name] == NAMES
        for rung in rungs:
            house_strategy(game, rung.spec, Random(0))


# -- verbs -------------------------------------------------------------------------------------


def test_verbs_of_a_game_come_before_those_that_are_known() -> None:
    _, verb = choose_tense("red", would=False, verbs={"steal": "stole", "bid": "bid", "draw": "drew lots and drew"})
    assert [verb(each) for each in ("steal", "bid", "draw", "take", "pass", "move")] == [
        "stole",
        "bid",
        "drew lots and drew",
        "took",
        "passed",
        "moved",
    ]


def test_what_a_turn_would_be_needs_no_past_tense() -> None:
    begin, verb = choose_tense("You", would=True, verbs={"steal": "stole"})
    assert f"{begin} {verb('steal')}" == "You would steal"


def test_each_sentence_has_its_own_verbs() -> None:
    choose_tense("red", would=False, verbs={"steal": "stole"})
    assert choose_tense("red", would=False)[1]("steal") == "stealed", "one game's verbs are not another's"
