"""Clicks are split into name and value, and followed one after the other."""

from __future__ import annotations

import pytest

from fairplay.core import UsageError
from fairplay.parts.clicks import CompleteMove, follow_clicks, parse_click


def append_click(word: str, name: str, value: str) -> str | CompleteMove[str]:
    return CompleteMove(word) if name == "done" else f"{word}{name}{value}"


def test_clicks_are_followed_one_after_the_other() -> None:
    assert follow_clicks([], "", append_click) == ""
    assert follow_clicks(["a=1", "b=2=3", "c"], "", append_click) == "a1b2=3c"
    assert follow_clicks(["a=1", "done=now"], "", append_click) == CompleteMove("a1")


def test_nothing_follows_what_is_complete() -> None:
    with pytest.raises(UsageError, match="nothing left to click"):
        follow_clicks(["done=now", "a=1"], "", append_click)


def test_a_click_has_a_name_and_a_value() -> None:
    assert parse_click("at=2,3") == ("at", "2,3")
    assert parse_click("line=A|B|red=er") == ("line", "A|B|red=er")
    assert parse_click("nothing") == ("nothing", "")
