"""Copies of a kernel's functions in a namespace of their own, with constants replaced and every function compiled."""

from collections.abc import Callable, Iterator, Mapping
from importlib.machinery import ModuleSpec
from types import FunctionType, ModuleType
from typing import Any, TypeAlias

Namespace: TypeAlias = dict[str, Any]

Compiled: TypeAlias = Any
"""A function of a kernel as its compiler leaves it; in its source None, until it is put in place."""


def specialise(
    module: ModuleType,
    replaced: Mapping[str, object],
    compile_function: Callable[[FunctionType], Compiled],
    made: dict[int, ModuleType] | None = None,
) -> Namespace:
    """The names of `module`, with the given values for constants and compiled copies for functions.

    A copy sees copies of the functions that it calls and of the modules that it looks into, if they are from its own
    package or from Fairplay.  A name is replaced if its value is None, of the same type as the one given, or a function
    like it.  Compilers that wait for the first call (numba) find functions in the namespace, in any order.

    made: what was made so far, for modules that share functions.
    """
    copies = {} if made is None else made

    def copy_of(names: Namespace) -> ModuleType:
        if id(names) in copies:
            return copies[id(names)]
        copy = copies[id(names)] = copy_module(names)
        namespace = vars(copy)
        for name, value in names.items():
            if name in replaced and fits(value, replaced[name]):
                namespace[name] = replaced[name]
            elif not is_copied(value, module):
                continue
            elif isinstance(value, ModuleType):
                namespace[name] = copy_of(vars(value))
            elif value.__globals__ is names:
                namespace[name] = compile_function(copy_function(value, namespace))
            else:
                namespace[name] = getattr(copy_of(value.__globals__), value.__name__)
        return copy

    return vars(copy_of(vars(module)))


def fits(value: object, other: object) -> bool:
    """Can `other` take the place of `value`?"""
    return value is None or type(value) is type(other) or (isinstance(value, FunctionType) and callable(other))


def copy_module(names: Namespace) -> ModuleType:
    """A module with these names.  It prints as no other does, by which numba tells modules apart."""
    copy = ModuleType(names["__name__"])
    vars(copy).update(names)
    copy.__spec__ = ModuleSpec(f"{copy.__name__} at {id(copy):#x}", None)
    return copy


def copy_function(function: FunctionType, namespace: Namespace) -> FunctionType:
    """The same function, which finds its names in `namespace`."""
    copy = FunctionType(function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def is_copied(value: object, module: ModuleType) -> bool:
    """Is this a function or a module of Fairplay, or of the package that `module` belongs to?

    No package: what it holds depends on what was imported before.
    """
    if isinstance(value, ModuleType):
        home = "" if hasattr(value, "__path__") else value.__name__
    else:
        home = value.__globals__["__name__"] if isinstance(value, FunctionType) else ""
    return home.partition(".")[0] in {"fairplay", module.__name__.partition(".")[0]}


def reachable_namespaces(module: ModuleType) -> Iterator[Namespace]:
    """The names of `module` and of every module that is copied with it."""
    waiting: list[Namespace] = [vars(module)]
    seen = {id(waiting[0])}
    while waiting:
        names = waiting.pop()
        yield names
        for value in [*names.values()]:
            if is_copied(value, module):
                found = vars(value) if isinstance(value, ModuleType) else value.__globals__
                if id(found) not in seen:
                    seen.add(id(found))
                    waiting.append(found)
