"""Compiling for a processor core with numba, and keeping what was compiled.

numba's own cache knows neither the constants of a kernel nor the functions of other files that it calls.  So the
folder of this one is named by a hash of everything that the code depends on.
"""

import hashlib
import logging
import pickle
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import FunctionType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
from llvmlite.binding import get_host_cpu_name
from numba.core import compiler, serialize
from numba.core.caching import NullCache

from fairplay.kernels.cache import locked, open_cache
from fairplay.kernels.progress import announce_compilation
from fairplay.kernels.specialise import Compiled, Namespace, reachable_namespaces

COMPILE: Any = numba.njit
"""numba has no type for the option `_nrt`."""

REBUILD: Any = compiler.CompileResult._rebuild
DUMP: Any = serialize.dumps
"""What numba's own cache uses; they have no types."""

Constants = tuple[tuple[str, int], ...]


def compiler_for(game: str, modules: Sequence[ModuleType], constants: Constants) -> Callable[[FunctionType], Compiled]:
    """What compiles the functions of modules, such as a kernel and the loops over it, when they are first called."""
    key = key_of(modules, constants)
    folder = open_cache(f"{game}-{key[:32]}")
    if folder.reason:
        logging.getLogger("fairplay").warning("Warning: Compiled kernels are not kept: %s.", folder.reason)

    def compile_function(function: FunctionType) -> Compiled:
        # Compiled code has its name from this.  Two kernels in one process must not find each other's functions.
        function.__qualname__ = f"{function.__name__}_{key[:16]}"
        # Kernels allocate nothing, so nobody counts references to arrays, which takes a quarter of the time.
        dispatcher = COMPILE(nogil=True, _nrt=False)(function)
        if folder.path is not None:
            dispatcher._cache = KernelCache(function, folder.path, writable=folder.writable)
        return dispatcher

    return compile_function


# -- when code is the same ---------------------------------------------------------------------


def key_of(modules: Sequence[ModuleType], constants: Constants) -> str:
    """A hash of all that compiled code depends on: sources, constants, versions and the processor."""
    found = hashlib.sha256()
    versions = (numba.__version__, llvmlite.__version__, np.__version__, sys.version, get_host_cpu_name())
    found.update(repr((FORMAT, versions, constants)).encode())
    for module in modules:
        described = sorted(describe_names(names) for names in reachable_namespaces(module))
        found.update(repr(described).encode())
    return found.hexdigest()


FORMAT = 2
"""Of the files in the cache."""


def describe_names(names: Namespace) -> tuple[str, str, list[tuple[str, str]]]:
    """A module by its source and the numbers in it, which compiled code contains."""
    source = Path(names["__file__"]).read_bytes()
    numbers = [(name, describe_value(value)) for name, value in names.items() if not name.startswith("__")]
    return names["__name__"], hashlib.sha256(source).hexdigest(), sorted(pair for pair in numbers if pair[1])


def describe_value(value: object) -> str:
    """A number, or numbers, as a text; empty for everything else."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, tuple) and all(isinstance(each, (bool, int, float, np.generic)) for each in value):
        return repr(value)
    return repr(value) if isinstance(value, (bool, int, float, np.generic)) else ""


# -- keeping it --------------------------------------------------------------------------------


class KernelCache(NullCache):
    """The compiled forms of one function, one file each.  What cannot be read is compiled again."""

    def __init__(self, function: FunctionType, folder: Path, *, writable: bool) -> None:
        self.name = f"{function.__module__}.{function.__name__}"
        self.folder, self.writable = folder, writable

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled form for these types; None if there is none."""
        target_context.refresh()
        try:
            code = pickle.loads(self._file(sig, target_context.codegen()).read_bytes())
            return REBUILD(target_context, *code)
        except (OSError, EOFError, pickle.UnpicklingError):  # there is none, or it was cut off
            return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Keep a compiled form, or nothing if the folder cannot be written to or is full."""
        if not self.writable or cres.library.has_dynamic_globals:
            return
        with suppress(OSError):
            write_whole(self._file(sig, cres.codegen), DUMP(cres._reduce()))

    def _file(self, sig: Any, codegen: Any) -> Path:
        types = hashlib.sha256(repr((str(sig), codegen.magic_tuple())).encode()).hexdigest()
        return self.folder / f"{self.name}-{types[:16]}.bin"


def write_whole(file: Path, content: bytes) -> None:
    """Write a file so that others find all of it or nothing."""
    with NamedTemporaryFile(dir=file.parent, prefix=".", delete=False) as written:
        try:
            written.write(content)
            written.close()
            Path(written.name).replace(file)
        except OSError:
            Path(written.name).unlink(missing_ok=True)
            raise


# -- when it is needed -------------------------------------------------------------------------


def prepare(game: str, function: Compiled, arguments: tuple[object, ...]) -> None:
    """Compile `function` for these arguments, or read it from the cache, unless that was done before.

    Of several processes that need it at the same time, one compiles it; the others wait, and read what it has kept.
    """
    if not function.overloads:  # other types would be compiled in silence
        kept = function._cache
        alone = locked(kept.folder) if isinstance(kept, KernelCache) and kept.writable else nullcontext()
        with alone, announce_compilation(game):
            function.compile(tuple(map(numba.typeof, arguments)))
