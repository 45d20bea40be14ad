"""Matches at the tables of a web server: their lines one by one while they run, packed into one value afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, select

from fairplay.core import AbsentError, RecordError, StoreError
from fairplay.play.packing import packed, unpacked
from fairplay.store.inserting import insert
from fairplay.store.schema import lines, tables

__all__ = [
    "Line",
    "Table",
    "add_lines",
    "change_table",
    "close_table",
    "drop_table",
    "lines_of",
    "listed",
    "open_table",
    "table",
]

Line = tuple[str, int, bytes]
"""The table, the number of the line from 0, and the line of the record."""


class Table(Struct, frozen=True):
    """A match at a table.  Times are seconds since 1970; `finished` and `summary` are None while it runs."""

    id: str
    game: str
    definition: bytes  # of the match, JSON
    created: float
    finished: float | None
    summary: bytes | None  # of how it ended, JSON


COLUMNS = (tables.c.id, tables.c.game, tables.c.definition, tables.c.created, tables.c.finished, tables.c.summary)


def open_table(connection: Connection, id: str, game: str, definition: bytes, now: float) -> None:
    """Make a table; raises StoreError where there is another of this name."""
    row = {"id": id, "game": game, "definition": definition, "created": now}
    connection.execute(insert(connection, tables).on_conflict_do_nothing(index_elements=["id"]), row)
    there = found(connection, id)
    if (there.game, there.definition) != (game, definition):
        raise StoreError(f"there is a table {id} already")


def change_table(connection: Connection, id: str, definition: bytes) -> None:
    """Replace the definition of a table; raises StoreError."""
    found(connection, id, lock=True)
    connection.execute(tables.update().where(tables.c.id == id).values(definition=definition))


def add_lines(connection: Connection, given: Sequence[Line]) -> None:
    """Keep lines of many tables.  Those that are there stay; those of a table that is finished or gone are left out."""
    owners = {owner for owner, _, _ in given}
    which = tables.c.id.in_(owners) & tables.c.finished.is_(None)
    running = {*connection.execute(select(tables.c.id).where(which).with_for_update(read=True)).scalars()}
    rows = [{"owner": owner, "number": number, "line": line} for owner, number, line in given if owner in running]
    if rows:
        connection.execute(insert(connection, lines).on_conflict_do_nothing(index_elements=["owner", "number"]), rows)


def lines_of(connection: Connection, id: str) -> list[bytes]:
    """The lines of a record in order, finished or not; raises StoreError, RecordError."""
    there = found(connection, id)
    return running_lines(connection, id) if there.finished is None else unpacked(there.record)


def running_lines(connection: Connection, id: str) -> list[bytes]:
    query = select(lines.c.line).where(lines.c.owner == id).order_by(lines.c.number)
    return [*connection.execute(query).scalars()]


def close_table(connection: Connection, id: str, summary: bytes, now: float) -> None:
    """Pack the lines of a table, and call it finished; raises StoreError, and RecordError where they are no record."""
    if found(connection, id, lock=True).finished is not None:
        return
    whole = running_lines(connection, id)
    record = packed(whole)
    if unpacked(record) != whole:
        raise RecordError(f"the lines of table {id} are not those of one record")
    connection.execute(lines.delete().where(lines.c.owner == id))
    end = {"finished": now, "summary": summary, "record": record}
    connection.execute(tables.update().where(tables.c.id == id).values(end))


def drop_table(connection: Connection, id: str) -> None:
    """Forget a table with all its lines, if it is there."""
    connection.execute(select(tables.c.id).where(tables.c.id == id).with_for_update())
    connection.execute(lines.delete().where(lines.c.owner == id))
    connection.execute(tables.delete().where(tables.c.id == id))


def table(connection: Connection, id: str) -> Table:
    """One table; raises StoreError."""
    return as_table(found(connection, id))


def listed(
    connection: Connection, *, running: bool | None, game: str | None, limit: int, before: float | None
) -> list[Table]:
    """The newest tables first; those that run, or not; of one game; made before some time."""
    query = select(*COLUMNS).order_by(tables.c.created.desc(), tables.c.id.desc()).limit(limit)
    if running is not None:
        query = query.where(tables.c.finished.is_(None) if running else tables.c.finished.is_not(None))
    if game is not None:
        query = query.where(tables.c.game == game)
    if before is not None:
        query = query.where(tables.c.created < before)
    return [as_table(row) for row in connection.execute(query)]


def found(connection: Connection, id: str, *, lock: bool = False) -> Any:
    """The row of a table, which nobody else can change where it is to be locked; raises StoreError."""
    query = select(*COLUMNS, tables.c.record).where(tables.c.id == id)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise AbsentError(f"there is no table {id}")
    return row


def as_table(row: Any) -> Table:
    return Table(row.id, row.game, row.definition, row.created, row.finished, row.summary)
