"""Kinds of entrant: how the spec of an entrant becomes a player, and at which level that player is kept.

| spec              | who plays                                                                              |
| ---               | ---                                                                                    |
| ``NAME[:OPTIONS]``| a house strategy                                                                       |
| ``FILE.py[:NAME]``| a function or class in a bot file, in a fresh process for each match                   |
| ``isolated:SPEC`` | any of these in a fresh process for each match                                         |
| ``trusted:SPEC``  | a function or class in a bot file, in this process                                     |
| ``cmd:LINE``      | a program in any language                                                              |
| ``connection:...``| a player that signed up over a network; it sits wherever the server runs               |
| ``human[:SEAT]``  | a person at the terminal of `fairplay play`                                            |
| ``KIND:REST``     | whatever an upper layer has added with `add_kind`                                      |
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pkgutil import resolve_name
from random import Random
from time import monotonic
from typing import Final, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from fairplay.contest.contest import Contest, Entrant, Hidden, Match, Requirement
from fairplay.core import AnyGame, EngineError, House, Player, SeatInfo, UsageError
from fairplay.match.players import describe_house, house_strategy
from fairplay.match.record import HousePlayer, Isolation
from fairplay.run.bot_files import TrustedSeating, seat_bot_file
from fairplay.run.isolation.bot_command import check_strategy, encode_generator, isolated_command
from fairplay.run.isolation.levels import find_level
from fairplay.run.isolation.program import Program
from fairplay.run.isolation.sandbox import Command, parse_command
from fairplay.store import SessionRow

__all__ = [
    "ADDED",
    "KINDS",
    "PERSON",
    "BotSeating",
    "Seating",
    "add_kind",
    "are_house_players",
    "check_requirement",
    "connection_numbers",
    "describe_house_players",
    "files_of",
    "find_stranded",
    "hide_entrants",
    "is_bot_file",
    "is_connection",
    "is_process",
    "is_trusted",
    "level_of",
    "levels_of",
    "seat_entrant",
    "seat_in_process",
    "start_program",
    "trust_spec",
    "wants_turns",
]


class Seating(Protocol):
    """Makes a player for one match out of a generator of its own and what it may know of its seat.

    Without `info`, which a match always gives, it sits at the standard game.
    """

    def __call__(self, rng: Random, info: SeatInfo | None = None, /) -> Player: ...


Maker: TypeAlias = Callable[[AnyGame, str, float | None], Seating]
"""Takes the game, what follows the kind in a spec, and the seconds for an answer; raises UsageError."""

CONNECTION: Final = "connection"
PERSON: Final = "human"


def seat_entrant(game: AnyGame, spec: str, patience: float | None = None, hidden: Hidden = Hidden()) -> Seating:
    """How to seat the player that `spec` names, to whom `hidden` is not shown; raises UsageError if there is none."""
    kind, _, rest = spec.partition(":")
    if kind in ADDED:
        maker: Maker = resolve_name(ADDED[kind])
        return maker(game, rest, patience)
    if kind in KINDS:
        return KINDS[kind](game, rest, patience)
    if is_process(spec):
        return start_program(game, spec, patience, hidden)
    return seat_in_process(game, spec, patience)


def seat_in_process(game: AnyGame, spec: str, patience: float | None = None) -> Seating:
    """How to seat a house strategy or a bot file in this process; raises UsageError."""
    if is_bot_file(spec):
        return seat_bot_file(game, spec, patience)
    strategy = check_strategy(game, spec)  # a wrong spec is found before the first match
    return HouseSeating(game, spec, hasattr(strategy, "saw"))


class HouseSeating(Struct, frozen=True):
    """How to seat a house strategy in this process.  One that thinks for some time is handed the clock here."""

    game: AnyGame
    spec: str
    wants_turns: bool

    def __call__(self, rng: Random, info: SeatInfo | None = None, /) -> Player:
        return House(house_strategy(self.game, self.spec, rng, monotonic))


def wants_turns(seating: Seating) -> bool:
    """May the player want to be told of every turn?"""
    return isinstance(seating, HouseSeating | TrustedSeating) and seating.wants_turns


def is_bot_file(spec: str) -> bool:
    """Does `spec` name a Python file, or a function in one?"""
    return spec.partition(":")[0].endswith(".py")


def are_house_players(entrants: Iterable[Entrant]) -> bool:
    """Do all of them name house strategies?"""
    return all(is_house_player(entrant.spec) for entrant in entrants)


def is_house_player(spec: str) -> bool:
    """Does `spec` name a house strategy?"""
    kind = spec.partition(":")[0]
    return kind not in KINDS and kind not in ADDED and not is_process(spec)


def describe_house_players(game: AnyGame, match: Match) -> tuple[HousePlayer | None, ...]:
    """Those house players of a match, by seat, that sit down in the referee's process; empty if there are none."""
    specs = [entrant.spec if is_house_player(entrant.spec) else None for entrant in match.entrants]
    if not any(specs):
        return ()
    seats = zip(specs, match.chances, strict=True)
    return tuple(None if spec is None else describe_house(game, spec, chance) for spec, chance in seats)


def is_process(spec: str) -> bool:
    """Does `spec` name a bot file or a program that runs in a process of its own?"""
    return spec.partition(":")[0] in ISOLATED or is_bot_file(spec)


def is_trusted(spec: str) -> bool:
    """Does `spec` name a bot file that runs in this process?"""
    return spec.partition(":")[0] == TRUSTED


def trust_spec(spec: str) -> str:
    """The spec of the same player in this process, if it names a bot file."""
    return f"{TRUSTED}:{spec}" if is_bot_file(spec) else spec


def hide_entrants(contest: Contest, hidden: Hidden) -> Hidden:
    """`hidden`, and the files of all entrants: nobody sees what belongs to another one."""
    return replace(hidden, entrants=files_of(contest))


def files_of(contest: Contest) -> tuple[str, ...]:
    """The files of all entrants, bots and programs, as their specs name them."""
    files: list[str] = []
    for _, spec in contest.entrants:
        kind, _, rest = spec.partition(":")
        if kind == "cmd":
            files += [word for word in rest.split() if os.path.isfile(word)]  # noqa: PTH113 - of every entrant
        elif is_bot_file(bare := rest if kind in ("isolated", TRUSTED) else spec):
            files.append(bare.partition(":")[0])
    return tuple(dict.fromkeys(files))


def start_program(game: AnyGame, spec: str, patience: float | None = None, hidden: Hidden = Hidden()) -> ProgramSeating:
    """How to start a player in a process of its own: ``cmd:``, ``isolated:`` or a bot file; raises UsageError."""
    kind, _, rest = spec.partition(":")
    seconds = patience or game.patience
    if kind == "cmd":
        program = parse_command(rest, hidden)
        return lambda rng, info=None: Program(game, program, seconds, chance=rng.getrandbits(53), info=info)
    return BotSeating(game, isolated_command(game, rest if kind == "isolated" else spec, hidden), seconds)


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


def seat_trusted(game: AnyGame, spec: str, patience: float | None) -> Seating:
    """How to seat a bot file in this process; raises UsageError."""
    return seat_in_process(game, spec, patience)


def refuse_connection(game: AnyGame, rest: str, patience: float | None) -> Seating:
    """Only the server that it signed up with can seat such a player."""
    raise EngineError("this contest has players that signed up over a network; resume it with --port")


def refuse_person(game: AnyGame, rest: str, patience: float | None) -> Seating:
    """Only `fairplay play` has a terminal for people."""
    raise UsageError("people play with `fairplay play`, or on the page of `fairplay serve`")


TRUSTED: Final = "trusted"

ISOLATED: Final = ("cmd", "isolated")
"""Kinds that are processes of their own."""

KINDS: Final[Mapping[str, Maker]] = {
    TRUSTED: seat_trusted,
    CONNECTION: refuse_connection,
    PERSON: refuse_person,
}

ADDED: dict[str, str] = {}
"""Kinds of upper layers, by name: where their maker is, as ``package.module:function``, so that workers find it too."""


def add_kind(name: str, maker: str) -> None:
    """Let specs that begin with ``NAME:`` be seated by the function at `maker`, here and in every worker."""
    ADDED[name] = maker


def connection_numbers(contest: Contest) -> list[int]:
    """The entrants that signed up over a network."""
    return [number for number, entrant in enumerate(contest.entrants) if is_connection(entrant.spec)]


def find_stranded(contest: Contest, sessions: Iterable[SessionRow]) -> list[str]:
    """The names of those who signed up over a network and have no session with which they could come back."""
    known = {row.player for row in sessions}
    return [contest.names[number] for number in connection_numbers(contest) if number not in known]


def is_connection(spec: str) -> bool:
    """Is `spec` that of a player who signed up over a network?"""
    return spec.partition(":")[0] == CONNECTION


# -- levels ------------------------------------------------------------------------------------


def levels_of(
    entrants: Sequence[Entrant], players: Iterable[object], require: Requirement = ""
) -> tuple[Isolation, ...]:
    """The levels of these players, by seat; raises EngineError if one is below what the contest requires."""
    levels = tuple(level_of(spec, player) for (_, spec), player in zip(entrants, players, strict=True))
    if require and not {*levels}.isdisjoint(BELOW[require]):
        raise EngineError(f"the contest requires players to be {require}, and here they are not: {explain_level()}")
    return levels


BELOW: dict[Requirement, tuple[Isolation, ...]] = {"sandboxed": ("process", "trusted")}
"""The levels that are not enough."""


def level_of(spec: str, player: object) -> Isolation:
    """The level at which this player, made of `spec`, is seated; None is one that is awaited."""
    if isinstance(player, Program):
        return find_level().level if player.child is None else player.child.level
    if player is None or is_connection(spec):
        return "connection"
    if spec.partition(":")[0] == PERSON:
        return "person"
    return "trusted" if is_trusted(spec) or not isinstance(player, House) else "house"


def check_requirement(contest: Contest) -> None:
    """Refuse a contest that requires more than this machine has, before any match; raises UsageError."""
    specs = [entrant.spec for entrant in contest.entrants]
    if contest.require and any(map(is_trusted, specs)):
        raise UsageError(f"--require {contest.require}: bots that are trusted are not; leave --trust out")
    if contest.require and any(map(is_process, specs)) and find_level().level in BELOW[contest.require]:
        raise UsageError(f"--require {contest.require}: this machine cannot do that: {explain_level()}")


def explain_level() -> str:
    """Why programs have no better level on this machine."""
    found = find_level()
    return found.reason or f"they are {found.level}"
