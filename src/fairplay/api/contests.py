"""Contests out of Python: players as texts, paths, functions and classes, checked before the first match."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import TypeAlias, Union

from fairplay.api.games import AnyLoadedGame
from fairplay.contest.contest import Contest, Entrant, Hidden, Kinds, Stop, number_names
from fairplay.contest.planning import ContestTerms, Draw, Machine, plan
from fairplay.contest.specs import AddedSpec, is_trusted, parse_spec, trust_spec
from fairplay.core import AnyGame, UsageError
from fairplay.run.bot_check import try_players
from fairplay.run.entrants import Seating
from fairplay.run.house_players import MAX_SECONDS, resolve_player
from fairplay.run.inline import TrustedSeating
from fairplay.run.isolation.mounts import hide_paths
from fairplay.run.keeping import Keeper, MemoryKeeper, StoreKeeper
from fairplay.setups import draw_chance
from fairplay.store import default_url, open_store, store_file

PlayerSpec: TypeAlias = Union[str, Path, Callable[..., object]]
"""A player: a house player by name, with options if it has some (``"minimax:depth=3"``), or by level (``"easy"``); the
path of a bot file (``"my_bot.py"``, ``"my_bot.py:name"`` or a `Path`); ``"cmd:..."`` for a program; or a function or
class of your own."""

Players: TypeAlias = Union[Sequence[PlayerSpec], Mapping[str, PlayerSpec]]
"""Players in the order of their seats, or by the names they are to have."""

_OBJECT = "object"
"""The kind of entrant that is a function or class of this process; its number follows."""

OBJECTS: dict[int, Callable[..., object]] = {}
"""The functions and classes that are playing now, by number."""

_NUMBERS = count(1)  # no number is used twice

PYTHON_KINDS = Kinds({_OBJECT: f"{__name__}:_seat_object"})
"""What seats functions and classes."""


@contextmanager
def enter_players(players: Players, *, trust: bool) -> Iterator[tuple[Entrant, ...]]:
    """The entrants that these players are, for the time of the block; raises UsageError."""
    if isinstance(players, str | Path) or callable(players):
        raise UsageError("players: expected a list of players, one for each seat")
    named = players if isinstance(players, Mapping) else None
    given: list[PlayerSpec] = [*(players if named is None else named.values())]
    names = number_names([_name_player(player) for player in given] if named is None else [*named])
    numbers: list[int] = []
    try:
        specs = [_settle_spec(player, numbers, trust) for player in given]
        yield tuple(Entrant(name, spec) for name, spec in zip(names, specs, strict=True))
    finally:
        for number in numbers:
            del OBJECTS[number]


def _settle_spec(player: PlayerSpec, numbers: list[int], trust: bool) -> str:
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
    numbers.append(number := next(_NUMBERS))
    OBJECTS[number] = player
    return str(AddedSpec(_OBJECT, str(number)))


def _name_player(player: PlayerSpec) -> str:
    """What a player is called unless it is given a name."""
    if isinstance(player, str | Path):
        return str(player)
    name = getattr(player, "__name__", type(player).__name__)
    return str(name).strip("<>")


def is_object(spec: str) -> bool:
    """Is it the spec of a function or class of this process?"""
    match parse_spec(spec):
        case AddedSpec(kind, _):
            return kind == _OBJECT
    return False


def _seat_object(game: AnyGame, number: str, patience: float | None) -> Seating:
    """How to seat a function or class of this process; raises UsageError if it cannot play."""
    return TrustedSeating(game, OBJECTS[int(number)], patience)


# -- contests ----------------------------------------------------------------------------------


def build_contest(
    game: AnyLoadedGame,
    entrants: tuple[Entrant, ...],
    format: str,
    options: Mapping[str, object],
    seed: int | None,
    patience: float | None,
    matches: int | None = None,
    think: float | None = None,
    *,
    ponder: bool = False,
    hidden: Hidden = Hidden(),
) -> Contest:
    """The contest, checked before its first match; raises UsageError, or SetupError if it cannot be dealt.

    With a seed that is given, everything follows from it, the players' own chance too.  `hidden` is not shown to them.
    """
    if matches is not None and matches < 1:
        raise UsageError("matches: expected at least 1")
    if think is not None and not 0 < think <= MAX_SECONDS:
        raise UsageError(f"think: expected more than 0 and at most {MAX_SECONDS} seconds")
    terms = ContestTerms(
        format=format,
        options=options,
        stop=Stop(matches),
        seed=seed,
        patience=patience,
        think=think,
        ponder=ponder,
        mark="",
    )
    draw = draw_chance()
    if seed is not None:
        draw = Draw(seed, derive_secret(seed))
    check = partial(try_players, hidden=hidden, kinds=PYTHON_KINDS)
    return plan(game.game, game.setup, entrants, terms, draw, Machine(resolve_player, check))


def derive_secret(seed: int) -> str:
    """The secret of a contest whose seed was chosen: anyone who guesses the seed knows every deal anyway."""
    return blake2b(f"secret/{seed}".encode(), digest_size=16).hexdigest()


def hide_store(db: str | Path | None, *written: str | Path | None) -> Hidden:
    """What players are not shown: the store, or the one that commands use here, its key, and what is `written`."""
    file = store_file(str(db or default_url()))
    return hide_paths([file, file and f"{file}.key", *written])


@contextmanager
def open_keeper(contest: Contest, db: str | Path | None) -> Iterator[Keeper]:
    """Where the contest is kept: in the store `db`, or in memory alone."""
    if db is None:
        yield MemoryKeeper()
        return
    with open_store(db) as store:
        yield StoreKeeper(store, store.create(contest))
