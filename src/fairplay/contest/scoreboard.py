"""Everything the results of a contest say: ratings, standings, and who beat whom."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import Struct

from fairplay.contest.contest import Contest, Result
from fairplay.contest.formats.swiss_points import SwissPoints, SwissRow
from fairplay.contest.rating import PoolRatings, RatingRow
from fairplay.contest.sequential import CandidateTest, candidate_test, until_decided
from fairplay.contest.standings import CrossTable, Meeting, Standings, StandingsRow

__all__ = ["FIT", "Scoreboard", "Tables", "read_tables", "tables_of"]

MAX_CROSS_PLAYERS: Final = 60
"""With more players than this there is no cross-table: it could not be read, and takes much memory."""


FIT: Final = "rankings"
"""How ratings are fitted; earlier versions fitted pairs, and followed the matches of a ladder one by one."""


class Tables(Struct, frozen=True, omit_defaults=True):
    """What the results of a contest say, the strongest player first; the same results give the same bytes of JSON."""

    matches: int
    ratings: tuple[RatingRow, ...]
    standings: tuple[StandingsRow, ...]
    order: tuple[str, ...]  # of the rows and columns of `cross`; empty if there are too many players
    cross: tuple[tuple[Meeting | None, ...], ...]
    swiss: tuple[SwissRow, ...] = ()  # the order that counts in a Swiss tournament
    fit: str = ""  # how the ratings were fitted: FIT, or in another way by an earlier version


def read_tables(lines: bytes | str) -> Tables | None:
    """The tables in JSON that was kept, maybe by another version of the program; None if they are not there."""
    try:
        return msgspec.json.decode(lines, type=Tables)
    except msgspec.MsgspecError:
        return None


class Scoreboard:
    """Collects results and makes tables of them; the order of adding changes nothing.

    Memory is bounded by the number of players, of pairs that met and, with more than two seats, of groups that met.
    """

    def __init__(self, contest: Contest) -> None:
        names, paired = contest.names, contest.is_paired
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
        ratings = tuple(self._pool.table())
        places = {row.player: place for place, row in enumerate(ratings)}
        standings = tuple(sorted(self._standings.table(), key=lambda row: places[row.player]))
        swiss = () if self._swiss is None else tuple(self._swiss.table(self._names))
        if self._cross is None:
            return Tables(self.matches, ratings, standings, (), (), swiss, FIT)
        order = tuple(row.player for row in ratings)
        numbers = [self._names.index(name) for name in order]
        cross = tuple(tuple(self._cross.meeting(one, other) for other in numbers) for one in numbers)
        return Tables(self.matches, ratings, standings, order, cross, swiss, FIT)


def tables_of(contest: Contest, results: Iterable[Result], seats: range) -> tuple[Tables, CandidateTest | None]:
    """The tables of all results that count, and the test of the contest; ASSUME results come in order of number."""
    trial, board = candidate_test(contest, seats), Scoreboard(contest)
    for result in until_decided(trial, results):
        board.add(result)
    return board.tables(), trial
