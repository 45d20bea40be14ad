"""Everything the results of a contest say: ratings, standings, and who beat whom."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from fairplay.contest.contest import Contest, Result, number_names
from fairplay.contest.formats.swiss import SwissPoints, SwissRow
from fairplay.contest.rating import PoolRatings
from fairplay.contest.sequential import CandidateTest, candidate_test, until_decided
from fairplay.contest.standings import CrossTable, Meeting, Standings, StandingsRow

MAX_CROSS_PLAYERS = 60
"""With more players than this there is no cross-table: it could not be read, and takes much memory."""


FIT = "rankings"
"""How ratings are fitted; earlier versions fitted pairs, and followed the matches of a ladder one by one."""


class Tables(Struct, frozen=True, omit_defaults=True):
    """What the results of a tournament say; the same results give the same bytes."""

    matches: int
    standings: Annotated[tuple[StandingsRow, ...], Meta(description="the strongest first")]
    meetings: Annotated[
        tuple[Meeting, ...], Meta(description="of each player with each that it met; left out with very many players")
    ] = ()
    swiss: Annotated[tuple[SwissRow, ...], Meta(description="the order that counts in a Swiss tournament")] = ()
    fit: Annotated[str, Meta(description="how the ratings were fitted")] = ""

    @property
    def order(self) -> tuple[str, ...]:
        """The players of the rows and columns of `cross`; none if they are too many."""
        return tuple(row.player for row in self.standings) if len(self.standings) <= MAX_CROSS_PLAYERS else ()

    @property
    def cross(self) -> tuple[tuple[Meeting | None, ...], ...]:
        """Who beat whom: a row for each player, with a cell for each player."""
        met = {(meeting.player, meeting.other): meeting for meeting in self.meetings}
        return tuple(tuple(met.get((one, other)) for other in self.order) for one in self.order)


def read_tables(lines: bytes | str) -> Tables | None:
    """The tables in JSON that was kept, maybe by another version of the program; None if they are not there."""
    try:
        return msgspec.json.decode(lines, type=Tables)
    except msgspec.MsgspecError:
        with suppress(msgspec.MsgspecError, KeyError, TypeError, AttributeError):
            return _read_earlier(lines)
    return None


def _read_earlier(lines: bytes | str) -> Tables:
    """Tables of a version that kept ratings apart from standings, and figures as three numbers in a row."""
    kept = msgspec.json.decode(lines)
    ratings = {row["player"]: row["rating"] for row in kept["ratings"]}
    kept["standings"] = [_name_figures(row | {"rating": ratings[row["player"]]}) for row in kept["standings"]]
    kept["meetings"] = [_name_figures(cell) for line in kept["cross"] for cell in line if cell is not None]
    return msgspec.convert(kept, Tables)


def _name_figures(row: dict[str, Any]) -> dict[str, Any]:
    ends = ("value", "low", "high")
    return {
        key: dict(zip(ends, value, strict=False)) if isinstance(value, list) and key != "levels" else value
        for key, value in row.items()
    }


class Scoreboard:
    """Collects results and makes tables of them; the order of adding changes nothing.

    Memory is bounded by the number of players, of pairs that met and, with more than two seats, of groups that met.
    """

    def __init__(self, contest: Contest) -> None:
        names, paired = tuple(number_names(contest.names)), contest.is_paired
        self.matches = 0
        self._names = names
        self._standings = Standings(names, paired=paired)
        self._pool = PoolRatings(names, seed=contest.seed, paired=paired)
        self._swiss = SwissPoints(len(names)) if contest.format == "swiss" else None
        self._cross = CrossTable(names, paired=paired) if len(names) <= MAX_CROSS_PLAYERS else None

    def add(self, result: Result) -> None:
        self.matches += 1
        self._standings.add(result.deal, result.line_up, result.outcome, result.levels)
        self._pool.add(result.deal, result.line_up, result.outcome)
        if self._swiss is not None:
            self._swiss.add(result.line_up, result.outcome)
        if self._cross is not None:
            self._cross.add(result.deal, result.line_up, result.outcome)

    def standings(self) -> list[StandingsRow]:
        """The standings so far: cheap enough to show while matches are played."""
        return self._standings.table()

    def tables(self) -> Tables:
        """All tables, the players in the order of their ratings."""
        ratings = [(row.player, row.rating) for row in self._pool.table()]
        rows = {row.player: row for row in self._standings.table()}
        standings = tuple(replace(rows[player], rating=rating) for player, rating in ratings)
        swiss = () if self._swiss is None else tuple(self._swiss.table(self._names))
        numbers = [self._names.index(player) for player, _ in ratings]
        meetings = () if self._cross is None else tuple(self._cross.meetings(numbers))
        return Tables(self.matches, standings, meetings, swiss, FIT)


def tables_of(contest: Contest, results: Iterable[Result], seats: range) -> tuple[Tables, CandidateTest | None]:
    """The tables of all results that count, and the test of the contest; ASSUME results come in order of number."""
    trial, board = candidate_test(contest, seats), Scoreboard(contest)
    for result in until_decided(trial, results):
        board.add(result)
    return board.tables(), trial
