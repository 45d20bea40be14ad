"""A tournament as the API and the pages show it: its progress, its tables, its bracket."""

from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import PurePath
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from fairplay.catalog import GAMES
from fairplay.contest.contest import Deals
from fairplay.contest.schedule import Pairing
from fairplay.contest.scoreboard import Tables
from fairplay.contest.specs import BotFileSpec, ProgramSpec, parse_spec
from fairplay.setups import name_setup
from fairplay.store.history import MatchRow

TournamentStatus: TypeAlias = Literal["waiting", "running", "unfinished", "finished"]
"""Queued on this server, running on it, stopped or run elsewhere, complete."""


class TournamentInfo(Struct, frozen=True):
    """A tournament in a list."""

    id: int
    game: str
    format: str
    players: tuple[str, ...]
    matches: int
    status: TournamentStatus
    created: float  # seconds since 1970
    finished: float | None


class TournamentDetails(Struct, frozen=True):
    """A tournament and its results."""

    id: int
    game: str
    format: str
    variant: str  # or `quick`
    played: str  # what is played: the variant, and in which way its setup differs from it
    players: tuple[str, ...]
    specs: tuple[str, ...]
    seed: int | None  # fixes every deal; null until the tournament is finished
    deals: Deals
    remarks: tuple[str, ...]  # what a reader must know about deals and time, a sentence each
    matches: int
    unproven: int  # of them, without a record: nothing shows that they were played
    total: int | None  # null if it is not known how many there will be
    status: TournamentStatus
    created: float
    finished: float | None
    unit: str  # what the scores count
    tables: Tables | None  # null if it is too large to count before it is finished
    rounds: tuple[tuple[Pairing, ...], ...]  # of a knock-out
    latest: tuple[MatchRow, ...]  # the last matches, newest first
    verdict: str  # of its sequential test, if it has one


def public_spec(spec: str) -> str:
    """What a player is, for strangers: without the path of its file or the command of its program."""
    match parse_spec(spec):
        case ProgramSpec():
            return "a program"
        case BotFileSpec(path):
            return PurePath(path).name
    return spec


def name_played(game: str, setup: msgspec.Raw) -> str:
    """What is played, in words; of a game that is not installed, or in a form of another version, the variant."""
    return name_encoded(game, bytes(setup))


@lru_cache(maxsize=256)
def name_encoded(game: str, setup: bytes) -> str:
    """The same; players' pages ask for one setup again and again."""
    if game in GAMES:
        with suppress(msgspec.ValidationError, KeyError):
            return name_setup(GAMES[game], msgspec.json.decode(setup, type=GAMES[game].setup))
    variant = msgspec.json.decode(setup).get("variant", "unknown")
    return f"{variant} (#{sha256(setup).hexdigest()[:8]})"
