"""Drawing a board or a map of one's own, click by click."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Protocol, TypeVar

from msgspec import Struct

from fairplay.core.convert import Json
from fairplay.core.faults import SetupError, UsageError
from fairplay.core.picture import Picture
from fairplay.parts.clicks import Choice

__all__ = ["Editor", "Sheet", "Tool", "element", "new_size", "pair", "shortened", "sizes", "usual_setup"]

C = TypeVar("C")


class Tool(Struct, frozen=True):
    """What a click does to the drawing."""

    key: str
    label: str
    hint: str = ""  # what to click with it
    then: str = ""  # what to click next where one click only begins something
    asks: str = ""  # the label of a text that goes with each click, such as the name of a city; empty: none
    icon: str = ""  # what comes of it, as SVG in the styles of the picture; the label says the same


class Sheet(Struct, frozen=True):
    """A drawing at work: how it looks, what can be done to it, and what must be mended before it can be played."""

    picture: Picture  # what can be clicked carries ``data-...``, as in a picture of the game
    tools: tuple[Tool, ...]
    problems: tuple[str, ...]
    seats: tuple[int, ...]  # how many can play on it; nobody while there are problems
    choices: tuple[Choice, ...] = ()  # what can be clicked besides the picture, with any tool
    prompt: str = ""  # what the last click began, if it did


class Editor(Protocol[C]):
    """How a game lets people draw; a *module* satisfies it.  A drawing is JSON of the game's own form."""

    @property
    def STARTS(self) -> Mapping[str, str]:  # noqa: N802 - a constant of the module
        """What one can begin with: keys, each with a label."""
        ...

    def begun(self, start: str) -> Json:
        """A new drawing; raises UsageError where there is no such start."""
        ...

    def sheet(self, drawing: Json) -> Sheet:
        """The drawing as people see it; raises WireError."""
        ...

    def edited(self, drawing: Json, tool: str, click: str, text: str) -> Json:
        """The drawing after a click on the element `click`, such as ``at=2,3``; raises WireError or UsageError."""
        ...

    def setup(self, drawing: Json, base: C) -> C:
        """`base` on the drawing; raises WireError, or SetupError where it is for another kind of board."""
        ...


def usual_setup(editor: Editor[C], drawing: Json, bases: Iterable[C]) -> C:
    """The first of `bases` that goes with the drawing, on it; raises WireError, or SetupError where none does."""
    reason = SetupError("there is nothing to play")
    for base in bases:
        try:
            return editor.setup(drawing, base)
        except SetupError as error:
            reason = error
    raise reason


def element(click: str) -> tuple[str, str]:
    """The name and the value of what was clicked: ``at=2,3`` is ``at`` and ``2,3``."""
    name, _, value = click.partition("=")
    return name, value


def pair(value: str) -> tuple[int, int]:
    """The two numbers of a value such as ``2,3``; raises UsageError."""
    found = re.fullmatch(r"([0-9]{1,4}),([0-9]{1,4})", value)
    if found is None:
        raise UsageError(f"{shortened(value)!r} is not two numbers with a comma between them")
    return int(found[1]), int(found[2])


def shortened(text: str) -> str:
    """`text` as it can stand in a message."""
    return text if len(text) <= 40 else text[:40] + "…"


def sizes(rows: int, columns: int, sides: range) -> tuple[Choice, ...]:
    """What makes a board larger or smaller by one line: each says the size that comes of it."""
    wishes = {
        "One row more": (rows + 1, columns),
        "One row less": (rows - 1, columns),
        "One column more": (rows, columns + 1),
        "One column less": (rows, columns - 1),
    }
    return tuple(
        Choice(f"size={high},{wide}", label)
        for label, (high, wide) in wishes.items()
        if high in sides and wide in sides
    )


def new_size(value: str, sides: range) -> tuple[int, int]:
    """The rows and columns that such a choice says; raises UsageError."""
    rows, columns = pair(value)
    if rows not in sides or columns not in sides:
        raise UsageError(f"a board has {sides[0]} to {sides[-1]} rows and columns, not {rows} and {columns}")
    return rows, columns
