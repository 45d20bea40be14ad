"""Matches of Labyrinth over TCP: how many seats there are, and how the result is written."""

from __future__ import annotations

import msgspec
import pytest

from fairplay.core import Fault, FaultKind
from fairplay.core.established import KnockoutResult
from fairplay.games.labyrinth.established import signup
from fairplay.games.labyrinth.state import Given, Setup
from games.labyrinth.worlds import STATE_T


@pytest.mark.parametrize(
    ("setup", "seats"),
    [
        (Setup(), 6),
        (Setup("multi-goal", most=4), 4),
        (Setup("original"), 4),
        (Setup("multi-goal", given=msgspec.convert(STATE_T, Given)), 2),
        (Setup("multi-goal", given=msgspec.convert({**STATE_T, "plmt": STATE_T["plmt"][:1]}, Given)), 1),
        (Setup("multi-goal", given=msgspec.convert({**STATE_T, "plmt": STATE_T["plmt"] * 5}, Given)), 6),
    ],
)
def test_11_4_seats(setup: Setup, seats: int) -> None:
    rules = signup.sign_up_terms(setup)
    assert rules.most == seats
    assert [period.least for period in rules.periods] == [2, 2]
    assert rules.last_is_first  # Labyrinth 11.3
    assert signup.agree_on_setup(setup, [None, None]) is setup


def test_12_5_the_result_is_two_lists_of_names() -> None:
    gone = Fault(FaultKind.GONE)
    assert signup.format_result(["bob", "Zoe", "ann"], KnockoutResult((0, 1), (None, None, gone))) == [
        ["Zoe", "bob"],
        ["ann"],
    ]
