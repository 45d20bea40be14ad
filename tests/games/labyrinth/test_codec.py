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
from fairplay.games.labyrinth.state import Pass, Setup

from .worlds import ANN, BOB, started, to, turns


def through_json(value: Any) -> Any:
    return msgspec.json.decode(text(value))


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
    with pytest.raises(WireError, match=r"no seat 4 at \$\.turn"):
        codec.view_from_json({**value, "turn": 4})
    with pytest.raises(WireError, match=r"none otherwise at \$\.target"):
        codec.view_from_json({**value, "target": None})
