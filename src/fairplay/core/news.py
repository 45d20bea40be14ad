"""What every game may tell a player, besides the private notices of the game itself."""

from typing import Any, Generic, TypeVar

from msgspec import Struct

from fairplay.core.faults import FaultKind
from fairplay.core.match import Seat

V = TypeVar("V")


class Began(Struct, Generic[V], frozen=True):
    """A match begins, and this is what you see."""

    view: V


class Ended(Struct, frozen=True):
    """The match is over."""

    won: bool


class Seen(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="saw"):
    """Something that happened, as one seat may know it: `seat` took a turn, or was removed."""

    number: int  # counts what happens in a match, turns and removals, from 0
    seat: Seat  # who took the turn or was removed
    action: Any = None  # what it did, without what is secret; None: it was removed
    fault: FaultKind | None = None  # why it was removed


class ContestBegan(Struct, frozen=True):
    """A tournament begins, and you take part."""


class ContestEnded(Struct, frozen=True):
    """The tournament is over."""

    won: bool  # alone, or sharing the first place
    shared: int = 0  # with so many others
