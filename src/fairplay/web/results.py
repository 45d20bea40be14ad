"""A tournament as programs and pages see it: its tables, its bracket, how far it is."""

from __future__ import annotations

from pathlib import PurePath
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from fairplay.contest.bracket import Pairing
from fairplay.contest.contest import Contest
from fairplay.contest.scoreboard import Tables
from fairplay.store.history import MatchRow

__all__ = ["Status", "Tournament", "TournamentNow", "told", "variant_of"]

Status: TypeAlias = Literal["waiting", "running", "unfinished", "finished"]
"""Waiting for its turn on this server, running on it, left off or run elsewhere, done."""


class Tournament(Struct, frozen=True):
    """A tournament in a list."""

    id: int
    game: str
    format: str
    players: tuple[str, ...]
    matches: int
    status: Status
    created: float  # seconds since 1970
    finished: float | None


class TournamentNow(Struct, frozen=True):
    """A tournament to look at."""

    id: int
    game: str
    format: str
    variant: str
    players: tuple[str, ...]
    specs: tuple[str, ...]
    seed: int | None  # which fixes every deal; null while matches are played
    matches: int
    total: int | None  # null where nobody can say how many there will be
    status: Status
    created: float
    finished: float | None
    unit: str  # what the scores count
    tables: Tables | None  # null where it is too large to be counted while it is played
    rounds: tuple[tuple[Pairing, ...], ...]  # of a knock-out
    latest: tuple[MatchRow, ...]  # matches, the last ones first
    verdict: str  # of its test, if it has one


def told(spec: str) -> str:
    """What a player is, for strangers: where its file lies, and how a program is called, is none of their business."""
    if spec.startswith("cmd:"):
        return "a program"
    path, _, _ = spec.removeprefix("isolated:").partition(":")
    return PurePath(path).name if path.endswith(".py") else spec


def variant_of(contest: Contest) -> str:
    """What is played, in a word."""
    return str(msgspec.json.decode(contest.setup).get("variant", ""))
