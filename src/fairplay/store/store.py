"""Contests and their results in a database: durable when a call returns, each match counted once."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from hashlib import blake2b
from time import time
from types import TracebackType
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, func, select

from fairplay.contest.contest import OPEN_FORMATS, Contest, Entrant, Result
from fairplay.core import AbsentError, Outcome, StoreError
from fairplay.match.packing import packed_levels, unpacked
from fairplay.store import SessionRow, inserts, unfinished
from fairplay.store.accounts import Accounts
from fairplay.store.database import Database
from fairplay.store.db_errors import database_name
from fairplay.store.history import History
from fairplay.store.schema import contests, entrants, fixtures, matches, standings, starts
from fairplay.store.web.boards import Boards
from fairplay.store.web.tables import WebTables

T = TypeVar("T")

PAGE_SIZE = 500
"""Rows that are read or written at a time."""


class ContestSummary(Struct, frozen=True):
    """A contest in a list.  Times are seconds since 1970; `finished` is None while matches are missing."""

    id: int
    fingerprint: str
    game: str
    format: str
    players: tuple[str, ...]
    matches: int
    created: float
    finished: float | None


SUMMARY_COLUMNS = (
    contests.c.id,
    contests.c.fingerprint,
    contests.c.game,
    contests.c.format,
    contests.c.matches,
    contests.c.created,
    contests.c.finished,
)
"""The fields of ContestSummary in order, without the players; the definition may be large, and is not read."""

PLANNED = contests.c.format.not_in(OPEN_FORMATS)
PLAYED = matches.c.broken.is_(None)


class Store:
    """Contests by number, and beside them what servers keep.  Threads may share it; a forked child must open its own.

    `history` looks back at all contests together; `queue` holds those that a server has to finish; `tables`,
    `boards` and `servers` are the web server's; `accounts` says who is known.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.place = database_name(database.engine)
        self.address = database.engine.url.render_as_string(hide_password=False)  # to open it again; never to be shown
        self.history, self.queue = History(database), unfinished.ServerQueue(database)
        self.tables, self.boards = WebTables(database), Boards(database)
        self.servers, self.accounts = unfinished.Servers(database), Accounts(database)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()

    # -- contests ------------------------------------------------------------------------------

    def create(self, contest: Contest, *, queued: bool = False, sessions: Iterable[SessionRow] = ()) -> int:
        """Keep a new contest and give it a number; the same definition can be played many times.

        queued: put it into the queue of contests that a server has to finish.
        sessions: those of its remote players, kept until it is finished.
        """
        chance = secrets.token_bytes(16)
        fingerprint = blake2b(msgspec.json.encode(contest) + chance, digest_size=16).hexdigest()
        now, remote = time(), list(sessions)

        def make(connection: Connection) -> int:
            id = inserts.insert_contest(connection, fingerprint, contest, now)
            unfinished.insert_sessions(connection, id, remote)
            if queued:
                unfinished.enqueue_contest(connection, id)
            return id

        return self.database.write(make)

    def contests(self) -> list[ContestSummary]:
        """All contests that were planned, oldest first."""
        return self._summarize(self.database.rows(select(*SUMMARY_COLUMNS).where(PLANNED).order_by(contests.c.id)))

    def open_contests(self) -> list[ContestSummary]:
        """All open contests, oldest first: their entrants and matches come over time."""
        return self._summarize(self.database.rows(select(*SUMMARY_COLUMNS).where(~PLANNED).order_by(contests.c.id)))

    def newest(self, limit: int = 50, before: int | None = None) -> list[ContestSummary]:
        """Some contests that were planned, newest first, those before a number."""
        query = select(*SUMMARY_COLUMNS).where(PLANNED).order_by(contests.c.id.desc()).limit(limit)
        return self._summarize(self.database.rows(query if before is None else query.where(contests.c.id < before)))

    def contest(self, id: int) -> Contest:
        """The definition of a contest, with the entrants so far if it is open; raises AbsentError if there is none."""
        row = self.database.contest_row(id, contests.c.definition, contests.c.format)
        found = msgspec.json.decode(row.definition, type=Contest)
        if not found.is_open:
            return found
        query = select(entrants.c.name, entrants.c.spec).where(entrants.c.contest == id).order_by(entrants.c.number)
        return replace(found, entrants=tuple(Entrant(*row) for row in self.database.rows(query)))

    def summary(self, id: int) -> ContestSummary:
        """One contest as in a list; raises AbsentError if there is none of this number."""
        return self._summarize([self.database.contest_row(id, *SUMMARY_COLUMNS)])[0]

    def find_contest(self, fingerprint: str) -> int | None:
        """The number of the contest with this fingerprint, in whichever store it was made."""
        rows = self.database.rows(select(contests.c.id).where(contests.c.fingerprint == fingerprint))
        return rows[0].id if rows else None

    def finish(self, id: int, lines: bytes) -> None:
        """Say that all matches of a contest are there, and keep its standings, which are JSON.

        EFFECT: forgets what only an unfinished contest needs: its place in the queue, its turns, its sessions.
        """
        now = time()

        def end(connection: Connection) -> None:
            inserts.insert_standings(connection, id, lines)
            when = func.coalesce(contests.c.finished, now)  # it is finished once
            connection.execute(contests.update().where(contests.c.id == id).values(finished=when))
            unfinished.delete_unfinished(connection, id)

        self.database.write(end, id)

    def delete(self, id: int) -> None:
        """Forget a contest with all its matches, all of it or nothing; raises StoreError while a process runs it.

        An open contest is refused: tables of the page lead to its matches.
        """

        def forget(connection: Connection) -> None:
            unfinished.delete_unfinished(connection, id)
            for table in (standings, matches, fixtures, starts, entrants):
                connection.execute(table.delete().where(table.c.contest == id))
            connection.execute(contests.delete().where(contests.c.id == id))

        if self.contest(id).is_open:
            raise StoreError(f"tournament {id} holds the matches of tables; it cannot be deleted")
        with self.lease(id):
            self.database.write(forget, id)

    def standings(self, id: int) -> bytes | None:
        """The standings of a finished contest, byte for byte as they were kept."""
        self.database.contest_row(id)
        rows = self.database.rows(select(standings.c.lines).where(standings.c.contest == id))
        return rows[0].lines.encode() if rows else None

    def sessions(self, id: int) -> list[SessionRow]:
        """The sessions of the remote players of a contest that is not finished, in order of player."""
        self.database.contest_row(id)
        return self.database.read(lambda connection: unfinished.read_sessions(connection, id))

    def lease(self, id: int) -> AbstractContextManager[None]:
        """The right to run a contest, for the time of the block; raises StoreError while another process has it."""
        return self.database.lease(id)

    # -- matches -------------------------------------------------------------------------------

    def add(self, id: int, results: Iterable[Result]) -> None:
        """Keep results, all of them or none.  EFFECT: durable on return.  A match that is there already stays."""
        now = time()
        if given := list(results):
            self.database.write(lambda connection: keep_results(connection, id, given, now), id)

    def start(self, id: int, number: int) -> None:
        """Say that this process plays a match from now on; ASSUME it has the right to run the contest."""
        server = self.database.server
        if server is not None:
            self.database.write(lambda connection: unfinished.insert_start(connection, id, number, server), id)

    def add_turns(self, id: int, turns: Iterable[tuple[int, int, bytes]]) -> None:
        """Keep lines of the records of matches that are being played.  EFFECT: durable on return.

        Each is given with the number of its match and its own number from 0.  Lines that are there stay; those of a
        match whose result is kept are left out, and `add` deletes the lines of the matches that it keeps.
        """
        if given := list(turns):
            self.database.write(lambda connection: unfinished.insert_turns(connection, id, given), id)

    def unfinished_turns(self, id: int) -> dict[int, list[bytes]]:
        """The lines of each unfinished match by number, from the first one to the first gap."""
        self.database.contest_row(id)
        return self.database.read(lambda connection: unfinished.read_turns(connection, id))

    def results(self, id: int, *, records: bool = False) -> Iterator[Result]:
        """The results of a contest in order of number, read as they are asked for; records only if wanted."""
        self.database.contest_row(id)
        return self._results(id, records=records)

    def outcomes(self, id: int, numbers: Iterable[int]) -> dict[int, Outcome]:
        """The outcomes of those of the matches `numbers` that are there."""
        self.database.contest_row(id)
        outcomes: dict[int, Outcome] = {}
        for page in in_pages(numbers):
            which = (matches.c.contest == id) & matches.c.number.in_(page) & PLAYED
            rows = self.database.rows(select(matches.c.number, *inserts.OUTCOME_COLUMNS).where(which))
            outcomes |= {row.number: inserts.read_outcome(row) for row in rows}
        return outcomes

    def record(self, id: int, number: int) -> bytes:
        """The lines of the record of one match; raises AbsentError if it is not there, RecordError if damaged."""
        self.database.contest_row(id)
        which = (matches.c.contest == id) & (matches.c.number == number)
        rows = self.database.rows(select(matches.c.record).where(which))
        if not rows:
            raise AbsentError(f"tournament {id} has no match {number}")
        if rows[0].record is None:
            raise AbsentError(f"match {number} of tournament {id} was kept without its record")
        return b"".join(unpacked(rows[0].record))

    def restore(
        self,
        fingerprint: str,
        contest: Contest,
        created: float,
        finished: float | None,
        lines: bytes | None,
        results: Callable[[], Iterable[Result]],
    ) -> int:
        """Keep a contest of another store with all its results, or what is missing of it here; all of it or nothing."""

        def take(connection: Connection) -> int:
            id = inserts.insert_contest(connection, fingerprint, contest, created)
            now = time()
            for page in in_pages(results()):
                inserts.check_same_results(connection, id, page)
                keep_results(connection, id, page, now)
            if_open = contests.update().where((contests.c.id == id) & contests.c.finished.is_(None))
            if lines is not None and connection.execute(if_open.values(finished=finished)).rowcount:
                inserts.insert_standings(connection, id, lines)
                unfinished.delete_unfinished(connection, id)
            return id

        return self.database.write(take)

    # -- reading in pages ----------------------------------------------------------------------

    def _results(self, id: int, *, records: bool) -> Iterator[Result]:
        contest = self.contest(id)
        levels = bool(contest.secret) or contest.is_open  # else it has house players alone, or is older than levels
        columns = (*inserts.RESULT_COLUMNS, matches.c.record) if records or levels else inserts.RESULT_COLUMNS
        query = select(*columns).where((matches.c.contest == id) & PLAYED).order_by(matches.c.number).limit(PAGE_SIZE)
        page = self.database.rows(query)
        while page:
            for row in page:
                result = inserts.read_result(row, (row.record if records else None) or b"")
                yield replace(result, levels=packed_levels(row.record)) if levels and row.record else result
            page = self.database.rows(query.where(matches.c.number > page[-1].number))

    def _summarize(self, rows: Sequence[Any]) -> list[ContestSummary]:
        """Rows of contests with the names of their players; ASSUME they are all contests between two numbers."""
        names = self.database.read(lambda connection: read_names(connection, [row.id for row in rows]))
        return [
            ContestSummary(id, fingerprint, game, format, tuple(names.get(id, ())), count, created, finished)
            for id, fingerprint, game, format, count, created, finished in rows
        ]


def keep_results(connection: Connection, id: int, results: Sequence[Result], now: float) -> None:
    """Keep results in the place of the turns of their matches."""
    inserts.insert_results(connection, id, results, now)
    unfinished.delete_lines(connection, id, {result.number for result in results})


def read_names(connection: Connection, ids: Sequence[int]) -> dict[int, list[str]]:
    """The names of the players of all contests from the first to the last of `ids`."""
    if not ids:
        return {}
    query = select(entrants.c.contest, entrants.c.name).where(entrants.c.contest.between(min(ids), max(ids)))
    names: dict[int, list[str]] = {}
    for contest, name in connection.execute(query.order_by(entrants.c.contest, entrants.c.number)):
        names.setdefault(contest, []).append(name)
    return names


def in_pages(items: Iterable[T], size: int = PAGE_SIZE) -> Iterator[list[T]]:
    """`items` in lists of `size`, the last one shorter."""
    page: list[T] = []
    for item in items:
        page.append(item)
        if len(page) == size:
            yield page
            page = []
    if page:
        yield page
