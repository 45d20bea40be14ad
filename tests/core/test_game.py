"""Ladders of games: as they lie in their files, and what must be true of all of them."""

from __future__ import annotations

from random import Random

import pytest

from fairplay.catalog import GAMES
from fairplay.core.game import Rung, read_ladder
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
