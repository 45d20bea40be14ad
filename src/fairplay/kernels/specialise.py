"""Copies of a kernel's functions in a namespace of their own, with constants replaced and every function compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType
from typing import Any

__all__ = ["specialise"]

Namespace = dict[str, Any]


def specialise(
    module: ModuleType, constants: Mapping[str, int], compile_function: Callable[[FunctionType], Any]
) -> Namespace:
    """The names of `module`, where constants have the given values and functions are compiled copies.

    A copy sees the copies of the functions that it calls, also of those that its module imported from this package.
    Compilers that wait for the first call (numba) find them in the namespace, in whatever order they are defined.
    """
    namespaces: dict[int, Namespace] = {}

    def copy_of(names: Mapping[str, Any]) -> Namespace:
        if id(names) in namespaces:
            return namespaces[id(names)]
        namespace = namespaces[id(names)] = dict(names)
        namespace.update({name: value for name, value in constants.items() if name in names})
        for name, value in names.items():
            if isinstance(value, FunctionType) and value.__module__.startswith("fairplay."):
                if value.__globals__ is names:
                    namespace[name] = compile_function(FunctionType(value.__code__, namespace, name))
                else:
                    namespace[name] = copy_of(value.__globals__)[value.__name__]
        return namespace

    return copy_of(vars(module))
