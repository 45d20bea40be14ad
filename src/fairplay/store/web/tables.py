"""Matches at the tables of a web server: their lines one by one while they run, packed into one value afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from time import time
from typing import Any, TypeAlias

from msgspec import Struct
from sqlalchemy import Connection, select

from fairplay.core import AbsentError, RecordError, StoreError
from fairplay.match.packing import packed, unpacked
from fairplay.store.database import Database
from fairplay.store.inserts import dialect_insert
from fairplay.store.schema import lines, tables
from fairplay.store.web.table_players import TableFilter, delete_players, find_keys, replace_players, select_newest

__all__ = ["TableLine", "TakenOverError", "WebTable", "WebTables"]

TableLine: TypeAlias = tuple[str, int, bytes]
"""The table, the number of the line from 0, and the line of the record."""


class WebTable(Struct, frozen=True):
    """A match at a table.  Times are seconds since 1970; `finished` and `summary` are None while it runs."""

    id: str
    game: str
    definition: bytes  # of the match, JSON
    created: float
    finished: float | None
    summary: bytes | None  # of how it ended, JSON
    server: int | None = None  # that plays it


class TakenOverError(StoreError):
    """The table belongs to another server now."""


COLUMNS = (
    tables.c.id,
    tables.c.game,
    tables.c.definition,
    tables.c.created,
    tables.c.finished,
    tables.c.summary,
    tables.c.server,
)
NEWEST_FIRST = (tables.c.created.desc(), tables.c.id.desc())
EVERY_TABLE = TableFilter()


class WebTables:
    """The tables of a store, running and finished; each method raises AbsentError if there is no such table.

    A table that is not finished belongs to one server, which alone may change it; others raise TakenOverError.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def open(
        self, id: str, game: str, definition: bytes, server: int | None = None, *, players: Iterable[str] = ()
    ) -> None:
        """Make a table for a match, to be found by the names of its players.

        Raises StoreError if there is another table of this id.
        """
        names = tuple(players)
        row = {"id": id, "game": game, "definition": definition, "created": time(), "server": server}
        self._database.write(lambda connection: insert_table(connection, row, names), server=server)

    def change(
        self, id: str, definition: bytes, server: int | None = None, *, players: Iterable[str] | None = None
    ) -> None:
        """Replace the definition of a table, and the names of its players if they are given."""
        names = None if players is None else tuple(players)
        self._database.write(
            lambda connection: update_definition(connection, id, definition, server, names), server=server
        )

    def claim(self, id: str, before: int | None, server: int) -> bool:
        """Let `server` play a table that belonged to `before`; False if another was quicker, or it is finished."""
        which = (tables.c.id == id) & tables.c.server.is_not_distinct_from(before) & tables.c.finished.is_(None)
        update = tables.update().where(which).values(server=server)
        return self._database.write(lambda connection: connection.execute(update).rowcount, server=server) > 0

    def close(self, id: str, summary: bytes, server: int | None = None) -> None:
        """Pack the record of a table that has come to its end; a closed one stays as it is.

        Raises RecordError if the lines are not those of one record.
        """
        now = time()
        self._database.write(lambda connection: finish_table(connection, id, summary, now, server), server=server)

    def discard(self, id: str, server: int | None = None) -> None:
        """Forget a table at which nothing was played; ASSUME that nobody needs its lines."""
        self._database.write(lambda connection: delete_table(connection, id, server), server=server)

    def get(self, id: str) -> WebTable:
        """One table."""
        return self._database.read(lambda connection: as_table(find_row(connection, id)))

    def newest(self, wanted: TableFilter = EVERY_TABLE) -> list[WebTable]:
        """The newest tables that are wanted, newest first."""
        if wanted.players == ():
            return []
        return [as_table(row) for row in self._database.rows(select_newest(COLUMNS, wanted))]

    def player_keys(self, beginning: str, limit: int) -> list[str]:
        """The keys of the names at all tables that begin so, in order; such keys are what a filter takes."""
        return self._database.read(lambda connection: find_keys(connection, beginning, limit))

    def unfinished_elsewhere(self, server: int | None) -> list[WebTable]:
        """The tables that are not finished and do not belong to `server`, newest first."""
        which = tables.c.finished.is_(None) & tables.c.server.is_distinct_from(server)
        return [as_table(row) for row in self._database.rows(select(*COLUMNS).where(which).order_by(*NEWEST_FIRST))]

    def add_lines(self, lines: Iterable[TableLine], server: int | None = None) -> set[str]:
        """Keep lines of any tables.  EFFECT: durable on return.  Lines that are there stay.

        Returns the tables that took none: those that are closed, not there, or another server's.
        """
        given = list(lines)
        if not given:
            return set()
        return self._database.write(lambda connection: insert_lines(connection, given, server), server=server)

    def lines(self, id: str) -> list[bytes]:
        """The record of a table as far as it goes; raises RecordError if it is damaged."""
        return self._database.read(lambda connection: read_lines(connection, id))


# -- inside a transaction ----------------------------------------------------------------------


def insert_table(connection: Connection, row: dict[str, Any], players: Sequence[str]) -> None:
    """Make a table; raises StoreError if there is another of this id."""
    connection.execute(dialect_insert(connection, tables).on_conflict_do_nothing(index_elements=["id"]), row)
    there = find_row(connection, row["id"])
    if (there.game, there.definition) != (row["game"], row["definition"]):
        raise StoreError(f"there is a table {row['id']} already")
    replace_players(connection, row["id"], players)


def update_definition(
    connection: Connection, id: str, definition: bytes, server: int | None, players: Sequence[str] | None
) -> None:
    """Replace the definition of a table, and its players if they are given."""
    check_server(find_row(connection, id, lock=True), server)
    connection.execute(tables.update().where(tables.c.id == id).values(definition=definition))
    if players is not None:
        replace_players(connection, id, players)


def check_server(row: Any, server: int | None) -> None:
    """Raises TakenOverError if a table that is not finished belongs to another server."""
    if row.finished is None and row.server != server:
        raise TakenOverError(f"table {row.id} belongs to another server")


def insert_lines(connection: Connection, given: Sequence[TableLine], server: int | None) -> set[str]:
    """Keep lines that are not there yet; returns the tables that are finished or another server's, or not there."""
    owners = {owner for owner, _, _ in given}
    which = tables.c.id.in_(owners) & tables.c.finished.is_(None) & tables.c.server.is_not_distinct_from(server)
    running = {*connection.execute(select(tables.c.id).where(which).with_for_update(read=True)).scalars()}
    rows = [{"owner": owner, "number": number, "line": line} for owner, number, line in given if owner in running]
    if rows:
        insert = dialect_insert(connection, lines)
        connection.execute(insert.on_conflict_do_nothing(index_elements=["owner", "number"]), rows)
    return owners - running


def read_lines(connection: Connection, id: str) -> list[bytes]:
    """The lines of a record in order, finished or not."""
    there = find_row(connection, id)
    return read_running_lines(connection, id) if there.finished is None else unpacked(there.record)


def read_running_lines(connection: Connection, id: str) -> list[bytes]:
    """The lines of a table that is not finished, in order."""
    query = select(lines.c.line).where(lines.c.owner == id).order_by(lines.c.number)
    return [*connection.execute(query).scalars()]


def finish_table(connection: Connection, id: str, summary: bytes, now: float, server: int | None) -> None:
    """Pack the lines of a table into one record, and call it finished."""
    there = find_row(connection, id, lock=True)
    if there.finished is not None:
        return
    check_server(there, server)
    whole = read_running_lines(connection, id)
    record = packed(whole)
    if unpacked(record) != whole:
        raise RecordError(f"the lines of table {id} are not those of one record")
    connection.execute(lines.delete().where(lines.c.owner == id))
    end = {"finished": now, "summary": summary, "record": record}
    connection.execute(tables.update().where(tables.c.id == id).values(end))


def delete_table(connection: Connection, id: str, server: int | None) -> None:
    """Forget a table that is not finished."""
    there = find_row(connection, id, lock=True)
    check_server(there, server)
    connection.execute(lines.delete().where(lines.c.owner == id))
    delete_players(connection, id)
    connection.execute(tables.delete().where(tables.c.id == id))


def find_row(connection: Connection, id: str, *, lock: bool = False) -> Any:
    """The row of a table, which no one else can change if it is to be locked; raises AbsentError."""
    query = select(*COLUMNS, tables.c.record).where(tables.c.id == id)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise AbsentError(f"there is no table {id}")
    return row


def as_table(row: Any) -> WebTable:
    """The table that `row` keeps."""
    return WebTable(row.id, row.game, row.definition, row.created, row.finished, row.summary, row.server)
