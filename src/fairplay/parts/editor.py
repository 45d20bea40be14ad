"""The boards of a game: those that come with it, and boards of one's own, drawn click by click."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from msgspec import Struct

from fairplay.core.convert import Json
from fairplay.core.faults import SetupError, UsageError, WireError
from fairplay.core.picture import Picture
from fairplay.parts.clicks import Choice

__all__ = [
    "Editor",
    "Preview",
    "Sheet",
    "Tool",
    "check_size",
    "element",
    "first_flaw",
    "new_size",
    "pair",
    "shortened",
    "sizes",
    "usual_setup",
]

C = TypeVar("C")


class Tool(Struct, frozen=True):
    """What a click does to the drawing."""

    key: str
    label: str
    hint: str = ""  # what to click with it
    then: str = ""  # what to click next where one click only begins something
    asks: str = ""  # the label of a text that goes with each click, such as the name of a city; empty: none
    icon: str = ""  # what comes of it, as SVG in the styles of the picture; the label says the same


class Preview(Struct, frozen=True):
    """A board as people see it: how it looks, and what must be fixed before it can be played."""

    about: str  # what it is, such as a map of 12 cities
    picture: Picture
    problems: tuple[str, ...]
    seats: tuple[int, ...]  # how many can play on it; nobody while there are problems


class Sheet(Preview, frozen=True):
    """A drawing at work: what can be clicked in the picture carries ``data-...``, as in a picture of the game."""

    tools: tuple[Tool, ...]
    choices: tuple[Choice, ...] = ()  # what can be clicked besides the picture, with any tool
    prompt: str = ""  # what the last click began, if it did


class Editor(Protocol[C]):
    """The boards of a game; a *module* satisfies it.

    A board is JSON of the game's own form: what the page saves, and what files hold.
    """

    @property
    def BOARDS(self) -> Mapping[str, str]:  # noqa: N802 - a constant of the module
        """The boards that come with the game and can be played: names, each with a label."""
        ...

    @property
    def STARTS(self) -> Mapping[str, str]:  # noqa: N802 - a constant of the module
        """What one can begin to draw with: those, and what must be finished first."""
        ...

    @property
    def random_board(self) -> Callable[..., Json] | None:
        """Makes a board out of a generator and options, which are whole numbers by name; raises UsageError.

        None where the game cannot do that.
        """
        ...

    def find_flaws(self, board: Json) -> Sequence[tuple[str, str]]:
        """Everything that keeps `board` from being one: places and reasons."""
        ...

    def preview(self, board: Json) -> Preview:
        """The board as people see it; raises WireError."""
        ...

    def begun(self, start: str) -> Json:
        """The board of this name; raises UsageError where there is no such start."""
        ...

    def sheet(self, drawing: Json) -> Sheet:
        """The board as people work on it; raises WireError, also where it is too large for that."""
        ...

    def edited(self, drawing: Json, tool: str, click: str, text: str) -> Json:
        """The drawing after a click on the element `click`, such as ``at=2,3``; raises WireError or UsageError."""
        ...

    def setup(self, board: Json, base: C) -> C:
        """`base` on a board, or on the one of that name; raises WireError, or SetupError where they do not fit."""
        ...


def usual_setup(editor: Editor[C], drawing: Json, bases: Iterable[C]) -> C:
    """The first of `bases` that goes with a board or its name, on it; raises WireError, or SetupError if none does."""
    reason = SetupError("there is nothing to play")
    for base in bases:
        try:
            return editor.setup(drawing, base)
        except SetupError as error:
            reason = error
    raise reason


def first_flaw(read: Callable[[Json], object], board: Json) -> list[tuple[str, str]]:
    """What `read` says against a board, if anything, and where."""
    try:
        read(board)
    except WireError as error:
        return [(error.path, str(error).removesuffix(f" at {error.path}"))]
    return []


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
    check_size(rows, columns, sides)
    return rows, columns


def check_size(rows: int, columns: int, sides: range) -> None:
    """Raises UsageError where a board cannot have that size."""
    if rows not in sides or columns not in sides:
        raise UsageError(f"a board has {sides[0]} to {sides[-1]} rows and columns, not {rows} and {columns}")
