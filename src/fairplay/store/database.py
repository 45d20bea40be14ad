"""Reading and writing in whole transactions, tried again while the database server is away."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

from sqlalchemy import Column, Connection, Select, select
from sqlalchemy.engine import Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

from fairplay.core import AbsentError, StoreError
from fairplay.store.db_errors import explain_errors, is_away, retry_while
from fairplay.store.leases import GRACE, FileLease, LeaseKind, ServerLease
from fairplay.store.opening import writing_engine
from fairplay.store.schema import contests

__all__ = ["Database"]

T = TypeVar("T")


class Database:
    """The database of a store; each of its methods raises StoreError if the database fails.

    Threads may share it; a forked child must open its own.
    """

    def __init__(self, engine: Engine, patience: float) -> None:
        self.engine, self._writer, self._patience = engine, writing_engine(engine), patience
        self._guard = RLock()  # one writer at a time
        self._leases: dict[tuple[LeaseKind, int], ServerLease] = {}

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

    def write(self, work: Callable[[Connection], T], contest: int | None = None, *, server: int | None = None) -> T:
        """Do `work` in one transaction, through the connection of the contest's or server's lease if we have it.

        EFFECT: durable on return.  It may be called several times.  Raises AbsentError if the contest is not there.
        """

        def attempt() -> T:
            lease = self._leases.get(("server", server or 0) if contest is None else ("tournament", contest))
            if lease is None:
                with self._writer.begin() as connection:
                    return work(connection)
            connection = lease.connection()
            with connection.begin():
                return work(connection)

        with self._guard, explain_errors(self.engine):
            try:
                return retry_while(is_away, attempt, self._patience)
            except IntegrityError:
                if contest is None:
                    raise
                raise absent_contest(contest) from None

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
        with self._hold("tournament", contest):
            yield

    @contextmanager
    def hold_server(self, number: int) -> Iterator[None]:
        """Be the web server of this number, for the time of the block; raises StoreError while another process is."""
        with self._hold("server", number):
            yield

    def server_is_running(self, number: int, grace: float = 0.0) -> bool:
        """Does any process hold the lease of this web server?  If that cannot be found out, it might."""
        if ("server", number) in self._leases:
            return True
        try:
            with self._new_lease("server", number, grace).hold():
                return False
        except (StoreError, DBAPIError):
            return True

    def _new_lease(self, kind: LeaseKind, number: int, grace: float = GRACE) -> FileLease | ServerLease:
        if self.engine.dialect.name == "sqlite":
            return FileLease(Path(self.engine.url.database or "").resolve(), number, kind)
        return ServerLease(self._writer, number, kind, grace)

    @contextmanager
    def _hold(self, kind: LeaseKind, number: int) -> Iterator[None]:
        with ExitStack() as stack:
            lease = self._new_lease(kind, number)
            with explain_errors(self.engine):
                stack.enter_context(lease.hold())
            if isinstance(lease, ServerLease):
                self._leases[kind, number] = lease
                stack.callback(self._leases.pop, (kind, number))
            stack.enter_context(self._wait_for_writers())
            yield

    @contextmanager
    def _wait_for_writers(self) -> Iterator[None]:
        """When the block ends, wait until no thread writes any more."""
        try:
            yield
        finally:
            with self._guard:
                pass


def absent_contest(id: int) -> AbsentError:
    """The refusal of a contest that is not there."""
    return AbsentError(f"there is no tournament {id}")
