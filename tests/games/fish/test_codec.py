"""States and views of Fish as JSON."""

from __future__ import annotations

from typing import Any

import pytest

from fairplay.core import Seat, WireError
from fairplay.core.chance import derived
from fairplay.games.fish import codec, rules
from fairplay.games.fish.state import Place, Setup


def changed(value: Any, **fields: Any) -> Any:
    return {**value, **fields}


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"me": 7}, r"\$\.me"),
        ({"turn": 7}, r"\$\.turn"),
        ({"board": [[9]]}, r"\$\.board"),
        ({"board": [[1]]}, r"\$\.board"),
        ({"variant": "other"}, r"\$\.variant"),
    ],
)
def test_a_damaged_view_is_named_with_its_place(fields: dict[str, Any], path: str) -> None:
    value = codec.view_to_json(rules.view(rules.start(Setup(rows=4, columns=4), 2, derived(1)), Seat(0)))
    with pytest.raises(WireError, match=path):
        codec.view_from_json(changed(value, **fields))


def test_a_penguin_on_a_hole_is_refused() -> None:
    state = rules.apply(rules.start(Setup(rows=4, columns=4, holes=((1, 1),)), 2, derived(1)), Place((0, 0)))
    value = codec.state_to_json(state)
    value["seats"][0]["penguins"] = [[1, 1]]
    with pytest.raises(WireError, match=r"\$\.seats\[0\]\.penguins\[0\]"):
        codec.state_from_json(value)
