"""Bot files: a function from view to action in somebody's Python file."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, SourceFileLoader
from random import Random
from types import FunctionType, ModuleType
from typing import Any, Final

from fairplay.core import House, Player, UsageError
from fairplay.play.calls import innermost_frames

__all__ = ["find_function", "load_module", "seat_bot_file", "seat_function", "seed_generators", "wants_chance"]


def seat_bot_file(spec: str, patience: float | None = None) -> Callable[[Random], Player]:
    """How to seat the function that `spec` names; raises UsageError where it cannot be loaded.

    The file is loaded once, and each answer is due within `patience` seconds.
    """
    path, _, name = spec.partition(":")
    return seat_function(find_function(spec, load_module(spec, path), name), patience)


def seat_function(strategy: Callable[..., Any], patience: float | None = None) -> Callable[[Random], Player]:
    """How to seat a function from view to action in this process; each answer is due within `patience` seconds."""
    import pickle  # here, as below: a bot in a process of its own does not need it, and is to start soon

    from fairplay.run.inline import WithDeadline

    wants_rng = wants_chance(strategy)

    def seat(rng: Random) -> Player:
        seed_generators(rng)

        def choose(view: Any) -> Any:
            # A copy: whatever a bot does to what it is shown, the referee's own does not change.
            shown = pickle.loads(pickle.dumps(view))
            with undo_mistakes():
                return strategy(shown, rng=rng) if wants_rng else strategy(shown)

        player = House(choose)
        return player if patience is None else WithDeadline(player, patience)

    return seat


def seed_generators(rng: Random) -> None:
    """Seed what a bot may use besides the generator that it is handed: Python's own, and NumPy's if it is there.

    LAW: `rng` stays as it is, and so do all choices that follow from it.
    """
    copy = Random()
    copy.setstate(rng.getstate())
    random.seed(copy.getrandbits(64))
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed(copy.getrandbits(32))


@contextmanager
def undo_mistakes() -> Iterator[None]:
    """What a bot in this process may do to it by mistake ends with its call.

    A copy of this process that it forked off is not to go on with our matches.
    """
    owner, limit = os.getpid(), sys.getrecursionlimit()
    try:
        yield
    finally:
        if os.getpid() != owner:
            END_PROCESS(0)
        if sys.getrecursionlimit() != limit:
            sys.setrecursionlimit(limit)


END_PROCESS: Final = os._exit


def load_module(spec: str, path: str) -> ModuleType:
    """The module in the file; raises UsageError where it cannot be loaded."""
    if not os.path.isfile(path):
        raise UsageError(f"{spec}: there is no file {path}")
    folder = os.path.dirname(os.path.realpath(path))
    loaded = prepare_module(f"bot {os.path.join(folder, os.path.basename(path)).removesuffix('.py')}", path)
    sys.path.insert(0, folder)  # a bot may have modules of its own beside it
    try:
        with undo_mistakes():
            loaded.__loader__.exec_module(loaded)  # type: ignore[union-attr]  # it was set just before
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        here = os.path.realpath(path)
        lines = [each.lineno for each in innermost_frames(error) if os.path.realpath(each.filename) == here]
        where = f" (line {lines[-1]})" if lines else ""
        raise UsageError(f"{spec}: the file cannot be loaded: {type(error).__name__}: {error}{where}") from None
    finally:
        sys.path.remove(folder)
        forget_modules(folder)
    return loaded


def prepare_module(name: str, path: str) -> ModuleType:
    """An empty module for what is in the file, among those that are known: what `importlib.util` does, in less time."""
    made, loader = ModuleType(name), SourceFileLoader(name, path)
    made.__file__, made.__loader__, made.__spec__ = path, loader, ModuleSpec(name, loader, origin=path)
    sys.modules[name] = made
    return made


def forget_modules(folder: str) -> None:
    """Let the next bot import its own modules, though they may have the same names."""
    for name, known in list(sys.modules.items()):
        file = getattr(known, "__file__", None)
        if file and os.path.dirname(file) == folder and not name.startswith("bot "):
            del sys.modules[name]


def find_function(spec: str, loaded: ModuleType, name: str) -> Callable[..., Any]:
    """The function from view to action; raises UsageError where it is not clear which."""
    own = [
        key
        for key, value in vars(loaded).items()
        if isinstance(value, FunctionType) and value.__module__ == loaded.__name__ and not key.startswith("_")
    ]
    wanted = name or (own[0] if len(own) == 1 else "choose")
    chosen: Callable[..., Any] | None = vars(loaded).get(wanted)
    if not callable(chosen):
        there = f"it has {', '.join(own)}" if own else "it has no functions"
        hint = "" if name else "; say which one: FILE.py:FUNCTION"
        raise UsageError(f"{spec}: no function '{wanted}' in the file; {there}{hint}")
    needed, _ = list_parameters(chosen)
    if len([parameter for parameter in needed if parameter != "rng"]) != 1:
        raise UsageError(f"{spec}: '{wanted}' must take one argument, the view (and rng, if it wants chance)")
    return chosen


def wants_chance(strategy: Callable[..., Any]) -> bool:
    """Does a bot want a generator?"""
    return "rng" in list_parameters(strategy)[1]


def list_parameters(call: Callable[..., Any]) -> tuple[list[str], list[str]]:
    """The names of those parameters that must be given, by position or name, and of all of them."""
    if type(call) is FunctionType and not hasattr(call, "__wrapped__"):
        code = call.__code__
        both = code.co_argcount - code.co_posonlyargcount
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        needed = names[code.co_posonlyargcount : code.co_argcount - min(len(call.__defaults__ or ()), both)]
        return list(needed), list(names)
    import inspect

    known = inspect.signature(call).parameters.values()
    needed = tuple(
        each.name for each in known if each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD
    )
    return list(needed), [each.name for each in known]
