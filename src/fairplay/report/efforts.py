"""What the answers of players took, in words: CPU time a move."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, MutableMapping
from typing import Final

from fairplay.contest.contest import Contest, Effort, Result

__all__ = ["add_efforts", "describe_efforts"]

MOST_NAMED: Final = 12
"""Players that are named; the slowest come first."""

WIDTH: Final = 80


def add_efforts(efforts: MutableMapping[str, Effort], contest: Contest, result: Result) -> None:
    """EFFECT: adds what a match took to the sums of its players, by name."""
    for player, effort in zip(result.line_up, result.efforts, strict=False):
        name = contest.names[player]
        if effort is not None:
            efforts[name] = efforts[name] + effort if name in efforts else effort


def describe_efforts(efforts: Mapping[str, Effort]) -> list[str]:
    """Lines that say how long each player takes for a move; none if nobody knows."""
    known = sorted(
        ((name, each) for name, each in efforts.items() if each.answers), key=lambda pair: -per_move(pair[1])
    )
    texts = [f"{name} {describe_effort(each)}" for name, each in known[:MOST_NAMED]]
    more = [f"and {len(known) - MOST_NAMED} quicker ones"] if len(known) > MOST_NAMED else []
    return textwrap.wrap(f"CPU time a move: {', '.join(texts + more)}.", WIDTH) if known else []


def describe_effort(effort: Effort) -> str:
    """The time for one move, such as ``0.31 ms`` or ``1.2 s by the clock``."""
    return format_seconds(per_move(effort)) + (" by the clock" if effort.clock == "wall" else "")


def per_move(effort: Effort) -> float:
    """Seconds for one answer; ASSUME there was one."""
    return effort.seconds / effort.answers


def format_seconds(seconds: float) -> str:
    """Two digits that matter, in the unit that people would use."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.2g} {unit}" if seconds < 100 * size else f"{seconds / size:.0f} {unit}"
    return f"{seconds * 1e6:.2g} µs" if seconds < 1e-4 else f"{seconds * 1e6:.0f} µs"
