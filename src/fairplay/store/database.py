"""Reading and writing in whole transactions, tried again while the database server is away."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import RLock
from time import time
from typing import Any, TypeVar

from sqlalchemy import Column, Connection, Select, select
from sqlalchemy.engine import Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

from fairplay.core import AbsentError, StoreError
from fairplay.store.db_errors import explain_errors, is_away, retry_while
from fairplay.store.leases import GRACE, FileLease, LeaseError, ServerLease
from fairplay.store.opening import writing_engine
from fairplay.store.schema import contests, servers

T = TypeVar("T")


class Database:
    """The database of a store; each of its methods raises StoreError if the database fails.

    Threads may share it; a forked child must open its own.
    """

    def __init__(self, engine: Engine, patience: float) -> None:
        self.engine, self._writer, self._patience = engine, writing_engine(engine), patience
        self._guard = RLock()  # one writer at a time
        self.server: int | None = None  # our number, while we are a server of the store
        self._serving, self._served = 0, ExitStack()  # how many want that, and what ends it
        self._lease: ServerLease | None = None  # through which we write, while we have one
        self._run: set[int] = set()  # contests that are ours

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    def read(self, work: Callable[[Connection], T]) -> T:
        """What `work` reads; it may be called several times."""

        def attempt() -> T:
            with self.engine.connect() as connection:
                return work(connection)

        with explain_errors(self.engine):
            return retry_while(is_away, attempt, self._patience)

    def rows(self, query: Select[Any]) -> Sequence[Any]:
        """The rows that `query` selects."""
        return self.read(lambda connection: connection.execute(query).all())

    def write(self, work: Callable[[Connection], T], contest: int | None = None) -> T:
        """Do `work` in one transaction, through the connection of our lease if we have one.

        EFFECT: durable on return.  It may be called several times.  Raises AbsentError if the contest is not there, and
        StoreError if it was ours and another process has it now.
        """

        def attempt() -> T:
            if self._lease is None:
                with self._writer.begin() as connection:
                    return self._do(connection, work, contest)
            connection = self._lease.connection()
            with connection.begin():
                return self._do(connection, work, contest)

        with self._guard, explain_errors(self.engine):
            try:
                return retry_while(is_away, attempt, self._patience)
            except IntegrityError:
                if contest is None:
                    raise
                raise absent_contest(contest) from None

    def _do(self, connection: Connection, work: Callable[[Connection], T], contest: int | None) -> T:
        if contest in self._run:
            this = contests.c.id == contest
            row = connection.execute(select(contests.c.server).where(this).with_for_update()).one_or_none()
            if row is not None and row.server is None:  # somebody had it in the meantime, and gave it back
                connection.execute(contests.update().where(this).values(server=self.server))
            elif row is not None and row.server != self.server:
                raise refuse_contest(contest, self.find_holder(row.server) or "")
        return work(connection)

    def contest_row(self, id: int, *columns: Column[Any]) -> Any:
        """Some columns of a contest; raises AbsentError if there is none of this number."""
        query = select(*(columns or (contests.c.id,))).where(contests.c.id == id)
        rows = self.rows(query) if 0 < id < 2**31 else []
        if not rows:
            raise absent_contest(id)
        return rows[0]

    @contextmanager
    def lease(self, contest: int) -> Iterator[None]:
        """The right to run a contest, for the time of the block; raises StoreError while another process has it."""
        self.contest_row(contest)
        with self.serve():
            self._claim(contest)
            self._run.add(contest)
            try:
                yield
            finally:
                self._run.discard(contest)
                free = contests.update().where((contests.c.id == contest) & (contests.c.server == self.server))
                with suppress(StoreError):  # then the next process finds out by itself that we are gone
                    self.write(lambda connection: connection.execute(free.values(server=None)))

    def _claim(self, contest: int) -> None:
        """Take a contest that nobody runs, or whose server is gone; raises StoreError if somebody else has it."""
        while True:
            before = self.contest_row(contest, contests.c.server).server
            if before is not None and before == self.server and contest not in self._run:
                return  # it could not be given back
            holder = None if before is None else self.find_holder(before, GRACE)
            if holder is not None:
                raise refuse_contest(contest, holder)
            which = (contests.c.id == contest) & contests.c.server.is_not_distinct_from(before)
            take = contests.update().where(which).values(server=self.server)
            if self.write(lambda connection: connection.execute(take).rowcount):  # noqa: B023  # called at once
                return

    @contextmanager
    def serve(self) -> Iterator[int]:
        """Be a server of the store, under this number, for the time of the block and of others beside it.

        It ends when no thread writes any more.
        """
        with self._guard:
            if not self._serving:
                self._served.enter_context(self._hold())
            self._serving += 1
            number = self.server
        assert number is not None
        try:
            yield number
        finally:
            with self._guard:
                self._serving -= 1
                if not self._serving:
                    self._served.close()

    @contextmanager
    def _hold(self) -> Iterator[None]:
        insert = servers.insert().values(started=time()).returning(servers.c.id)
        number = self.write(lambda connection: connection.execute(insert).scalar_one())
        lease = self._new_lease(number)
        with explain_errors(self.engine), lease.hold():
            self.server, self._lease = number, lease if isinstance(lease, ServerLease) else None
            try:
                yield
            finally:
                with suppress(StoreError):
                    self.write(lambda connection: connection.execute(servers.delete().where(servers.c.id == number)))
                self.server = self._lease = None

    def find_holder(self, server: int, grace: float = 0.0) -> str | None:
        """The process that is a server; None if none is.  Empty if that cannot be found out: then one might be."""
        if server == self.server:
            return str(os.getpid())
        try:
            with self._new_lease(server, grace).hold():
                return None
        except LeaseError as held:
            return held.holder
        except (StoreError, DBAPIError):
            return ""

    def _new_lease(self, number: int, grace: float = GRACE) -> FileLease | ServerLease:
        if self.engine.dialect.name == "sqlite":
            return FileLease(Path(self.engine.url.database or "").resolve(), number)
        return ServerLease(self._writer, number, grace)


def refuse_contest(id: int, holder: str) -> StoreError:
    """The refusal of a contest that another process runs."""
    by = f"process {holder}" if holder else "another process"
    return StoreError(f"tournament {id} is being run by {by}; wait until it ends, or stop it")


def absent_contest(id: int) -> AbsentError:
    """The refusal of a contest that is not there."""
    return AbsentError(f"there is no tournament {id}")
