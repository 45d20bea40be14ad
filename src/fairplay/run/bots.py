"""Players named on a command line: house strategies, or a function in somebody's Python file."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from fairplay.core import AnyGame, House, Player, UsageError
from fairplay.play.players import house
from fairplay.run.inline import patient

__all__ = ["Seating", "seating"]

Seating = Callable[[Random], Player]
"""Makes a player for one match out of a generator of its own."""


def seating(game: AnyGame, spec: str, patience: float | None = None) -> Seating:
    """How to seat the player that `spec` names; raises UsageError where there is no such player.

    A Python file is loaded once and held to `patience` seconds an answer; house players are trusted.
    """
    path, _, name = spec.partition(":")
    if not path.endswith(".py"):
        house(game, spec, Random(0))  # so that a wrong spec is found before the first match
        return lambda rng: House(house(game, spec, rng))
    strategy = function(spec, module(spec, Path(path)), name)
    wants_rng = "rng" in inspect.signature(strategy).parameters

    def seat(rng: Random) -> Player:
        player = House((lambda view: strategy(view, rng=rng)) if wants_rng else strategy)
        return player if patience is None else patient(player, patience)

    return seat


def module(spec: str, path: Path) -> ModuleType:
    """The module in the file; raises UsageError where it cannot be loaded."""
    if not path.is_file():
        raise UsageError(f"{spec}: there is no file {path}")
    loader = importlib.util.spec_from_file_location(f"bot_{path.stem}", path)
    assert loader is not None and loader.loader is not None, "a file name ending in .py has a loader"
    loaded = importlib.util.module_from_spec(loader)
    sys.modules[loader.name] = loaded
    folder = str(path.parent.resolve())
    sys.path.insert(0, folder)  # a bot may have modules of its own beside it
    try:
        loader.loader.exec_module(loaded)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise UsageError(f"{spec}: the file cannot be loaded: {type(error).__name__}: {error}") from None
    finally:
        sys.path.remove(folder)
    return loaded


def function(spec: str, loaded: ModuleType, name: str) -> Callable[..., Any]:
    """The function from view to action; raises UsageError where it is not clear which."""
    own = {
        key: value
        for key, value in vars(loaded).items()
        if inspect.isfunction(value) and value.__module__ == loaded.__name__ and not key.startswith("_")
    }
    wanted = name or ("choose" if "choose" in own else next(iter(own), "choose") if len(own) == 1 else "choose")
    if wanted not in own:
        there = f"it has {', '.join(own)}" if own else "it has no functions"
        hint = "" if name else "; say which one: FILE.py:FUNCTION"
        raise UsageError(f"{spec}: no function '{wanted}' in the file; {there}{hint}")
    chosen = own[wanted]
    needed = [
        parameter
        for parameter in inspect.signature(chosen).parameters.values()
        if parameter.default is parameter.empty and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]
    if not 1 <= len([parameter for parameter in needed if parameter.name != "rng"]) <= 1:
        raise UsageError(f"{spec}: '{wanted}' must take one argument, the view (and rng, if it wants chance)")
    return chosen
