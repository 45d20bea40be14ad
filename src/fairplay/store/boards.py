"""Boards that people drew, to be played on again."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Connection, func, select

from fairplay.core import AbsentError
from fairplay.store.inserting import insert
from fairplay.store.schema import boards

__all__ = ["Board", "board", "counted", "drop_board", "keep_board", "listed"]


class Board(Struct, frozen=True):
    """A drawing of a game with its name, made at `created` in seconds since 1970."""

    id: str
    game: str
    name: str
    drawing: bytes
    created: float


def keep_board(connection: Connection, board: Board) -> None:
    """Keep a board; one of the same id is replaced, but stays as old as it was."""
    row = {name: getattr(board, name) for name in board.__struct_fields__}
    fresh = {name: value for name, value in row.items() if name in ("game", "name", "drawing")}
    connection.execute(insert(connection, boards).on_conflict_do_update(index_elements=["id"], set_=fresh), row)


def listed(connection: Connection, game: str | None, limit: int) -> list[Board]:
    """The newest boards first, of one game where one is given."""
    query = select(boards).order_by(boards.c.created.desc(), boards.c.id.desc()).limit(limit)
    return [Board(*row) for row in connection.execute(query if game is None else query.where(boards.c.game == game))]


def board(connection: Connection, id: str) -> Board:
    """One board; raises StoreError."""
    row = connection.execute(select(boards).where(boards.c.id == id)).one_or_none()
    if row is None:
        raise AbsentError(f"there is no board {id}")
    return Board(*row)


def counted(connection: Connection) -> int:
    """How many boards there are."""
    return connection.execute(select(func.count()).select_from(boards)).scalar_one()


def drop_board(connection: Connection, id: str) -> None:
    """Forget a board, if it is there."""
    connection.execute(boards.delete().where(boards.c.id == id))
