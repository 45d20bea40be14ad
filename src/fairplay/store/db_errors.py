"""What databases complain about, in sentences for the person who runs the program."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, sleep
from typing import TypeVar

from sqlalchemy.engine import Engine
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from fairplay.core import StoreError

T = TypeVar("T")

SQLITE = {
    sqlite3.SQLITE_BUSY: "{place} is locked by another program; try again when that has finished",
    sqlite3.SQLITE_LOCKED: "{place} is locked by another program; try again when that has finished",
    sqlite3.SQLITE_READONLY: "{place} is read-only; a store must be writable",
    sqlite3.SQLITE_PERM: "{place} may not be opened: permission denied",
    sqlite3.SQLITE_FULL: "the disk of {place} is full; free some space and resume",
    sqlite3.SQLITE_IOERR: "{place} can no longer be read or written ({message}); is the disk full?",
    sqlite3.SQLITE_NOTADB: "{place} is not a database",
    sqlite3.SQLITE_CORRUPT: "{place} is damaged ({message})",
    sqlite3.SQLITE_CANTOPEN: "{place} cannot be opened; check the folder and its permissions",
}
"""By primary result code."""

POSTGRESQL = {
    "25006": "{place} is read-only; a store must be writable",
    "42501": "{place} cannot be used: {message}",
    "53100": "the disk of {place} is full; free some space and resume",
    "53300": "{place} takes no more connections; try again later",
    "55P03": "{place} is locked by another program; try again when that has finished",
}
"""By SQLSTATE."""

AWAY = ("08", "57P01", "57P02", "57P03")
"""How the states begin that a server shows while it stops and starts."""


def database_name(engine: Engine) -> str:
    """The database in words, without a password."""
    if engine.dialect.name == "sqlite":
        return engine.url.database or ""
    return engine.url.set(drivername="postgresql").render_as_string(hide_password=True)


@contextmanager
def explain_errors(engine: Engine) -> Iterator[None]:
    """Turn what the database raises in the block into StoreError."""
    try:
        yield
    except SQLAlchemyError as error:
        raise StoreError(describe_error(error, database_name(engine))) from error


def describe_error(error: SQLAlchemyError, place: str) -> str:
    """What went wrong, in one sentence."""
    cause = getattr(error, "orig", None) or error
    message = " ".join(str(cause).split("\n", 1)[0].split())
    code = getattr(cause, "sqlite_errorcode", None)
    known = POSTGRESQL.get(getattr(cause, "sqlstate", None) or "") if code is None else SQLITE.get(code & 0xFF)
    return (known or "{place} cannot be used: {message}").format(place=place, message=message)


def is_away(error: DBAPIError) -> bool:
    """Did the connection break, or could none be made?  Then a later attempt may succeed."""
    if error.connection_invalidated or hasattr(error.orig, "sqlite_errorcode"):
        return error.connection_invalidated
    state = getattr(error.orig, "sqlstate", None)
    return isinstance(error, OperationalError) if state is None else state.startswith(AWAY)


def is_locked(error: DBAPIError) -> bool:
    """Does another program hold a lock on a database of SQLite?  It does not always wait for the lock itself."""
    return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def retry_while(passing: Callable[[DBAPIError], bool], work: Callable[[], T], patience: float) -> T:
    """What `work` gives, tried again for `patience` seconds while its errors are `passing`; ASSUME it is repeatable."""
    deadline, pause = monotonic() + patience, 0.05
    while True:
        try:
            return work()
        except DBAPIError as error:
            if not passing(error) or monotonic() + pause > deadline:
                raise
        sleep(pause)
        pause = min(2 * pause, 1.0)
