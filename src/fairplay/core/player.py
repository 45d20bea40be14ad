"""Who sits at a table: somebody that chooses and hears."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

__all__ = ["House", "Player"]


class Player(Protocol):
    """Somebody who plays: answers with an action, and hears news."""

    def choose(self, view: Any, /) -> Any: ...
    def hear(self, news: object, /) -> object: ...


class House:
    """A player made of a strategy alone; it needs no news."""

    __slots__ = ("choose",)

    def __init__(self, strategy: Callable[[Any], Any]) -> None:
        self.choose = strategy

    def hear(self, news: object) -> None:
        """Views say all there is to know."""
