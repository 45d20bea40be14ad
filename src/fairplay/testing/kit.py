"""A kit: what the laws cannot find out about a game by themselves.  Every field of it has a default.

The kit of a game is found beside it: ``KIT`` in the module of the game, or in a module ``kit`` of its package.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from fairplay.catalog import GAMES, find_game
from fairplay.core import Seat, UsageError

if TYPE_CHECKING:  # a game that has a kit must not need what the laws need
    from hypothesis.strategies import SearchStrategy


class Table(NamedTuple):
    """A match to be dealt: the chosen parameters and the number of seats."""

    setup: Any  # in a kit, also the name of a variant
    seats: int


class Perft(NamedTuple):
    """How many sequences of 1, 2, ... legal actions there are after some random turns from a deal (see `walk`)."""

    table: Table
    seed: int
    counts: tuple[int, ...]
    turns: int = 0


Scramble: TypeAlias = Callable[[Any, Seat | None, Random], Any]
Disguise: TypeAlias = Callable[[Any, Seat | None, Random], Any]
ListIllegal: TypeAlias = Callable[[Any], Iterable[tuple[str, Any]]]


def _assert_nothing(state: Any) -> None:
    """Any state will do."""


@dataclass(frozen=True)
class Kit:
    """What an author tells the laws about a game; what is left out, they make up."""

    tables: SearchStrategy[Table] | Sequence[Table] | None = None
    """Small matches of every kind: both few and many seats, every variant.  Default: all variants and numbers of
    seats."""

    scramble: Scramble | None = None
    """The same state with everything that `seat` may not know changed at random (itself, if nothing is hidden);
    None stands for somebody who only watches.  Default: what the rule book imagines."""

    disguise: Disguise | None = None
    """Another action that looks the same to `seat`, whose own it is not (itself, if everybody sees what is done).
    Default: itself."""

    hides: bool | None = None
    """Is there anything to scramble?  Default: tried out."""

    illegal: ListIllegal | None = None
    """For a view whose owner is to move: one action for each class of illegal ones, with the name of its class.
    Default: random actions, within the bounds of their types, that are not legal; none if there are no such actions."""

    invariant: Callable[[Any], None] = _assert_nothing
    """Asserts what every state that can be reached must satisfy."""

    perft: Sequence[Perft] = ()
    """Counts of sequences of legal actions, made by other means than the rule book."""

    longest: int = 2_000
    """No match of `tables` has more turns than this."""

    alike: Sequence[tuple[Any, Any]] = ()
    """Pairs of setups that differ only in what no player may know."""

    rare: tuple[type, ...] = ()
    """Kinds of actions and news that hundreds of random matches need not have."""

    plays_on_alone: bool | None = None
    """Is a seat that is left alone asked all the same?  Default: it may be, or the match may end."""


@dataclass(frozen=True)
class CompleteKit:
    """A kit of which nothing is left out: what the laws use."""

    tables: SearchStrategy[Table]
    first_table: Table  # one for laws that need no more
    scramble: Scramble
    disguise: Disguise
    find_hides: Callable[[], bool]
    illegal: ListIllegal
    invariant: Callable[[Any], None]
    perft: Sequence[Perft]
    longest: int
    alike: Sequence[tuple[Any, Any]]
    rare: tuple[type, ...]
    plays_on_alone: bool | None

    @cached_property
    def hides(self) -> bool:
        """Is there anything to scramble?"""
        return self.find_hides()


# -- where kits are ----------------------------------------------------------------------------

_elsewhere: list[Callable[[str], Kit | None]] = []


def look_elsewhere(find: Callable[[str], Kit | None]) -> None:
    """Ask `find` for the kit of a game, by name, before looking beside the game."""
    if find not in _elsewhere:
        _elsewhere.append(find)


def find_kit(name: str) -> Kit:
    """The kit of a game, all defaults if it has none; raises UsageError if there is no such game, or KIT is no Kit."""
    for find in _elsewhere:
        if (found := find(name)) is not None:
            return found
    game = find_game(name)
    module = GAMES.installed[name].module if name in GAMES.installed else game.actions[0].__module__
    while module not in ("", "fairplay", "fairplay.games"):
        if (beside := _read_kit(module)) is not None:
            return beside
        module = module.rpartition(".")[0]
    return Kit()


def _read_kit(module: str) -> Kit | None:
    """The kit in a module, or in its module `kit` if it is a package."""
    loaded = sys.modules.get(module)
    kit = getattr(loaded, "KIT", None)
    if kit is None and hasattr(loaded, "__path__") and find_spec(f"{module}.kit") is not None:
        kit = getattr(import_module(f"{module}.kit"), "KIT", None)
    if kit is not None and not isinstance(kit, Kit):
        raise UsageError(f"KIT of {module} is no kit: expected a fairplay.testing.Kit, got {type(kit).__name__}")
    return kit
