"""How the player that a spec names is seated, and at which level that player is kept."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pkgutil import resolve_name
from random import Random
from time import monotonic
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from fairplay.contest import specs
from fairplay.contest.contest import Contest, Entrant, Hidden, Kinds, Match, Requirement
from fairplay.core import AnyGame, EngineError, House, Player, SeatInfo, UsageError
from fairplay.match.players import describe_house, house_strategy
from fairplay.match.record import HousePlayer, Isolation
from fairplay.run.inline import TrustedSeating, seat_bot_file
from fairplay.run.isolation.command import Command, check_strategy, encode_generator, isolated_command, parse_command
from fairplay.run.isolation.program import Program
from fairplay.run.isolation.sandbox import find_level
from fairplay.store import SessionRow


class Seating(Protocol):
    """Makes a player for one match out of a generator of its own and what it may know of its seat.

    Without `info`, which a match always gives, it sits at the standard game.
    """

    def __call__(self, rng: Random, info: SeatInfo | None = None, /) -> Player: ...


class _Maker(Protocol):
    """Takes the game, what follows the kind in a spec, and the seconds for an answer; raises UsageError."""

    def __call__(self, game: AnyGame, rest: str, patience: float | None, /) -> Seating: ...


def seat_entrant(
    game: AnyGame,
    text: str,
    patience: float | None = None,
    hidden: Hidden = Hidden(),
    kinds: Kinds = Kinds(),
) -> Seating:
    """How to seat the player that the spec `text` names, to whom `hidden` is not shown; raises UsageError.

    kinds: those of upper layers, which go before our own.
    """
    spec = specs.parse_spec(text)
    if (made := _seat_added(game, spec, patience, kinds)) is not None:
        return made
    match spec:
        case specs.ConnectionSpec():
            raise EngineError("this contest has players that signed up over a network; resume it with --port")
        case specs.PersonSpec():
            raise UsageError("people play with `fairplay play`, or on the page of `fairplay serve`")
        case specs.VersionSpec():
            raise UsageError(f"{text}: versions are seated by a league, and none runs here; name the bot file itself")
        case specs.BotFileSpec(trust="trusted"):
            return seat_bot_file(game, spec.path, spec.function, patience)
        case specs.ProgramSpec() | specs.BotFileSpec() | specs.HouseSpec(trust="isolated"):
            return start_program(game, text, patience, hidden)
        case specs.HouseSpec():
            return _seat_house(game, spec.bare)
        case specs.AddedSpec():
            return _seat_house(game, text)  # whose options may be wrong


def _seat_added(game: AnyGame, spec: specs.EntrantSpec, patience: float | None, kinds: Kinds) -> Seating | None:
    match spec:
        case specs.AddedSpec(kind, rest) if kind in kinds.makers:
            pass
        case specs.PersonSpec(rest) if (kind := specs.PERSON) in kinds.makers:
            pass
        case _:
            return None
    maker: _Maker = resolve_name(kinds.makers[kind])
    return maker(game, rest, patience)


def _seat_house(game: AnyGame, bare: str) -> HouseSeating:
    strategy = check_strategy(game, bare)  # a wrong spec is found before the first match
    return HouseSeating(game, bare, hasattr(strategy, "saw"))


class HouseSeating(Struct, frozen=True):
    """How to seat a house strategy in this process.  One that thinks for some time is handed the clock here."""

    game: AnyGame
    bare: str
    wants_turns: bool

    def __call__(self, rng: Random, info: SeatInfo | None = None, /) -> Player:
        return House(house_strategy(self.game, self.bare, rng, monotonic))


def wants_turns(seating: Seating) -> bool:
    """May the player want to be told of every turn?"""
    return isinstance(seating, HouseSeating | TrustedSeating) and seating.wants_turns


def describe_house_players(game: AnyGame, match: Match) -> tuple[HousePlayer | None, ...]:
    """Those house players of a match, by seat, that sit down in the referee's process; empty if there are none."""
    houses = [specs.house_of(entrant.spec) for entrant in match.entrants]
    if not any(houses):
        return ()
    seats = zip(houses, match.chances, strict=True)
    return tuple(None if bare is None else describe_house(game, bare, chance) for bare, chance in seats)


# -- players in processes of their own ---------------------------------------------------------


class ProgramSeating(Protocol):
    """Starts a program for one match."""

    def __call__(self, rng: Random, info: SeatInfo | None = None, /) -> Program: ...


class BotSeating(Struct, frozen=True):
    """How to seat a bot in a process of its own.  It may be started early: it is loaded when its match begins."""

    game: AnyGame
    command: Command
    patience: float

    def __call__(self, rng: Random, info: SeatInfo | None = None, /) -> Program:
        return Program(self.game, self.command, self.patience, info=info, prologue=encode_generator(rng))


def start_program(game: AnyGame, text: str, patience: float | None = None, hidden: Hidden = Hidden()) -> ProgramSeating:
    """How to start the player that the spec `text` names in a process of its own; raises UsageError."""
    spec, seconds = specs.parse_spec(text), patience or game.patience
    match spec:
        case specs.ProgramSpec():
            program = parse_command(spec.command, hidden)
            return lambda rng, info=None: Program(game, program, seconds, chance=rng.getrandbits(53), info=info)
        case specs.HouseSpec() | specs.BotFileSpec():
            return BotSeating(game, isolated_command(game, spec, hidden), seconds)
    raise UsageError(f"{text}: expected a bot file, a house player or cmd: and a program")


def hide_entrants(contest: Contest, hidden: Hidden) -> Hidden:
    """`hidden`, and the files of all entrants: nobody sees what belongs to another one."""
    return replace(hidden, entrants=files_of(contest))


def files_of(contest: Contest) -> tuple[str, ...]:
    """The files of all entrants, bots and programs, as their specs name them."""
    files: list[str] = []
    for entrant in contest.entrants:
        match specs.parse_spec(entrant.spec):
            case specs.ProgramSpec(command):
                files += [word for word in command.split() if os.path.isfile(word)]  # noqa: PTH113 - of every entrant
            case specs.BotFileSpec(path):
                files.append(path)
    return tuple(dict.fromkeys(files))


def find_stranded(contest: Contest, sessions: Iterable[SessionRow]) -> list[str]:
    """The names of those who signed up over a network and have no session with which they could come back."""
    known = {row.player for row in sessions}
    return [contest.names[number] for number in specs.connection_numbers(contest) if number not in known]


# -- levels ------------------------------------------------------------------------------------


def levels_of(
    entrants: Sequence[Entrant], players: Iterable[object], require: Requirement = ""
) -> tuple[Isolation, ...]:
    """The levels of these players, by seat; raises EngineError if one is below what the contest requires."""
    levels = tuple(_level_of(spec, player) for (_, spec), player in zip(entrants, players, strict=True))
    if require and not {*levels}.isdisjoint(_BELOW[require]):
        raise EngineError(f"the contest requires players to be {require}, and here they are not: {_explain_level()}")
    return levels


_BELOW: dict[Requirement, tuple[Isolation, ...]] = {"sandboxed": ("process", "trusted")}
"""The levels that are not enough."""


def _level_of(spec: str, player: object) -> Isolation:
    """The level at which this player, made of `spec`, is seated; None is one that is awaited."""
    if isinstance(player, Program):
        return find_level().level if player.child is None else player.child.level
    match specs.parse_spec(spec):
        case specs.PersonSpec() if player is not None:
            return "person"
        case specs.ConnectionSpec():
            return "connection"
    if player is None:
        return "connection"
    return "trusted" if specs.is_trusted(spec) or not isinstance(player, House) else "house"


def check_requirement(contest: Contest) -> None:
    """Refuse a contest that requires more than this machine has, before any match; raises UsageError."""
    given = [entrant.spec for entrant in contest.entrants]
    if contest.require and any(map(specs.is_trusted, given)):
        raise UsageError(f"--require {contest.require}: bots that are trusted are not; leave --trust out")
    if contest.require and any(map(specs.is_process, given)) and find_level().level in _BELOW[contest.require]:
        raise UsageError(f"--require {contest.require}: this machine cannot do that: {_explain_level()}")


def _explain_level() -> str:
    """Why programs have no better level on this machine."""
    found = find_level()
    return found.reason or f"they are {found.level}"
