"""Who plays at the tables of a web server: by this, and by game and time, tables are found through an index."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Select, Table, exists, func, literal, select, union

from fairplay.core.names import name_key
from fairplay.store.schema import table_players, tables

AFTER_ALL = "\U0010ffff"
"""Comes after every character of a name."""


class TableFilter(Struct, frozen=True):
    """Which tables are wanted, newest first; times are seconds since 1970."""

    running: bool | None = None  # None: those that run and those that are finished
    game: str | None = None
    players: tuple[str, ...] | None = None  # keys of names, of which one is enough; None: anyone
    since: float | None = None
    before: float | None = None
    limit: int = 50


# -- inside a transaction ----------------------------------------------------------------------


def replace_players(connection: Connection, owner: str, names: Iterable[str]) -> None:
    """Keep who plays at a table, which must be there, instead of those who did before."""
    keys = {player_key(name) for name in names}
    if keys == {*connection.execute(select(table_players.c.key).where(table_players.c.owner == owner)).scalars()}:
        return
    delete_players(connection, owner)
    table = connection.execute(select(tables.c.game, tables.c.created).where(tables.c.id == owner)).one()
    rows = [{"owner": owner, "key": key, "game": table.game, "created": table.created} for key in sorted(keys)]
    if rows:
        connection.execute(table_players.insert(), rows)


def delete_players(connection: Connection, owner: str) -> None:
    """Forget who plays at a table."""
    connection.execute(table_players.delete().where(table_players.c.owner == owner))


def find_keys(connection: Connection, beginning: str, limit: int) -> list[str]:
    """The keys of names that begin so, in order; each is found by one look into the index, however often it plays."""
    key, first = table_players.c.key, player_key(beginning)
    fits = key < first + AFTER_ALL
    found = select(func.min(key).label("key"), literal(1).label("number")).where(key >= first, fits)
    keys = found.cte("keys", recursive=True)
    following = select(func.min(key)).where(key > keys.c.key, fits).scalar_subquery()
    more = keys.c.key.is_not(None) & (keys.c.number < limit)
    keys = keys.union_all(select(following, keys.c.number + 1).where(more))
    query = select(keys.c.key).where(keys.c.key.is_not(None)).order_by(keys.c.number)
    return [*connection.execute(query).scalars()]


def player_key(name: str) -> str:
    """What a player is found by, without NUL, which PostgreSQL refuses."""
    return name_key(name).replace("\0", "")


# -- queries -----------------------------------------------------------------------------------


def select_newest(columns: Sequence[Any], wanted: TableFilter) -> Select[Any]:
    """The query for some columns of the tables that are wanted.

    The tables of each player lie in the index from the newest to the oldest: a few of each player are enough.  Few
    tables run at a time, so that all of them can be looked at.
    """
    query = select(*columns).order_by(tables.c.created.desc(), tables.c.id.desc()).limit(wanted.limit)
    if wanted.players is None or wanted.running:
        return query.where(*list_conditions(tables, wanted), *list_players_conditions(wanted))
    each = [newest_of_player(key, wanted) for key in wanted.players]
    found = union(*(select(part.c.owner, part.c.created) for part in each)).subquery()
    newest = select(found.c.owner).order_by(found.c.created.desc(), found.c.owner.desc()).limit(wanted.limit)
    return query.join(which := newest.subquery(), which.c.owner == tables.c.id)


def newest_of_player(key: str, wanted: TableFilter) -> Any:
    """The newest tables of one player, as a subquery."""
    query = select(table_players.c.owner, table_players.c.created).where(table_players.c.key == key)
    if wanted.running is not None:
        query = query.join(tables, tables.c.id == table_players.c.owner)
    newest_first = (table_players.c.created.desc(), table_players.c.owner.desc())
    conditions = list_conditions(table_players, wanted)
    return query.where(*conditions).order_by(*newest_first).limit(wanted.limit).subquery()


def list_conditions(source: Table, wanted: TableFilter) -> Iterator[ColumnElement[bool]]:
    """What must be true of a table, by the columns of `source`, except for its players."""
    if wanted.running is not None:
        yield tables.c.finished.is_(None) if wanted.running else tables.c.finished.is_not(None)
    if wanted.game is not None:
        yield source.c.game == wanted.game
    if wanted.since is not None:
        yield source.c.created >= wanted.since
    if wanted.before is not None:
        yield source.c.created < wanted.before


def list_players_conditions(wanted: TableFilter) -> Iterator[ColumnElement[bool]]:
    """What must be true of the players of a table."""
    if wanted.players is not None:
        yield exists().where(table_players.c.owner == tables.c.id, table_players.c.key.in_(wanted.players))
