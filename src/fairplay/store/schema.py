"""The tables of a store.  What is asked about with SQL has a column; the rest of a contest is one JSON value."""

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB

VERSION = "0006"
"""The newest migration in `migrations/versions`."""

VERSION_TABLE = "fairplay_version"

metadata = sa.MetaData()
json = sa.JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")


def contest() -> sa.Column[int]:
    """The contest that a row belongs to."""
    return sa.Column("contest", sa.Integer, sa.ForeignKey("contests.id"), nullable=False)


def tally(name: str) -> sa.Column[int]:
    """A count that grows with every match that is added."""
    return sa.Column(name, sa.Integer, nullable=False, server_default="0")


contests = sa.Table(
    "contests",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("fingerprint", sa.String(32), nullable=False, unique=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("format", sa.Text, nullable=False),
    sa.Column("definition", sa.Text, nullable=False),  # the whole contest as JSON
    sa.Column("created", sa.Double, nullable=False),  # times are seconds since 1970, UTC
    sa.Column("finished", sa.Double),
    tally("matches"),
    sa.Column("topic", sa.String(32)),  # of an open contest: what all its matches share; NULL: it was planned
    sa.Column("server", sa.Integer),  # that runs it; NULL: none does
)

sa.Index("contests_topic", contests.c.topic, unique=True)

server_queue = sa.Table(  # contests that a server took on, and resumes after a restart until they are finished
    "errands",
    metadata,
    contest(),
    sa.PrimaryKeyConstraint("contest"),
)

by_code_point = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
"""Text that is ordered in the same way by every database, so that names with the same beginning are neighbours."""

entrants = sa.Table(  # none is ever changed but for its tallies; those of open contests come over time
    "entrants",
    metadata,
    contest(),
    sa.Column("number", sa.Integer, nullable=False),  # as in line-ups
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("spec", sa.Text, nullable=False),
    tally("matches"),
    tally("wins"),  # alone
    tally("ties"),
    tally("faults"),
    sa.Column("account", sa.Text),  # of a person
    sa.Column("identity", sa.Text, nullable=False, server_default=""),  # who it is in all contests, see identity.py
    sa.PrimaryKeyConstraint("contest", "number"),
)
sa.Index("entrants_identity", entrants.c.identity, entrants.c.contest)

fixtures = sa.Table(  # of open contests, once their line-ups are known; a planned contest derives its own
    "fixtures",
    metadata,
    contest(),
    sa.Column("number", sa.BigInteger, nullable=False),
    sa.Column("line_up", json, nullable=False),  # entrants by seat
    sa.Column("deal", sa.BigInteger, nullable=False),
    sa.PrimaryKeyConstraint("contest", "number"),
)

starts = (
    sa.Table(  # of matches with awaited players: which server played them, attempt after attempt; the last one counts
        "starts",
        metadata,
        contest(),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("server", sa.Integer, nullable=False),
        sa.Column("begun", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("contest", "number", "attempt"),
    )
)

matches = sa.Table(
    "matches",
    metadata,
    contest(),
    sa.Column("number", sa.BigInteger, nullable=False),
    sa.Column("deal", sa.BigInteger, nullable=False),
    sa.Column("line_up", json, nullable=False),  # players by seat
    sa.Column("winners", json, nullable=False),  # players
    sa.Column("faulty", json, nullable=False),  # players
    sa.Column("ranking", json, nullable=False),  # seats in tiers
    sa.Column("scores", json, nullable=False),  # by seat
    sa.Column(
        "faults", sa.JSON(none_as_null=True)
    ),  # by seat; NULL if no one misbehaved; JSONB refuses "\\u0000" in it
    sa.Column("ending", sa.Text, nullable=False),
    sa.Column("seconds", sa.Double, nullable=False),  # that the match took
    sa.Column("stored", sa.Double, nullable=False),
    sa.Column("record", sa.LargeBinary),  # packed; NULL if it was not kept
    sa.Column("broken", sa.Text),  # why it was broken off, so that it has no outcome; NULL: it was played to its end
    sa.PrimaryKeyConstraint("contest", "number"),
)

standings = sa.Table(
    "standings",
    metadata,
    contest(),
    sa.Column("lines", sa.Text, nullable=False),  # JSON, byte for byte as it was given
    sa.PrimaryKeyConstraint("contest"),
)

lines = sa.Table(  # of the records of matches that are being played with awaited players
    "lines",
    metadata,
    contest(),
    sa.Column("match", sa.BigInteger, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),  # of the line, from 0
    sa.Column("line", sa.LargeBinary, nullable=False),
    sa.PrimaryKeyConstraint("contest", "match", "number"),
)

sessions = sa.Table(  # by which remote players of unfinished contests are known again
    "sessions",
    metadata,
    contest(),
    sa.Column("player", sa.Integer, nullable=False),  # as in line-ups
    sa.Column("secret", sa.Text, nullable=False),  # the SHA-256 of the session key, never the key
    sa.Column("hello", sa.LargeBinary, nullable=False),  # how it signed up, JSON
    sa.PrimaryKeyConstraint("contest", "player"),
)

newest = (matches.c.stored, matches.c.contest, matches.c.number)
misbehaved = sa.text("faults IS NOT NULL")
sa.Index("matches_faulty", *newest, sqlite_where=misbehaved, postgresql_where=misbehaved)

tables = sa.Table(  # of the page: each leads to a match of an open contest
    "tables",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("definition", sa.LargeBinary, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("finished", sa.Double),
    sa.Column("summary", sa.LargeBinary),
    sa.Column("contest", sa.Integer),
    sa.Column("number", sa.BigInteger),  # of the match
)
sa.Index("tables_match", tables.c.contest, tables.c.number, unique=True)
sa.Index("tables_newest", tables.c.created)
sa.Index("tables_running", tables.c.finished, tables.c.created)
sa.Index("tables_of_game", tables.c.game, tables.c.created)
unfinished = sa.text("finished IS NULL")
sa.Index(
    "tables_running_of_game",
    tables.c.game,
    tables.c.created,
    sqlite_where=unfinished,
    postgresql_where=unfinished,
)

table_players = sa.Table(  # by whom those tables are found; the game and the time are those of the table
    "table_players",
    metadata,
    sa.Column("owner", sa.Text, sa.ForeignKey("tables.id"), nullable=False),
    sa.Column("key", by_code_point, nullable=False),  # of the name
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.PrimaryKeyConstraint("owner", "key"),
)
sa.Index("table_players_newest", table_players.c.key, table_players.c.created, table_players.c.owner)
sa.Index(
    "table_players_of_game", table_players.c.key, table_players.c.game, table_players.c.created, table_players.c.owner
)

servers = sa.Table(  # that run on this store; a number is used once
    "servers",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("started", sa.Double, nullable=False),
    sqlite_autoincrement=True,
)

accounts = sa.Table(  # everybody who is known; without rights
    "accounts",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
)

grants = sa.Table(
    "grants",
    metadata,
    sa.Column("account", sa.Text, sa.ForeignKey("accounts.id"), nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("contest", sa.Integer, nullable=False),  # 0: the whole store
    sa.PrimaryKeyConstraint("account", "role", "contest"),
)

tokens = sa.Table(  # secrets by which accounts are known
    "tokens",
    metadata,
    sa.Column("hash", sa.Text, primary_key=True),  # never the secret
    sa.Column("account", sa.Text, sa.ForeignKey("accounts.id"), nullable=False),
    sa.Column("scope", sa.Text, nullable=False),  # what it is good for, see accounts.py
    sa.Column("expires", sa.Double),  # NULL: never
)
sa.Index("tokens_expire", tokens.c.expires)

boards = sa.Table(  # what people drew
    "boards",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("drawing", sa.LargeBinary, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
)
sa.Index("boards_newest", boards.c.created)
