"""What happens in a match: who sits where, what they do and are told, how it ends, and what it was worth."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Generic, NewType, Protocol, TypeAlias, TypeVar, Union

from msgspec import Struct

from fairplay.core.faults import Fault, FaultKind

Seat = NewType("Seat", int)
"""A place at the table, from 0 in turn order.  Seats never change hands or shift."""

Score: TypeAlias = tuple[int, ...]
"""Points first, then tie-breaks; compared from the left, more is better."""

ScoreLines: TypeAlias = tuple[tuple[str, int], ...]
"""Where the points of a seat come from: labels and points, which add up to the first number of its score."""

Tiers: TypeAlias = tuple[tuple[Seat, ...], ...]
"""Seats in groups of equals, best first.  A group that lost all its members keeps its place."""

S = TypeVar("S")  # state: everything, known only to the referee
A = TypeVar("A")  # action: what a seat may ask to do


class Turn(Struct, Generic[S, A], frozen=True, gc=False):
    """One completed action: who did what, and what the table looked like on both sides."""

    before: S
    seat: Seat
    action: A
    after: S


class Removed(Struct, Generic[S], frozen=True, gc=False):
    """A seat was thrown out, and what the table looked like on both sides."""

    before: S
    seat: Seat
    fault: Fault
    after: S


class Befell(Struct, Generic[S], frozen=True, gc=False):
    """Chance decided something after the deal: what it brought, and what the table looked like on both sides."""

    before: S
    outcome: Any
    after: S


Event: TypeAlias = Union[Turn[S, A], Removed[S], Befell[S]]

AnyTurn: TypeAlias = Turn[Any, Any]
AnyEvent: TypeAlias = Event[Any, Any]
"""Of whatever game."""


class Outcome(Struct, frozen=True):
    """How a match ended.  `scores` and `faults` are by seat; a seat that was removed has no score."""

    ranking: Tiers
    scores: tuple[Score | None, ...]
    faults: tuple[Fault | None, ...]
    ending: str

    @property
    def winners(self) -> tuple[Seat, ...]:
        return self.ranking[0] if self.ranking else ()


# -- what players are told ---------------------------------------------------------------------

V = TypeVar("V")


class Began(Struct, Generic[V], frozen=True):
    """A match begins, and this is what you see."""

    view: V


class Ended(Struct, frozen=True):
    """The match is over."""

    won: bool


class Seen(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="saw"):
    """Something that happened, as one seat may know it: `seat` took a turn or was removed, or chance decided."""

    number: int  # counts what happens in a match, turns, removals and chance, from 0
    seat: Seat | None  # who took the turn or was removed; None: chance
    action: Any = None  # what it did, without what is secret; None: it did nothing
    fault: FaultKind | None = None  # why it was removed
    befell: Any = None  # what chance brought, as JSON, without what is secret


class ContestBegan(Struct, frozen=True):
    """A tournament begins, and you take part."""


class ContestEnded(Struct, frozen=True):
    """The tournament is over."""

    won: bool  # alone, or sharing the first place
    shared: int = 0  # with so many others


# -- who plays ---------------------------------------------------------------------------------


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

    def __init__(self, strategy: Callable[[Any], object]) -> None:
        self.choose = strategy
        self.saw: Callable[[Seen], object] | None = None
        if (tell := getattr(strategy, "saw", None)) is not None:
            unseen: list[Seen] = []
            self.choose, self.saw = partial(_choose_informed, strategy, tell, unseen), unseen.append

    def hear(self, news: object) -> None:
        """Views say all there is to know."""


def _choose_informed(
    strategy: Callable[[Any], object], tell: Callable[[Seen], object], unseen: list[Seen], view: object
) -> object:
    """What a strategy chooses once it was told what it has not seen yet."""
    while unseen:
        tell(unseen.pop(0))
    return strategy(view)


# -- what a match was worth --------------------------------------------------------------------

REMOVED = -1.0
"""What a seat gets that is removed, at once; the others play on."""


def share_rewards(scores: Mapping[Seat, Score], seats: int) -> list[float]:
    """From -1 to 1 by shared rank: the seats behind less the seats ahead, divided by the number of all others.

    These are the points of a tournament on another scale.  Seats without a score come last, all of them equal.  The sum
    is 0.  A seat that was removed got -1 instead: with one such seat the sum stays 0, for it is last anyway; with more
    of them it is negative, because each is treated as the only last one.

    >>> share_rewards({Seat(0): (30,), Seat(1): (41,), Seat(2): (30,)}, 3)
    [-0.5, 1.0, -0.5]
    """
    ranked = [scores.get(Seat(seat), ()) for seat in range(seats)]  # nothing is below every score
    return [sum((other < own) - (other > own) for other in ranked) / (seats - 1) for own in ranked]
