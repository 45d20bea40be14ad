"""Everything a contest's results say: standings, ratings, who beat whom, in memory bounded by the players."""

from __future__ import annotations

import csv
import io
from typing import Final

import msgspec
from msgspec import Struct

from fairplay.contest.contest import Contest, Result
from fairplay.contest.rating import OnLine, Rating, Ratings
from fairplay.contest.standings import CrossTable, Meeting, Standing, Standings

__all__ = ["Scoreboard", "Tables", "read_tables", "written_csv"]

CROSSABLE: Final = 60
"""Players up to whom a cross-table can be read, and kept in little memory."""


class Tables(Struct, frozen=True):
    """What the results of a contest say, the strongest player first; the same results give the same bytes of JSON."""

    matches: int
    ratings: tuple[Rating, ...]
    standings: tuple[Standing, ...]
    order: tuple[str, ...]  # of the rows and columns of `cross`; empty where there are too many players
    cross: tuple[tuple[Meeting | None, ...], ...]


def read_tables(lines: bytes | str) -> Tables | None:
    """The tables in JSON that was kept, maybe by another version of the program; None where it holds none."""
    try:
        return msgspec.json.decode(lines, type=Tables)
    except msgspec.MsgspecError:
        return None


class Scoreboard:
    """Takes results and makes tables of them.  Only a ladder minds the order: give it results by number."""

    def __init__(self, contest: Contest) -> None:
        names, rotated = contest.names, contest.format != "knock-out"
        self.matches = 0
        self._names = names
        self._standings = Standings(names, rotated=rotated)
        self._on_line = OnLine(names) if contest.format == "ladder" else None
        self._ratings = Ratings(names, seed=contest.seed, rotated=rotated)
        self._cross = CrossTable(names, rotated=rotated) if len(names) <= CROSSABLE else None

    def add(self, result: Result) -> None:
        self.matches += 1
        self._standings.add(result.deal, result.line_up, result.outcome)
        if self._on_line is None:
            self._ratings.add(result.deal, result.line_up, result.outcome)
        else:
            self._on_line.add(result.line_up, result.outcome)
        if self._cross is not None:
            self._cross.add(result.deal, result.line_up, result.outcome)

    def standings(self) -> list[Standing]:
        """The table so far, cheap enough to show while matches are played."""
        return self._standings.table()

    def tables(self) -> Tables:
        """All tables, the players in the order of their ratings."""
        ratings = tuple((self._on_line or self._ratings).table())
        places = {line.player: place for place, line in enumerate(ratings)}
        standings = tuple(sorted(self._standings.table(), key=lambda line: places[line.player]))
        if self._cross is None:
            return Tables(self.matches, ratings, standings, (), ())
        order = tuple(line.player for line in ratings)
        numbers = [self._names.index(name) for name in order]
        cross = tuple(tuple(self._cross.meeting(one, other) for other in numbers) for one in numbers)
        return Tables(self.matches, ratings, standings, order, cross)


def written_csv(tables: Tables) -> str:
    """One line per player: rating and standing, every figure with its interval."""
    out = io.StringIO()
    writer = csv.writer(out)
    figures = ("rating", "win share", "tie share", "fault share", "average")
    intervals = [f"{name}{end}" for name in figures for end in ("", " low", " high")]
    writer.writerow(["player", "matches", "wins", "ties", "losses", "faults", *intervals])
    ratings = {line.player: line.rating for line in tables.ratings}
    for line in tables.standings:
        estimates = (ratings[line.player], line.win_share, line.tie_share, line.fault_share, line.average)
        numbers = [number for estimate in estimates for number in estimate or (None, None, None)]
        cells = ["" if number is None else f"{number:.6g}" for number in numbers]
        writer.writerow([line.player, line.matches, line.wins, line.ties, line.losses, line.faults, *cells])
    return out.getvalue()
