"""What happens in a match: who sits where, what they do, and how it ends."""

from typing import Any, Generic, NewType, TypeAlias, TypeVar, Union

from msgspec import Struct

from fairplay.core.faults import Fault

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


AnyTurn: TypeAlias = Turn[Any, Any]


class Removed(Struct, Generic[S], frozen=True, gc=False):
    """A seat was thrown out, and what the table looked like on both sides."""

    before: S
    seat: Seat
    fault: Fault
    after: S


Event: TypeAlias = Union[Turn[S, A], Removed[S]]


class Outcome(Struct, frozen=True):
    """How a match ended.  `scores` and `faults` are by seat; a seat that was removed has no score."""

    ranking: Tiers
    scores: tuple[Score | None, ...]
    faults: tuple[Fault | None, ...]
    ending: str

    @property
    def winners(self) -> tuple[Seat, ...]:
        return self.ranking[0] if self.ranking else ()
