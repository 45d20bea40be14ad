"""The data of a Labyrinth match, and the JSON data definitions of Labyrinth 10.1."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from fairplay.core.convert import text
from fairplay.games.labyrinth import GAME, rules
from fairplay.games.labyrinth.board import NOWHERE, Slide
from fairplay.games.labyrinth.state import (
    COLORS,
    BoardForm,
    Coordinate,
    Given,
    Move,
    Pass,
    Setup,
    TileForm,
    board_from_form,
    slide_from_form,
)

from .worlds import ANN, BOARD_B, BOB, STATE_T, STATE_T0, coordinate, referee_form, started


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


# -- a given position, and boards in JSON -----------------------------------------------------


def read(value: Any, kind: Any) -> Any:
    return msgspec.json.decode(text(value), type=kind)


def test_a_coordinate_is_a_position() -> None:
    assert read({"column#": 4, "row#": 2}, Coordinate).position == (2, 4)
    assert text(msgspec.to_builtins(Coordinate.of((2, 4)))) == '{"row#":2,"column#":4}'


def test_a_board_and_its_spare_tile_are_written_as_they_were_read() -> None:
    """Labyrinth 10.4, 10.5: connectors raw, even if they came as escapes."""
    escaped = "".join(f"\\u{ord(sign):04x}" if ord(sign) > 127 else sign for sign in text(BOARD_B))
    form = msgspec.json.decode(escaped, type=BoardForm)
    board = board_from_form(form, read(STATE_T["spare"], TileForm))
    assert text(msgspec.to_builtins(BoardForm.of(board))) == text(BOARD_B)
    assert text(msgspec.to_builtins(TileForm.of(board))) == text(STATE_T["spare"])


def test_goals_and_last_may_be_missing() -> None:
    """Labyrinth 10.3."""
    bare = {key: value for key, value in STATE_T0.items() if key != "last"}
    assert read(bare, Given).goals == ()
    assert read(bare, Given).last is None
    assert slide_from_form(read(STATE_T, Given).last) == Slide(0, "LEFT")
    assert slide_from_form(None) is None


@pytest.mark.parametrize("number", [-1, 2.0, "2", True, None, 10**9 + 1, 10**30])
def test_an_index_is_a_natural_of_digits(number: Any) -> None:
    """Labyrinth 10.2."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**coordinate(0, 0), "row#": number}, Coordinate)


@pytest.mark.parametrize("key", ["board", "spare", "plmt"])
def test_a_missing_key_is_an_error(key: str) -> None:
    """Labyrinth 10.3."""
    with pytest.raises(msgspec.ValidationError, match=key):
        read({name: value for name, value in STATE_T.items() if name != key}, Given)


def test_a_given_state_is_a_setup_like_any_other() -> None:
    """Labyrinth 2.2: it can be written down and read back."""
    setup = Setup("multi-goal", given=read(STATE_T, Given))
    assert msgspec.json.decode(msgspec.json.encode(setup), type=Setup) == setup
    assert hash(setup) == hash(msgspec.json.decode(msgspec.json.encode(setup), type=Setup))


def test_a_given_match_starts_as_its_form_says() -> None:
    """Labyrinth 10.1, 10.5: the keys in the order shown."""
    written = text(msgspec.to_builtins(referee_form(started())))
    assert written == text(STATE_T)
    assert msgspec.json.decode(written, type=Given) == read(STATE_T, Given)
