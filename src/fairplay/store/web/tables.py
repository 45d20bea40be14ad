"""The tables of the page: who sits where, and which match of which open contest is played there.

A table waits in the lobby until its line-up is known; then it is a fixture of the open contest of its game, setup and
limits, and its match is kept like every other: its lines one by one while it is played, one packed record afterwards.
"""

from collections.abc import Iterable, Mapping, Sequence
from time import time
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, func, select

from fairplay.contest.contest import Contest, Result, broken_outcome
from fairplay.core import AbsentError, RecordError, StoreError
from fairplay.match.packing import packed, unpacked
from fairplay.match.record import read_record
from fairplay.store import TakenOverError, inserts
from fairplay.store.database import Database
from fairplay.store.schema import contests, fixtures, matches, starts, tables
from fairplay.store.unfinished import delete_lines, insert_lines, insert_start, newest_server, read_lines
from fairplay.store.web.table_players import TableFilter, delete_players, find_keys, replace_players, select_newest

TableLine: TypeAlias = tuple[str, int, bytes]
"""The table, the number of the line from 0, and the line of the record."""


class WebTable(Struct, frozen=True):
    """A table.  Times are seconds since 1970; `finished` and `summary` are None until its match is over."""

    id: str
    game: str
    definition: bytes  # who sits where, JSON
    created: float
    finished: float | None
    summary: bytes | None  # of how the match ended, JSON
    contest: int
    number: int  # of the match
    server: int | None = None  # that plays it, or played it last


class Seated(Struct, frozen=True):
    """Who has a seat when a match begins."""

    name: str
    spec: str
    account: str | None = None  # of a person


COLUMNS = (
    tables.c.id,
    tables.c.game,
    tables.c.definition,
    tables.c.created,
    tables.c.finished,
    tables.c.summary,
    tables.c.contest,
    tables.c.number,
    newest_server(tables.c.contest, tables.c.number).label("server"),
)
NEWEST_FIRST = (tables.c.created.desc(), tables.c.id.desc())
EVERY_TABLE = TableFilter()


def plan_tables(game: str, setup: msgspec.Raw, limits: Mapping[str, float]) -> Contest:
    """The open contest of all tables at which this game is played with this setup and these limits."""
    return Contest(game, (), "table", dict(limits), setup, 0, limits.get("clock", 0.0), deals="fresh")


class WebTables:
    """The tables of a store, waiting, running and finished; each method raises AbsentError if there is no such table.

    A table whose match is not over belongs to the server that began it last.  It alone may change the table; others
    raise TakenOverError.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def open(
        self,
        id: str,
        game: str,
        definition: bytes,
        server: int | None = None,
        *,
        players: Iterable[str] = (),
        contest: Contest | None = None,
    ) -> None:
        """Make a table, to be found by the names of its players, for a match of an open contest.

        Raises StoreError if there is another table of this id.
        """
        names, now = tuple(players), time()
        shared = contest or plan_tables(game, msgspec.Raw(b"null"), {})
        row = {"id": id, "game": game, "definition": definition, "created": now}

        def work(connection: Connection) -> None:
            insert_table(connection, row, inserts.open_contest(connection, shared, now), names, server)

        self._database.write(work)

    def change(
        self, id: str, definition: bytes, server: int | None = None, *, players: Iterable[str] | None = None
    ) -> None:
        """Replace the definition of a table, and the names of its players if they are given."""
        names = None if players is None else tuple(players)
        self._database.write(lambda connection: update_definition(connection, id, definition, server, names))

    def claim(self, id: str, before: int | None, server: int) -> bool:
        """Let `server` play a table that `before` played last; False if another was quicker, or it is finished."""

        def work(connection: Connection) -> bool:
            row = find_row(connection, id, lock=True)
            if row.finished is not None or row.server != before:
                return False
            return insert_start(connection, row.contest, row.number, server)

        return self._database.write(work)

    def begin(self, id: str, seats: Sequence[Seated], deal: int, server: int | None = None) -> None:
        """Make the table a fixture: this is its line-up, and the seed of its deal; a second time nothing happens."""
        self._database.write(lambda connection: begin_match(connection, id, seats, deal, server))

    def close(self, id: str, summary: bytes, server: int | None = None, *, broken: str = "") -> None:
        """Pack the record of a match that has come to its end; a closed one stays as it is.

        broken: why it was broken off.  Raises RecordError if the lines are not those of one record.
        """
        now = time()
        self._database.write(lambda connection: finish_table(connection, id, summary, now, server, broken))

    def discard(self, id: str, server: int | None = None) -> None:
        """Forget a table at which nothing was played; ASSUME that nobody needs its lines."""
        self._database.write(lambda connection: delete_table(connection, id, server))

    def get(self, id: str) -> WebTable:
        """One table."""
        return self._database.read(lambda connection: as_table(find_row(connection, id)))

    def find(self, contest: int, number: int) -> str | None:
        """The id of the table at which a match is or was played; None if it was at none of the page."""
        which = (tables.c.contest == contest) & (tables.c.number == number)
        rows = self._database.rows(select(tables.c.id).where(which))
        return rows[0].id if rows else None

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
        rows = self._database.rows(select(*COLUMNS).where(tables.c.finished.is_(None)).order_by(*NEWEST_FIRST))
        return [as_table(row) for row in rows if row.server != server or server is None]

    def add_lines(self, lines: Iterable[TableLine], server: int | None = None) -> set[str]:
        """Keep lines of any tables.  EFFECT: durable on return.  Lines that are there stay.

        Returns the tables that took none: those that are closed, not there, or another server's.
        """
        given = list(lines)
        if not given:
            return set()
        return self._database.write(lambda connection: add_table_lines(connection, given, server))

    def lines(self, id: str) -> list[bytes]:
        """The record of a table as far as it goes; raises RecordError if it is damaged."""
        return self._database.read(lambda connection: read_record_lines(connection, id))


# -- inside a transaction ----------------------------------------------------------------------


def insert_table(
    connection: Connection, row: dict[str, Any], contest: int, players: Sequence[str], server: int | None
) -> None:
    """Make a table for the next match of an open contest; raises StoreError if there is another of this id."""
    lock_contest(connection, contest)
    if connection.execute(select(tables.c.id).where(tables.c.id == row["id"])).first() is None:
        last = connection.execute(select(func.max(tables.c.number)).where(tables.c.contest == contest)).scalar()
        number = 0 if last is None else last + 1
        insert = inserts.dialect_insert(connection, tables).on_conflict_do_nothing(index_elements=["id"])
        made = connection.execute(insert.returning(tables.c.id), {**row, "contest": contest, "number": number})
        if made.first() is not None and server is not None:
            insert_start(connection, contest, number, server)
    there = find_row(connection, row["id"])
    if (there.game, there.definition) != (row["game"], row["definition"]):
        raise StoreError(f"there is a table {row['id']} already")
    replace_players(connection, row["id"], players)


def lock_contest(connection: Connection, contest: int) -> str:
    """The fingerprint of a contest, to which nobody else adds anything until the transaction ends."""
    query = select(contests.c.fingerprint).where(contests.c.id == contest).with_for_update(key_share=True)
    fingerprint: str = connection.execute(query).scalar_one()
    return fingerprint


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


def begin_match(connection: Connection, id: str, seats: Sequence[Seated], deal: int, server: int | None) -> None:
    """Turn a table into a fixture."""
    row = find_row(connection, id, lock=True)
    check_server(row, server)
    fingerprint = lock_contest(connection, row.contest)
    which = (fixtures.c.contest == row.contest) & (fixtures.c.number == row.number)
    if connection.execute(select(fixtures.c.number).where(which)).first() is None:
        given = [
            inserts.NewEntrant(
                seat.name, seat.spec, inserts.identify(seat.spec, fingerprint, row.number, seat.account), seat.account
            )
            for seat in seats
        ]
        inserts.insert_fixture(connection, row.contest, row.number, inserts.enter(connection, row.contest, given), deal)


def add_table_lines(connection: Connection, given: Sequence[TableLine], server: int | None) -> set[str]:
    """Keep lines that are not there yet; returns the tables that are finished or another server's, or not there."""
    owners = {owner for owner, _, _ in given}
    which = tables.c.id.in_(owners) & tables.c.finished.is_(None)
    connection.execute(select(tables.c.id).where(which).with_for_update(read=True))  # nobody claims one of them now
    rows = connection.execute(select(*COLUMNS).where(which))
    running = {row.id: (row.contest, row.number) for row in rows if row.server == server}
    insert_lines(connection, ((*running[owner], *line) for owner, *line in given if owner in running))
    return owners - running.keys()


def read_record_lines(connection: Connection, id: str) -> list[bytes]:
    """The lines of a record in order, finished or not."""
    there = find_row(connection, id)
    if there.finished is None:
        return read_lines(connection, there.contest, there.number)
    which = (matches.c.contest == there.contest) & (matches.c.number == there.number)
    record = connection.execute(select(matches.c.record).where(which)).scalar()
    return [] if record is None else unpacked(record)


def finish_table(connection: Connection, id: str, summary: bytes, now: float, server: int | None, broken: str) -> None:
    """Pack the lines of a match into one record, and call its table finished."""
    there = find_row(connection, id, lock=True)
    if there.finished is not None:
        return
    check_server(there, server)
    whole = read_lines(connection, there.contest, there.number)
    if whole:
        keep_match(connection, there, whole, now, broken)
    delete_lines(connection, there.contest, {there.number})
    connection.execute(tables.update().where(tables.c.id == id).values(finished=now, summary=summary))


def keep_match(connection: Connection, table: Any, whole: Sequence[bytes], now: float, broken: str) -> None:
    """Keep the match of a table, whole or broken off; raises RecordError if the lines are not those of one record."""
    record = packed(whole)
    if unpacked(record) != whole:
        raise RecordError(f"the lines of table {table.id} are not those of one record")
    outcome = read_record(whole).outcome
    which = (fixtures.c.contest == table.contest) & (fixtures.c.number == table.number)
    fixture = connection.execute(select(fixtures.c.line_up, fixtures.c.deal).where(which)).one()
    begun = connection.execute(
        select(func.max(starts.c.begun)).where((starts.c.contest == table.contest) & (starts.c.number == table.number))
    ).scalar()
    line_up = tuple(fixture.line_up)
    played = outcome or broken_outcome(len(line_up))
    seconds = max(0.0, now - (table.created if begun is None else begun))
    result = Result(table.number, line_up, fixture.deal, played, record, seconds)
    inserts.insert_results(connection, table.contest, [result], now, broken=None if outcome else broken or "broken off")


def delete_table(connection: Connection, id: str, server: int | None) -> None:
    """Forget a table whose match has not begun."""
    there = find_row(connection, id, lock=True)
    check_server(there, server)
    delete_lines(connection, there.contest, {there.number})
    for table in (starts, fixtures):
        which = (table.c.contest == there.contest) & (table.c.number == there.number)
        connection.execute(table.delete().where(which))
    delete_players(connection, id)
    connection.execute(tables.delete().where(tables.c.id == id))


def find_row(connection: Connection, id: str, *, lock: bool = False) -> Any:
    """The row of a table, which no one else can change if it is to be locked; raises AbsentError."""
    if lock:  # first, so that what is read next is what those before us have left
        connection.execute(select(tables.c.id).where(tables.c.id == id).with_for_update())
    row = connection.execute(select(*COLUMNS).where(tables.c.id == id)).one_or_none()
    if row is None:
        raise AbsentError(f"there is no table {id}")
    return row


def as_table(row: Any) -> WebTable:
    """The table that `row` keeps."""
    return WebTable(*row)
