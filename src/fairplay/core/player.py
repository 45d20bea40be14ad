"""Who sits at a table: somebody that chooses and hears."""

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from msgspec import Struct

from fairplay.core.match import Seat
from fairplay.core.news import Seen


class SeatInfo(Struct, frozen=True):
    """A seat at a match that begins: what its player may know beforehand."""

    seat: Seat
    seats: int  # how many there are
    setup: Any  # its public part


class Player(Protocol):
    """Somebody who plays: answers with an action, and hears news.

    One that has a method `saw` is given everything that happens (`Seen`) and keeps it in mind until its next order: it
    neither raises nor takes long.  What it does with it then is part of its reply.
    """

    def choose(self, view: Any, /) -> Any: ...
    def hear(self, news: object, /) -> object: ...


class House:
    """A player made of a strategy alone; it needs no news.

    A strategy with a method `saw` is told what happened before it is asked; any other costs nothing more than its call.
    """

    __slots__ = ("choose", "saw")

    def __init__(self, strategy: Callable[[Any], Any]) -> None:
        self.choose = strategy
        self.saw: Callable[[Seen], object] | None = None
        if (tell := getattr(strategy, "saw", None)) is not None:
            unseen: list[Seen] = []
            self.choose, self.saw = partial(choose_informed, strategy, tell, unseen), unseen.append

    def hear(self, news: object) -> None:
        """Views say all there is to know."""


def choose_informed(
    strategy: Callable[[Any], Any], tell: Callable[[Seen], object], unseen: list[Seen], view: Any
) -> Any:
    """What a strategy chooses once it was told what it has not seen yet."""
    while unseen:
        tell(unseen.pop(0))
    return strategy(view)
