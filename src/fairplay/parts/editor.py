"""The board editor of a game: people draw a board or a map of their own, click by click."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Protocol, TypeVar

from msgspec import Struct

from fairplay.core.convert import Json
from fairplay.core.faults import SetupError, UsageError
from fairplay.core.picture import Picture
from fairplay.parts.clicks import Choice

__all__ = [
    "Editor",
    "EditorScreen",
    "Tool",
    "parse_pair",
    "parse_size",
    "resize_choices",
    "setup_for_drawing",
    "shorten_text",
]

C = TypeVar("C")


class Tool(Struct, frozen=True):
    """What a click does to the drawing."""

    key: str
    label: str
    hint: str = ""  # what to click with it
    then: str = ""  # what to click next, where the first click does only half the work
    asks: str = ""  # the label of a text that goes with each click, such as the name of a city; empty: none
    icon: str = ""  # the result as SVG in the styles of the picture; the label says the same


class EditorScreen(Struct, frozen=True):
    """A drawing in progress: how it looks, what can be done to it, and what to fix before it can be played."""

    picture: Picture  # what can be clicked carries ``data-...``, as in a picture of the game
    tools: tuple[Tool, ...]
    problems: tuple[str, ...]
    seats: tuple[int, ...]  # how many can play on it; empty while there are problems
    choices: tuple[Choice, ...] = ()  # what can be clicked besides the picture, with any tool
    prompt: str = ""  # what the last click started, if anything


class Editor(Protocol[C]):
    """How a game lets people draw; a *module* satisfies it.  A drawing is JSON in the game's own form."""

    @property
    def STARTS(self) -> Mapping[str, str]:  # noqa: N802 - a constant of the module
        """What a drawing can start from: keys, each with a label."""
        ...

    def start_drawing(self, start: str) -> Json:
        """Return a new drawing; raises UsageError if there is no such start."""
        ...

    def show_drawing(self, drawing: Json) -> EditorScreen:
        """Return the drawing as people see it; raises WireError."""
        ...

    def edit_drawing(self, drawing: Json, tool: str, click: str, text: str) -> Json:
        """Return the drawing after a click on the element `click`, such as ``at=2,3``; raises WireError, UsageError."""
        ...

    def setup_on(self, drawing: Json, base: C) -> C:
        """Return `base` on the drawing; raises WireError, or SetupError if it needs another kind of board."""
        ...


def setup_for_drawing(editor: Editor[C], drawing: Json, bases: Iterable[C]) -> C:
    """Put the first of `bases` that fits on the drawing; raises WireError, or SetupError if none fits."""
    reason = SetupError("there is nothing to play")
    for base in bases:
        try:
            return editor.setup_on(drawing, base)
        except SetupError as error:
            reason = error
    raise reason


def parse_pair(value: str) -> tuple[int, int]:
    """Read two numbers such as ``2,3``; raises UsageError."""
    found = re.fullmatch(r"([0-9]{1,4}),([0-9]{1,4})", value)
    if found is None:
        raise UsageError(f"{shorten_text(value)!r} is not two numbers with a comma between them")
    return int(found[1]), int(found[2])


def shorten_text(text: str) -> str:
    """Cut `text` to a length that fits into a message."""
    return text if len(text) <= 40 else text[:40] + "…"


def resize_choices(rows: int, columns: int, sides: range) -> tuple[Choice, ...]:
    """Offer to add or remove one row or column; the key of each choice is the size it leads to."""
    sizes = {
        "One row more": (rows + 1, columns),
        "One row less": (rows - 1, columns),
        "One column more": (rows, columns + 1),
        "One column less": (rows, columns - 1),
    }
    return tuple(
        Choice(f"size={high},{wide}", label) for label, (high, wide) in sizes.items() if high in sides and wide in sides
    )


def parse_size(value: str, sides: range) -> tuple[int, int]:
    """Read the rows and columns of such a choice; raises UsageError."""
    rows, columns = parse_pair(value)
    if rows not in sides or columns not in sides:
        raise UsageError(f"a board has {sides[0]} to {sides[-1]} rows and columns, not {rows} and {columns}")
    return rows, columns
