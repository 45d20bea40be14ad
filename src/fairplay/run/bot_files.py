"""Bot files: a function from view to action in somebody's Python file."""

from __future__ import annotations

import importlib.util
import inspect
import os
import pickle
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Final

from fairplay.core import House, Player, UsageError
from fairplay.run.inline import WithDeadline, innermost_frames

__all__ = ["seat_bot_file", "seed_generators"]


def seat_bot_file(spec: str, patience: float | None = None) -> Callable[[Random], Player]:
    """How to seat the function that `spec` names; raises UsageError where it cannot be loaded.

    The file is loaded once, and each answer is due within `patience` seconds.
    """
    path, _, name = spec.partition(":")
    strategy = find_function(spec, load_module(spec, Path(path)), name)
    wants_rng = "rng" in inspect.signature(strategy).parameters

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


def load_module(spec: str, path: Path) -> ModuleType:
    """The module in the file; raises UsageError where it cannot be loaded."""
    if not path.is_file():
        raise UsageError(f"{spec}: there is no file {path}")
    folder = path.parent.resolve()
    loader = importlib.util.spec_from_file_location(f"bot {folder / path.stem}", path)
    assert loader is not None and loader.loader is not None, "a file name ending in .py has a loader"
    loaded = importlib.util.module_from_spec(loader)
    sys.modules[loader.name] = loaded
    sys.path.insert(0, str(folder))  # a bot may have modules of its own beside it
    try:
        with undo_mistakes():
            loader.loader.exec_module(loaded)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        lines = [each.lineno for each in innermost_frames(error) if each.filename == str(path)]
        where = f" (line {lines[-1]})" if lines else ""
        raise UsageError(f"{spec}: the file cannot be loaded: {type(error).__name__}: {error}{where}") from None
    finally:
        sys.path.remove(str(folder))
        forget_modules(folder)
    return loaded


def forget_modules(folder: Path) -> None:
    """Let the next bot import its own modules, though they may have the same names."""
    for name, known in list(sys.modules.items()):
        file = getattr(known, "__file__", None)
        if file and Path(file).parent == folder and not name.startswith("bot "):
            del sys.modules[name]


def find_function(spec: str, loaded: ModuleType, name: str) -> Callable[..., Any]:
    """The function from view to action; raises UsageError where it is not clear which."""
    own = [
        key
        for key, value in vars(loaded).items()
        if inspect.isfunction(value) and value.__module__ == loaded.__name__ and not key.startswith("_")
    ]
    wanted = name or (own[0] if len(own) == 1 else "choose")
    chosen: Callable[..., Any] | None = vars(loaded).get(wanted)
    if not callable(chosen):
        there = f"it has {', '.join(own)}" if own else "it has no functions"
        hint = "" if name else "; say which one: FILE.py:FUNCTION"
        raise UsageError(f"{spec}: no function '{wanted}' in the file; {there}{hint}")
    needed = [
        parameter
        for parameter in inspect.signature(chosen).parameters.values()
        if parameter.default is parameter.empty and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]
    if len([parameter for parameter in needed if parameter.name != "rng"]) != 1:
        raise UsageError(f"{spec}: '{wanted}' must take one argument, the view (and rng, if it wants chance)")
    return chosen
