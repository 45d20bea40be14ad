"""What a contest needs to go on after its process was killed: turns of unfinished matches, sessions of its players."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

from sqlalchemy import Connection, select

from fairplay.store import SessionRow
from fairplay.store.inserting import insert
from fairplay.store.schema import contests, matches, sessions, turns

__all__ = [
    "TurnLine",
    "delete_sessions",
    "delete_turns",
    "insert_sessions",
    "insert_turns",
    "list_sessions",
    "list_turns",
]

TurnLine: TypeAlias = tuple[int, int, bytes]
"""The number of the match, the number of the line from 0, and the line of the record."""


def insert_turns(connection: Connection, contest: int, given: Sequence[TurnLine]) -> None:
    """Keep lines.  Those that are there stay; those of a match with a result or a finished contest are left out."""
    locked = select(contests.c.finished).where(contests.c.id == contest).with_for_update(read=True)
    row = connection.execute(locked).one_or_none()  # no result is added until we are through
    if row is not None and row.finished is not None:
        return
    which = (matches.c.contest == contest) & matches.c.number.in_({match for match, _, _ in given})
    over = {*connection.execute(select(matches.c.number).where(which)).scalars()}
    rows = [
        {"contest": contest, "match": match, "number": number, "line": line}
        for match, number, line in given
        if match not in over
    ]
    if rows:
        keys = ["contest", "match", "number"]
        connection.execute(insert(connection, turns).on_conflict_do_nothing(index_elements=keys), rows)


def list_turns(connection: Connection, contest: int) -> dict[int, list[bytes]]:
    """The lines of each unfinished match, from the first one to the first gap."""
    order = (turns.c.match, turns.c.number)
    query = select(*order, turns.c.line).where(turns.c.contest == contest).order_by(*order)
    lines: dict[int, list[bytes]] = {}
    for row in connection.execute(query):
        if row.number == len(lines.get(row.match, ())):
            lines.setdefault(row.match, []).append(row.line)
    return lines


def delete_turns(connection: Connection, contest: int, numbers: Collection[int] | None = None) -> None:
    """Forget the lines of some matches, or of all matches of a contest."""
    which = turns.c.contest == contest
    connection.execute(turns.delete().where(which if numbers is None else which & turns.c.match.in_(numbers)))


def insert_sessions(connection: Connection, contest: int, given: Sequence[SessionRow]) -> None:
    """Keep the sessions of a new contest."""
    rows = [
        {"contest": contest, "player": session.player, "secret": session.secret, "hello": session.hello}
        for session in given
    ]
    if rows:
        connection.execute(sessions.insert(), rows)


def list_sessions(connection: Connection, contest: int) -> list[SessionRow]:
    """The sessions of a contest in order of player; none once it is finished."""
    columns = (sessions.c.player, sessions.c.secret, sessions.c.hello)
    query = select(*columns).where(sessions.c.contest == contest).order_by(sessions.c.player)
    return [SessionRow(*row) for row in connection.execute(query)]


def delete_sessions(connection: Connection, contest: int) -> None:
    """Forget the sessions of a contest."""
    connection.execute(sessions.delete().where(sessions.c.contest == contest))
