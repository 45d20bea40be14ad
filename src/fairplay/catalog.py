"""The games that are there: the folders of ``fairplay.games``, those of installed packages, and files that were named.

A package offers a game with an entry point of the group ``fairplay.games``, such as ``nim = "nim:GAME"``, or ``nim =
"nim"`` for a module from which the game is derived.  This is the one place where a game is imported by name: each when
it is first asked for.
"""

from __future__ import annotations

import pkgutil
import re
import sys
from collections.abc import Callable, ItemsView, Iterator, Mapping, ValuesView
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fairplay.games

if TYPE_CHECKING:  # what lists games must not wait for these
    from importlib.metadata import EntryPoint

    from fairplay.core import AnyGame
    from fairplay.game_files import GameFile

_GROUP = "fairplay.games"
"""The package of Fairplay's own games, and the group of entry points of all others."""

_LONGEST_REASON = 300
"""Characters of an error that are shown."""


class Catalog(Mapping[str, "AnyGame"]):
    """Games by name, in alphabetical order.

    Listing the names imports nothing.  An installed game that fails to load is named once in a warning, and from then
    on it is not in the catalog.
    """

    def __init__(self) -> None:
        self.warnings: list[str] = []  # why games were left out

    def __getitem__(self, name: str) -> AnyGame:
        if name in built_in_games():
            game: AnyGame = import_module(f"{_GROUP}.{name}").GAME
            return game
        if name in _taken_files():
            return _load_file(_taken_files()[name])
        loaded = self._load_installed(name)
        if loaded is None:
            raise KeyError(name)
        return loaded

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*built_in_games(), *_taken_files(), *self.installed}))

    def __len__(self) -> int:
        return len({*self})

    def values(self) -> ValuesView[AnyGame]:
        """All games, without those that fail to load."""
        return self._load_all().values()

    def items(self) -> ItemsView[str, AnyGame]:
        """All games by name, without those that fail to load."""
        return self._load_all().items()

    @cached_property
    def installed(self) -> dict[str, EntryPoint]:
        """The games of installed packages that are not known to fail, by name."""
        from importlib.metadata import entry_points

        found: dict[str, EntryPoint] = {}
        for point in entry_points(group=_GROUP):
            if point.name in built_in_games():
                self._warn(f"{_describe_offer(point)} is left out: Fairplay has a game of that name.")
            elif point.name in found:
                self._warn(
                    f"{_describe_offer(point)} is left out: {_package_of(found[point.name])} has a game of that name."
                )
            else:
                found[point.name] = point
        return found

    def folders(self, name: str) -> tuple[str, ...]:
        """Where the modules of a game lie; a sandbox must show them.  Raises KeyError if there is no such game."""
        if name in built_in_games():
            return tuple(f"{path}/{name}" for path in fairplay.games.__path__)
        if name in _taken_files():
            return (_taken_files()[name].path,)
        if self._load_installed(name) is None:
            raise KeyError(name)
        top = sys.modules[self.installed[name].module.partition(".")[0]]
        folders = [*getattr(top, "__path__", ())]
        if top.__file__ is not None:  # it is not a namespace; an editable install may consist of links
            file = Path(top.__file__)
            folders += [str(file.resolve().parent)] if folders else [str(file), str(file.resolve())]
        return tuple(dict.fromkeys(folders))

    def add_file(self, word: str) -> AnyGame:
        """The game in the file at a path, which is there from now on; raises UsageError.

        EFFECT: runs the file, here and in the processes that are started later.
        """
        from fairplay.core import UsageError
        from fairplay.game_files import find_file, forget_file, take_file

        file = find_file(word)
        known = _taken_files().get(file.name)
        if known is not None and known.path == file.path:
            known.read()  # it must not have changed
            return _load_file(known)
        if known is not None:
            raise UsageError(f"{word}: there is a game '{file.name}' already: {known.word}")
        if file.name in built_in_games():
            raise UsageError(f"{word}: Fairplay has a game '{file.name}'; give the file another name")
        if (point := self.installed.get(file.name)) is not None:
            if _source_of(point) == file.path:
                return find_game(file.name)
            raise UsageError(f"{word}: {_package_of(point)} has a game '{file.name}'; give the file another name")
        take_file(file)
        try:
            return _load_file(file)
        except BaseException:
            forget_file(file)
            raise

    def _load_all(self) -> dict[str, AnyGame]:
        return {name: self[name] for name in tuple(self) if name in self}

    def _load_installed(self, name: str) -> AnyGame | None:
        """The game of an installed package; None, with a warning, if it cannot be loaded."""
        point = self.installed.get(name)
        if point is None:
            return None
        try:
            return check_game(name, self._read_offer(point))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a package may do anything while it is imported
            if self.installed.pop(name, None):  # another thread may have found out at the same time
                reason = f"{type(error).__name__}: {error}"[:_LONGEST_REASON]
                self._warn(f"{_describe_offer(point)} cannot be loaded and is left out ({reason}).")
            return None

    def _read_offer(self, point: EntryPoint) -> object:
        """What an entry point names: a game, or a module that is one."""
        from types import ModuleType

        offered = point.load()
        if not isinstance(offered, ModuleType):
            return offered
        from fairplay.game_files import find_game_in

        return find_game_in(offered)

    def _warn(self, sentence: str) -> None:
        import logging

        self.warnings.append(" ".join(sentence.split()))
        logging.getLogger("fairplay").warning("Warning: %s", self.warnings[-1])


def _taken_files() -> Mapping[str, GameFile]:
    """The games that are files, by name; what takes them is not loaded before."""
    from fairplay.game_files import taken_files

    return taken_files()


def _load_file(file: GameFile) -> AnyGame:
    """The game of a file; raises UsageError with the file, the line if one is to blame, and what is wrong.

    Raises EngineError if it has changed.
    """
    from fairplay.core import EngineError, UsageError
    from fairplay.game_files import explain_error

    try:
        game: AnyGame = import_module(file.module).GAME
    except (KeyboardInterrupt, EngineError):
        raise
    except BaseException as error:  # a file may do anything while it is run
        raise UsageError(explain_error(file, error)) from None
    if game is _CHECKED.get(file.name):
        return game
    if getattr(game, "name", file.name) != file.name:
        raise UsageError(f"{file.word}: the game calls itself '{game.name}', and the file has the name of its game")
    try:
        _CHECKED[file.name] = check_game(file.name, game)
    except TypeError as error:
        raise UsageError(f"{file.word}: GAME: {error}") from None
    return _CHECKED[file.name]


_CHECKED: dict[str, AnyGame] = {}
"""The games of files that are known to have all that they need: a server asks for every request."""


def _source_of(point: EntryPoint) -> str | None:
    """The file of the module that an entry point names, links followed; None if that cannot be found."""
    from importlib.util import find_spec

    try:
        spec = find_spec(point.module)
    except (ImportError, ValueError):
        return None
    return None if spec is None or spec.origin is None else str(Path(spec.origin).resolve())


@cache
def built_in_games() -> tuple[str, ...]:
    """The folders of ``fairplay.games``, looked up once: a server asks for every request."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(fairplay.games.__path__) if module.ispkg))


def check_game(name: str, loaded: object) -> AnyGame:
    """`loaded` if it is a game of this name; raises TypeError or ValueError."""
    from fairplay.core import Game
    from fairplay.game_files import NAME

    if not re.fullmatch(NAME, name):
        raise ValueError("the name of a game has lower-case letters, digits, - and _, and begins with a letter")
    if not isinstance(loaded, Game):
        raise TypeError(f"expected a fairplay.core.Game, got {type(loaded).__name__}")
    if loaded.name != name:
        raise ValueError(f"the game calls itself '{loaded.name}'; the entry point must have the same name")
    if flaws := find_flaws(loaded):
        raise TypeError("; ".join(flaws))
    return loaded


def find_flaws(game: AnyGame) -> list[str]:
    """What the parts of a game lack of their protocols, in words: found now, not in the middle of a match."""
    from fairplay.core import Codec, Notation, Rules, Words

    flaws = [
        flaw
        for part, protocol in (("rules", Rules), ("codec", Codec), ("words", Words), ("notation", Notation))
        for flaw in find_missing(part, getattr(game, part), protocol)
    ]
    flaws += _find_chance_flaws(game)
    uncallable = [name for name, strategy in game.players.strategies.items() if not callable(strategy)]
    return flaws + [f"the house player '{name}' is no function" for name in uncallable]


def _find_chance_flaws(game: AnyGame) -> Iterator[str]:
    """What does not fit together in a rule book with chance after the deal."""
    from fairplay.core import ChanceRules

    found = [name for name in ("chance", "befall", "public_outcome") if callable(getattr(game.rules, name, None))]
    if not found:
        return
    yield from find_missing("rules", game.rules, ChanceRules)
    for part, name in (("rules", "public_outcome"), ("words", "describe_outcome")):
        function = getattr(getattr(game, part), name, None)
        if callable(function) and not _can_be_called(function, 1):
            yield f"'{name}' of its {part} cannot be called as {name}(outcome)"
    if "chance" in found and game.parts.kernel is not None:
        yield "its kernel knows no chance after the deal: leave out the kernel, or 'chance' of its rules"


def find_missing(part: str, given: object, protocol: type) -> Iterator[str]:
    """The functions of a protocol that a part of a game does not have, or that cannot be called as they will be."""
    from inspect import Parameter, signature

    for name, wanted in vars(protocol).items():
        if name.startswith("_") or not callable(wanted):
            continue
        function = getattr(given, name, None)
        if not callable(function):
            yield f"its {part} have no function '{name}'"
            continue
        _, *parameters = signature(wanted).parameters.values()
        named = [each.name for each in parameters if each.kind is Parameter.KEYWORD_ONLY]
        if not _can_be_called(function, len(parameters) - len(named), *named):
            yield f"'{name}' of its {part} cannot be called as {name}{_describe_parameters(parameters)}"


def _can_be_called(function: Callable[..., object], count: int, *named: str) -> bool:
    """Does it take so many arguments, and those with names?"""
    from inspect import signature

    try:
        signature(function).bind(*[None] * count, **dict.fromkeys(named))
    except TypeError:
        return False
    except ValueError:
        pass  # a function that cannot say what it takes, such as one in C
    return True


def _describe_parameters(parameters: list[Any]) -> str:
    """Parameters as they are written, without their types."""
    return f"({', '.join(each.name for each in parameters)})"


def _describe_offer(point: EntryPoint) -> str:
    """What an entry point offers, in words."""
    return f"The game '{point.name}' of {_package_of(point)}"


def _package_of(point: EntryPoint) -> str:
    """The package that an entry point belongs to, in words."""
    return f"the package {point.dist.name}" if point.dist else "an installed package"


GAMES = Catalog()


def find_game(name: str) -> AnyGame:
    """The game of this name; raises UsageError if there is none, or it cannot be loaded."""
    from fairplay.core import UsageError
    from fairplay.core.names import list_known

    if name not in GAMES:
        raise UsageError(f"there is no game '{name}'; there are: {list_known(name, GAMES)}")
    return GAMES[name]


def open_game(word: str) -> AnyGame:
    """The game of this name, or the one in the Python file at this path; raises UsageError.

    A file is run, so `word` must come from somebody who may do so: never from a record, a store or a request.
    """
    from fairplay.game_files import is_path

    return GAMES.add_file(word) if is_path(word) else find_game(word)
