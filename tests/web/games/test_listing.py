"""The levels of the house players as the pages show them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fairplay.catalog import GAMES, built_in_games
from fairplay.core import SetupError
from fairplay.web.games.listing import (
    CHARACTERS,
    QUICK,
    ROBOT_FACE,
    describe_levels,
    find_level,
    find_setup,
    playable_variants,
    quick_levels,
    setup_on_board,
)


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


LABYRINTH, FISH = GAMES["labyrinth"], GAMES["fish"]


def test_a_name_stands_for_a_variant_or_for_the_small_game() -> None:
    assert find_setup(LABYRINTH, "multi-goal") == LABYRINTH.variants["multi-goal"]
    assert find_setup(LABYRINTH, None) == LABYRINTH.variants["plain"]
    assert find_setup(LABYRINTH, QUICK) == LABYRINTH.quick
    assert find_setup(replace(LABYRINTH, quick=None), QUICK) == LABYRINTH.variants["plain"]
    with pytest.raises(SetupError, match="labyrinth has no variant 'chess'; it has plain, multi-goal, original"):
        find_setup(LABYRINTH, "chess")


def test_a_drawing_is_played_as_it_was_meant_where_nobody_says_otherwise() -> None:
    assert FISH.parts.editor is not None
    drawing = FISH.parts.editor.start_drawing("original")
    assert setup_on_board(FISH, drawing).variant == "original"
    with pytest.raises(SetupError, match="for the original game only"):
        setup_on_board(FISH, drawing, QUICK)


def test_a_game_without_a_small_one_does_not_offer_it() -> None:
    assert LABYRINTH.parts.editor is not None
    drawing = LABYRINTH.parts.editor.start_drawing("random")
    assert playable_variants(LABYRINTH, drawing, (2, 3)) == ("plain", "multi-goal", QUICK)
    assert playable_variants(replace(LABYRINTH, quick=None), drawing, (2, 3)) == ("plain", "multi-goal")


def test_a_drawing_that_nobody_can_play_on_yet_still_says_what_it_is_for() -> None:
    assert playable_variants(FISH, {"board": [[1, 1]]}, ()) == ("standard",)
