"""Functions over arrays, such as a search on a kernel, ready to run: compiled if numba is installed.

How a game uses it is told in `fairplay.core.thinking`.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from types import FunctionType, ModuleType
from typing import Literal, ParamSpec, TypeAlias, TypeVar

from fairplay.kernels.progress import announce_compilation
from fairplay.kernels.specialise import Compiled, specialise

P = ParamSpec("P")
R = TypeVar("R")

How: TypeAlias = Literal["core", "interpreted"]
"""Compiled for a processor core, which is some hundred times faster, or interpreted, which needs no numba."""


@dataclass(frozen=True, eq=False)
class Functions:
    """Functions that were specialised for some constants."""

    name: str  # what is compiled, for people who wait for it
    how: How
    functions: Mapping[Callable[..., object], Compiled]  # by what they were made from

    def call(self, function: Callable[P, R], /, *arguments: P.args, **_: P.kwargs) -> R:
        """Call a function.  The first call compiles it, or reads it from the cache, and says so if it takes long."""
        ready: Callable[..., R] = self.functions[function]
        if self.how == "core":
            from fairplay.kernels.compiling import prepare

            prepare(self.name, ready, arguments)
            return ready(*arguments)
        import numpy as np

        with np.errstate(over="ignore"):  # words wrap round
            return ready(*arguments)


@cache
def has_compiler() -> bool:
    """Is numba installed?"""
    return find_spec("numba") is not None


def load_functions(
    name: str, functions: tuple[Callable[..., object], ...], constants: Mapping[str, int], how: How | None = None
) -> Functions:
    """Functions with `constants` in the place of the names in their modules and in what these import.

    functions: follow the rules for kernels (see ``fairplay.core.kernel``); they may use functions of a kernel, and may
        be given named tuples of arrays.  Modules of such functions hold nothing else; what they share is compiled once.
    how: compiled if numba is installed, unless given.
    """
    return _make_functions(
        name, functions, tuple(sorted(constants.items())), how or ("core" if has_compiler() else "interpreted")
    )


@cache
def _make_functions(
    name: str, functions: tuple[FunctionType, ...], constants: tuple[tuple[str, int], ...], how: How
) -> Functions:
    """The functions for these constants, which many boards share."""
    modules = tuple(dict.fromkeys(sys.modules[function.__module__] for function in functions))
    made: dict[int, ModuleType] = {}
    if how == "core":
        with announce_compilation(name):  # loading numba takes a second
            from fairplay.kernels.compiling import compiler_for

            compile_function = compiler_for(name, modules, constants)
    else:
        compile_function = _leave
    copies = {module.__name__: specialise(module, dict(constants), compile_function, made) for module in modules}
    return Functions(name, how, {each: copies[each.__module__][each.__name__] for each in functions})


def _leave(function: FunctionType) -> FunctionType:
    return function
