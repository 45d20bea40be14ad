"""Tournaments of Fish over TCP: what is played, and how the result is written."""

from __future__ import annotations

from fairplay.core import Fault, FaultKind
from fairplay.core.established import KnockoutResult
from fairplay.games.fish.established import signup
from fairplay.games.fish.state import Setup


def test_9_1_the_standard_board() -> None:
    assert Setup(rows=5, columns=5, fish=2) == signup.SETUP
    assert signup.agree_on_setup(signup.SETUP, ["void", None]) is signup.SETUP


def test_12_1_the_result_is_two_numbers() -> None:
    gone = Fault(FaultKind.GONE)
    assert signup.format_result(["a", "b", "c"], KnockoutResult((0, 2), (None, gone, None))) == [2, 1]
    assert signup.format_result([], KnockoutResult((), ())) == [0, 0]
