"""The established forms of Fish (Fish 10.1)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from fairplay.core import Seat, WireError
from fairplay.core.chance import derived
from fairplay.core.convert import as_type, text
from fairplay.games.fish import rules
from fairplay.games.fish.established.forms import StateForm, state_from_form, view_to_form
from fairplay.games.fish.state import Place, Setup, View

S = {  # Fish 12.7
    "players": [
        {"color": "white", "score": 2, "places": [[0, 0], [3, 1]]},
        {"color": "red", "score": 0, "places": [[1, 0], [2, 1]]},
    ],
    "board": [[1, 2, 3], [4, 0, 5], [1, 1], [2, 3, 1]],
}


def test_3_5_a_state_shows_the_remaining_players_from_the_called_one_on() -> None:
    state = rules.start(Setup(rows=3, columns=4, fish=2), 3, derived(1))
    for spot in [(0, 0), (0, 1), (0, 2)]:
        state = rules.apply(state, Place(spot))
    form = view_to_form(View(Seat(2), rules.remove(state, Seat(0))))
    assert [player.color for player in form.players] == ["brown", "white"]
    assert text(msgspec.to_builtins(form)) == (
        '{"players":[{"color":"brown","score":0,"places":[[0,2]]},{"color":"white","score":0,"places":[[0,1]]}],'
        '"board":[[2,2,2,2],[2,2,2,2],[2,2,2,2]]}'
    )


def test_10_3_unknown_keys_are_ignored_and_missing_ones_are_errors() -> None:
    assert state_from_form(as_type({**S, "more": 1}, StateForm), placing=False).fish == (2, 0)
    with pytest.raises(WireError, match="missing required field"):
        as_type({"players": []}, StateForm)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"board": [[1, -1]]}, r"\$\.board\[0\]\[1\]"),
        ({"board": [[2.0]]}, r"\$\.board\[0\]\[0\]"),
        ({"players": [{"color": "pink", "score": 0, "places": []}]}, r"\$\.players\[0\]\.color"),
        ({"players": [{"color": "red", "score": -1, "places": []}]}, r"\$\.players\[0\]\.score"),
    ],
)
def test_10_1_wrong_forms_are_named_with_their_place(change: dict[str, Any], path: str) -> None:
    with pytest.raises(WireError, match=path):
        as_type({**S, **change}, StateForm)


@pytest.mark.parametrize(
    ("places", "path"),
    [
        ([[1, 1]], r"\[1, 1\] is not a tile of the board at \$\.players\[0\]\.places\[0\]"),
        ([[0, 0], [0, 0]], "different"),
        ([[9, 9]], "not a tile"),
    ],
)
def test_10_1_all_places_are_different_tiles(places: list[list[int]], path: str) -> None:
    with pytest.raises(WireError, match=path):
        state_from_form(
            as_type({**S, "players": [{"color": "red", "score": 0, "places": places}]}, StateForm), placing=False
        )
