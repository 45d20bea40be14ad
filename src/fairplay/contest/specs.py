"""Entrant specs: who an entrant is, as a value, and as the text that people write and contests keep.

| text                     | value            | who plays |
| ---                      | ---              | --- |
| ``NAME[:KEY=VALUE,...]`` | `HouseSpec`      | a house player; `resolve_player` makes a level one of these |
| ``FILE.py[:NAME]``       | `BotFileSpec`    | a function or class, in a fresh process for each match |
| ``isolated:SPEC``        | either           | the same, house players too in a fresh process |
| ``trusted:SPEC``         | either           | the same in the referee's process |
| ``cmd:LINE``             | `ProgramSpec`    | a program in any language |
| ``connection:PROTOCOL``  | `ConnectionSpec` | a player that signed up over a network |
| ``human[:SEAT]``         | `PersonSpec`     | a person at the terminal of `fairplay play` |
| ``version:HASH``         | `VersionSpec`    | a version of a bot that is kept by its hash |
| ``KIND:REST``            | `AddedSpec`      | a kind that an upper layer brings (`run/entrants.py`) |

This is the only module that takes specs apart; the options of house players are read in `match/players.py`.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from fairplay.contest.contest import Contest, Entrant
from fairplay.match.players import HouseOptions, parse_house, print_house

Trust: TypeAlias = Literal["", "isolated", "trusted"]
"""Where a player runs, as its spec says; empty: as its kind does by itself."""


class HouseSpec(Struct, frozen=True, tag=True):
    """A house player with its options as they were written."""

    name: str
    options: HouseOptions = ()
    trust: Trust = ""

    @property
    def bare(self) -> str:
        """Its name and options, without what says where it runs."""
        return print_house(self.name, self.options)

    def __str__(self) -> str:
        return _print_trust(self.trust) + self.bare


class BotFileSpec(Struct, frozen=True, tag=True):
    """A function or class in a Python file; without a name, the file says which."""

    path: str
    function: str = ""
    trust: Trust = ""

    @property
    def bare(self) -> str:
        """The file and the name, without what says where it runs."""
        return f"{self.path}:{self.function}" if self.function else self.path

    def __str__(self) -> str:
        return _print_trust(self.trust) + self.bare


class ProgramSpec(Struct, frozen=True, tag=True):
    """A program, by its command line."""

    command: str

    def __str__(self) -> str:
        return f"{_PROGRAM}:{self.command}"


class ConnectionSpec(Struct, frozen=True, tag=True):
    """A player that signed up over a network."""

    protocol: str

    def __str__(self) -> str:
        return _print_kind(_CONNECTION, self.protocol)


class PersonSpec(Struct, frozen=True, tag=True):
    """A person, by account or seat; empty: not seated yet."""

    who: str = ""

    def __str__(self) -> str:
        return _print_kind(PERSON, self.who)


class VersionSpec(Struct, frozen=True, tag=True):
    """A version of a bot."""

    hash: str

    def __str__(self) -> str:
        return _print_kind(_VERSION, self.hash)


class AddedSpec(Struct, frozen=True, tag=True):
    """A kind that an upper layer brings; options of a house player that are none look the same."""

    kind: str
    rest: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.rest}"


EntrantSpec: TypeAlias = HouseSpec | BotFileSpec | ProgramSpec | ConnectionSpec | PersonSpec | VersionSpec | AddedSpec

PERSON = "human"
_PROGRAM = "cmd"
_CONNECTION = "connection"
_VERSION = "version"


@lru_cache(maxsize=10_000)
def parse_spec(text: str) -> EntrantSpec:
    """The spec that `text` says.  LAW: it prints as `text` again."""
    kind, colon, rest = text.partition(":")
    match kind:
        case "isolated" | "trusted":
            return replace(_parse_file(rest) or HouseSpec(*parse_house(rest)), trust=kind)
        case "cmd":
            return ProgramSpec(rest)
        case "connection":
            return ConnectionSpec(rest)
        case "human":
            return PersonSpec(rest)
        case "version":
            return VersionSpec(rest)
    if (file := _parse_file(text)) is not None:
        return file
    house = HouseSpec(*parse_house(text))
    is_malformed = any(key and value is None for key, value in house.options)
    return AddedSpec(kind, rest) if colon and is_malformed else house


def _parse_file(text: str) -> BotFileSpec | None:
    path, _, function = text.partition(":")
    return BotFileSpec(path, function) if path.endswith(".py") else None


def _print_trust(trust: Trust) -> str:
    return f"{trust}:" if trust else ""


def _print_kind(kind: str, rest: str) -> str:
    return f"{kind}:{rest}" if rest else kind


# -- what follows from a spec ------------------------------------------------------------------


def house_of(text: str) -> str | None:
    """The house player that `text` names and that plays in the referee's process; None if it names anything else."""
    spec = parse_spec(text)
    return spec.bare if isinstance(spec, HouseSpec) and not spec.trust else None


def are_house_players(entrants: Iterable[Entrant]) -> bool:
    """Do all of them play in the referee's process, and are the house's?"""
    return all(house_of(entrant.spec) is not None for entrant in entrants)


def is_bot_file(text: str) -> bool:
    """Is it a Python file, and says nothing about where it runs?"""
    match parse_spec(text):
        case BotFileSpec(trust=""):
            return True
    return False


def is_process(text: str) -> bool:
    """Does the player run in a process of its own?"""
    match parse_spec(text):
        case ProgramSpec() | BotFileSpec(trust="" | "isolated") | HouseSpec(trust="isolated"):
            return True
    return False


def is_trusted(text: str) -> bool:
    """Does the player run in the referee's process because somebody trusts it?"""
    match parse_spec(text):
        case BotFileSpec(trust="trusted") | HouseSpec(trust="trusted"):
            return True
    return False


def trust_spec(text: str) -> str:
    """The spec of the same player in the referee's process, if it is a Python file."""
    return str(replace(parse_spec(text), trust="trusted")) if is_bot_file(text) else text


def is_connection(text: str) -> bool:
    """Did the player sign up over a network?"""
    return isinstance(parse_spec(text), ConnectionSpec)


def connection_numbers(contest: Contest) -> list[int]:
    """The entrants that signed up over a network."""
    return [number for number, entrant in enumerate(contest.entrants) if is_connection(entrant.spec)]
