"""How to start a program: one that a command line names, or a bot file or house strategy in a process of its own."""

import os
import platform
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import monotonic
from types import ModuleType

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from fairplay import game_files
from fairplay.catalog import GAMES
from fairplay.contest.contest import Hidden
from fairplay.contest.specs import BotFileSpec, HouseSpec
from fairplay.core import AnyGame, AnyStrategy, UsageError
from fairplay.kernels.cache import FOLDER, shown_cache
from fairplay.match.players import house_strategy, parse_house
from fairplay.run.isolation import bot_process
from fairplay.run.isolation.mounts import Cover, HiddenFiles, cover_folders, folder_paths, is_shown, own_paths
from fairplay.run.processes import import_path


class Command(Struct, frozen=True):
    """A program with its arguments, the folder it is started in, and what of the file system belongs to it."""

    arguments: tuple[str, ...]
    folder: str
    shown: tuple[str, ...] = ()
    variables: tuple[tuple[str, str], ...] = ()  # of its environment, besides those that every program has
    covers: tuple[Cover, ...] = ()  # what is hidden again of it
    proc: bool = True  # whether it needs /proc, as virtual machines do to find themselves


def parse_command(text: str, hidden: Hidden = Hidden()) -> Command:
    """The program that a command line names; raises UsageError if there is none that can be started."""
    try:
        words = split_words(text)
    except ValueError as error:
        raise UsageError(f"cmd:{text}: {str(error).lower()}") from None
    if not words:
        raise UsageError("cmd: needs a program, such as cmd:./my_bot")
    folder = Path.cwd()
    words[0] = _find_executable(text, words[0])
    files = HiddenFiles(hidden, folder, [folder / word for word in words])
    shown = tuple(own_paths(words, files))
    return _show_kernels(Command(tuple(words), str(folder), shown, covers=tuple(cover_folders(shown, files))))


def _show_kernels(program: Command) -> Command:
    """The same program, which finds the compiled kernels that there are; a sandbox shows them read-only."""
    found = shown_cache()
    variables = (*program.variables, *((FOLDER, path) for path in found))
    return replace(program, shown=(*program.shown, *found), variables=variables)


def split_words(text: str) -> list[str]:
    """The words of a command line, as the system's own shell would have them; raises ValueError."""
    if os.name == "posix":
        return shlex.split(text)
    return [word.strip('"') for word in shlex.split(text, posix=False)]  # a backslash is part of a path


def _find_executable(text: str, name: str) -> str:
    """The full path of a program; raises UsageError with the reason in one line."""
    if os.sep not in name:
        if found := shutil.which(name):
            return str(_resolve_shim(text, Path(found).absolute()))
        hint = f"; for the file in this folder write cmd:./{text}" if Path(name).is_file() else ""
        raise UsageError(f"cmd:{text}: there is no program '{name}' on the PATH{hint}")
    path = Path(name).absolute()
    if not path.is_file():
        raise UsageError(f"cmd:{text}: there is no file {name}")
    if not os.access(path, os.X_OK):
        raise UsageError(f"cmd:{text}: the file {name} is not executable; chmod +x {name}")
    return str(path)


_MANAGERS = ("pyenv", "rbenv", "nodenv", "asdf", "mise")
"""Version managers, whose folder `shims` holds scripts that find out which version of a program is meant."""


def _resolve_shim(text: str, path: Path) -> Path:
    """The program that `path` starts here: a sandbox has no version manager to ask.  Raises UsageError."""
    root = path.parent.parent
    manager = next((name for name in _MANAGERS if name in root.name), None)
    if path.parent.name != "shims" or manager is None:
        return path
    tool = shutil.which(manager, path=f"{root / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}")
    if tool is None:
        raise UsageError(f"cmd:{text}: {path} needs {manager}, which is not there; give the full path of the program")
    asked = subprocess.run([tool, "which", path.name], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if asked.returncode != 0:
        reason = (asked.stderr.strip() or f"no {path.name}").splitlines()[0]
        raise UsageError(f"cmd:{text}: {manager} does not know which program is meant: {reason}")
    return Path(asked.stdout.strip())


# -- bots and house players in processes of their own ----------------------------------------


def encode_generator(rng: Random) -> bytes:
    """The state of a generator as one line."""
    return msgspec.json.encode(rng.getstate()) + b"\n"


def isolated_command(game: AnyGame, spec: HouseSpec | BotFileSpec, hidden: Hidden = Hidden()) -> Command:
    """The program that plays `spec` in a process of its own, whose file is not loaded here; raises UsageError."""
    work = Path.cwd()
    file, player = ("", spec.bare) if isinstance(spec, HouseSpec) else (spec.path, spec.function)
    files = HiddenFiles(hidden, work, [work / file] if file else [])
    shown = [*own_paths([sys.executable], files), *_installed_folders(), str(PACKAGE), *GAMES.folders(game.name)]
    modules = import_path(hidden.entrants)
    imports = _import_folders(modules, shown)
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
    begin = (sys.executable, *OPTIONS, BEGIN, _module_path(modules, imports))
    words = (*begin, game.name, _codec_module(game), file, player)
    command = Command(
        arguments=words,
        folder=str(work),
        shown=tuple(dict.fromkeys(shown)),
        variables=(*_VARIABLES.items(), *game_files.variables_for(game.name)),
        covers=tuple(cover_folders(shown, files)),
        proc=False,
    )
    return _show_kernels(command)


def check_strategy(game: AnyGame, spec: str) -> AnyStrategy:
    """The house strategy that `spec` names; raises UsageError, with a hint if it names a file instead."""
    if parse_house(spec)[0] not in game.players.strategies and (hint := _explain_file(spec)):
        raise UsageError(hint)
    return house_strategy(game, spec, Random(0), monotonic)


def _explain_file(spec: str) -> str:
    """What is wrong with a spec that names a file, not a strategy, if the file is not Python; empty otherwise."""
    path = Path(spec)
    if path.is_dir():
        return f"{spec} is a folder; name a bot file in it, such as {path / 'my_bot.py'}"
    if path.is_file():
        here = spec if os.sep in spec else f"./{spec}"
        command = here if os.access(path, os.X_OK) else f"{_RUN_BY.get(path.suffix, 'PROGRAM')} {spec}"
        return f"{spec}: a program is named with cmd: and what runs it; did you mean 'cmd:{command}'?"
    looks_like_file = os.sep in spec or (path.suffix and ":" not in spec)
    return f"{spec}: there is no file {spec}" if looks_like_file else ""


_RUN_BY = {
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


def _module_path(path: Sequence[str], imports: Sequence[Path]) -> str:
    """The folders that a bot imports from: those of our `path`, as far as they are there, and `imports`."""
    folders = [folder for folder in path if Path(folder).is_dir()]
    return os.pathsep.join(dict.fromkeys([*folders, str(PACKAGE.parent), *map(str, imports)]))


def _codec_module(game: AnyGame) -> str:
    """The module that reads the views of a game, so that a bot need not load the rest; empty if there is none."""
    if game.name in game_files.taken_files():  # which is one module
        return ""
    return game.codec.__name__ if isinstance(game.codec, ModuleType) else ""


_VARIABLES = {
    "PYTHONHASHSEED": "0",  # sets are in the same order in every match
    "PYTHONDONTWRITEBYTECODE": "1",
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"),
}
"""What Python and its libraries for numbers need to play the same way in every match, on any number of cores."""


def _installed_folders() -> list[str]:
    """Where Python and installed packages lie, also those of an environment below this one."""
    installed = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    return [sys.prefix, sys.base_prefix, *installed]


def _import_folders(path: Sequence[str], shown: Sequence[str]) -> list[Path]:
    """The folders of `path` that are not shown yet, and those of editable installs."""
    editable = [
        str(Path(folder).parent)
        for name, module in list(sys.modules.items())
        if name.startswith("__editable__")
        for folder in getattr(module, "MAPPING", {}).values()
    ]
    found = [Path(folder) for folder in dict.fromkeys([*path, *editable])]
    return [folder for folder in found if folder.is_dir() and not is_shown(folder, shown)]
