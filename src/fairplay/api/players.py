"""Players as Python names them: texts, paths, functions and classes, each made an entrant of a contest."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias, Union

from fairplay.contest.contest import Entrant, Kinds, number_names
from fairplay.contest.specs import AddedSpec, is_trusted, parse_spec, trust_spec
from fairplay.core import AnyGame, UsageError
from fairplay.run.entrants import Seating
from fairplay.run.inline import TrustedSeating

PlayerSpec: TypeAlias = Union[str, Path, Callable[..., Any]]
"""A player: a house player by name, with options if it has some (``"minimax:depth=3"``), or by level (``"easy"``); the
path of a bot file (``"my_bot.py"``, ``"my_bot.py:name"`` or a `Path`); ``"cmd:..."`` for a program; or a function or
class of your own."""

Players: TypeAlias = Union[Sequence[PlayerSpec], Mapping[str, PlayerSpec]]
"""Players in the order of their seats, or by the names they are to have."""

OBJECT = "object"
"""The kind of entrant that is a function or class of this process; its number follows."""

OBJECTS: dict[int, Callable[..., Any]] = {}
"""The functions and classes that are playing now, by number."""

NUMBERS = count(1)  # no number is used twice

PYTHON_KINDS = Kinds({OBJECT: f"{__name__}:seat_object"})
"""What seats functions and classes."""


@contextmanager
def enter_players(players: Players, *, trust: bool) -> Iterator[tuple[Entrant, ...]]:
    """The entrants that these players are, for the time of the block; raises UsageError."""
    if isinstance(players, str | Path) or callable(players):
        raise UsageError("players: expected a list of players, one for each seat")
    named = players if isinstance(players, Mapping) else None
    given: list[PlayerSpec] = [*(players if named is None else named.values())]
    names = number_names([name_player(player) for player in given] if named is None else [*named])
    numbers: list[int] = []
    try:
        specs = [settle_spec(player, numbers, trust) for player in given]
        yield tuple(Entrant(name, spec) for name, spec in zip(names, specs, strict=True))
    finally:
        for number in numbers:
            del OBJECTS[number]


def settle_spec(player: PlayerSpec, numbers: list[int], trust: bool) -> str:
    """The spec of a player; a function or class gets a number, which is appended to `numbers`; raises UsageError."""
    if isinstance(player, str | Path):
        spec = str(player)
        if is_object(spec):
            raise UsageError(f"'{spec}' is not a player; give the function or the class itself")
        if is_trusted(spec) and not trust:
            raise UsageError(f"{spec}: a file is run in this process only with trust=True")
        return trust_spec(spec) if trust else spec
    if not callable(player):
        raise UsageError(f"players: expected a name, a path, a function or a class, not {type(player).__name__}")
    numbers.append(number := next(NUMBERS))
    OBJECTS[number] = player
    return str(AddedSpec(OBJECT, str(number)))


def name_player(player: PlayerSpec) -> str:
    """What a player is called unless it is given a name."""
    if isinstance(player, str | Path):
        return str(player)
    name = getattr(player, "__name__", type(player).__name__)
    return str(name).strip("<>")


def is_object(spec: str) -> bool:
    """Is it the spec of a function or class of this process?"""
    match parse_spec(spec):
        case AddedSpec(kind, _):
            return kind == OBJECT
    return False


def seat_object(game: AnyGame, number: str, patience: float | None) -> Seating:
    """How to seat a function or class of this process; raises UsageError if it cannot play."""
    return TrustedSeating(game, OBJECTS[int(number)], patience)
