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
from sqlalchemy import Connection, Select, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError

from fairplay.core import Outcome, StoreError
from fairplay.play.contest import Contest, Result
from fairplay.play.packing import unpacked
from fairplay.store.careers import Career, careers
from fairplay.store.leases import FileLease, ServerLease
from fairplay.store.opening import writing
from fairplay.store.rows import OUTCOME, WITHOUT_RECORD, outcome_in, result_in, row_of
from fairplay.store.schema import contests, matches, players, standings
from fairplay.store.troubles import place, retried, translated

__all__ = ["Store", "Summary", "pages"]

T = TypeVar("T")

PAGE = 500
"""Rows that are read or written at a time."""

INSERT: dict[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


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
        self._engine, self._writer, self._patience = engine, writing(engine), patience
        self._guard = RLock()  # one writer at a time
        self._leases: dict[int, ServerLease] = {}
        insert = INSERT[engine.dialect.name]
        self._keep = insert(matches).on_conflict_do_nothing(index_elements=["contest", "number"])
        self._conclude = insert(standings).on_conflict_do_update(
            index_elements=["contest"], set_={"lines": insert(standings).excluded.lines}
        )

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    # -- contests ------------------------------------------------------------------------------

    def create(self, contest: Contest) -> int:
        """Keep a new contest and give it a number; the same definition can be played many times."""
        chance = secrets.token_bytes(16)
        fingerprint = blake2b(msgspec.json.encode(contest) + chance, digest_size=16).hexdigest()
        now = time()
        return self._write(lambda connection: enter(connection, fingerprint, contest, now))

    def contests(self) -> list[Summary]:
        """All contests, oldest first."""
        played = select(func.count()).where(matches.c.contest == contests.c.id).scalar_subquery()
        found = self._rows(select(contests, played.label("matches")).order_by(contests.c.id))
        names: dict[int, list[str]] = {row.id: [] for row in found}
        for row in self._rows(select(players.c.contest, players.c.name).order_by(players.c.contest, players.c.number)):
            names.setdefault(row.contest, []).append(row.name)
        return [summarised(row, names[row.id], row.matches) for row in found]

    def contest(self, id: int) -> Contest:
        """The definition of a contest; raises StoreError where there is none of this number."""
        return msgspec.json.decode(self._definition(id).definition, type=Contest)

    def summary(self, id: int) -> Summary:
        """One line of `contests`; raises StoreError where there is none of this number."""
        row = self._definition(id)
        played = self._rows(select(func.count()).where(matches.c.contest == id))[0][0]
        return summarised(row, self.contest(id).names, played)

    def known(self, fingerprint: str) -> int | None:
        """The number of the contest with this fingerprint, wherever it was made."""
        found = self._rows(select(contests.c.id).where(contests.c.fingerprint == fingerprint))
        return found[0].id if found else None

    def finish(self, id: int, lines: bytes) -> None:
        """Say that all matches of a contest are there, and keep its table, which is JSON."""
        now, row = time(), {"contest": id, "lines": lines.decode()}

        def conclude(connection: Connection) -> None:
            connection.execute(self._conclude, row)
            connection.execute(contests.update().where(contests.c.id == id).values(finished=now))

        self._write(conclude, id)

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
        if rows := [row_of(id, result, now) for result in results]:
            self._write(lambda connection: connection.execute(self._keep, rows), id)

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

    def record(self, id: int, number: int) -> bytes:
        """The lines of the record of one match; raises StoreError where it is not there, RecordError if damaged."""
        self._definition(id)
        which = (matches.c.contest == id) & (matches.c.number == number)
        found = self._rows(select(matches.c.record).where(which))
        if not found:
            raise StoreError(f"tournament {id} has no match {number}")
        if found[0].record is None:
            raise StoreError(f"match {number} of tournament {id} was kept without its record")
        return b"".join(unpacked(found[0].record))

    def players(self) -> list[Career]:
        """Every player with what it did in all contests together, by game and name."""
        return self._read(careers)

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
                connection.execute(self._keep, [row_of(id, result, now) for result in page])
            unfinished = contests.update().where((contests.c.id == id) & contests.c.finished.is_(None))
            if lines is not None and connection.execute(unfinished.values(finished=finished)).rowcount:
                connection.execute(self._conclude, {"contest": id, "lines": lines.decode()})
            return id

        return self._write(take)

    # -- talking to the database ---------------------------------------------------------------

    def _definition(self, id: int) -> Any:
        found = self._rows(select(contests).where(contests.c.id == id)) if 0 < id < 2**31 else []
        if not found:
            raise self._unknown(id)
        return found[0]

    def _unknown(self, id: int) -> StoreError:
        return StoreError(f"there is no tournament {id} in {self.place}")

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


def summarised(row: Any, names: Iterable[str], played: int) -> Summary:
    return Summary(row.id, row.fingerprint, row.game, row.format, tuple(names), played, row.created, row.finished)


def enter(connection: Connection, fingerprint: str, contest: Contest, created: float) -> int:
    """The number of the contest with this fingerprint, which is made where it is new; raises StoreError."""
    definition = msgspec.json.encode(contest).decode()
    known = connection.execute(
        select(contests.c.id, contests.c.definition).where(contests.c.fingerprint == fingerprint)
    ).one_or_none()
    if known is not None:
        if known.definition != definition:
            raise StoreError(f"tournament {known.id} of this store has the same fingerprint, but another definition")
        return int(known.id)
    row = {"fingerprint": fingerprint, "game": contest.game, "format": contest.format, "definition": definition}
    key = connection.execute(contests.insert().values(**row, created=created)).inserted_primary_key
    assert key is not None
    id = int(key[0])
    everybody = [
        {"contest": id, "number": number, "name": name, "spec": spec}
        for number, (name, spec) in enumerate(contest.players)
    ]
    if everybody:
        connection.execute(players.insert(), everybody)
    return id


def check_equal(connection: Connection, id: int, results: Sequence[Result]) -> None:
    """Refuse results that contradict what is there; raises StoreError."""
    given = {result.number: result for result in results}
    query = select(*WITHOUT_RECORD).where((matches.c.contest == id) & matches.c.number.in_(given))
    for row in connection.execute(query):
        ours, theirs = result_in(row, b""), given[row.number]
        if (ours.line_up, ours.deal, ours.outcome) != (theirs.line_up, theirs.deal, theirs.outcome):
            raise StoreError(f"match {row.number} ended otherwise in tournament {id} of this store")


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
