"""Functions over arrays, such as a search on a kernel, ready to run: compiled if numba is installed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Literal, TypeAlias

from fairplay.kernels.progress import announce_compilation
from fairplay.kernels.specialise import specialise

__all__ = ["Functions", "How", "has_compiler", "load_functions"]

How: TypeAlias = Literal["core", "interpreted"]
"""Compiled for a processor core, which is some hundred times faster, or interpreted, which needs no numba."""


@dataclass(frozen=True, eq=False)
class Functions:
    """The functions of a module, specialised for some constants."""

    name: str  # what is compiled, for people who wait for it
    how: How
    functions: Mapping[str, Any]

    def call(self, name: str, *arguments: Any) -> Any:
        """Call a function.  The first call compiles it, or reads it from the cache, and says so if it takes long."""
        function = self.functions[name]
        if self.how == "core":
            from fairplay.kernels.compiling import prepare

            prepare(self.name, function, arguments)
            return function(*arguments)
        import numpy as np

        with np.errstate(over="ignore"):  # words wrap round
            return function(*arguments)


@cache
def has_compiler() -> bool:
    """Is numba installed?"""
    return find_spec("numba") is not None


def load_functions(name: str, module: ModuleType, constants: Mapping[str, int], how: How | None = None) -> Functions:
    """The functions in `module.__all__`, with `constants` in the place of the names in it and in what it imports.

    module: follows the rules for kernels (see ``fairplay.core.kernel``); it may use functions of a kernel.
    how: compiled if numba is installed, unless given.
    """
    return make_functions(
        name, module, tuple(sorted(constants.items())), how or ("core" if has_compiler() else "interpreted")
    )


@cache
def make_functions(name: str, module: ModuleType, constants: tuple[tuple[str, int], ...], how: How) -> Functions:
    """The functions for these constants, which many boards share."""
    if how == "core":
        with announce_compilation(name):  # loading numba takes a second
            from fairplay.kernels.compiling import compiler_for

            compiled = specialise(module, dict(constants), compiler_for(name, (module,), constants))
    else:
        compiled = specialise(module, dict(constants), lambda function: function)
    return Functions(name, how, {each: compiled[each] for each in module.__all__})
