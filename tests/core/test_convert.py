"""JSON values and calls."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from fairplay.core import House, WireError
from fairplay.core.convert import as_type, text
from fairplay.parts.established import Call, expect_void


def test_a_wrong_type_is_named_with_its_path() -> None:
    assert as_type([1, 2], tuple[int, int]) == (1, 2)
    with pytest.raises(WireError, match=r"Expected int, got str at \$\[1\]") as caught:
        as_type([1, "2"], tuple[int, int])
    assert caught.value.path == "$[1]"
    with pytest.raises(WireError) as caught:
        as_type("x", int)
    assert caught.value.path == "$"
    with pytest.raises(WireError, match=r"Invalid enum value 'c' at key in \$$"):
        as_type({"c": 1}, dict[Literal["a", "b"], int])


def test_text_has_no_white_space() -> None:
    assert text(Call("setup", [{"a": 1, "b": [True, None]}])) == '["setup",[{"a":1,"b":[true,null]}]]'


def test_only_void_acknowledges() -> None:
    expect_void("void")
    for answer in ("", "VOID", None, 0, ["void"]):
        with pytest.raises(WireError, match="void"):
            expect_void(answer)


def test_a_house_player_is_its_strategy() -> None:
    player: Any = House(lambda view: view + 1)
    assert player.choose(1) == 2
    assert player.hear("news") is None
