"""What unfinished contests need after their process was killed: the server's queue, turns of matches, sessions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

from sqlalchemy import Connection, select

from fairplay.store import SessionRow
from fairplay.store.database import Database
from fairplay.store.inserts import dialect_insert
from fairplay.store.schema import contests, matches, server_queue, sessions, turns

__all__ = [
    "ServerQueue",
    "TurnLine",
    "delete_turns",
    "delete_unfinished",
    "enqueue_contest",
    "insert_sessions",
    "insert_turns",
    "read_sessions",
    "read_turns",
]

TurnLine: TypeAlias = tuple[int, int, bytes]
"""The number of the match, the number of the line from 0, and the line of the record."""


def delete_unfinished(connection: Connection, contest: int) -> None:
    """Forget all that only an unfinished contest needs."""
    for table in (server_queue, turns, sessions):
        connection.execute(table.delete().where(table.c.contest == contest))


# -- the queue ---------------------------------------------------------------------------------


class ServerQueue:
    """The contests that a server took on, and resumes when it starts again, until they are finished."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def contests(self) -> list[int]:
        """The numbers of the contests in the queue, oldest first."""
        return [row.contest for row in self._database.rows(select(server_queue).order_by(server_queue.c.contest))]

    def add(self, id: int) -> None:
        """Let a server finish a contest; if it is in the queue already, nothing happens."""
        self._database.contest_row(id)
        self._database.write(lambda connection: enqueue_contest(connection, id))

    def remove(self, id: int) -> None:
        """Do not resume a contest; what was played of it stays."""
        delete = server_queue.delete().where(server_queue.c.contest == id)
        self._database.write(lambda connection: connection.execute(delete))


def enqueue_contest(connection: Connection, id: int) -> None:
    """Put a contest into the queue, where it may be already."""
    insert = dialect_insert(connection, server_queue)
    connection.execute(insert.on_conflict_do_nothing(index_elements=["contest"]), {"contest": id})


# -- turns -------------------------------------------------------------------------------------


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
        connection.execute(dialect_insert(connection, turns).on_conflict_do_nothing(index_elements=keys), rows)


def read_turns(connection: Connection, contest: int) -> dict[int, list[bytes]]:
    """The lines of each unfinished match, from the first one to the first gap."""
    order = (turns.c.match, turns.c.number)
    query = select(*order, turns.c.line).where(turns.c.contest == contest).order_by(*order)
    lines: dict[int, list[bytes]] = {}
    for row in connection.execute(query):
        if row.number == len(lines.get(row.match, ())):
            lines.setdefault(row.match, []).append(row.line)
    return lines


def delete_turns(connection: Connection, contest: int, numbers: Collection[int]) -> None:
    """Forget the lines of some matches."""
    connection.execute(turns.delete().where((turns.c.contest == contest) & turns.c.match.in_(numbers)))


# -- sessions ----------------------------------------------------------------------------------


def insert_sessions(connection: Connection, contest: int, given: Sequence[SessionRow]) -> None:
    """Keep the sessions of a new contest."""
    rows = [
        {"contest": contest, "player": session.player, "secret": session.secret, "hello": session.hello}
        for session in given
    ]
    if rows:
        connection.execute(sessions.insert(), rows)


def read_sessions(connection: Connection, contest: int) -> list[SessionRow]:
    """The sessions of a contest in order of player; none once it is finished."""
    columns = (sessions.c.player, sessions.c.secret, sessions.c.hello)
    query = select(*columns).where(sessions.c.contest == contest).order_by(sessions.c.player)
    return [SessionRow(*row) for row in connection.execute(query)]
