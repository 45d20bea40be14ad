"""Text of strangers on a terminal."""

from __future__ import annotations

import pytest

from fairplay.core.escaping import escape_controls


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ann Müller", "Ann Müller"),
        ("\x1b]0;owned\x07", r"\x1b]0;owned\x07"),
        ("\x9b31m", r"\x9b31m"),
        ("\u202egnorw", r"\u202egnorw"),
        ("a\rb\u2028c\nd", r"a\rb\u2028c\nd"),
        ("\ud800", r"\ud800"),
    ],
)
def test_nothing_steers_a_terminal(text: str, shown: str) -> None:
    assert escape_controls(text) == shown
    assert escape_controls(shown) == shown


def test_what_is_kept_stays() -> None:
    assert escape_controls("a\n\tb\x1bc", keep="\n\t") == "a\n\tb\\x1bc"
