"""What is kept while matches are played: which server plays them, their lines, and what an unfinished contest needs.

There is one log of lines, whether a match belongs to a contest that was planned or to a table of the page.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import time
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, func, select

from fairplay.store import SessionRow
from fairplay.store.database import Database
from fairplay.store.inserts import dialect_insert
from fairplay.store.schema import contests, lines, matches, server_queue, servers, sessions, starts

MatchKey: TypeAlias = tuple[int, int]
"""The contest, and the number of the match in it."""

KeptLine: TypeAlias = tuple[int, int, int, bytes]
"""The contest, the number of the match, the number of the line from 0, and the line of the record."""


# -- servers -----------------------------------------------------------------------------------


class Servers:
    """The servers of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @contextmanager
    def run(self) -> Iterator[int]:
        """Be a server, under this number, for the time of the block; afterwards its matches belong to nobody."""
        with self._database.serve() as number:
            yield number

    def is_running(self, number: int, grace: float = 0.0) -> bool:
        """Is the server of this number alive?  `grace`: seconds that a database may need to notice its death.

        One that was struck off is not, even if its process still holds its lease: nobody waits for what it had.
        """
        is_listed = self._database.rows(select(servers.c.id).where(servers.c.id == number))
        return bool(is_listed) and self._database.find_holder(number, grace) is not None

    def forget(self, number: int) -> None:
        """Strike a server off that has stopped."""
        self._database.write(lambda connection: connection.execute(servers.delete().where(servers.c.id == number)))


# -- contests ----------------------------------------------------------------------------------


def delete_unfinished(connection: Connection, contest: int) -> None:
    """Forget all that only an unfinished contest needs."""
    for table in (server_queue, lines, sessions):
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


# -- starts ------------------------------------------------------------------------------------


def newest_server(contest: ColumnElement[Any], number: ColumnElement[Any]) -> Any:
    """The server that began a match last, as a subquery; NULL if none did."""
    which = (starts.c.contest == contest) & (starts.c.number == number)
    query = select(starts.c.server).where(which).order_by(starts.c.attempt.desc()).limit(1)
    return query.correlate_except(starts).scalar_subquery()


def insert_start(connection: Connection, contest: int, number: int, server: int) -> bool:
    """Say that a server plays a match from now on; False if another was quicker."""
    which = (starts.c.contest == contest) & (starts.c.number == number)
    last = connection.execute(select(func.max(starts.c.attempt)).where(which)).scalar()
    row = {"contest": contest, "number": number, "attempt": 0 if last is None else last + 1}
    insert = dialect_insert(connection, starts).on_conflict_do_nothing(index_elements=["contest", "number", "attempt"])
    made = connection.execute(insert.returning(starts.c.attempt), {**row, "server": server, "begun": time()})
    return made.first() is not None


# -- lines -------------------------------------------------------------------------------------


def insert_lines(connection: Connection, given: Iterable[KeptLine]) -> None:
    """Keep lines; those that are there stay.  ASSUME the matches are being played by whoever gives them."""
    rows = [dict(zip(("contest", "match", "number", "line"), line, strict=True)) for line in given]
    if rows:
        keys = ["contest", "match", "number"]
        connection.execute(dialect_insert(connection, lines).on_conflict_do_nothing(index_elements=keys), rows)


def insert_turns(connection: Connection, contest: int, given: Sequence[tuple[int, int, bytes]]) -> None:
    """Keep lines of a contest that was planned, without those of a match with a result or a finished contest."""
    locked = select(contests.c.finished).where(contests.c.id == contest).with_for_update(read=True)
    row = connection.execute(locked).one_or_none()  # no result is added until we are through
    if row is not None and row.finished is not None:
        return
    which = (matches.c.contest == contest) & matches.c.number.in_({match for match, _, _ in given})
    over = {*connection.execute(select(matches.c.number).where(which)).scalars()}
    insert_lines(connection, ((contest, *line) for line in given if line[0] not in over))


def read_lines(connection: Connection, contest: int, match: int) -> list[bytes]:
    """The lines of a match that is not finished, in order."""
    which = (lines.c.contest == contest) & (lines.c.match == match)
    return [*connection.execute(select(lines.c.line).where(which).order_by(lines.c.number)).scalars()]


def read_turns(connection: Connection, contest: int) -> dict[int, list[bytes]]:
    """The lines of each unfinished match, from the first one to the first gap."""
    order = (lines.c.match, lines.c.number)
    query = select(*order, lines.c.line).where(lines.c.contest == contest).order_by(*order)
    found: dict[int, list[bytes]] = {}
    for row in connection.execute(query):
        if row.number == len(found.get(row.match, ())):
            found.setdefault(row.match, []).append(row.line)
    return found


def delete_lines(connection: Connection, contest: int, numbers: Collection[int]) -> None:
    """Forget the lines of some matches."""
    connection.execute(lines.delete().where((lines.c.contest == contest) & lines.c.match.in_(numbers)))


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
