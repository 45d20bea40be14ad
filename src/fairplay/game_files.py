"""Games that are one Python file: every process loads one by its path, under the same name.

The module of the game in `./mygame.py` is ``fairplay_files.mygame``, so that values of its types travel between
processes.  A finder knows exactly the files that were taken: neither the folder of a file nor the working folder is
ever on the search path, and nothing that lies beside a file is imported.  Processes that are started later learn of the
files from an environment variable, and load a file only if it still holds what it held when it was taken.
"""

from __future__ import annotations

import os
import re
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # what lists games must not wait for these
    from collections.abc import Iterable, Mapping, Sequence

    from fairplay.core import UsageError

VARIABLE = "FAIRPLAY_GAME_FILES"
"""The variable of the environment that tells processes of ours which files were taken."""

PACKAGE = "fairplay_files"
"""The package that the modules of all files seem to lie in."""

NAME = "[a-z][a-z0-9_-]{0,39}"
"""Names of games stand in command lines, addresses and file names."""

_SHOWN = 12
"""Digits of a hash that are shown."""

_LONGEST_REASON = 300
"""Characters of an error that are shown."""


class GameFile(NamedTuple):
    """A file with a game, as it was when it was taken."""

    name: str  # of the game: the stem of the file
    path: str  # absolute, links followed
    hash: str  # the SHA-256 of what it holds
    word: str  # how somebody named it

    @property
    def module(self) -> str:
        """The name of its module, in every process."""
        return f"{PACKAGE}.{self.name}"

    def read(self) -> bytes:
        """What it holds; raises EngineError if that has changed, UsageError if it cannot be read."""
        source = _read_bytes(self.word, self.path)
        if _hash_bytes(source) != self.hash:
            from fairplay.core import EngineError

            raise EngineError(f"{self.word} has changed since it was loaded: start again")
        return source


def is_path(word: str) -> bool:
    """Does `word` name a file, and not a game?"""
    return word.endswith(".py") or "/" in word or os.sep in word


def find_file(word: str) -> GameFile:
    """The file at a path; raises UsageError if there is none, or no game can be called like it."""
    stem, suffix = os.path.splitext(os.path.basename(word))
    if suffix != ".py":
        raise _refuse(f"{word}: the file of a game is Python, and its name ends in .py")
    source = _read_bytes(word, word)
    if not re.fullmatch(NAME, stem):
        raise _refuse(
            f"{word}: the file has the name of its game, and no game can be called '{stem}': "
            "it has lower-case letters, digits, - and _, and begins with a letter"
        )
    return GameFile(stem, os.path.realpath(word), _hash_bytes(source), word)


def _read_bytes(word: str, path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        reason = "there is no such file" if isinstance(error, FileNotFoundError) else error.strerror or str(error)
        raise _refuse(f"{word}: {reason}") from None


def _refuse(reason: str) -> UsageError:
    from fairplay.core import UsageError

    return UsageError(reason)


def _hash_bytes(source: bytes) -> str:
    from hashlib import sha256  # not for those that play other games

    return sha256(source).hexdigest()


# -- the files that were taken -----------------------------------------------------------------


def take_file(file: GameFile) -> None:
    """Let the module of a file be imported, here and in the processes that are started from here on.

    EFFECT: changes the environment and what Python asks for modules.
    """
    _TAKEN[file.name] = file
    os.environ[VARIABLE] = _encode_files(_TAKEN.values())
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)


def forget_file(file: GameFile) -> None:
    """Undo `take_file`: the file cannot be loaded."""
    _TAKEN.pop(file.name, None)
    sys.modules.pop(file.module, None)
    if _TAKEN:
        os.environ[VARIABLE] = _encode_files(_TAKEN.values())
    else:
        os.environ.pop(VARIABLE, None)


def taken_files() -> Mapping[str, GameFile]:
    """The files that were taken, by the name of their game."""
    return _TAKEN


def hash_of(game: str) -> str | None:
    """The SHA-256 of the rule book of a game, if it is a file: what its records say."""
    file = _TAKEN.get(game)
    return None if file is None else file.hash


def explain_difference(game: str, recorded: str | None) -> str:
    """By what other rule book than the one at hand a match was played, in words; empty if it is the same."""
    file = _TAKEN.get(game)
    if recorded == (None if file is None else file.hash):
        return ""
    if file is None:
        return f"played by a file (SHA-256 {str(recorded)[:_SHOWN]}...), not by the installed {game}"
    if recorded is None:
        return f"played by an installed {game}, not by {file.word}"
    was, is_now = recorded[:_SHOWN], file.hash[:_SHOWN]
    return f"played by another {file.word}: SHA-256 {was}... in the record, {is_now}... here"


def word_for(game: str) -> str:
    """How a command line names a game: by its file if it is one."""
    file = _TAKEN.get(game)
    return game if file is None else file.word


def check_unchanged(game: str) -> None:
    """Raises EngineError if the game is a file that has changed: what is started now could not load it."""
    if (file := _TAKEN.get(game)) is not None:
        file.read()


def variables_for(game: str) -> tuple[tuple[str, str], ...]:
    """What the environment of a sandboxed process has to say, so that the game can be loaded there."""
    file = _TAKEN.get(game)
    return () if file is None else ((VARIABLE, _encode_files([file])),)


def _encode_files(files: Iterable[GameFile]) -> str:
    import json

    return json.dumps([*files])


def _inherit_files() -> None:
    """Take the files of the process that started this one."""
    if given := os.environ.get(VARIABLE):
        import json

        for fields in json.loads(given):
            take_file(GameFile(*fields))


# -- how Python finds them ---------------------------------------------------------------------


class _Finder:
    """Finds the modules of the files that were taken, and no others."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name == PACKAGE:
            return ModuleSpec(name, None, is_package=True)  # it is empty, and lies nowhere
        file = _TAKEN.get(name.removeprefix(f"{PACKAGE}."))
        if file is None or name != file.module:
            return None
        loader: Any = _Loader(file)  # which `importlib.abc` would take long to say
        spec = ModuleSpec(name, loader, origin=file.path)
        spec.has_location = True
        return spec


class _Loader:
    """Runs a file: its source and nothing else, no bytecode that somebody may have put beside it."""

    def __init__(self, file: GameFile) -> None:
        self.file = file

    def create_module(self, spec: ModuleSpec) -> None:
        """As Python makes it."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the file, and derive its game if it does not make one.

        Here, so that whoever imports the module finds all types in it: those that are derived, too.
        """
        exec(compile(self.file.read(), self.file.path, "exec", dont_inherit=True), vars(module))
        find_game_in(module)


def find_game_in(module: ModuleType) -> object:
    """The `GAME` of a module; it is derived, and put there, if there is none.

    Raises TypeError with what to write if that cannot be done.
    """
    if "GAME" not in vars(module):
        from fairplay.defaults import game_of  # not for those that have a GAME

        vars(module)["GAME"] = game_of(module)
    return vars(module)["GAME"]


def explain_error(file: GameFile, error: BaseException) -> str:
    """Why a file cannot be loaded: the file, its line if one is to blame, and what is wrong."""
    if isinstance(error, SyntaxError) and error.filename == file.path:
        return f"{file.word}, line {error.lineno}: {error.msg}"
    reason = " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST_REASON]
    lines, last = _trace_error(file, error)
    if isinstance(error, TypeError) and last.startswith(_DEFAULTS):
        return f"{file.word}{_locate_name(file, str(error))}: {error}"  # which says what to write
    if isinstance(error, ModuleNotFoundError) and _lies_beside(file, error.name or ""):
        reason += "; a game that is one file imports nothing that lies beside it: make it a package"
    return f"{file.word}{f', line {lines[-1]}' if lines else ''}: {reason}"


def _locate_name(file: GameFile, sentence: str) -> str:
    """The line of what a sentence begins with, such as `Drop.column` or `State`; empty if it names nothing."""
    import ast

    named = re.match(r"`(\w+)(?:\.(\w+))?`", sentence)
    if named is None:
        return ""
    for node in ast.parse(file.read()).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == named[1]:
            fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
            lines = [each.lineno for each in fields if ast.unparse(each.target) == named[2]]
            return f", line {(*lines, node.lineno)[0]}"
    return ""


def _trace_error(file: GameFile, error: BaseException) -> tuple[list[int], str]:
    """The lines of the file that an error came through, the innermost last, and the file that it came out of."""
    lines, last, step = list[int](), "", error.__traceback__
    while step is not None:
        last = step.tb_frame.f_code.co_filename
        if last == file.path:
            lines.append(step.tb_lineno)
        step = step.tb_next
    return lines, last


_DEFAULTS = os.path.join(os.path.dirname(__file__), "defaults")
"""Where games are derived from types."""


def _lies_beside(file: GameFile, module: str) -> bool:
    beside = os.path.join(os.path.dirname(file.path), module.partition(".")[0])
    return bool(module) and (os.path.isfile(f"{beside}.py") or os.path.isdir(beside))


_TAKEN: dict[str, GameFile] = {}
_FINDER = _Finder()

_inherit_files()
