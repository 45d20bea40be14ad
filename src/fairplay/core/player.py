"""Who sits at a table: somebody that chooses and hears."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from fairplay.core.faults import Fault
from fairplay.core.game import Outcome
from fairplay.core.wire import Json

__all__ = ["House", "Player", "Program", "Stage", "Standing"]


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


class Standing(NamedTuple):
    """How a knock-out ended: winners by their number in age order, and everybody's fault."""

    winners: tuple[int, ...]
    faults: tuple[Fault | None, ...]


class Stage(Protocol):
    """Plays matches for a harness program, so that no game has to know the referee."""

    def match(self, state: Any, players: Sequence[Player]) -> Outcome:
        """Play one match from `state`."""
        ...

    def knock_out(self, players: Sequence[Player], deal: Callable[[int], Any], sizes: range) -> Standing:
        """Play a knock-out; `deal` makes the state of each match for so many seats, `sizes` are the seats of a match.

        Every player hears `ContestBegan` first of all and, if it never faulted, `ContestEnded` last of all.
        """
        ...


Program: TypeAlias = Callable[[Sequence[Json], Stage], Json]
"""A harness program: JSON values in, one JSON value out; raises WireError where the input is not of its form."""
