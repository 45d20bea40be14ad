"""Drawing a board or a map of one's own, click by click."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeVar

from msgspec import Struct

from fairplay.core.picture import Picture
from fairplay.core.wire import Json

__all__ = ["Editor", "Sheet", "Tool"]

C_co = TypeVar("C_co", covariant=True)


class Tool(Struct, frozen=True):
    """What a click does to the drawing."""

    key: str
    label: str
    asks: str = ""  # the label of a text that goes with each click, such as the name of a city; empty: none


class Sheet(Struct, frozen=True):
    """A drawing at work: how it looks, what can be done to it, and what must be mended before it can be played."""

    picture: Picture  # what can be clicked carries ``data-...``, as in a picture of the game
    tools: tuple[Tool, ...]
    problems: tuple[str, ...]


class Editor(Protocol[C_co]):
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

    def setup(self, drawing: Json) -> C_co:
        """The setup that plays on the drawing; raises WireError or SetupError."""
        ...
