"""What only the protocol of Labyrinth writes and reads: states for players, positions and targets."""

from __future__ import annotations

import msgspec

from fairplay.games.labyrinth import rules
from fairplay.games.labyrinth.established.forms import StateForm, position_to_json, target_to_json, view_to_form
from games.labyrinth.worlds import ANN, BOB, STATE_T0, shown, started


def test_a_state_that_is_shown_has_no_targets_and_its_owner_first() -> None:
    """Labyrinth 3.11, 10.5."""
    value = msgspec.to_builtins(view_to_form(rules.view(started(), BOB)))
    assert list(value) == ["board", "spare", "plmt", "last"]
    assert [list(player) for player in value["plmt"]] == [["current", "home", "color"]] * 2
    assert [player["color"] for player in value["plmt"]] == ["blue", "red"]
    assert value["last"] == (0, "LEFT")


def test_what_was_shown_is_a_view_again() -> None:
    view = shown()
    assert view.at == (2, 4)
    assert view.target == (1, 3)
    assert view.board == started().board
    assert view_to_form(view) == view_to_form(rules.view(started(), ANN))


def test_10_3_the_last_slide_may_be_missing() -> None:
    bare = {key: value for key, value in STATE_T0.items() if key != "last"}
    assert msgspec.convert(bare, StateForm).last is None


def test_13_6_a_target_is_a_coordinate_or_a_gem() -> None:
    assert target_to_json((2, 4)) == position_to_json((2, 4)) == {"row#": 2, "column#": 4}
    assert target_to_json("ruby") == "ruby"
