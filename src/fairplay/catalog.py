"""The games there are: whatever folders lie in ``fairplay.games``, each loaded when it is first asked for."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

import fairplay.games
from fairplay.core import AnyGame

__all__ = ["GAMES"]


class Catalog(Mapping[str, AnyGame]):
    """Games by name, in alphabetical order."""

    def __getitem__(self, name: str) -> AnyGame:
        if name not in [*self]:
            raise KeyError(name)
        game: AnyGame = import_module(f"fairplay.games.{name}").GAME
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(folders(*fairplay.games.__path__))

    def __len__(self) -> int:
        return sum(1 for _ in self)


@cache
def folders(*paths: str) -> tuple[str, ...]:
    """The packages that lie there, looked up once: a server asks for every request."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(paths) if module.ispkg))


GAMES = Catalog()
