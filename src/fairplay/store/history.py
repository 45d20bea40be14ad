"""What was played, to be looked at: matches in lists, and a player's faults and ratings over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, FromClause, Select, func, select

from fairplay.contest.scoreboard import read_tables
from fairplay.store.schema import contests, matches, players, standings

__all__ = ["Encounter", "LastWords", "Rated", "encounters", "last_words", "ratings"]


class Encounter(Struct, frozen=True):
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
    recorded: bool  # can it be replayed?


class LastWords(Struct, frozen=True):
    """A fault of a player, with what it said last: text of strangers, never to be trusted."""

    contest: int
    number: int
    kind: str
    detail: str
    stored: float
    over: bool  # is the contest finished?


class Rated(Struct, frozen=True):
    """A player's rating in a finished contest; the ends of the interval are None where it is unbounded."""

    contest: int
    finished: float
    matches: int
    rating: float
    low: float | None
    high: float | None


SHOWN = (
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
NEWEST = (matches.c.stored.desc(), matches.c.contest.desc(), matches.c.number.desc())


# -- matches -----------------------------------------------------------------------------------


def encounters(connection: Connection, contest: int, *, after: int, limit: int, last_first: bool) -> list[Encounter]:
    """The matches of a contest in order of number, or the other way round, those after some number."""
    which = (matches.c.contest == contest) & (matches.c.number > after)
    order = matches.c.number.desc() if last_first else matches.c.number
    return listed(connection, select(*SHOWN).join(contests).where(which).order_by(order).limit(limit))


def listed(connection: Connection, query: Select[Any]) -> list[Encounter]:
    rows = connection.execute(query).all()
    wanted = {(row.contest, player) for row in rows for player in row.line_up}
    names = names_of(connection, wanted)

    def named(row: Any, numbers: Sequence[int]) -> tuple[str, ...]:
        return tuple(names[row.contest, player] for player in numbers)

    return [
        Encounter(
            row.contest,
            row.game,
            row.number,
            named(row, row.line_up),
            named(row, row.winners),
            named(row, row.faulty),
            tuple(None if score is None else tuple(score) for score in row.scores),
            row.ending,
            row.seconds,
            row.stored,
            bool(row.recorded),
        )
        for row in rows
    ]


def names_of(connection: Connection, wanted: set[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """The names of players by contest and number; a contest may have thousands, of whom a page shows few."""
    names: dict[tuple[int, int], str] = {}
    for contest in {contest for contest, _ in wanted}:
        numbers = [player for of, player in wanted if of == contest]
        which = (players.c.contest == contest) & players.c.number.in_(numbers)
        for row in connection.execute(select(players.c.number, players.c.name).where(which)):
            names[contest, row.number] = row.name
    return names


# -- one player --------------------------------------------------------------------------------


def entered(query: Select[Any], table: FromClause, game: str, player: str) -> Select[Any]:
    """`query` out of those rows of `table` that belong to contests of a game which a player entered."""
    query = query.select_from(table.join(contests).join(players, players.c.contest == contests.c.id))
    return query.where((contests.c.game == game) & (players.c.name == player))


def last_words(connection: Connection, game: str, player: str, limit: int) -> list[LastWords]:
    """The faults of a player, newest first."""
    columns = (matches.c.contest, matches.c.number, matches.c.line_up, matches.c.faults, matches.c.stored)
    about = (players.c.number.label("player"), contests.c.finished)
    query = entered(select(*columns, *about), matches, game, player)
    query = query.where(matches.c.faults.is_not(None), players.c.faults > 0, misbehaved(connection))
    return [
        LastWords(row.contest, row.number, fault["kind"], fault["detail"], row.stored, row.finished is not None)
        for row in connection.execute(query.order_by(*NEWEST).limit(limit))
        for player, fault in zip(row.line_up, row.faults, strict=True)
        if player == row.player and fault is not None
    ]


def misbehaved(connection: Connection) -> ColumnElement[bool]:
    """Did this player fault in this match?"""
    if connection.dialect.name == "postgresql":
        return matches.c.faulty.op("@>", is_comparison=True)(func.to_jsonb(players.c.number))
    each = func.json_each(matches.c.faulty).table_valued("value")
    return select(each.c.value).where(each.c.value == players.c.number).exists()


def ratings(connection: Connection, game: str, player: str, limit: int) -> list[Rated]:
    """The ratings of a player in the last of its finished contests that have ratings, oldest first."""
    query = entered(select(contests.c.id, contests.c.finished, standings.c.lines), standings, game, player)
    query = query.where(contests.c.finished.is_not(None)).order_by(contests.c.id.desc())
    found = [
        Rated(row.id, row.finished, line.matches, *line.rating)
        for row in connection.execute(query.limit(limit))
        if (tables := read_tables(row.lines)) is not None
        for line in tables.ratings
        if line.player == player
    ]
    return found[::-1]
