"""What the web server keeps: tables with their lines, boards, errands; and the players' tallies, counted once."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

TALLIES = ("matches", "wins", "ties", "faults")


def upgrade() -> None:
    """Make the tables of the web server, and count what players did."""
    op.create_table("errands", sa.Column("contest", sa.Integer, sa.ForeignKey("contests.id"), primary_key=True))
    op.create_table(
        "tables",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("definition", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("finished", sa.Double),
        sa.Column("summary", sa.LargeBinary),
        sa.Column("record", sa.LargeBinary),
    )
    op.create_index("tables_newest", "tables", ["created"])
    op.create_index("tables_running", "tables", ["finished", "created"])
    op.create_table(
        "lines",
        sa.Column("owner", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("line", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "boards",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("drawing", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )
    op.create_index("boards_newest", "boards", ["created"])
    newest, misbehaved = ["stored", "contest", "number"], sa.text("faults IS NOT NULL")
    op.create_index("matches_faulty", "matches", newest, sqlite_where=misbehaved, postgresql_where=misbehaved)
    for name in TALLIES:
        op.add_column("players", tally(name))
    op.add_column("contests", tally("matches"))
    count()


def tally(name: str) -> sa.Column[int]:
    """A count that grows with every match."""
    return sa.Column(name, sa.Integer, nullable=False, server_default="0")


def count() -> None:
    """Fill the tallies from the matches that are there."""
    matches = sa.table("matches", *map(sa.column, ("contest", "line_up", "winners", "faulty")))
    contests = sa.table("contests", *map(sa.column, ("id", "matches")))
    played = sa.select(sa.func.count()).where(matches.c.contest == contests.c.id).scalar_subquery()
    op.get_bind().execute(contests.update().values(matches=played))
    lite = op.get_bind().dialect.name == "sqlite"
    alone = (sa.func.json_array_length if lite else sa.func.jsonb_array_length)(matches.c.winners) == 1
    count_players("matches", matches, matches.c.line_up, sa.true())
    count_players("wins", matches, matches.c.winners, alone)
    count_players("ties", matches, matches.c.winners, ~alone)
    count_players("faults", matches, matches.c.faulty, sa.true())


def count_players(tally: str, matches: Any, named: Any, where: Any) -> None:
    """Fill one tally of the players with the matches that name them in the column `named`, a JSON array."""
    here = op.get_bind()
    unnest = sa.func.json_each if here.dialect.name == "sqlite" else sa.func.jsonb_array_elements_text
    each = unnest(named).table_valued("value")
    player = sa.cast(each.c.value, sa.Integer)
    query = sa.select(matches.c.contest, player, sa.func.count()).select_from(matches.join(each, sa.true()))
    found = here.execute(query.where(where).group_by(matches.c.contest, player)).all()
    players = sa.table("players", *map(sa.column, ("contest", "number", tally)))
    which = (players.c.contest == sa.bindparam("of")) & (players.c.number == sa.bindparam("who"))
    if found:
        rows = [{"of": contest, "who": number, "sum": sum} for contest, number, sum in found]
        here.execute(players.update().where(which).values({tally: sa.bindparam("sum")}), rows)
