"""Players named on a command line: house strategies, a function in somebody's Python file, or any program."""

from __future__ import annotations

import importlib.util
import inspect
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, House, Player, UsageError
from fairplay.play.players import house
from fairplay.run.inline import patient
from fairplay.run.isolation.program import Program
from fairplay.run.isolation.sandbox import Command, check_machine, command, own_paths
from fairplay.run.native_player import written_chance

__all__ = ["Seating", "seating", "started"]

Seating = Callable[[Random], Player]
"""Makes a player for one match out of a generator of its own."""


def seating(game: AnyGame, spec: str, patience: float | None = None) -> Seating:
    """How to seat the player that `spec` names; raises UsageError where there is no such player.

    A Python file is loaded once and held to `patience` seconds an answer; house players are trusted.  ``cmd:LINE``
    is a program in any language, ``isolated:SPEC`` any other player in a process of its own.
    """
    if spec.startswith(OUTSIDE):
        return started(game, spec, patience)
    path, _, name = spec.partition(":")
    if not path.endswith(".py"):
        house(game, spec, Random(0))  # so that a wrong spec is found before the first match
        return lambda rng: House(house(game, spec, rng))
    strategy = function(spec, module(spec, Path(path)), name)
    wants_rng = "rng" in inspect.signature(strategy).parameters

    def seat(rng: Random) -> Player:
        def choose(view: Any) -> Any:
            # A copy: whatever a bot does to what it is shown, the referee's own does not change.
            shown = pickle.loads(pickle.dumps(view))
            return strategy(shown, rng=rng) if wants_rng else strategy(shown)

        player = House(choose)
        return player if patience is None else patient(player, patience)

    return seat


OUTSIDE = ("cmd:", "isolated:")


def started(game: AnyGame, spec: str, patience: float | None = None) -> Callable[[Random], Program]:
    """How to start a player in a process of its own; raises UsageError.  ASSUME `spec` begins as one of OUTSIDE."""
    kind, _, rest = spec.partition(":")
    seconds = patience or game.patience
    if kind == "cmd":
        program = command(rest)
        return lambda rng: Program(game, program, seconds, chance=rng.getrandbits(53))
    ours = isolated(game, rest)
    return lambda rng: Program(game, ours, seconds, prologue=written_chance(rng))


def isolated(game: AnyGame, spec: str) -> Command:
    """The program that plays `spec` in a process of its own, whose file is not loaded in this one."""
    check_machine()
    path, _, _ = spec.partition(":")
    if not path.endswith(".py"):
        house(game, spec, Random(0))
    elif not Path(path).is_file():
        raise UsageError(f"{spec}: there is no file {path}")
    words = [sys.executable, "-m", "fairplay.run.native_player", game.name, spec]
    folder, package = Path.cwd(), Path(__file__).parent.parent
    shown = [*own_paths([sys.executable], folder), *package_folders(), str(package), *GAMES.folders(game.name)]
    if path.endswith(".py"):
        shown += own_paths([path], folder)
    return Command(tuple(words), str(folder), tuple(dict.fromkeys(shown)))


def package_folders() -> list[str]:
    """Where Python and installed packages lie, also those of an environment below this one."""
    installed = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    return [sys.prefix, sys.base_prefix, *installed]


def module(spec: str, path: Path) -> ModuleType:
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
        loader.loader.exec_module(loaded)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise UsageError(f"{spec}: the file cannot be loaded: {type(error).__name__}: {error}") from None
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


def function(spec: str, loaded: ModuleType, name: str) -> Callable[..., Any]:
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
