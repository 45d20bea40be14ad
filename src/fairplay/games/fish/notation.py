"""Fish actions as short texts: `3,4` places a penguin on row 3, column 4, and `3,4-5,6` moves one."""

from __future__ import annotations

import re
from typing import Any, Final, assert_never

from fairplay.core import NotationError
from fairplay.games.fish.state import Action, Move, Place

__all__ = ["format_action", "parse_action"]

TEXT: Final = re.compile(r"(\d{1,3})\s*,\s*(\d{1,3})(?:\s*-\s*(\d{1,3})\s*,\s*(\d{1,3}))?", re.ASCII)


def format_action(action: Action) -> str:
    """Write an action."""
    match action:
        case Place((row, column)):
            return f"{row},{column}"
        case Move((row, column), (to_row, to_column)):
            return f"{row},{column}-{to_row},{to_column}"
        case _:
            assert_never(action)


def parse_action(text: str, shown: Any = None) -> Action:
    """Read an action; raises NotationError."""
    found = TEXT.fullmatch(text.strip())
    if found is None:
        raise NotationError(text, "ROW,COLUMN to place a penguin, or ROW,COLUMN-ROW,COLUMN to move one")
    row, column, *target = (None if number is None else int(number) for number in found.groups())
    assert row is not None and column is not None
    to_row, to_column = target
    if to_row is None or to_column is None:
        return Place((row, column))
    return Move((row, column), (to_row, to_column))
