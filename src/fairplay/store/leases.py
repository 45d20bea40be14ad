"""The right to be a server of a store: one process at a time has it, and loses it when it dies, however it dies."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import ClassVar, Protocol
from weakref import WeakSet

from sqlalchemy import Connection, text
from sqlalchemy.engine import Engine

from fairplay.core import StoreError

GRACE = 2.0
"""Seconds to wait for a lock of PostgreSQL: the server needs a moment to notice that its holder was killed."""

ADVISORY_LOCKS = 0x46616973
"""The first half of our keys among the advisory locks of a database; the second is the number."""


class LeaseError(StoreError):
    """Another process is this server."""

    def __init__(self, number: int, holder: str) -> None:
        by = f"process {holder}" if holder else "another process"
        super().__init__(f"server {number} is being run by {by}; wait until it ends, or stop it")
        self.holder = holder


class FileLease:
    """A lock of the operating system on a file beside the database.

    A record lock is the one kind that children of the process do not inherit: a worker that outlives its killed parent
    must not keep it.  But it does not keep threads apart, so a table of this process does that.
    """

    held: ClassVar[set[tuple[int, Path]]] = set()  # by process, for a forked child starts with a copy of this
    guard = Lock()

    def __init__(self, database: Path, number: int) -> None:
        self.number = number
        self.path = database.with_name(f"{database.name}-server-{number}").absolute()

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the lease during the block; raises StoreError if another holds it."""
        key = (os.getpid(), self.path)
        with self.guard:
            if key in self.held:
                raise LeaseError(self.number, str(os.getpid()))
            try:
                descriptor = self.lock_file()
            except OSError as error:
                raise StoreError(f"{self.path} cannot be locked: {error.strerror}") from None
            self.held.add(key)
        try:
            yield
        finally:
            with self.guard:
                self.path.unlink(missing_ok=True)  # before the lock goes, so that it is still ours
                os.close(descriptor)
                self.held.discard(key)

    def lock_file(self) -> int:
        """A descriptor of the file, locked, with our process number in it."""
        while True:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except (BlockingIOError, PermissionError):  # the two ways in which systems say that it is locked
                holder = os.read(descriptor, 20).decode("ascii", "replace")
                os.close(descriptor)
                raise LeaseError(self.number, holder) from None
            if self.is_current(descriptor):
                os.truncate(descriptor, 0)
                os.write(descriptor, str(os.getpid()).encode())
                return descriptor
            os.close(descriptor)

    def is_current(self, descriptor: int) -> bool:
        """Does the name lead to this file, or did the holder before us remove it in the meantime?"""
        try:
            return os.path.samestat(os.fstat(descriptor), self.path.stat())
        except FileNotFoundError:
            return False


class ServerLease:
    """An advisory lock of PostgreSQL on a connection of its own, through which the holder also writes.

    So a holder whose connection broke, and with it the lock, cannot write before it has the lock again.
    """

    def __init__(self, engine: Engine, number: int, grace: float = GRACE) -> None:
        self.engine, self.number, self.grace = engine, number, grace
        self._connection: Connection | None = None

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the lease during the block; raises StoreError if another holds it."""
        self.connection()
        try:
            yield
        finally:
            self.release()

    def connection(self) -> Connection:
        """The connection that holds the lock, a new one if it broke; raises StoreError if another was quicker."""
        if self._connection is not None and self._connection.invalidated:
            self.release()
        if self._connection is None:
            self._connection = self.connect_and_lock()
        return self._connection

    def release(self) -> None:
        """Close the connection for good, and not into the pool: the server then frees the lock."""
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None

    def connect_and_lock(self) -> Connection:
        """A new connection that has the lock; raises StoreError if another has it."""
        connection = self.engine.connect()
        deadline = monotonic() + self.grace
        keys = {"ours": ADVISORY_LOCKS, "number": self.number}
        try:
            while not connection.execute(text("SELECT pg_try_advisory_lock(:ours, :number)"), keys).scalar():
                connection.commit()
                if monotonic() > deadline:
                    raise LeaseError(self.number, self.holder(connection))
                sleep(0.05)
            connection.commit()
        except BaseException:
            connection.invalidate()  # it may have got the lock after all
            connection.close()
            raise
        return connection

    def holder(self, connection: Connection) -> str:
        """The number of the server's process that holds the lock, if it still does."""
        process = connection.execute(
            text("SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = :ours AND objid = :number"),
            {"ours": ADVISORY_LOCKS, "number": self.number},
        ).scalar()
        return "" if process is None else f"{process} of the server"


# -- forked children ---------------------------------------------------------------------------


class HasSocket(Protocol):
    """What has a socket of its own."""

    def fileno(self) -> int: ...


OPEN_CONNECTIONS: WeakSet[HasSocket] = WeakSet()


def close_in_children(connection: HasSocket) -> None:
    """Let no process that is forked from now on keep the socket of `connection`: a lock must die with its holder."""
    OPEN_CONNECTIONS.add(connection)


def replace_sockets() -> None:
    """Put nothing in the place of each socket.  Closing the connections would say goodbye in the parent's name."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for connection in OPEN_CONNECTIONS:
        try:
            os.dup2(nothing, connection.fileno())
        except Exception:  # it was closed already
            continue
    os.close(nothing)


os.register_at_fork(after_in_child=replace_sockets)
