"""How house players that search think: the kit that the search of every game is made of.

A player that searches is a strategy that can also say what it thinks (`Thinker`).  What it chooses follows from its
generator and from what it was shown; only if it is given seconds and a clock does it depend on the machine.

A game derives its player from `Searcher`, which knows options, slips and seeds, and writes

* `_list_actions(view)`: the legal actions, one of which a slip is;
* `_think(view, consider, seed)`: the search, with all that it can say;
* `_choose(view, seed)`: the same without saying anything, if that is cheaper;
* `_think_simply(view, consider, seed, error)`: what it does if the position is too large for its kernel, which raised
  `KernelSizeError`; `think_equal` makes a thought of it;
* `_draw_slip` and `_draw_seed`, if records of its matches fix another way of drawing: what they draw, and in what order
  `_draw` calls them, is part of a player's version;
* `look` and `saw`, if it keeps anything in mind.

The search itself is plain functions over arrays, compiled if numba is installed (`fairplay.kernels.code`):

    class Arrays(NamedTuple):              # all that the functions work on is one argument
        rows: Rows
        notes: Any

    def advance(arrays: Arrays, limit: int) -> int: ...

    code = load_functions("fish-search", (begin, advance), constants, how)  # by the constants of a kernel
    done = code.call(advance, arrays, 1000)

Numba passes a named tuple of arrays whole.  Functions that also run on a graphics card, as those of kernels do, take
arrays one by one.  `Budget.slices` says how much to do between two looks at the clock.  A function that hashes finds
its numbers in `fairplay.core.arithmetic`.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from fairplay.core import KernelSizeError, Seat, Seen
from fairplay.core.chance import choice

V = TypeVar("V")
A = TypeVar("A")

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
    seed: int = 0  # of the search: whoever thinks with it again thinks the same

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

    def choose(self, view: Any, /) -> Thought:
        """What a call chooses, with the seed of its search; it may be no more than the action, without any values."""
        ...

    def think(self, view: Any, consider: Sequence[Any] = (), /, *, seed: int | None = None) -> Thought:
        """Think about a position.  The actions in `consider`, which are legal, are among the candidates.

        seed: of an earlier thought; then nothing is drawn from the generator.
        """
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

_SEED_BITS = 64
_SLIP_BITS = 53


class Searcher(Generic[V, A]):
    """A `Thinker`, all but its search; a match needs one of its own.  The module says what a game writes."""

    def __init__(self, rng: Random, budget: Budget, slip: float = 0.0) -> None:
        """slip: the chance of any legal action instead, each turn."""
        if not 0 <= slip <= 1:
            raise ValueError(f"expected a slip from 0 to 1, the chance of a random action each turn, not {slip}")
        self.rng, self.budget, self.slip = rng, budget, slip

    def __call__(self, view: V, /) -> A:
        action: A = self.choose(view).action
        return action

    def choose(self, view: V, /) -> Thought:
        slips, seed = self._draw()
        if slips:
            self.look(view)
            action = choice(self.rng, self._list_actions(view))
        else:
            try:
                action = self._choose(view, seed)
            except KernelSizeError as error:
                action = self._think_simply(view, (), seed, error).action
        return Thought((Candidate(action, ()),), seed=seed)

    def think(self, view: V, consider: Sequence[A] = (), /, *, seed: int | None = None) -> Thought:
        seed = self._draw_seed() if seed is None else seed
        try:
            thought = self._think(view, consider, seed)
        except KernelSizeError as error:
            thought = self._think_simply(view, consider, seed, error)
        return replace(thought, seed=seed)

    def look(self, view: V, /) -> None:
        """Keep in mind what a view shows: nothing, unless a game says otherwise."""

    def saw(self, seen: Seen, /) -> None:
        """Keep in mind what happened: nothing, unless a game says otherwise."""

    def _draw(self) -> tuple[bool, int]:
        """Draw what one choice needs: whether it slips, and the seed of its search."""
        return self._draw_slip(), self._draw_seed()

    def _draw_slip(self) -> bool:
        return self.rng.getrandbits(_SLIP_BITS) < self.slip * (1 << _SLIP_BITS)

    def _draw_seed(self) -> int:
        return self.rng.getrandbits(_SEED_BITS)

    def _list_actions(self, view: V) -> Sequence[A]:
        raise NotImplementedError

    def _think(self, view: V, consider: Sequence[A], seed: int) -> Thought:
        raise NotImplementedError

    def _choose(self, view: V, seed: int) -> A:
        action: A = self._think(view, (), seed).action
        return action

    def _think_simply(self, view: V, consider: Sequence[A], seed: int, error: KernelSizeError) -> Thought:
        raise error


def think_equal(actions: Sequence[Any], playing: Sequence[Seat], seats: int, reason: str) -> Thought:
    """A thought without a search, in which all seats that are playing have the same chance; `actions` best first."""
    values = tuple(1 / len(playing) if seat in playing else 0.0 for seat in range(seats))
    candidates = tuple(Candidate(action, values, 0, (action,)) for action in dict.fromkeys(actions))
    return Thought(candidates, reason=reason)
