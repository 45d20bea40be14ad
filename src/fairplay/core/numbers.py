"""Actions as numbers and views as arrays, for programs that learn; a game may bring it.

A number is the short form of an action: the same number means the same action in every match of the same setup, but
for Trains' picks, which count the pairs of the seat's own offer.  An observation is an array of 32-bit floats that
shows a view relative to its owner: what is mine comes first, then the next seat's, and so on round the table.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float32]
    Mask: TypeAlias = NDArray[np.int8]
else:
    Floats = Mask = object  # numpy is not needed to number actions

S_contra = TypeVar("S_contra", contravariant=True)
V_contra = TypeVar("V_contra", contravariant=True)
A = TypeVar("A")


class Channels(NamedTuple):
    """Some neighbouring channels of an observation, and what they say."""

    name: str
    size: int  # how many: planes of a board, or elements of a vector
    about: str


class Encoding(Protocol[V_contra, A]):
    """The numbers and arrays of all matches with one board and one number of seats.

    LAW: `number` and `action` are inverse.  LAW: what a seat may not know changes no element of an observation.
    """

    actions: int
    """Numbers run from 0 to `actions` - 1."""

    shape: tuple[int, ...]
    """Of an observation; the last axis is the channels."""

    channels: tuple[Channels, ...]
    """In order; their sizes add up to the last axis of `shape`."""

    def number(self, action: A, view: V_contra) -> int:
        """The number of `action`, legal or not; raises NumberError if the setup has no such action."""
        ...

    def action(self, number: int, view: V_contra) -> A:
        """The action with this number, legal or not; raises NumberError if there is none."""
        ...

    def legal_numbers(self, view: V_contra) -> Sequence[int]:
        """The numbers of the legal actions, ascending; none if it is not the owner's turn."""
        ...

    def fill_mask(self, view: V_contra, out: Mask) -> None:
        """Set `out`, of `actions` elements, to 1 where the action is legal and to 0 elsewhere."""
        ...

    def observe(self, view: V_contra, out: Floats) -> None:
        """Write the observation into `out`, which has this encoding's `shape`; none of it is negative."""
        ...


AnyEncoding: TypeAlias = Encoding[Any, Any]


class FactoredEncoding(Protocol):
    """What an encoding also has if an action can be made in two decisions, the first of which may end the turn.

    The first one is a number below `firsts`; 0 is action 0, and all others are followed by a number below `cells`.
    LAW: with a second decision, `join(first, cell)` is ``1 + (first - 1) * cells + cell``.
    """

    firsts: int
    cells: int

    def join(self, first: int, cell: int, /) -> int:
        """The number of the action that two decisions make up."""
        ...

    def fill_first_mask(self, mask: Mask, out: Mask, /) -> None:
        """Set `out`, of `firsts` elements, to 1 where a first decision leads to an action that is legal by `mask`."""
        ...

    def fill_second_mask(self, mask: Mask, first: int, out: Mask, /) -> None:
        """Set `out`, of `cells` elements, to 1 where a second decision makes `first` an action legal by `mask`."""
        ...


class Numbers(Protocol[S_contra, V_contra, A]):
    """How a game numbers its actions; a *module* satisfies it."""

    VERSION: str
    """Such as "fish_v0": what learned programs depend on.  It changes when a number or an element does."""

    def encoding_of(self, shown: S_contra | V_contra) -> Encoding[V_contra, A]:
        """The encoding for matches like the one `shown`; the same object for the same board and seats."""
        ...
