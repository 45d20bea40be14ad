"""What is dealt: variants, boards and changed fields; and what a setup is called."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.core import SetupError, UsageError
from fairplay.setups import choose_setup, name_setup, require_editor

FISH, LABYRINTH, TRAINS = GAMES["fish"], GAMES["labyrinth"], GAMES["trains"]


@pytest.mark.parametrize("name", GAMES)
def test_variants_have_their_names(name: str) -> None:
    for variant, setup in GAMES[name].variants.items():
        assert name_setup(GAMES[name], setup) == variant


@pytest.mark.parametrize(
    ("game", "named"),
    [
        (FISH, "quick (rows 5, columns 5)"),
        (LABYRINTH, "quick (multi-goal, goals 2)"),
        (TRAINS, "quick (map tiny, rails 12)"),
    ],
    ids=["fish", "labyrinth", "trains"],
)
def test_a_quick_game_is_not_called_standard(game: Any, named: str) -> None:
    assert name_setup(game, game.quick) == named


def test_what_differs_from_the_variant_is_told() -> None:
    standard = FISH.variants["standard"]
    assert name_setup(FISH, replace(standard, rows=4, fish=3)) == "standard (rows 4, fish 3)"
    assert name_setup(TRAINS, replace(TRAINS.variants["standard"], map="vast")) == "standard (map vast)"
    assert FISH.parts.editor is not None
    assert name_setup(FISH, FISH.parts.editor.setup_on("small", standard)) == "standard (board small)"


def test_boards_that_people_drew_have_names_of_their_own() -> None:
    standard = FISH.variants["standard"]
    boards = [((1, 2, 3), (3, 2, size)) for size in (1, 2, 3)]
    names = [name_setup(FISH, replace(standard, board=board)) for board in boards]
    assert all(one != other for one, other in combinations(names, 2))
    assert names == [name_setup(FISH, replace(standard, board=board)) for board in boards]
    assert all(name.startswith("standard (board ") and len(name) < 40 for name in names)


def test_fields_change_a_variant() -> None:
    assert choose_setup(FISH, "original", {}).variant == "original"
    assert choose_setup(FISH, None, {"variant": "original", "rows": 5}).rows == 5
    with pytest.raises(SetupError, match="setup: "):
        choose_setup(FISH, None, {"rows": "many"})


def test_a_board_goes_into_the_first_variant_that_can_take_it() -> None:
    assert choose_setup(TRAINS, None, {}, "small") != choose_setup(TRAINS, None, {})
    with pytest.raises(UsageError, match="there is no file nowhere, nor a board of that name"):
        choose_setup(LABYRINTH, None, {}, "nowhere")
    assert require_editor(TRAINS) is TRAINS.parts.editor
