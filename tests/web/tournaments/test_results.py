"""What strangers are told about a tournament."""

from __future__ import annotations

import pytest

from fairplay.web.tournaments.results import public_spec, variant_name
from web.contest_server import contest


@pytest.mark.parametrize(
    ("spec", "shown"),
    [
        ("minimax:depth=2", "minimax:depth=2"),
        ("/home/ann/bot.py", "bot.py"),
        ("isolated:/home/ann/bot.py:choose", "bot.py"),
        ("bot.py:choose", "bot.py"),
        ("cmd:/home/ann/run --key 5", "a program"),
    ],
)
def test_where_files_are_and_how_programs_are_called_is_not_told(spec: str, shown: str) -> None:
    assert public_spec(spec) == shown


def test_the_variant_of_a_tournament() -> None:
    assert variant_name(contest("random", "greedy")) == "standard"
