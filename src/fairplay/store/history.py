"""Looking back: the matches of a contest, and each player's totals, faults and ratings in all contests together."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, FromClause, Integer, Select, cast, func, select

from fairplay.contest.scoreboard import read_tables
from fairplay.core import ABSENCE, Fault
from fairplay.store.database import Database
from fairplay.store.inserts import TALLIES
from fairplay.store.schema import contests, entrants, matches, standings


class MatchRow(Struct, frozen=True):
    """A match of a contest in a list: players by name, in the order of their seats; `stored` in seconds since 1970."""

    contest: int
    game: str
    number: int
    names: tuple[str, ...]
    winners: tuple[str, ...]
    faulty: tuple[str, ...]
    scores: tuple[tuple[int, ...] | None, ...]  # by seat
    ending: str
    seconds: float
    stored: float
    recorded: bool  # can it be replayed?  Otherwise it is unproven


class PlayerTotals(Struct, frozen=True, omit_defaults=True):
    """A player of a game under one name and spec, and what it did: wins are alone, ties are shared."""

    game: str
    player: str
    spec: str
    contests: int
    matches: int
    wins: int
    ties: int
    faults: int
    key: str = ""  # of who it is, whatever its name: an account, a house player, the content of a bot file


class PlayerFault(Struct, frozen=True):
    """A fault of a player, with what it said last: text of strangers, never to be trusted."""

    contest: int
    number: int
    kind: str
    detail: str
    stored: float
    over: bool  # is the contest finished?
    absent: int = 0  # matches that followed, without it: it could not come back


class RatingPoint(Struct, frozen=True):
    """A player's rating in a finished contest; the ends of the interval are None if it is unbounded."""

    contest: int
    setup: msgspec.Raw  # as JSON
    finished: float
    matches: int
    rating: float
    low: float | None
    high: float | None


ROW_COLUMNS = (
    matches.c.contest,
    contests.c.game,
    matches.c.number,
    matches.c.line_up,
    matches.c.winners,
    matches.c.faulty,
    matches.c.scores,
    matches.c.ending,
    matches.c.seconds,
    matches.c.stored,
    matches.c.record.is_not(None).label("recorded"),
)


class DefinedSetup(Struct, frozen=True):
    """What is played, in the definition of a contest."""

    setup: msgspec.Raw


SETUP = msgspec.json.Decoder(DefinedSetup)
"""Passes over the rest of a definition, which may hold thousands of players."""

PAGE_SIZE = 500
"""Rows that are read at a time."""

NEWEST_FIRST = (matches.c.stored.desc(), matches.c.contest.desc(), matches.c.number.desc())


class History:
    """What was played in a store, to be looked at."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def matches(
        self, contest: int, *, after: int | None = None, limit: int = 100, last_first: bool = False
    ) -> list[MatchRow]:
        """Some matches of a contest in order of number, or the other way round, those after a number in that order."""
        self._database.contest_row(contest)
        which, number = (matches.c.contest == contest) & matches.c.broken.is_(None), matches.c.number
        if after is not None:
            which &= number < after if last_first else number > after
        order = number.desc() if last_first else number
        query = select(*ROW_COLUMNS).join(contests).where(which).order_by(order).limit(limit)
        return self._database.read(lambda connection: read_matches(connection, contest, query))

    def player_matches(self, game: str, player: str, limit: int = 100, key: str = "") -> list[MatchRow]:
        """The matches of a player in all contests, newest first."""
        query = self._of_player(select(*ROW_COLUMNS), matches, game, player, key).where(matches.c.broken.is_(None))
        query = query.order_by(*NEWEST_FIRST).limit(limit)
        return self._database.read(lambda connection: read_player_matches(connection, query))

    def contest_faults(self, contest: int) -> Iterator[tuple[int, list[int], list[Fault | None]]]:
        """The matches of a contest in which someone misbehaved: number, line-up and faults by seat; in pages."""
        which = (matches.c.contest == contest) & matches.c.faults.is_not(None)
        query = select(matches.c.number, matches.c.line_up, matches.c.faults).where(which)
        query = query.order_by(matches.c.number).limit(PAGE_SIZE)
        page = self._database.rows(query)
        while page:
            for row in page:
                yield row.number, row.line_up, msgspec.convert(row.faults, list[Fault | None])
            page = self._database.rows(query.where(matches.c.number > page[-1].number))

    def count_unproven(self, contest: int) -> int:
        """How many matches of a contest have no record: nothing shows that they were played."""
        query = select(func.count()).where((matches.c.contest == contest) & matches.c.record.is_(None))
        return int(self._database.rows(query)[0][0])

    def players(self, game: str | None = None, name: str | None = None) -> list[PlayerTotals]:
        """Every player there is, by game and name; only those of a game, or of a name, if one is given.

        Two who played under one name are two players, and each has a key.
        """
        which = [] if name is None else [entrants.c.name == name]
        return self._count_players(game, *which)

    def names(self, game: str, player: str, key: str) -> list[PlayerTotals]:
        """What a player with a key did under each of its names; empty if none of this name has the key."""
        identity = self._find_identity(game, player, key)
        return [] if identity is None else self._count_players(game, entrants.c.identity == identity)

    def _count_players(self, game: str | None, *which: ColumnElement[bool]) -> list[PlayerTotals]:
        who = (contests.c.game, entrants.c.name, entrants.c.spec, entrants.c.identity)
        sums = [cast(func.sum(tally), Integer) for tally in TALLIES]
        query = select(*who, func.count(), *sums).join(entrants, entrants.c.contest == contests.c.id).group_by(*who)
        query = query.where(*which)
        if game is not None:
            query = query.where(contests.c.game == game)
        rows = sorted(map(tuple, self._database.rows(query)))
        return [PlayerTotals(*(*row[:3], *row[4:], hash_identity(row[3]))) for row in rows]

    def _find_identity(self, game: str, player: str, key: str) -> str | None:
        query = select(entrants.c.identity).distinct().select_from(entrants.join(contests))
        found = self._database.rows(query.where(contests.c.game == game, entrants.c.name == player))
        return next((row.identity for row in found if hash_identity(row.identity) == key), None)

    def _of_player(self, query: Select[Any], table: FromClause, game: str, player: str, key: str) -> Select[Any]:
        """`query` out of those rows of `table` that belong to contests of a game which a player entered.

        With a key, that is who has it and played under this name once, whatever it is called in those contests.
        """
        query = query.select_from(table.join(contests).join(entrants, entrants.c.contest == contests.c.id))
        is_player = entrants.c.name == player
        if key:
            is_player = entrants.c.identity == (self._find_identity(game, player, key) or "")
        return query.where((contests.c.game == game) & is_player)

    def faults(self, game: str, player: str, limit: int = 50, key: str = "") -> list[PlayerFault]:
        """The faults of a player in the newest matches with one, newest first; absences count for the fault before."""
        columns = (matches.c.contest, matches.c.number, matches.c.line_up, matches.c.faults, matches.c.stored)
        about = (entrants.c.number.label("player"), contests.c.finished)
        query = (
            self._of_player(select(*columns, *about), matches, game, player, key).order_by(*NEWEST_FIRST).limit(limit)
        )
        query = query.where(matches.c.faults.is_not(None), entrants.c.faults > 0)
        rows = self._database.read(lambda connection: select_of_player(connection, query, matches.c.faulty))
        return merge_absences(
            PlayerFault(row.contest, row.number, fault["kind"], fault["detail"], row.stored, row.finished is not None)
            for row in rows
            for player, fault in zip(row.line_up, row.faults, strict=True)
            if player == row.player and fault is not None
        )

    def ratings(self, game: str, player: str, limit: int = 200, key: str = "") -> list[RatingPoint]:
        """The ratings of a player in the last of its finished contests that have ratings, oldest first."""
        columns = (contests.c.id, contests.c.definition, contests.c.finished, standings.c.lines, entrants.c.name)
        query = self._of_player(select(*columns), standings, game, player, key)
        query = query.where(contests.c.finished.is_not(None)).order_by(contests.c.id.desc()).limit(limit)
        points = [
            RatingPoint(
                row.id,
                SETUP.decode(row.definition).setup,
                row.finished,
                line.matches,
                line.rating.value,
                line.rating.low,
                line.rating.high,
            )
            for row in self._database.rows(query)
            if (tables := read_tables(row.lines)) is not None
            for line in tables.standings
            if line.player == row.name and line.rating is not None
        ]
        return points[::-1]


def merge_absences(faults: Iterable[PlayerFault]) -> list[PlayerFault]:
    """Faults, newest first, without absences: each says how many followed it.  The first of all is kept in any case."""
    found: list[PlayerFault] = []
    absent: dict[int, list[PlayerFault]] = {}  # by contest, those whose cause is still to come
    for fault in faults:
        if (fault.kind, fault.detail) == (ABSENCE.kind, ABSENCE.detail):
            absent.setdefault(fault.contest, []).append(fault)
        else:
            found.append(replace(fault, absent=len(absent.pop(fault.contest, ()))))
    return found + [replace(each[-1], absent=len(each) - 1) for each in absent.values()]


def read_matches(connection: Connection, contest: int, query: Select[Any]) -> list[MatchRow]:
    """The matches of a contest that `query` selects."""
    rows = connection.execute(query).all()
    names = read_names(connection, contest, {player for row in rows for player in row.line_up})
    return [build_match_row(row, names) for row in rows]


def read_player_matches(connection: Connection, query: Select[Any]) -> list[MatchRow]:
    """Those matches that `query` selects in which the player took part."""
    found = select_of_player(connection, query, matches.c.line_up)
    rows = {(row.contest, row.number): row for row in found}.values()  # it may have had two seats
    line_ups: dict[int, set[int]] = {}
    for row in rows:
        line_ups.setdefault(row.contest, set()).update(row.line_up)
    names = {contest: read_names(connection, contest, numbers) for contest, numbers in line_ups.items()}
    return [build_match_row(row, names[row.contest]) for row in rows]


def build_match_row(row: Any, names: Mapping[int, str]) -> MatchRow:
    """A match with the names of its players."""

    def names_of(numbers: Sequence[int]) -> tuple[str, ...]:
        return tuple(names[player] for player in numbers)

    return MatchRow(
        contest=row.contest,
        game=row.game,
        number=row.number,
        names=names_of(row.line_up),
        winners=names_of(row.winners),
        faulty=names_of(row.faulty),
        scores=tuple(None if score is None else tuple(score) for score in row.scores),
        ending=row.ending,
        seconds=row.seconds,
        stored=row.stored,
        recorded=bool(row.recorded),
    )


def read_names(connection: Connection, contest: int, numbers: set[int]) -> dict[int, str]:
    """The names of some players of a contest, which may have thousands."""
    which = (entrants.c.contest == contest) & entrants.c.number.in_(numbers)
    rows = connection.execute(select(entrants.c.number, entrants.c.name).where(which))
    return {row.number: row.name for row in rows}


def hash_identity(identity: str) -> str:
    """What may be shown of who a player is: a path or an account stays hidden."""
    return blake2b(identity.encode(), digest_size=8).hexdigest()


def select_of_player(connection: Connection, query: Select[Any], numbers: ColumnElement[Any]) -> Sequence[Any]:
    """Those rows of `query` in which the number of the player is among those in a column."""
    if connection.dialect.name == "postgresql":
        is_there: ColumnElement[bool] = numbers.op("@>", is_comparison=True)(func.to_jsonb(entrants.c.number))
    else:
        each = func.json_each(numbers).table_valued("value")
        is_there = select(each.c.value).where(each.c.value == entrants.c.number).exists()
    return connection.execute(query.where(is_there)).all()
