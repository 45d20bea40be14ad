"""Following clicks."""

from __future__ import annotations

import pytest

from fairplay.core import UsageError
from fairplay.parts.clicks import Complete, followed


def spelled(word: str, name: str, value: str) -> str | Complete[str]:
    return Complete(word) if name == "done" else f"{word}{name}{value}"


def test_clicks_are_followed_one_after_the_other() -> None:
    assert followed([], "", spelled) == ""
    assert followed(["a=1", "b=2=3", "c"], "", spelled) == "a1b2=3c"
    assert followed(["a=1", "done=now"], "", spelled) == Complete("a1")


def test_nothing_follows_what_is_complete() -> None:
    with pytest.raises(UsageError, match="nothing left to click"):
        followed(["done=now", "a=1"], "", spelled)
