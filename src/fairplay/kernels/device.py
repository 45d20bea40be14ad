"""Kernels on a CUDA device: the same source, one thread for each match.

This is the one place that imports the device compiler, numba-cuda or its successor numba-cuda-mlir.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from fairplay.core import AnyGame, UsageError
from fairplay.kernels.loading import FUNCTIONS, MatchArrays, RandomPlay, find_kernel, make_arrays
from fairplay.kernels.specialise import Compiled, Namespace, specialise

if TYPE_CHECKING:
    from fairplay.core.kernel import AnyArray, Tables, Words
    from fairplay.core.numbers import AnyEncoding

BLOCK = 128
"""Threads of a block, unless something else is asked for."""

COMPILERS = ("numba_cuda", "numba_cuda_mlir")
"""Packages; the first that is installed is used."""

RENAMED = {"row_stack": "vstack", "in1d": "isin", "trapz": "trapezoid"}
"""Names that numpy 2.5 has dropped, and numba-cuda 0.30 still needs to be imported."""


class DeviceRun(NamedTuple):
    """Random play on the device, and how many seconds the device took."""

    play: RandomPlay
    seconds: float


class Resources(NamedTuple):
    """What one thread of a compiled function takes: they limit how many can run at once."""

    registers: int
    local_bytes: int
    shared_bytes: int  # of a block


class DeviceKernel:
    """A kernel that is ready to run on the device, for all matches with the same setup and seats.

    Its arrays lie in the device's memory.  torch, CuPy and others take them over without copying
    (``torch.as_tensor(arrays.observations)``), and arrays of theirs can be handed in.
    """

    def __init__(
        self,
        cuda: Any,
        code: Namespace,
        tables: Tables,
        words: int,
        seats: int,
        encoding: AnyEncoding,
    ) -> None:
        self.cuda, self.code, self.tables = cuda, code, cuda.to_device(tables)
        self.words, self.seats, self.encoding = words, seats, encoding

    def play_random(self, first: int, matches: int, block: int = BLOCK, threads: int | None = None) -> DeviceRun:
        """Play whole matches at random, those of the seeds from `first` on, as `LoadedKernel.play_random` does.

        threads: how many play at the same time, each one match after the other; None: as many as the device can hold.
        """
        import numpy as np

        cuda, totals = self.cuda, self.cuda.to_device(np.zeros(4, np.uint64))
        began, ended = cuda.event(), cuda.event()
        began.record()
        play = self.code["play_matches"][blocks_for(min(matches, threads or self._capacity()), block), block]
        play(self.tables, np.uint64(first), matches, totals)
        ended.record()
        ended.synchronize()
        turns, checksum, wins, _ = map(int, totals.copy_to_host())
        return DeviceRun(RandomPlay(matches, turns, wins, checksum), cuda.event_elapsed_time(began, ended) / 1000)

    def _capacity(self) -> int:
        """How many threads the device can hold, if they take few registers."""
        return int(self.cuda.get_current_device().MULTIPROCESSOR_COUNT) * 2048

    def make_arrays(self, count: int) -> MatchArrays:
        """Arrays for `count` matches, which are not dealt yet."""
        import numpy as np

        def zeros(shape: tuple[int, ...], kind: str) -> Any:
            return self.cuda.to_device(np.zeros(shape, kind))

        return make_arrays(count, self.words, self.seats, self.encoding, zeros)

    def start(self, arrays: MatchArrays, seeds: Words, block: int = BLOCK) -> None:
        """Deal every match by its seed, an array of 64-bit words, and show the first decisions."""
        self.run("start_rows", arrays.rows, self.cuda.to_device(seeds), block=block)
        self.run("show_rows", *arrays.shown, block=block)

    def choose(self, arrays: MatchArrays, block: int = BLOCK) -> None:
        """Choose actions at random."""
        self.run("choose_rows", arrays.rows, arrays.actions, block=block)

    def advance(self, arrays: MatchArrays, block: int = BLOCK) -> None:
        """Do one action in every match; see `advance_many`."""
        self.run("advance_rows", *arrays, block=block)

    def run(self, name: str, *arrays: AnyArray, block: int = BLOCK) -> None:
        """Run one of the device's loops over arrays, with one thread for each match.  Returns before it has ended."""
        given = [array if hasattr(array, "copy_to_host") else self.cuda.as_cuda_array(array) for array in arrays]
        self.code[name][blocks_for(given[0].shape[0], block), block](self.tables, *given)

    def resources(self, name: str) -> Resources:
        """What a thread of this loop takes, once it was run."""
        loop = self.code[name]
        taken = (loop.get_regs_per_thread(), loop.get_local_mem_per_thread(), loop.get_shared_mem_per_block())
        return Resources(*(max(each.values()) if isinstance(each, dict) else int(each) for each in taken))


def blocks_for(threads: int, block: int) -> int:
    """How many blocks hold that many threads."""
    return -(-threads // block)


def load_device_kernel(
    game: AnyGame,
    state: Any,
    *,
    setup: object = None,
    seats: int | None = None,
    max_registers: int | None = None,
) -> DeviceKernel:
    """The kernel of a game on the CUDA device, ready for all matches with the setup and the seats of `state`.

    setup: what such matches are dealt by; without it, they are dealt as the state tells.
    max_registers: of a thread; fewer let more threads run at once, and make each slower.

    Raises UsageError if the game has no kernel, or there is no compiler or no device, and KernelSizeError if the kernel
    does not support matches of this size.
    """
    kernel = find_kernel(game, ("numpy", "numba"))
    cuda, constants = find_compiler(), kernel.constants_for(state)
    seats = len(game.rules.scores(state)) if seats is None else seats
    assert game.parts.numbers is not None
    return DeviceKernel(
        cuda,
        compile_for_device(cuda, kernel, tuple(sorted(constants.items())), seats, max_registers),
        kernel.make_tables(state, setup),
        constants["WORDS"],
        seats,
        game.parts.numbers.encoding_of(state),
    )


@cache
def compile_for_device(
    cuda: Any, kernel: ModuleType, constants: tuple[tuple[str, int], ...], seats: int, max_registers: int | None
) -> Namespace:
    """The loops over a kernel; each is compiled when it is first run."""
    from fairplay.kernels import device_loops

    inner = cuda.jit(device=True)
    outer = cuda.jit(max_registers=max_registers) if max_registers else cuda.jit
    own = specialise(device_loops, {"cuda": cuda}, inner)
    instructions = {name: own[name] for name in device_loops.INSTRUCTIONS}
    functions = specialise(kernel, {**dict(constants), **instructions}, inner)
    known = {name: functions[name] for name in FUNCTIONS}
    replaced = {**known, "WORDS": dict(constants)["WORDS"], "SEATS": seats, "cuda": cuda}

    def compile_function(function: FunctionType) -> Compiled:
        return (outer if function.__name__ in device_loops.LOOPS else inner)(function)

    return specialise(device_loops, replaced, compile_function)


def find_compiler() -> Any:
    """The module that compiles for the device; raises UsageError if none is installed, or there is no device."""
    installed = [package for package in COMPILERS if find_spec(package)]
    if not installed:
        raise UsageError("kernels on a CUDA device need numba-cuda, which is missing: pip install numba-cuda")
    cuda = import_numba_cuda() if installed[0] == "numba_cuda" else import_numba_cuda_mlir()
    if not cuda.is_available():
        raise UsageError("there is no CUDA device, or its driver does not work")
    return cuda


def import_numba_cuda() -> Any:
    """numba-cuda, which takes the place of numba's own module."""
    import numpy as np

    for old, new in RENAMED.items():
        if not hasattr(np, old):
            setattr(np, old, getattr(np, new))
    from numba import cuda

    return cuda


def import_numba_cuda_mlir() -> Any:
    """Its successor."""
    from numba_cuda_mlir import cuda

    return cuda
