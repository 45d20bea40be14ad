"""The kits of Fairplay's own games leave nothing to be made up."""

from __future__ import annotations

import pytest

from fairplay.catalog import GAMES, built_in_games
from fairplay.testing.kit import find_kit
from fairplay.testing.walks import kit, walk

OURS = pytest.mark.parametrize("name", [*built_in_games(), "nim"])


@OURS
def test_positions_are_counted(name: str) -> None:
    assert find_kit(name).perft
    assert find_kit(name).plays_on_alone


@OURS
@pytest.mark.parametrize("seed", range(5))
def test_there_is_an_illegal_action_in_every_view(name: str, seed: int) -> None:
    rules = GAMES[name].rules
    for state in walk(name, kit(name).first_table, seed, 30).states:
        mover = rules.to_move(state)
        if mover is not None:
            labels = [label for label, _ in kit(name).illegal(rules.view(state, mover))]
            assert labels and len({*labels}) == len(labels)
