"""Seeds, setups and boards out of words; more of them in test_play.py and test_board.py."""

from __future__ import annotations

import pytest

from fairplay.cli.setups import choose_seed
from fairplay.core import SetupError, UsageError
from fairplay.games.fish import GAME as FISH
from fairplay.games.labyrinth import GAME as LABYRINTH
from fairplay.games.trains import GAME as TRAINS
from fairplay.setups import choose_setup, require_editor


def test_a_drawn_seed_cannot_be_guessed() -> None:
    drawn = {choose_seed(None) for _ in range(100)}
    assert len(drawn) == 100
    assert max(drawn) >= 2**48 and all(0 <= seed < 2**53 for seed in drawn)
    assert choose_seed(7) == 7
    for wrong in (2**63, -(2**63) - 1):
        with pytest.raises(UsageError, match="--seed: expected a whole number of at most 64 bits"):
            choose_seed(wrong)


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
