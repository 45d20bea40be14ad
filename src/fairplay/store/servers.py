"""The servers of a store: every process that plays its matches has a number and one lease, which dies with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fairplay.store.database import Database
from fairplay.store.schema import servers


class Servers:
    """The servers of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @contextmanager
    def run(self) -> Iterator[int]:
        """Be a server, under this number, for the time of the block; afterwards its matches belong to nobody."""
        with self._database.serve() as number:
            yield number

    def is_running(self, number: int, grace: float = 0.0) -> bool:
        """Is the server of this number alive?  `grace`: seconds that a database may need to notice its death."""
        return self._database.find_holder(number, grace) is not None

    def forget(self, number: int) -> None:
        """Strike a server off that has stopped."""
        self._database.write(lambda connection: connection.execute(servers.delete().where(servers.c.id == number)))
