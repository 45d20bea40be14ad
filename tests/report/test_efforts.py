"""CPU time a move, in words."""

from __future__ import annotations

import pytest

from fairplay.contest.contest import Effort
from fairplay.report.terminal import describe_efforts, format_seconds


def test_the_slowest_comes_first_and_who_was_not_asked_is_left_out() -> None:
    efforts = {"quick": Effort(100, 0.001), "slow": Effort(2, 3.0, "wall"), "idle": Effort(0, 0.0)}
    assert describe_efforts(efforts) == ["CPU time a move: slow 1.5 s by the clock, quick 10 µs."]
    assert describe_efforts({"idle": Effort(0, 0.0)}) == []
    many = describe_efforts({f"player-{number}": Effort(1, 1.0) for number in range(20)})
    assert many[-1].endswith("and 8 quicker ones.") and all(len(line) <= 80 for line in many)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (1.25, "1.2 s"),
        (250, "250 s"),
        (0.0031, "3.1 ms"),
        (0.31, "310 ms"),
        (0.00042, "420 µs"),
        (2e-6, "2 µs"),
        (0, "0 µs"),
    ],
)
def test_two_digits_matter(seconds: float, text: str) -> None:
    assert format_seconds(seconds) == text
