"""A rule book once more, over rows of one array of 64-bit words: for search, learning and graphics cards.

A kernel is a module of plain Python functions.  ``fairplay.kernels`` runs the same source in three ways: interpreted,
compiled by numba for a processor core, and compiled for a CUDA device.  So compiled functions use numbers, arrays that
are handed in and each other, and nothing else: no slices, no tuples of arrays, no allocation, no recursion, no
exceptions, and every constant that meets a word is made once as ``np.uint64``.  A module of the kernel may import
another one whole: the games import their ``row`` as ``layout``, and write ``row[layout.TURN]``.

Constants in capitals that `constants_for` names take the values it gives when the source is compiled, so that one
source serves small boards, whose masks are one word, and large ones.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from fairplay.core.numbers import Floats, Mask

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    AnyArray: TypeAlias = NDArray[Any]
    Words: TypeAlias = NDArray[np.uint64]
    Integers: TypeAlias = NDArray[np.int64]
    Doubles: TypeAlias = NDArray[np.float64]
    Row: TypeAlias = Words
    Tables: TypeAlias = Words
else:
    AnyArray = Words = Integers = Doubles = Row = Tables = object  # numpy is needed only when kernels are

OVER = 255
"""What `to_move` says once the match is over."""

RANDOM = 0
"""The word of a row that holds its random numbers; never 0."""

S = TypeVar("S")


class Kernel(Protocol[S]):
    """What every kernel has; a *module* satisfies it.

    LAW: a row and the state it was packed from stay equal, action by action, in all that they answer.
    """

    # -- in Python only ------------------------------------------------------------------------

    def constants_for(self, state: S) -> Mapping[str, int]:
        """What the source is compiled for; raises KernelSizeError if matches like this do not fit.

        `WORDS`, the length of a row, is among them.  Few different answers: each costs a compilation.
        """
        ...

    def make_tables(self, state: S, setup: Any = None) -> Tables:
        """The board or map, what is dealt from and everything else that all matches like this share: one array.

        A state does not say how it was dealt: `setup` does.  Without one, `start` deals what `state` itself was dealt,
        as far as chance did not decide it.
        """
        ...

    def pack(self, state: S, row: Row) -> None:
        """Write `state` into `row`, all but its random numbers."""
        ...

    def unpack(self, row: Row, like: S) -> S:
        """The state in `row`; `like` is any state of the same setup and seats."""
        ...

    # -- interpreted and compiled --------------------------------------------------------------

    def start(self, tables: Tables, row: Row) -> None:
        """Deal a match by the row's random numbers, with the same chances as the rule book, from any row."""
        ...

    def to_move(self, tables: Tables, row: Row) -> int:
        """Whose decision is awaited; OVER when the match is over."""
        ...

    def legal(self, tables: Tables, row: Row, out: Integers) -> int:
        """Write the numbers of the legal actions into `out`, ascending, and return how many there are."""
        ...

    def legal_mask(self, tables: Tables, row: Row, out: Mask) -> None:
        """Set `out` to 1 at the numbers of the legal actions and to 0 elsewhere."""
        ...

    def step(self, tables: Tables, row: Row, action: int) -> None:
        """Do the action with this number.  ASSUME it is legal."""
        ...

    def remove(self, tables: Tables, row: Row, seat: int) -> None:
        """Throw `seat` out of the match."""
        ...

    def scores(self, tables: Tables, row: Row, out: Integers) -> None:
        """Write one number per seat into `out`, ranking as the rule book's scores do; removed seats have the least."""
        ...

    def observe(self, tables: Tables, row: Row, seat: int, out: Floats) -> None:
        """Write the observation of `seat` into the flat `out`: the same as the game's numbers make of its view."""
        ...

    def imagine(self, tables: Tables, row: Row, seat: int) -> None:
        """Replace what `seat` may not know by something that it could be, by the row's random numbers."""
        ...

    def random_action(self, tables: Tables, row: Row) -> int:
        """Choose one of the legal actions, each with the same chance.  ASSUME the match is not over."""
        ...

    def play_on(self, tables: Tables, row: Row) -> int:
        """Make some or all of the turns that are left, choosing at random; return how many.

        Repeated until the match is over, it makes the same turns as `playout`.  On a device, threads that run together
        wait for the slowest of them at the end of each call: if matches differ much in length, a call should be short.
        It may make no turn.  ASSUME the match is not over.
        """
        ...

    def playout(self, tables: Tables, row: Row) -> int:
        """Choose at random until the match is over; return the number of turns."""
        ...
