"""Labyrinth values as JSON; the laws hold for round trips, this for what the JSON says."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fairplay.core import Seat, WireError
from fairplay.core.chance import derived
from fairplay.core.convert import text
from fairplay.games.labyrinth import codec, rules
from fairplay.games.labyrinth.forms import RefereeForm
from fairplay.games.labyrinth.state import Pass, Setup

from .worlds import ANN, BOB, STATE_T, form, shown, started, to, turns


def through_json(value: Any) -> Any:
    return msgspec.json.decode(text(value))


def test_a_state_becomes_the_referee_state_it_was_made_from() -> None:
    """Labyrinth 10.1, 10.5: the keys in the order shown."""
    written = text(msgspec.to_builtins(codec.state_to_form(started())))
    assert written == text(STATE_T)
    assert msgspec.json.decode(written, type=RefereeForm) == form(STATE_T)


def test_a_removed_player_is_not_in_the_referee_state() -> None:
    assert [player.color for player in codec.state_to_form(rules.remove(started(), ANN)).plmt] == ["blue"]


def test_a_state_that_is_shown_has_no_targets_and_its_owner_first() -> None:
    """Labyrinth 3.11, 10.5."""
    value = through_json(msgspec.to_builtins(codec.view_to_form(rules.view(started(), BOB))))
    assert list(value) == ["board", "spare", "plmt", "last"]
    assert [list(player) for player in value["plmt"]] == [["current", "home", "color"]] * 2
    assert [player["color"] for player in value["plmt"]] == ["blue", "red"]
    assert value["last"] == [0, "LEFT"]


def test_what_was_shown_is_a_view_again() -> None:
    view = shown()
    assert view.at == (2, 4)
    assert view.target == (1, 3)
    assert view.board == started().board
    assert codec.view_to_form(view) == codec.view_to_form(rules.view(started(), ANN))


def test_our_own_json_can_be_read() -> None:
    state = turns(started(), to(2, "RIGHT", (1, 2), 90), to(0, "LEFT", (1, 1)))
    value = through_json(codec.state_to_json(state))
    assert value["hidden"][1] == {"target": [1, 3], "going_home": False, "found": [[1, 1]]}
    assert value["seats"][0] == {"color": "red", "home": [1, 1], "at": [1, 2]}
    assert value["queue"] == [[1, 1]]
    assert "hidden" not in codec.view_to_json(rules.view(started(), ANN))
    assert "queue" not in codec.view_to_json(rules.view(started(), ANN))


def test_a_removed_seat_has_no_place() -> None:
    state = rules.remove(started(), BOB)
    value = codec.state_to_json(state)
    assert value["seats"][1]["at"] is None
    assert codec.state_from_json(value) == state
    view = rules.view(state, BOB)
    assert codec.view_from_json(codec.view_to_json(view)) == view


def test_a_finished_match_round_trips() -> None:
    state = turns(started(), Pass(), Pass())
    assert state.turn is None
    assert codec.state_from_json(codec.state_to_json(state)) == state
    home = replace(state, finisher=Seat(1))
    assert codec.state_from_json(codec.state_to_json(home)) == home


ORIGINAL = rules.start(Setup("original"), 2, derived(1))


def test_piles_round_trip() -> None:
    """Labyrinth 13.4."""
    value = through_json(codec.state_to_json(ORIGINAL))
    assert [len(pile) for pile in value["piles"]] == [11, 11]
    assert codec.state_from_json(value) == ORIGINAL


@pytest.mark.parametrize(
    ("state", "change", "reason"),
    [
        (started(), {"turn": 2}, r"no seat 2 at \$\.turn"),
        (started(), {"movers": [7]}, r"no seat 7 at \$\.movers"),
        (started(), {"finisher": 9}, r"no seat 9 at \$\.finisher"),
        (started(), {"hidden": []}, r"each seat at \$\.hidden"),
        (started(), {"piles": [[]]}, r"each seat at \$\.piles"),
        (started(), {"board": {"connectors": [["┼"]], "treasures": []}}, r"\$\.board"),
        (rules.remove(started(), ANN), {"turn": 0}, r"removed seat has no turn at \$\.turn"),
        (ORIGINAL, {"piles": [["coal"], []]}, r"lies on a tile at \$\.piles"),
        (ORIGINAL, {"original": False, "piles": []}, r"lies on a tile at \$\.target"),
        (ORIGINAL, {"board": {"connectors": [], "treasures": []}}, r"7 rows and 7 columns at \$\.board"),
    ],
)
def test_a_state_that_cannot_be_is_refused(state: Any, change: dict[str, Any], reason: str) -> None:
    with pytest.raises(WireError, match=reason):
        codec.state_from_json({**codec.state_to_json(state), **change})


def test_a_view_that_cannot_be_is_refused() -> None:
    value = codec.view_to_json(rules.view(started(), ANN))
    with pytest.raises(WireError, match=r"no seat 5 at \$\.me"):
        codec.view_from_json({**value, "me": 5})
    with pytest.raises(WireError, match=r"still in at \$\.target"):
        codec.view_from_json({**value, "target": None})
