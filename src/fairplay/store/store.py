"""Contests and their results in a database: durable when a call returns, each match counted once."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from hashlib import blake2b
from pathlib import Path
from threading import RLock
from time import time
from types import TracebackType
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Select, select
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError

from fairplay.contest.contest import Contest, Result
from fairplay.core import AbsentError, Outcome, StoreError
from fairplay.play.packing import unpacked
from fairplay.store import SessionRow, boards, history, tables
from fairplay.store.boards import Board
from fairplay.store.careers import Career, careers
from fairplay.store.entering import check_equal, conclude, enter, keep
from fairplay.store.history import Encounter, LastWords, Rated
from fairplay.store.inserting import insert
from fairplay.store.leases import FileLease, ServerLease
from fairplay.store.opening import writing
from fairplay.store.rows import OUTCOME, WITHOUT_RECORD, outcome_in, result_in
from fairplay.store.schema import contests, errands, matches, standings
from fairplay.store.tables import Line, Table
from fairplay.store.troubles import place, retried, translated
from fairplay.store.unfinished import TurnLine, insert_sessions, insert_turns, list_sessions, list_turns

__all__ = ["Store", "Summary", "pages"]

T = TypeVar("T")

PAGE = 500
"""Rows that are read or written at a time."""


class Summary(Struct, frozen=True):
    """A contest in a list.  Times are seconds since 1970; `finished` is None while matches are missing."""

    id: int
    fingerprint: str
    game: str
    format: str
    players: tuple[str, ...]
    matches: int
    created: float
    finished: float | None


class Store:
    """Contests by number.  Threads may share it; a forked child must open its own."""

    def __init__(self, engine: Engine, patience: float) -> None:
        self.place = place(engine)
        self.address = engine.url.render_as_string(hide_password=False)  # to open it again; not to be shown to anybody
        self._engine, self._writer, self._patience = engine, writing(engine), patience
        self._guard = RLock()  # one writer at a time
        self._leases: dict[int, ServerLease] = {}

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    # -- contests ------------------------------------------------------------------------------

    def create(self, contest: Contest, *, errand: bool = False, sessions: Iterable[SessionRow] = ()) -> int:
        """Keep a new contest and give it a number; the same definition can be played many times.

        As an errand it stays on the list of what a server has to finish.  `sessions` are those of its remote players,
        kept until it is finished.
        """
        chance = secrets.token_bytes(16)
        fingerprint = blake2b(msgspec.json.encode(contest) + chance, digest_size=16).hexdigest()
        now, remote = time(), list(sessions)

        def make(connection: Connection) -> int:
            id = enter(connection, fingerprint, contest, now)
            insert_sessions(connection, id, remote)
            if errand:
                connection.execute(errands.insert(), {"contest": id})
            return id

        return self._write(make)

    def errands(self) -> list[int]:
        """The contests that a server took on and has not finished."""
        return [row.contest for row in self._rows(select(errands).order_by(errands.c.contest))]

    def keep_errand(self, id: int) -> None:
        """Let a server finish a contest; where it is one already, nothing happens."""
        self._definition(id)
        self._write(
            lambda connection: connection.execute(
                insert(connection, errands).on_conflict_do_nothing(index_elements=["contest"]), {"contest": id}
            )
        )

    def drop_errand(self, id: int) -> None:
        """Do not go on with a contest; what was played of it stays."""
        self._write(lambda connection: connection.execute(errands.delete().where(errands.c.contest == id)))

    def contests(self) -> list[Summary]:
        """All contests, oldest first."""
        return [summarised(row) for row in self._rows(select(contests).order_by(contests.c.id))]

    def newest(self, limit: int = 50, before: int | None = None) -> list[Summary]:
        """Some contests, newest first, those before a number."""
        query = select(contests).order_by(contests.c.id.desc()).limit(limit)
        rows = self._rows(query if before is None else query.where(contests.c.id < before))
        return [summarised(row) for row in rows]

    def contest(self, id: int) -> Contest:
        """The definition of a contest; raises StoreError where there is none of this number."""
        return msgspec.json.decode(self._definition(id).definition, type=Contest)

    def summary(self, id: int) -> Summary:
        """One line of `contests`; raises StoreError where there is none of this number."""
        return summarised(self._definition(id))

    def known(self, fingerprint: str) -> int | None:
        """The number of the contest with this fingerprint, wherever it was made."""
        found = self._rows(select(contests.c.id).where(contests.c.fingerprint == fingerprint))
        return found[0].id if found else None

    def finish(self, id: int, lines: bytes) -> None:
        """Say that all matches of a contest are there, and keep its table, which is JSON."""
        now = time()

        def end(connection: Connection) -> None:
            conclude(connection, id, lines)
            connection.execute(contests.update().where(contests.c.id == id).values(finished=now))

        self._write(end, id)

    def sessions(self, id: int) -> list[SessionRow]:
        """The sessions of the remote players of a contest that is not finished, in order of player."""
        self._definition(id)
        return self._read(lambda connection: list_sessions(connection, id))

    def standings(self, id: int) -> bytes | None:
        """The table of a finished contest, byte for byte as it was kept."""
        self._definition(id)
        found = self._rows(select(standings.c.lines).where(standings.c.contest == id))
        return found[0].lines.encode() if found else None

    @contextmanager
    def lease(self, id: int) -> Iterator[None]:
        """The right to run a contest, for the time of the block; raises StoreError while another process has it."""
        self._definition(id)
        with ExitStack() as stack:
            if self._engine.dialect.name == "sqlite":
                stack.enter_context(FileLease(Path(self._engine.url.database or "").resolve(), id).taken())
            else:
                lease = ServerLease(self._writer, id)
                with translated(self._engine):
                    stack.enter_context(lease.taken())
                self._leases[id] = lease
                stack.callback(self._leases.pop, id)
            stack.enter_context(self._waiting())
            yield

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        """When the block ends, wait until nobody writes any more."""
        try:
            yield
        finally:
            with self._guard:
                pass

    # -- matches -------------------------------------------------------------------------------

    def add(self, id: int, results: Iterable[Result]) -> None:
        """Keep results, all of them or none.  EFFECT: durable on return.  A match that is there already stays."""
        now = time()
        if given := list(results):
            self._write(lambda connection: keep(connection, id, given, now), id)

    def add_turns(self, id: int, turns: Iterable[TurnLine]) -> None:
        """Keep lines of the records of matches that are being played.  EFFECT: durable on return.

        Each is given with the number of its match and its own number from 0.  Lines that are there stay; those of a
        match whose result is kept are left out, and `add` deletes the lines of the matches that it keeps.
        """
        if given := list(turns):
            self._write(lambda connection: insert_turns(connection, id, given), id)

    def unfinished_turns(self, id: int) -> dict[int, list[bytes]]:
        """The lines of each unfinished match by number, from the first one to the first gap."""
        self._definition(id)
        return self._read(lambda connection: list_turns(connection, id))

    def results(self, id: int, *, records: bool = False) -> Iterator[Result]:
        """The results of a contest in order of number, read as they are asked for; records only where wanted."""
        self._definition(id)
        return self._results(id, records=records)

    def outcomes(self, id: int, numbers: Iterable[int]) -> dict[int, Outcome]:
        """The outcomes of those of the matches `numbers` that are there."""
        self._definition(id)
        found: dict[int, Outcome] = {}
        for page in pages(numbers):
            which = (matches.c.contest == id) & matches.c.number.in_(page)
            found |= {
                row.number: outcome_in(row) for row in self._rows(select(matches.c.number, *OUTCOME).where(which))
            }
        return found

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
            id = enter(connection, fingerprint, contest, created)
            now = time()
            for page in pages(results()):
                check_equal(connection, id, page)
                keep(connection, id, page, now)
            unfinished = contests.update().where((contests.c.id == id) & contests.c.finished.is_(None))
            if lines is not None and connection.execute(unfinished.values(finished=finished)).rowcount:
                conclude(connection, id, lines)
            return id

        return self._write(take)

    def record(self, id: int, number: int) -> bytes:
        """The lines of the record of one match; raises StoreError where it is not there, RecordError if damaged."""
        self._definition(id)
        which = (matches.c.contest == id) & (matches.c.number == number)
        found = self._rows(select(matches.c.record).where(which))
        if not found:
            raise AbsentError(f"tournament {id} has no match {number}")
        if found[0].record is None:
            raise AbsentError(f"match {number} of tournament {id} was kept without its record")
        return b"".join(unpacked(found[0].record))

    def players(self, game: str | None = None, name: str | None = None) -> list[Career]:
        """Every player with what it did in all contests together, by game and name; only those asked for."""
        return self._read(lambda connection: careers(connection, game, name))

    # -- to be looked at -----------------------------------------------------------------------

    def encounters(self, id: int, *, after: int = -1, limit: int = 100, last_first: bool = False) -> list[Encounter]:
        """Some matches of a contest in order of number, or the other way round, those after a number."""
        self._definition(id)
        return self._read(
            lambda connection: history.encounters(connection, id, after=after, limit=limit, last_first=last_first)
        )

    def last_words(self, game: str, player: str, limit: int = 50) -> list[LastWords]:
        """The faults of a player, newest first."""
        return self._read(lambda connection: history.last_words(connection, game, player, limit))

    def ratings(self, game: str, player: str, limit: int = 200) -> list[Rated]:
        """The ratings of a player in the last of its finished contests, oldest first."""
        return self._read(lambda connection: history.ratings(connection, game, player, limit))

    # -- tables --------------------------------------------------------------------------------

    def open_table(self, id: str, game: str, definition: bytes) -> None:
        """Make a table for a match; raises StoreError where there is another of this id."""
        now = time()
        self._write(lambda connection: tables.open_table(connection, id, game, definition, now))

    def add_lines(self, lines: Iterable[Line]) -> None:
        """Keep lines of any tables.  EFFECT: durable on return.  Lines that are there stay; closed tables take none."""
        if given := list(lines):
            self._write(lambda connection: tables.add_lines(connection, given))

    def lines(self, id: str) -> list[bytes]:
        """The record of a table as far as it goes; raises StoreError where there is none, RecordError if damaged."""
        return self._read(lambda connection: tables.lines_of(connection, id))

    def change_table(self, id: str, definition: bytes) -> None:
        """Replace the definition of a table; raises StoreError where there is none."""
        self._write(lambda connection: tables.change_table(connection, id, definition))

    def close_table(self, id: str, summary: bytes) -> None:
        """Pack the record of a table that has come to its end; a closed one stays as it is; raises StoreError."""
        now = time()
        self._write(lambda connection: tables.close_table(connection, id, summary, now))

    def drop_table(self, id: str) -> None:
        """Forget a table, if it is there."""
        self._write(lambda connection: tables.drop_table(connection, id))

    def table(self, id: str) -> Table:
        """One table; raises StoreError."""
        return self._read(lambda connection: tables.table(connection, id))

    def tables(
        self, *, running: bool | None = None, game: str | None = None, limit: int = 50, before: float | None = None
    ) -> list[Table]:
        """The newest tables first, only those that run or not, of a game, made before some time."""
        return self._read(
            lambda connection: tables.listed(connection, running=running, game=game, limit=limit, before=before)
        )

    # -- boards --------------------------------------------------------------------------------

    def keep_board(self, id: str, game: str, name: str, drawing: bytes) -> None:
        """Keep a drawing; one of the same id is replaced."""
        board = Board(id, game, name, drawing, time())
        self._write(lambda connection: boards.keep_board(connection, board))

    def boards(self, game: str | None = None, limit: int = 200) -> list[Board]:
        """The newest boards first, all or of a game."""
        return self._read(lambda connection: boards.listed(connection, game, limit))

    def board(self, id: str) -> Board:
        """One board; raises StoreError."""
        return self._read(lambda connection: boards.board(connection, id))

    def count_boards(self) -> int:
        """How many boards are kept."""
        return self._read(boards.counted)

    def drop_board(self, id: str) -> None:
        """Forget a board, if it is there."""
        self._write(lambda connection: boards.drop_board(connection, id))

    # -- talking to the database ---------------------------------------------------------------

    def _definition(self, id: int) -> Any:
        found = self._rows(select(contests).where(contests.c.id == id)) if 0 < id < 2**31 else []
        if not found:
            raise self._unknown(id)
        return found[0]

    def _unknown(self, id: int) -> StoreError:
        return AbsentError(f"there is no tournament {id}")

    def _results(self, id: int, *, records: bool) -> Iterator[Result]:
        columns = (*WITHOUT_RECORD, matches.c.record) if records else WITHOUT_RECORD
        query = select(*columns).where(matches.c.contest == id).order_by(matches.c.number).limit(PAGE)
        page = self._rows(query)
        while page:
            for row in page:
                yield result_in(row, (row.record if records else None) or b"")
            page = self._rows(query.where(matches.c.number > page[-1].number))

    def _rows(self, query: Select[Any]) -> Sequence[Any]:
        return self._read(lambda connection: connection.execute(query).all())

    def _read(self, work: Callable[[Connection], T]) -> T:
        def once() -> T:
            with self._engine.connect() as connection:
                return work(connection)

        with translated(self._engine):
            return retried(once, self._patience)

    def _write(self, work: Callable[[Connection], T], contest: int | None = None) -> T:
        """Do `work` in one transaction, through the connection of the lease where we have one."""

        def once() -> T:
            lease = None if contest is None else self._leases.get(contest)
            if lease is None:
                with self._writer.begin() as connection:
                    return work(connection)
            connection = lease.connection()
            with connection.begin():
                return work(connection)

        with self._guard, translated(self._engine):
            try:
                return retried(once, self._patience)
            except IntegrityError:
                if contest is None:
                    raise
                raise self._unknown(contest) from None


def summarised(row: Any) -> Summary:
    names = msgspec.json.decode(row.definition, type=Contest).names
    return Summary(row.id, row.fingerprint, row.game, row.format, names, row.matches, row.created, row.finished)


def pages(items: Iterable[T], size: int = PAGE) -> Iterator[list[T]]:
    """`items` in lists of `size`, the last one shorter."""
    page: list[T] = []
    for item in items:
        page.append(item)
        if len(page) == size:
            yield page
            page = []
    if page:
        yield page
