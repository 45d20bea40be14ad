"""Boards that people drew, to be played on again."""

from time import time

from msgspec import Struct
from sqlalchemy import func, select

from fairplay.core import AbsentError
from fairplay.store.database import Database
from fairplay.store.inserts import dialect_insert
from fairplay.store.schema import boards


class SavedBoard(Struct, frozen=True):
    """A drawing of a game with its name, made at `created` in seconds since 1970."""

    id: str
    game: str
    name: str
    drawing: bytes
    created: float


class Boards:
    """The saved boards of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, id: str, game: str, name: str, drawing: bytes) -> None:
        """Keep a drawing; one of the same id is replaced, but stays as old as it was."""
        drawn = {"game": game, "name": name, "drawing": drawing}
        row = {"id": id, **drawn, "created": time()}
        self._database.write(
            lambda connection: connection.execute(
                dialect_insert(connection, boards).on_conflict_do_update(index_elements=["id"], set_=drawn), row
            )
        )

    def newest(self, game: str | None = None, limit: int = 200) -> list[SavedBoard]:
        """The newest boards first, all or of a game."""
        query = select(boards).order_by(boards.c.created.desc(), boards.c.id.desc()).limit(limit)
        if game is not None:
            query = query.where(boards.c.game == game)
        return [SavedBoard(*row) for row in self._database.rows(query)]

    def get(self, id: str) -> SavedBoard:
        """One board; raises StoreError."""
        rows = self._database.rows(select(boards).where(boards.c.id == id))
        if not rows:
            raise AbsentError(f"there is no board {id}")
        return SavedBoard(*rows[0])

    def count(self) -> int:
        """How many boards are kept."""
        query = select(func.count()).select_from(boards)
        return self._database.read(lambda connection: connection.execute(query).scalar_one())

    def delete(self, id: str) -> None:
        """Forget a board, if it is there."""
        self._database.write(lambda connection: connection.execute(boards.delete().where(boards.c.id == id)))
