"""What every game may tell a player, besides the private notices of the game itself."""

from __future__ import annotations

from typing import Generic, TypeVar

from msgspec import Struct

__all__ = ["Began", "ContestBegan", "ContestEnded", "Ended"]

V = TypeVar("V")


class Began(Struct, Generic[V], frozen=True):
    """A match begins, and this is what you see."""

    view: V


class Ended(Struct, frozen=True):
    """The match is over."""

    won: bool


class ContestBegan(Struct, frozen=True):
    """A tournament begins, and you take part."""


class ContestEnded(Struct, frozen=True):
    """The tournament is over."""

    won: bool
