"""The keys by which servers know their owner again: links that work once, and sessions of browsers."""

from __future__ import annotations

from time import time
from typing import Literal

from sqlalchemy import Connection, select

from fairplay.store.database import Database
from fairplay.store.schema import owner_keys

__all__ = ["KeyKind", "OwnerKeys"]

KeyKind = Literal["link", "session"]


class OwnerKeys:
    """Keys of the owner, of which only hashes are kept, each until its time is up."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, hashed: str, kind: KeyKind, seconds: float) -> None:
        """Keep a key for some time.  EFFECT: forgets those whose time is up."""
        now = time()
        row = {"hash": hashed, "kind": kind, "expires": now + seconds}

        def insert(connection: Connection) -> None:
            connection.execute(owner_keys.delete().where(owner_keys.c.expires <= now))
            connection.execute(owner_keys.insert(), row)

        self._database.write(insert)

    def holds(self, hashed: str, kind: KeyKind) -> bool:
        """Is there such a key, whose time is not up?"""
        which = (owner_keys.c.hash == hashed) & (owner_keys.c.kind == kind) & (owner_keys.c.expires > time())
        return bool(self._database.rows(select(owner_keys.c.hash).where(which)))

    def take(self, hashed: str, kind: KeyKind) -> bool:
        """Use a key up; False if there is none any more.  Of two who come at once, one gets it."""
        which = (owner_keys.c.hash == hashed) & (owner_keys.c.kind == kind) & (owner_keys.c.expires > time())
        return (
            self._database.write(lambda connection: connection.execute(owner_keys.delete().where(which)).rowcount) > 0
        )
