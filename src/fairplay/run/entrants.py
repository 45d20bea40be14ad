"""Kinds of entrant: how the spec of an entrant becomes a player.

| spec              | who plays                                                                              |
| ---               | ---                                                                                    |
| ``NAME[:OPTIONS]``| a house strategy                                                                       |
| ``FILE.py[:NAME]``| a function in a bot file, in this process                                              |
| ``isolated:SPEC`` | any of these in a process of its own                                                   |
| ``cmd:LINE``      | a program in any language                                                              |
| ``connection:...``| a player that signed up over a network; it sits wherever the server runs               |
| ``KIND:REST``     | whatever an upper layer has added with `add_kind`                                      |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pkgutil import resolve_name
from random import Random
from typing import Final, TypeAlias

from fairplay.contest.contest import Contest, Entrant
from fairplay.core import AnyGame, EngineError, House, Player
from fairplay.play.players import house_strategy
from fairplay.run.bot_files import seat_bot_file
from fairplay.run.isolation.program import Program
from fairplay.run.isolation.sandbox import parse_command
from fairplay.run.stdio_client import encode_generator, isolated_command

__all__ = [
    "KINDS",
    "Seating",
    "add_kind",
    "are_house_players",
    "connection_numbers",
    "is_bot_file",
    "seat_entrant",
    "start_program",
]

Seating: TypeAlias = Callable[[Random], Player]
"""Makes a player for one match out of a generator of its own."""

Maker: TypeAlias = Callable[[AnyGame, str, float | None], Seating]
"""Takes the game, what follows the kind in a spec, and the seconds for an answer; raises UsageError."""

CONNECTION: Final = "connection"


def seat_entrant(game: AnyGame, spec: str, patience: float | None = None) -> Seating:
    """How to seat the player that `spec` names; raises UsageError where there is no such player."""
    kind, _, rest = spec.partition(":")
    if kind in KINDS:
        return KINDS[kind](game, rest, patience)
    if kind in ADDED:
        maker: Maker = resolve_name(ADDED[kind])
        return maker(game, rest, patience)
    if is_bot_file(spec):
        return seat_bot_file(spec, patience)
    house_strategy(game, spec, Random(0))  # so that a wrong spec is found before the first match
    return lambda rng: House(house_strategy(game, spec, rng))


def is_bot_file(spec: str) -> bool:
    """Does `spec` name a Python file, or a function in one?"""
    return spec.partition(":")[0].endswith(".py")


def are_house_players(entrants: Iterable[Entrant]) -> bool:
    """Do all of them name house strategies?"""
    return all(is_house_player(entrant.spec) for entrant in entrants)


def is_house_player(spec: str) -> bool:
    """Does `spec` name a house strategy?"""
    kind = spec.partition(":")[0]
    return kind not in KINDS and kind not in ADDED and not is_bot_file(spec)


def start_program(game: AnyGame, spec: str, patience: float | None = None) -> Callable[[Random], Program]:
    """How to start a player in a process of its own, a ``cmd:`` or an ``isolated:`` one; raises UsageError."""
    kind, _, rest = spec.partition(":")
    seconds = patience or game.patience
    if kind == "cmd":
        program = parse_command(rest)
        return lambda rng: Program(game, program, seconds, chance=rng.getrandbits(53))
    ours = isolated_command(game, rest)
    return lambda rng: Program(game, ours, seconds, prologue=encode_generator(rng))


def seat_program(game: AnyGame, line: str, patience: float | None) -> Seating:
    """How to seat a program; raises UsageError."""
    return start_program(game, f"cmd:{line}", patience)


def seat_isolated(game: AnyGame, spec: str, patience: float | None) -> Seating:
    """How to seat a player of ours in a process of its own; raises UsageError."""
    return start_program(game, f"isolated:{spec}", patience)


def refuse_connection(game: AnyGame, rest: str, patience: float | None) -> Seating:
    """Only the server that it signed up with can seat such a player."""
    raise EngineError("this contest has players that signed up over a network; resume it with --port")


KINDS: Final[Mapping[str, Maker]] = {"cmd": seat_program, "isolated": seat_isolated, CONNECTION: refuse_connection}

ADDED: dict[str, str] = {}
"""Kinds of upper layers, by name: where their maker is, as ``package.module:function``, so that workers find it too."""


def add_kind(name: str, maker: str) -> None:
    """Let specs that begin with ``NAME:`` be seated by the function at `maker`, here and in every worker."""
    ADDED[name] = maker


def connection_numbers(contest: Contest) -> list[int]:
    """The entrants that signed up over a network."""
    return [number for number, entrant in enumerate(contest.entrants) if is_connection(entrant)]


def is_connection(entrant: Entrant) -> bool:
    """Did this entrant sign up over a network?"""
    return entrant.spec.partition(":")[0] == CONNECTION
