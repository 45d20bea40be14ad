"""Every match kept: an SQLite file by default, PostgreSQL by URL."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from fairplay.core import StoreError, UsageError

if TYPE_CHECKING:
    from fairplay.store.store import Store

__all__ = [
    "PATIENCE",
    "STORED",
    "SessionRow",
    "TakenOverError",
    "default_url",
    "open_store",
    "read_lines",
    "store_file",
]

PATIENCE = 10.0
"""Seconds that a database may be locked or away before an operation fails."""


class TakenOverError(StoreError):
    """The match belongs to another server now."""


class SessionRow(Struct, frozen=True):
    """A remote player of a contest, by which it is known again when it comes back."""

    player: int  # as in line-ups
    secret: str  # the SHA-256 of its session key in hexadecimal digits, never the key
    hello: bytes  # how it signed up, JSON


def default_url() -> str:
    """Where matches are kept unless told otherwise: `FAIRPLAY_DB`, else `fairplay.db` in the current folder."""
    return os.environ.get("FAIRPLAY_DB") or "fairplay.db"


SQLITE = re.compile(r"sqlite(?:\+\w+)?:///(?P<file>[^?]+)")


def store_file(place: str) -> Path | None:
    """The file of the store at `place`; None if it is on a server."""
    if "://" not in place:
        return Path(place)
    found = SQLITE.fullmatch(place.partition("?")[0])
    return None if found is None else Path(found["file"])


def open_store(url: str | Path, *, patience: float = PATIENCE, create: bool = True) -> Store:
    """The store at `url`: a file, ``sqlite:///...`` or ``postgresql://...``; raises StoreError.

    create: make the store if there is none; otherwise raise MissingStoreError there, and leave nothing behind.

    It is a context manager.  Only here is the database library loaded: it takes longer than all the rest.
    """
    from fairplay.store.database import Database
    from fairplay.store.opening import open_engine
    from fairplay.store.store import Store

    return Store(Database(open_engine(url, patience, create=create), patience))


# -- names of matches --------------------------------------------------------------------------

STORED = re.compile(r"(?:(?P<db>.+)#)?(?P<id>\d+)/(?P<number>\d+)")
"""A match of a store: 3/17 is match 17 of tournament 3, other.db#3/17 that of another store."""

_MAGIC = b"SQLite format 3\0"
"""What every SQLite file begins with."""


def read_lines(path: Path) -> list[bytes]:
    """The lines of a file; raises UsageError if it cannot be a record, and says how matches are named."""
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name a record in it, such as {path / 'match-0001.jsonl'}")
    if not path.is_file():
        raise UsageError(f"there is no file {path}; match 0 of tournament 1 in the store is named 1/0")
    data = path.read_bytes()
    if data.startswith(_MAGIC):
        listed = f"`fairplay tournament list --db {path}` lists its tournaments"
        raise UsageError(f"{path} is a store of many matches; {listed}, and `fairplay replay {path}#1/0` shows one")
    return data.splitlines(keepends=True)
