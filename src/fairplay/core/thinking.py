"""How a house player that searches thinks: its budget, its thoughts, and what it can say about them.

Such a player is a strategy that has a method `think` besides.  What it chooses follows from its generator and from what
it was shown; only if it is given seconds and a clock does it depend on the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from fairplay.core import Seen

__all__ = ["Budget", "Candidate", "Clock", "Thinker", "Thought"]

Clock: TypeAlias = Callable[[], float]
"""Tells the seconds since some moment.  Games have none: those who run a match hand one in."""


class Candidate(Struct, frozen=True):
    """An action that was thought about."""

    action: Any
    values: tuple[float, ...]  # the share of the win that each seat can expect; they add up to 1
    work: int = 0  # nodes or playouts that were spent on it
    line: tuple[Any, ...] = ()  # the actions that are expected, this one first
    points: tuple[float, ...] = ()  # that each seat can expect in the end, if they are known


class Thought(Struct, frozen=True):
    """What a player thinks of a position: the candidates, best first.  It chooses the first one."""

    candidates: tuple[Candidate, ...]
    work: int = 0  # nodes or playouts in all
    depth: int = 0  # turns that were looked ahead, if they were counted
    exact: bool = False  # is the value of the first candidate certain?
    reason: str = ""  # in words, if there is more to say than numbers do

    @property
    def action(self) -> Any:
        """What the player chooses."""
        return self.candidates[0].action


class Thinker(Protocol):
    """A strategy that can say what it thinks.

    It has memory: a match needs one of its own, and it must be told everything that happens (`saw`).

    LAW: what it keeps in mind follows from what it saw, and from the views that it was asked with if it has a method
    `look`, which takes such a view in without thinking.  One that is made afresh, with the generator where the other
    one's is, and told the same in the same order, chooses the same: a server lets any of its processes answer.
    """

    def __call__(self, view: Any, /) -> Any: ...

    def think(self, view: Any, consider: Sequence[Any] = (), /) -> Thought:
        """Think about a position.  The actions in `consider`, which are legal, are among the candidates."""
        ...

    def look(self, view: Any, /) -> None:
        """Keep in mind what a view shows, without thinking about it; choosing and thinking begin so."""
        ...

    def saw(self, seen: Seen, /) -> None:
        """Keep in mind what happened."""
        ...


class Budget(Struct, frozen=True):
    """How much a player may think about one answer: a number of nodes or playouts, or a time."""

    work: int
    seconds: float = 0.0  # 0: there is no limit of time, and `work` is done in full
    clock: Clock | None = None

    def __post_init__(self) -> None:
        if self.work < 1:
            raise ValueError("expected at least 1 node or playout")
        if not 0 <= self.seconds <= MAX_SECONDS:
            raise ValueError(f"expected 0 to {MAX_SECONDS} seconds")
        if self.seconds and self.clock is None:
            raise ValueError("thinking by time needs a clock, and nobody handed one in")

    def slices(self, size: int) -> Iterator[int]:
        """How much to do next, `size` at most, until the budget is spent; at least once.

        With a limit of time, `work` does not count.
        """
        if self.clock is None or not self.seconds:
            for done in range(0, self.work, size):
                yield min(size, self.work - done)
            return
        end = self.clock() + self.seconds
        yield size
        while self.clock() < end:
            yield size


MAX_SECONDS = 3600
