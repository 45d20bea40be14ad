"""What each player did in all contests of a store together."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from sqlalchemy import Column, ColumnElement, Connection, Integer, cast, func, select, true

from fairplay.store.schema import contests, matches, players

__all__ = ["Career", "careers"]


class Career(Struct, frozen=True):
    """A player of a game by name and spec, and what it did: wins are alone, ties are shared."""

    game: str
    player: str
    spec: str
    contests: int
    matches: int
    wins: int
    ties: int
    faults: int


def careers(connection: Connection) -> list[Career]:
    """Every player there is, by game and name."""
    alone = length(connection, matches.c.winners) == 1
    counts = [
        appearances(connection, matches.c.line_up),
        appearances(connection, matches.c.winners, alone),
        appearances(connection, matches.c.winners, ~alone),
        appearances(connection, matches.c.faulty),
    ]
    sums: dict[tuple[str, str, str], list[int]] = {}
    entered = select(contests.c.game, players).join(players, players.c.contest == contests.c.id)
    for row in connection.execute(entered):
        career = sums.setdefault((row.game, row.name, row.spec), [0] * 5)
        career[0] += 1
        for index, count in enumerate(counts, 1):
            career[index] += count.get((row.contest, row.number), 0)
    return [Career(*who, *sums[who]) for who in sorted(sums)]


def appearances(
    connection: Connection, column: Column[Any], where: ColumnElement[bool] | None = None
) -> dict[tuple[int, int], int]:
    """How many matches name each player of each contest in `column`, a JSON array of players."""
    unnest = func.json_each if connection.dialect.name == "sqlite" else func.jsonb_array_elements_text
    each = unnest(column).table_valued("value")
    player = cast(each.c.value, Integer)
    query = select(matches.c.contest, player, func.count()).select_from(matches.join(each, true()))
    query = query.group_by(matches.c.contest, player)
    found = connection.execute(query if where is None else query.where(where))
    return {(contest, number): count for contest, number, count in found}


def length(connection: Connection, column: Column[Any]) -> ColumnElement[int]:
    count = func.json_array_length if connection.dialect.name == "sqlite" else func.jsonb_array_length
    return count(column)
