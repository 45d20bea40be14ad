"""A tournament as the API and the pages show it: its progress, its tables, its bracket."""

from __future__ import annotations

from pathlib import PurePath
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from fairplay.contest.bracket import Pairing
from fairplay.contest.contest import Contest, Deals
from fairplay.contest.scoreboard import Tables
from fairplay.store.history import MatchRow

__all__ = ["TournamentDetails", "TournamentInfo", "TournamentStatus", "public_spec", "variant_name"]

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
    variant: str
    players: tuple[str, ...]
    specs: tuple[str, ...]
    seed: int | None  # fixes every deal; null until the tournament is finished
    deals: Deals
    remarks: tuple[str, ...]  # what a reader must know about the deals, a sentence each
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
    if spec.startswith("cmd:"):
        return "a program"
    path, _, _ = spec.removeprefix("isolated:").removeprefix("trusted:").partition(":")
    return PurePath(path).name if path.endswith(".py") else spec


def variant_name(contest: Contest) -> str:
    """The variant that is played."""
    return str(msgspec.json.decode(contest.setup).get("variant", ""))
