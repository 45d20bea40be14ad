"""The data of a Labyrinth match."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from fairplay.games.labyrinth import GAME, rules
from fairplay.games.labyrinth.board import NOWHERE
from fairplay.games.labyrinth.state import COLORS, Move, Pass, Setup

from .worlds import ANN, BOB, started


def test_actions_are_read_with_every_field_checked() -> None:
    decode = GAME.action_decoder.decode
    assert decode(b'{"do":"pass"}') == Pass()
    assert decode(b'{"do":"move","index":2,"direction":"UP","degree":90,"to":[1,2]}') == Move(2, "UP", 90, (1, 2))


@pytest.mark.parametrize(
    "change",
    [{"index": -1}, {"index": 10_000}, {"direction": "NORTH"}, {"degree": 45}, {"degree": "90"}, {"to": [1]}, {"x": 1}],
)
def test_an_action_out_of_bounds_is_refused(change: dict[str, Any]) -> None:
    good = {"do": "move", "index": 2, "direction": "UP", "degree": 90, "to": [1, 2]}
    with pytest.raises(msgspec.ValidationError):
        GAME.action_decoder.decode(msgspec.json.encode({**good, **change}))


@pytest.mark.parametrize("field", [{"rows": 1}, {"columns": 9999}, {"rounds": 0}, {"most": 10}, {"variant": "x"}])
def test_a_setup_out_of_bounds_is_refused(field: dict[str, Any]) -> None:
    """Labyrinth 13.1."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(field, Setup)


def test_a_setup_is_written_whole() -> None:
    """A record must replay alike even where a later version has other standards."""
    assert msgspec.json.decode(msgspec.json.encode(Setup())).keys() == set(Setup.__struct_fields__)
    chosen = msgspec.json.decode(msgspec.json.encode(Setup("multi-goal", goals=5)))
    assert (chosen["variant"], chosen["goals"]) == ("multi-goal", 5)


def test_seats_still_in_come_in_turn_order() -> None:
    state = started()
    assert state.seats == [ANN, BOB]
    gone = rules.remove(state, ANN)
    assert gone.seats == [BOB]
    assert gone.avatars[ANN] == NOWHERE
    assert rules.view(gone, BOB).seats == [BOB]
    assert rules.view(state, BOB).seats == [BOB, ANN]


def test_the_game_names_its_variants_and_nine_colours() -> None:
    """Labyrinth 1.1, 13.1: the plain game is the standard."""
    assert list(GAME.variants) == ["plain", "multi-goal", "original"]
    assert all(setup.variant == name for name, setup in GAME.variants.items())
    assert len(set(COLORS)) == 9
