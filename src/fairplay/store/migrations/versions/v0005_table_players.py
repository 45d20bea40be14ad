"""Who plays at the tables of the web server, so that matches are found by player, and by game, without a search."""

from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

from fairplay.core.names import name_key

revision = "0005"
down_revision = "0004"

CHUNK = 1000
"""Tables that are in memory at a time."""


def upgrade() -> None:
    """Make the table of players, and fill it with those of the tables that are there."""
    by_code_point = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    players = op.create_table(
        "table_players",
        sa.Column("owner", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("key", by_code_point, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )
    add_players(players)
    op.create_index("table_players_newest", "table_players", ["key", "created", "owner"])
    op.create_index("table_players_of_game", "table_players", ["key", "game", "created", "owner"])
    newest, unfinished = ["game", "created"], sa.text("finished IS NULL")
    op.create_index("tables_of_game", "tables", newest)
    op.create_index("tables_running_of_game", "tables", newest, sqlite_where=unfinished, postgresql_where=unfinished)


def add_players(players: sa.Table) -> None:
    """Read who plays at each table out of its definition."""
    tables = sa.table("tables", *map(sa.column, ("id", "game", "created", "definition")))
    query, last = sa.select(tables).order_by(tables.c.id).limit(CHUNK), ""
    while chunk := op.get_bind().execute(query.where(tables.c.id > last)).all():
        rows = [
            {"owner": table.id, "key": key, "game": table.game, "created": table.created}
            for table in chunk
            for key in sorted(list_keys(table.definition))
        ]
        if rows:
            op.get_bind().execute(players.insert(), rows)
        last = chunk[-1].id


def list_keys(definition: bytes) -> set[str]:
    """The keys of the names at a table; none if its definition cannot be read."""
    try:
        seats: list[dict[str, Any]] = msgspec.json.decode(definition)["chairs"]
        return {name_key(seat["name"]).replace("\0", "") for seat in seats}
    except (msgspec.MsgspecError, LookupError, TypeError):
        return set()
