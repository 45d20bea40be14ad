"""A tournament as the API and the pages show it: its progress, its tables, its bracket."""

from __future__ import annotations

from math import inf
from pathlib import PurePath
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from fairplay.contest import scoreboard
from fairplay.contest.bracket import Pairing
from fairplay.contest.contest import Contest
from fairplay.contest.intervals import Estimate
from fairplay.contest.rating import Rating
from fairplay.contest.standings import Standing
from fairplay.store.history import Encounter

__all__ = [
    "Figure",
    "MeetingLine",
    "RatingLine",
    "StandingLine",
    "Tables",
    "TournamentDetails",
    "TournamentInfo",
    "TournamentStatus",
    "estimate",
    "public_spec",
    "rating_of",
    "tables_in",
    "tables_like",
    "variant_name",
    "whole",
]

TournamentStatus: TypeAlias = Literal["waiting", "running", "unfinished", "finished"]
"""Queued on this server, running on it, stopped or run elsewhere, complete."""

Figure: TypeAlias = tuple[float, float | None, float | None]
"""A value with the ends of its 95 % interval, which are null where nothing can be said."""


class RatingLine(Struct, frozen=True):
    """How strong a player is."""

    player: str
    matches: int
    rating: Figure


class StandingLine(Struct, frozen=True):
    """What a player did."""

    player: str
    matches: int
    wins: int
    ties: int
    losses: int
    faults: int
    win_share: Figure
    tie_share: Figure
    fault_share: Figure
    average: Figure | None


class MeetingLine(Struct, frozen=True):
    """How a player did against another: one point for finishing before it."""

    player: str
    other: str
    points: float
    matches: int
    units: int
    share: Figure


class Tables(Struct, frozen=True):
    """What the results say; players in the order of their ratings."""

    matches: int
    ratings: tuple[RatingLine, ...]
    standings: tuple[StandingLine, ...]
    order: tuple[str, ...]  # of the rows and columns of `cross`; empty where there are too many players
    cross: tuple[tuple[MeetingLine | None, ...], ...]


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
    matches: int
    total: int | None  # null if it is not known how many there will be
    status: TournamentStatus
    created: float
    finished: float | None
    unit: str  # what the scores count
    tables: Tables | None  # null if it is too large to count before it is finished
    rounds: tuple[tuple[Pairing, ...], ...]  # of a knock-out
    latest: tuple[Encounter, ...]  # the last matches, newest first
    verdict: str  # of its sequential test, if it has one


def tables_in(lines: bytes | msgspec.Raw) -> Tables | None:
    """The tables in JSON that was kept, maybe by another program; None where it holds none."""
    try:
        return msgspec.json.decode(lines, type=Tables)
    except msgspec.MsgspecError:
        return None


def tables_like(made: scoreboard.Tables) -> Tables:
    """Tables that were made here, as they are kept: what has no bounds has none."""
    return msgspec.json.decode(msgspec.json.encode(made), type=Tables)


def whole(tables: Tables) -> scoreboard.Tables:
    """The other way round, as far as a spreadsheet needs it."""
    ratings = [rating_of(line) for line in tables.ratings]
    standings = [
        Standing(
            line.player,
            line.matches,
            line.wins,
            line.ties,
            line.losses,
            line.faults,
            estimate(line.win_share),
            estimate(line.tie_share),
            estimate(line.fault_share),
            None if line.average is None else estimate(line.average),
        )
        for line in tables.standings
    ]
    return scoreboard.Tables(tables.matches, ratings, standings, (), ())


def rating_of(line: RatingLine) -> Rating:
    return Rating(line.player, line.matches, estimate(line.rating))


def estimate(figure: Figure) -> Estimate:
    value, low, high = figure
    return Estimate(value, -inf if low is None else low, inf if high is None else high)


def public_spec(spec: str) -> str:
    """What a player is, for strangers: without the path of its file or the command of its program."""
    if spec.startswith("cmd:"):
        return "a program"
    path, _, _ = spec.removeprefix("isolated:").partition(":")
    return PurePath(path).name if path.endswith(".py") else spec


def variant_name(contest: Contest) -> str:
    """The variant that is played."""
    return str(msgspec.json.decode(contest.setup).get("variant", ""))
