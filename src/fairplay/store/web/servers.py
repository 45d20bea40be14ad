"""The web servers that run on a store: each has a number and a lease, which it loses when it dies, however it dies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import time

from sqlalchemy import Connection

from fairplay.store.database import Database
from fairplay.store.schema import servers, tables

__all__ = ["Servers"]


class Servers:
    """The servers of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @contextmanager
    def run(self) -> Iterator[int]:
        """A number for this server, for the time of the block; afterwards its tables belong to nobody."""
        insert = servers.insert().values(started=time()).returning(servers.c.id)
        number = self._database.write(lambda connection: connection.execute(insert).scalar_one())
        with self._database.hold_server(number):
            try:
                yield number
            finally:
                self.forget(number)

    def is_running(self, number: int, grace: float = 0.0) -> bool:
        """Is the server of this number alive?  `grace`: seconds that a database may need to notice its death."""
        return self._database.server_is_running(number, grace)

    def forget(self, number: int) -> None:
        """Free the tables of a server that has stopped."""

        def free(connection: Connection) -> None:
            connection.execute(tables.update().where(tables.c.server == number).values(server=None))
            connection.execute(servers.delete().where(servers.c.id == number))

        self._database.write(free)
