"""JSON values and calls."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import pytest

from fairplay.core import House, Json, WireError
from fairplay.core.convert import as_type, explain_mismatch, text
from fairplay.core.established import Call, expect_void


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


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    rows: int = 0


class Outer(msgspec.Struct, forbid_unknown_fields=True):
    name: str = ""
    parts: tuple[Inner | str, ...] = ()


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"nam": "x"}, "Object contains unknown field nam; there are name, parts; did you mean 'name'?"),
        (
            {"parts": ["x", {"row": 1}]},
            "Object contains unknown field row at $.parts[1]; there are rows; did you mean 'rows'?",
        ),
        ({"name": 1}, "Expected str, got int at $.name"),
        ([], "Expected object, got array"),
    ],
)
def test_an_unknown_field_is_named_with_those_there_are(value: Json, said: str) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(value, Outer)
    assert explain_mismatch(caught.value, Outer) == said
