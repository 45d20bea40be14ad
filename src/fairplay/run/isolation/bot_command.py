"""How to start a bot file, or a house strategy, in a process of its own: which interpreter, with which modules."""

import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import monotonic
from types import ModuleType
from typing import Any

import msgspec

from fairplay.catalog import GAMES
from fairplay.contest.contest import Hidden
from fairplay.contest.specs import BotFileSpec, HouseSpec
from fairplay.core import AnyGame, Strategy, UsageError
from fairplay.match.players import house_strategy, parse_house
from fairplay.run.isolation import bot_process
from fairplay.run.isolation.mounts import HiddenFiles, cover_folders, folder_paths, is_shown, own_paths
from fairplay.run.isolation.sandbox import Command, show_kernels
from fairplay.run.processes import import_path


def encode_generator(rng: Random) -> bytes:
    """The state of a generator as one line."""
    return msgspec.json.encode(rng.getstate()) + b"\n"


def isolated_command(game: AnyGame, spec: HouseSpec | BotFileSpec, hidden: Hidden = Hidden()) -> Command:
    """The program that plays `spec` in a process of its own, whose file is not loaded here; raises UsageError."""
    work = Path.cwd()
    file, player = ("", spec.bare) if isinstance(spec, HouseSpec) else (spec.path, spec.function)
    files = HiddenFiles(hidden, work, [work / file] if file else [])
    shown = [*own_paths([sys.executable], files), *installed_folders(), str(PACKAGE), *GAMES.folders(game.name)]
    modules = import_path(hidden.entrants)
    imports = import_folders(modules, shown)
    shown += [each for folder in imports for each in folder_paths(folder, files)]
    if file:
        if not Path(file).is_file():
            raise UsageError(f"{spec.bare}: there is no file {file}")
        found = Path(file).resolve()
        shown += [str(found), *folder_paths(found.parent, files)]
        if str(found) != os.path.normpath(work / file):  # a link stands for what it points at
            file = str(found)
    else:
        check_strategy(game, player)
    begin = (sys.executable, *OPTIONS, BEGIN, module_path(modules, imports))
    words = (*begin, game.name, codec_module(game), file, player)
    command = Command(
        arguments=words,
        folder=str(work),
        shown=tuple(dict.fromkeys(shown)),
        variables=tuple(VARIABLES.items()),
        covers=tuple(cover_folders(shown, files)),
        proc=False,
    )
    return show_kernels(command)


def check_strategy(game: AnyGame, spec: str) -> Strategy[Any, Any]:
    """The house strategy that `spec` names; raises UsageError, with a hint if it names a file instead."""
    if parse_house(spec)[0] not in game.players.strategies and (hint := explain_file(spec)):
        raise UsageError(hint)
    return house_strategy(game, spec, Random(0), monotonic)


def explain_file(spec: str) -> str:
    """What is wrong with a spec that names a file, not a strategy, if the file is not Python; empty otherwise."""
    path = Path(spec)
    if path.is_dir():
        return f"{spec} is a folder; name a bot file in it, such as {path / 'my_bot.py'}"
    if path.is_file():
        here = spec if os.sep in spec else f"./{spec}"
        command = here if os.access(path, os.X_OK) else f"{RUN_BY.get(path.suffix, 'PROGRAM')} {spec}"
        return f"{spec}: a program is named with cmd: and what runs it; did you mean 'cmd:{command}'?"
    looks_like_file = os.sep in spec or (path.suffix and ":" not in spec)
    return f"{spec}: there is no file {spec}" if looks_like_file else ""


RUN_BY = {
    ".js": "node",
    ".mjs": "node",
    ".rb": "ruby",
    ".pl": "perl",
    ".lua": "lua",
    ".sh": "sh",
    ".jar": "java -jar",
}
"""What runs the files of some languages."""


PACKAGE = Path(bot_process.__file__).parents[2]

OPTIONS = ("-s", "-S", "-P", "-B", "-c")
"""For the interpreter: nothing is looked for, because it is told where everything lies."""

BEGIN = f"""
import gc, sys
gc.disable()
sys.path[:] = sys.argv.pop(1).split({os.pathsep!r})
class platform: system = staticmethod(lambda: {platform.system()!r})
sys.modules.update(typing_extensions=None, platform=platform)
import msgspec
del sys.modules["typing_extensions"], sys.modules["platform"], platform
from {bot_process.__name__} import main
main(*sys.argv[1:])
"""
"""What it does first.

It loads msgspec without two modules that take a fifth of the time: msgspec can do without typing_extensions, and
all that it wants of platform, through uuid, is the name of the system.
"""


def module_path(path: Sequence[str], imports: Sequence[Path]) -> str:
    """The folders that a bot imports from: those of our `path`, as far as they are there, and `imports`."""
    folders = [folder for folder in path if Path(folder).is_dir()]
    return os.pathsep.join(dict.fromkeys([*folders, str(PACKAGE.parent), *map(str, imports)]))


def codec_module(game: AnyGame) -> str:
    """The module that reads the views of a game, so that a bot need not load the rest; empty if there is none."""
    return game.codec.__name__ if isinstance(game.codec, ModuleType) else ""


VARIABLES = {
    "PYTHONHASHSEED": "0",  # sets are in the same order in every match
    "PYTHONDONTWRITEBYTECODE": "1",
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"),
}
"""What Python and its libraries for numbers need to play the same way in every match, on any number of cores."""


def installed_folders() -> list[str]:
    """Where Python and installed packages lie, also those of an environment below this one."""
    installed = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    return [sys.prefix, sys.base_prefix, *installed]


def import_folders(path: Sequence[str], shown: Sequence[str]) -> list[Path]:
    """The folders of `path` that are not shown yet, and those of editable installs."""
    editable = [
        str(Path(folder).parent)
        for name, module in list(sys.modules.items())
        if name.startswith("__editable__")
        for folder in getattr(module, "MAPPING", {}).values()
    ]
    found = [Path(folder) for folder in dict.fromkeys([*path, *editable])]
    return [folder for folder in found if folder.is_dir() and not is_shown(folder, shown)]
