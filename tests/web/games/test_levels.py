"""The levels of the house players as the pages show them."""

from __future__ import annotations

import pytest

from fairplay.catalog import GAMES, built_in_games
from fairplay.web.games.listing import CHARACTERS, ROBOT_FACE, describe_levels, find_level, quick_levels


@pytest.mark.parametrize("name", built_in_games())
def test_five_levels_have_a_character_and_all_have_a_face(name: str) -> None:
    game = GAMES[name]
    for setup in game.variants.values():
        levels = describe_levels(game, setup)
        assert [level.character for level in levels if level.character] == [*CHARACTERS.values()]
        assert all(level.face.startswith("/static/faces/") and level.face != ROBOT_FACE for level in levels)
        assert [level.title for level in quick_levels(game)] == [*CHARACTERS]


def test_a_level_is_found_by_what_plays_it() -> None:
    game, setup = GAMES["fish"], GAMES["fish"].quick
    easy = describe_levels(game, setup)[1]
    assert find_level(game, setup, easy.spec) == easy
    assert find_level(game, setup, "greedy") is None
