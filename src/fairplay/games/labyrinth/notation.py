"""Labyrinth actions as short texts: `2 left 90 3,4` slides row 2, turns the tile by 90 and goes to row 3, column 4."""

from __future__ import annotations

import re
from typing import Any, Final, assert_never

import msgspec

from fairplay.core import NotationError
from fairplay.games.labyrinth.state import Action, Move, Pass

__all__ = ["format_action", "parse_action"]

TEXT: Final = re.compile(
    r"(\d{1,4})\s+(left|right|up|down)\s+(0|90|180|270)\s+(\d{1,4})\s*,\s*(\d{1,4})", re.IGNORECASE | re.ASCII
)


def format_action(action: Action) -> str:
    """Write an action."""
    match action:
        case Pass():
            return "pass"
        case Move(index, direction, degree, (row, column)):
            return f"{index} {direction.lower()} {degree} {row},{column}"
        case _:
            assert_never(action)


def parse_action(text: str, shown: Any = None) -> Action:
    """Read an action; raises NotationError."""
    if text.strip().lower() == "pass":
        return Pass()
    found = TEXT.fullmatch(text.strip())
    if found is None:
        raise NotationError(text, "'pass', or INDEX DIRECTION DEGREE ROW,COLUMN, such as '2 left 90 3,4'")
    index, direction, degree, row, column = found.groups()
    return msgspec.convert(
        {
            "do": "move",
            "index": int(index),
            "direction": direction.upper(),
            "degree": int(degree),
            "to": (int(row), int(column)),
        },
        Move,
    )
