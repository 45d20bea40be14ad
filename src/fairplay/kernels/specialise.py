"""Copies of a kernel's functions in a namespace of their own, with constants replaced and every function compiled."""

from collections.abc import Callable, Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any

Namespace = dict[str, Any]


def specialise(
    module: ModuleType,
    replaced: Mapping[str, Any],
    compile_function: Callable[[FunctionType], Any],
    made: dict[int, Namespace] | None = None,
) -> Namespace:
    """The names of `module`, with the given values for constants and compiled copies for functions.

    A copy sees the copies of the functions that it calls, also of those that its module imported from its own package
    or from Fairplay.  A name is replaced if its value is None, of the same type as the one given, or a function like
    it.  Compilers that wait for the first call (numba) find functions in the namespace, in any order.

    made: what was made so far, for modules that share functions.
    """
    namespaces = {} if made is None else made

    def copy_of(names: Mapping[str, Any]) -> Namespace:
        if id(names) in namespaces:
            return namespaces[id(names)]
        namespace = namespaces[id(names)] = dict(names)
        for name, value in names.items():
            if name in replaced and fits(value, replaced[name]):
                namespace[name] = replaced[name]
            elif is_copied(value, module):
                if value.__globals__ is names:
                    namespace[name] = compile_function(copy_function(value, namespace))
                else:
                    namespace[name] = copy_of(value.__globals__)[value.__name__]
        return namespace

    return copy_of(vars(module))


def fits(value: object, other: object) -> bool:
    """Can `other` take the place of `value`?"""
    return value is None or type(value) is type(other) or (isinstance(value, FunctionType) and callable(other))


def copy_function(function: FunctionType, namespace: Namespace) -> FunctionType:
    """The same function, which finds its names in `namespace`."""
    copy = FunctionType(function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def is_copied(value: object, module: ModuleType) -> bool:
    """Is this a function of Fairplay, or of the package that `module` belongs to?"""
    homes = {"fairplay", module.__name__.partition(".")[0]}
    return isinstance(value, FunctionType) and value.__module__.partition(".")[0] in homes


def reachable_namespaces(module: ModuleType) -> Iterator[Mapping[str, Any]]:
    """The names of `module` and of every module with functions that are copied with it."""
    waiting: list[dict[str, Any]] = [vars(module)]
    seen = {id(waiting[0])}
    while waiting:
        names = waiting.pop()
        yield names
        for value in [*names.values()]:
            if is_copied(value, module) and id(value.__globals__) not in seen:
                seen.add(id(value.__globals__))
                waiting.append(value.__globals__)
