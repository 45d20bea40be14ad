"""The boards of a game: those that come with it, and boards that people draw themselves, click by click."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from msgspec import Struct

from fairplay.core.convert import Json
from fairplay.core.faults import SetupError, UsageError, WireError
from fairplay.core.shown import Choice, Picture

C = TypeVar("C")


class Tool(Struct, frozen=True):
    """What a click does to the drawing."""

    key: str
    label: str
    hint: str = ""  # what to click with it
    then: str = ""  # what to click next, if the first click does only half the work
    asks: str = ""  # the label of a text that goes with each click, such as the name of a city; empty: none
    icon: str = ""  # the result as SVG in the styles of the picture; the label says the same


class BoardPreview(Struct, frozen=True):
    """A board as people see it: how it looks, and what to fix before it can be played."""

    about: str  # what it is, such as a map of 12 cities
    picture: Picture
    problems: tuple[str, ...]
    seats: tuple[int, ...]  # how many can play on it; empty while there are problems


class EditorScreen(BoardPreview, frozen=True):
    """A drawing in progress; what can be clicked carries ``data-...``, as in a picture of the game."""

    tools: tuple[Tool, ...]
    choices: tuple[Choice, ...] = ()  # what can be clicked besides the picture, with any tool
    prompt: str = ""  # what the last click started, if anything


class Editor(Protocol[C]):
    """The boards of a game; a *module* satisfies it.

    A board is JSON in the game's own form: the page saves it, and files hold it.
    """

    @property
    def BOARDS(self) -> Mapping[str, str]:  # noqa: N802 - a constant of the module
        """The boards that come with the game and can be played: names, each with a label."""
        ...

    @property
    def STARTS(self) -> Mapping[str, str]:  # noqa: N802 - a constant of the module
        """What a drawing can start from: those boards, and others that must be finished first."""
        ...

    @property
    def BOARD_FIELD(self) -> str:  # noqa: N802 - a constant of the module
        """The field of a setup that may be given a whole board as JSON; empty if there is none."""
        ...

    @property
    def random_board(self) -> Callable[..., Json] | None:
        """Makes a board out of a generator and options, which are whole numbers by name; raises UsageError.

        None if the game cannot do that.
        """
        ...

    def find_flaws(self, board: Json) -> Sequence[tuple[str, str]]:
        """Find everything that keeps `board` from being one: places and reasons."""
        ...

    def preview_board(self, board: Json) -> BoardPreview:
        """Return the board as people see it; raises WireError."""
        ...

    def start_drawing(self, start: str) -> Json:
        """Return the board of this name; raises UsageError if there is no such start."""
        ...

    def show_drawing(self, drawing: Json) -> EditorScreen:
        """Return the board as people work on it; raises WireError, also if it is too large for that."""
        ...

    def edit_drawing(self, drawing: Json, tool: str, click: str, text: str) -> Json:
        """Return the drawing after a click on the element `click`, such as ``at=2,3``; raises WireError, UsageError."""
        ...

    def setup_on(self, board: Json, base: C) -> C:
        """Return `base` on a board, or on the one of that name; raises WireError, or SetupError if they do not fit."""
        ...


def setup_for_board(editor: Editor[C], board: Json, bases: Iterable[C]) -> C:
    """Put the first of `bases` that fits on a board, or on the one of that name; raises WireError, SetupError."""
    reason = SetupError("there is nothing to play")
    for base in bases:
        try:
            return editor.setup_on(board, base)
        except SetupError as error:
            reason = error
    raise reason


def first_flaw(read: Callable[[Json], object], board: Json) -> list[tuple[str, str]]:
    """Say where and why `read` refuses a board; an empty list if it does not."""
    try:
        read(board)
    except WireError as error:
        return [(error.path, str(error).removesuffix(f" at {error.path}"))]
    return []


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
        "Add a row": (rows + 1, columns),
        "Remove a row": (rows - 1, columns),
        "Add a column": (rows, columns + 1),
        "Remove a column": (rows, columns - 1),
    }
    return tuple(
        Choice(f"size={high},{wide}", label) for label, (high, wide) in sizes.items() if high in sides and wide in sides
    )


def parse_size(value: str, sides: range) -> tuple[int, int]:
    """Read the rows and columns of such a choice; raises UsageError."""
    rows, columns = parse_pair(value)
    check_size(rows, columns, sides)
    return rows, columns


def check_size(rows: int, columns: int, sides: range) -> None:
    """Raises UsageError if a board cannot have this size."""
    if rows not in sides or columns not in sides:
        raise UsageError(f"a board has {sides[0]} to {sides[-1]} rows and columns, not {rows} and {columns}")
