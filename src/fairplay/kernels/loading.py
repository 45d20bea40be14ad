"""Getting the kernel of a game ready to run, for matches like a given one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from math import prod
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from fairplay.core import AnyGame, UsageError
from fairplay.kernels.code import How
from fairplay.kernels.specialise import Compiled, Namespace, specialise

if TYPE_CHECKING:  # importing this must not load numpy, let alone numba
    from fairplay.core.kernel import AnyArray, Integers, Row, Tables, Words
    from fairplay.core.numbers import AnyEncoding, Floats, Mask

FUNCTIONS = (
    *("start", "to_move", "legal", "legal_mask", "step", "remove", "scores", "observe", "imagine"),
    *("random_action", "play_on", "playout"),
)
"""The functions of a kernel that are compiled."""


class MatchArrays(NamedTuple):
    """One entry for each match, in the order in which `advance_many` takes them, and says what they are."""

    rows: Words
    actions: Integers
    movers: Integers
    observations: Floats  # flat; their shape is that of the encoding
    masks: Mask
    rewards: Floats
    ended: Mask
    removed: Mask
    points: Integers

    @property
    def shown(self) -> tuple[Words, Integers, Floats, Mask]:
        """Those that `show_many` takes."""
        return self.rows, self.movers, self.observations, self.masks


def make_arrays(
    count: int, words: int, seats: int, encoding: AnyEncoding, zeros: Callable[[tuple[int, ...], str], Any]
) -> MatchArrays:
    """Arrays for `count` matches, made by `zeros` of a shape and a type of numbers."""
    return MatchArrays(
        rows=zeros((count, words), "uint64"),
        actions=zeros((count,), "int64"),
        movers=zeros((count,), "int64"),
        observations=zeros((count, prod(encoding.shape)), "float32"),
        masks=zeros((count, encoding.actions), "int8"),
        rewards=zeros((count, seats), "float32"),
        ended=zeros((count,), "int8"),
        removed=zeros((count, seats), "int8"),
        points=zeros((count, seats), "int64"),
    )


class RandomPlay(NamedTuple):
    """What `LoadedKernel.play_random` found."""

    matches: int
    turns: int
    wins: int  # of seat 0, alone or with others
    checksum: int  # of all final rows and points, in whatever order the matches were played


@dataclass(frozen=True, eq=False)
class LoadedKernel:
    """A kernel that is ready to run, for all matches with the same setup and seats."""

    game: str
    how: How
    seats: int
    encoding: AnyEncoding
    words: int
    """The length of a row."""

    tables: Tables
    """What all the matches share: the first argument of every function."""

    functions: Mapping[str, Compiled]
    """What a kernel does to one match (see ``fairplay.core.kernel``).  Compiled ones can be called from your own."""

    loops: Mapping[str, Compiled]
    """What is done to many matches (see ``fairplay.kernels.loops``)."""

    like: object
    python: Namespace

    def make_rows(self, count: int) -> Words:
        """Rows for `count` matches, which are not dealt yet."""
        import numpy as np

        return np.zeros((count, self.words), np.uint64)

    def make_arrays(self, count: int) -> MatchArrays:
        """Arrays for a learner's environment of `count` matches, which are not dealt yet."""
        import numpy as np

        return make_arrays(count, self.words, self.seats, self.encoding, np.zeros)

    def pack(self, states: Sequence[object], seed: int = 0) -> Words:
        """The rows of some states; their random numbers follow from `seed`."""
        import numpy as np

        rows = self.make_rows(len(states))
        for number, (state, row) in enumerate(zip(states, rows, strict=True)):
            self.python["pack"](state, row)
            with np.errstate(over="ignore"):
                self.python["seed_row"](row, np.uint64((seed + number) % 2**64))
        return rows

    def unpack(self, row: Row) -> Any:
        """The state in a row."""
        return self.python["unpack"](row, self.like)

    def call(self, name: str, *arguments: object) -> Any:
        """Call one of `functions`, such as `call("to_move", row)`; says so if it takes long to compile it."""
        return self._call(self.functions[name], (self.tables, *arguments))

    def run(self, name: str, *arrays: AnyArray, threads: int = 1) -> None:
        """Run one of `loops`, such as `run("step_many", rows, actions)`, each thread over a part of the matches.

        Arrays must lie in memory without gaps.  The first run compiles the loop, or reads it from the cache.
        """
        loop, count = self.loops[name], len(arrays[0])
        if threads == 1 or count < threads:
            self._call(loop, (self.tables, *arrays))
            return
        cuts = [count * number // threads for number in range(threads + 1)]
        parts = [(self.tables, *(array[a:b] for array in arrays)) for a, b in pairwise(cuts)]
        self._call_all(loop, parts)

    def play_random(self, first: int, matches: int, threads: int = 1) -> RandomPlay:
        """Play whole matches at random, those of the seeds from `first` on, without keeping any."""
        import numpy as np

        cuts = [matches * number // threads for number in range(threads + 1)]
        parts = []
        for start, end in pairwise(cuts):
            row, points, totals = self.make_rows(1)[0], np.zeros(self.seats, np.int64), np.zeros(3, np.uint64)
            parts.append((self.tables, row, points, np.uint64(first + start), end - start, totals))
        self._call_all(self.loops["play_seeds"], parts)
        turns, checksum, wins = (sum(int(part[-1][number]) for part in parts) % 2**64 for number in range(3))
        return RandomPlay(matches, turns, wins, checksum)

    def _call_all(self, loop: Compiled, parts: Sequence[tuple[object, ...]]) -> None:
        """Call `loop` with every one of `parts`, each in a thread of its own."""
        if len(parts) == 1:
            self._call(loop, parts[0])
            return
        self._prepare(loop, parts[0])
        with ThreadPoolExecutor(len(parts)) as pool:
            for done in [pool.submit(self._call, loop, part) for part in parts]:
                done.result()

    def _call(self, function: Compiled, arguments: tuple[object, ...]) -> Any:
        if self.how == "core":
            self._prepare(function, arguments)
            return function(*arguments)
        import numpy as np

        with np.errstate(over="ignore"):  # words wrap round
            return function(*arguments)

    def _prepare(self, function: Compiled, arguments: tuple[object, ...]) -> None:
        """Compile `function` for these arguments if that was not done yet."""
        if self.how == "core":
            from fairplay.kernels.compiling import prepare

            prepare(self.game, function, arguments)


def load_kernel(
    game: AnyGame, state: Any, *, setup: object = None, seats: int | None = None, how: How = "core"
) -> LoadedKernel:
    """The kernel of a game, ready for all matches with the setup and the seats of `state`.

    state: any state of such a match.
    setup: what such matches are dealt by; without it, `start` deals as the state tells.
    seats: counted in the state unless given; give them if some were removed.
    how: "core" compiles with numba when a function is first used, and keeps what was compiled in the user's cache
        folder; "interpreted" needs numpy only, and is for tests.

    Raises UsageError if the game has no kernel, or something is not installed, and KernelSizeError if the kernel does
    not support matches of this size.
    """
    kernel = find_kernel(game, ("numpy", "numba") if how == "core" else ("numpy",))
    constants = kernel.constants_for(state)
    code = load_code(game.name, kernel, tuple(sorted(constants.items())), how)
    assert game.parts.numbers is not None
    return LoadedKernel(
        game=game.name,
        how=how,
        seats=len(game.rules.scores(state)) if seats is None else seats,
        encoding=game.parts.numbers.encoding_of(state),
        words=constants["WORDS"],
        tables=kernel.make_tables(state, setup),
        functions=code.functions,
        loops=code.loops,
        like=state,
        python=code.python,
    )


def find_kernel(game: AnyGame, needed: Sequence[str]) -> Any:
    """The module with the kernel of a game; raises UsageError if there is none or one of `needed` is missing."""
    if game.parts.kernel is None or game.parts.numbers is None:
        raise UsageError(f"the game {game.name} has no kernel")
    if missing := [name for name in needed if find_spec(name) is None]:
        verb = "is" if len(missing) == 1 else "are"
        raise UsageError(f"kernels need {' and '.join(missing)}, which {verb} missing: pip install {' '.join(missing)}")
    return game.parts.kernel()


class Code(NamedTuple):
    """The functions of a kernel, specialised for some constants."""

    functions: Mapping[str, Compiled]
    loops: Mapping[str, Compiled]
    python: Namespace


@cache
def load_code(game: str, kernel: ModuleType, constants: tuple[tuple[str, int], ...], how: How) -> Code:
    """The functions of a kernel for these constants, which many boards share."""
    from fairplay.kernels import loops

    interpreted = specialise_both(kernel, dict(constants), lambda function: function)
    compiled = interpreted
    if how == "core":
        from fairplay.kernels.compiling import compiler_for

        compiled = specialise_both(kernel, dict(constants), compiler_for(game, (kernel, loops), constants))
    return Code(
        {name: compiled[0][name] for name in FUNCTIONS},
        {name: compiled[1][name] for name in loops.LOOPS},
        {**interpreted[0], "seed_row": interpreted[1]["seed_row"]},
    )


def specialise_both(
    kernel: ModuleType, constants: Mapping[str, int], compile_function: Callable[[FunctionType], Compiled]
) -> tuple[Namespace, Namespace]:
    """The names of a kernel, and those of the loops over it."""
    from fairplay.kernels import loops

    functions = specialise(kernel, constants, compile_function)
    known = {name: functions[name] for name in FUNCTIONS}
    return functions, specialise(loops, {"WORDS": constants["WORDS"], **known}, compile_function)
