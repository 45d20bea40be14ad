"""The tables of a store.  What is asked about with SQL has a column; the rest of a contest is one JSON value."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

VERSION = "0006"
"""The newest migration in `migrations/versions`."""

VERSION_TABLE = "fairplay_version"

metadata = MetaData()
json = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")


def contest() -> Column[int]:
    """The contest that a row belongs to."""
    return Column("contest", Integer, ForeignKey("contests.id"), nullable=False)


def tally(name: str) -> Column[int]:
    """A count that grows with every match that is added."""
    return Column(name, Integer, nullable=False, server_default="0")


contests = Table(
    "contests",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("fingerprint", String(32), nullable=False, unique=True),
    Column("game", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("definition", Text, nullable=False),  # the whole contest as JSON
    Column("created", Double, nullable=False),  # times are seconds since 1970, UTC
    Column("finished", Double),
    tally("matches"),
    Column("topic", String(32)),  # of an open contest: what all its matches share; NULL: it was planned
    Column("server", Integer),  # that runs it; NULL: none does
)

Index("contests_topic", contests.c.topic, unique=True)

server_queue = Table(  # contests that a server took on, and resumes after a restart until they are finished
    "errands",
    metadata,
    contest(),
    PrimaryKeyConstraint("contest"),
)

by_code_point = Text().with_variant(Text(collation="C"), "postgresql")
"""Text that is ordered in the same way by every database, so that names with the same beginning are neighbours."""

entrants = Table(  # none is ever changed but for its tallies; those of open contests come over time
    "entrants",
    metadata,
    contest(),
    Column("number", Integer, nullable=False),  # as in line-ups
    Column("name", Text, nullable=False),
    Column("spec", Text, nullable=False),
    tally("matches"),
    tally("wins"),  # alone
    tally("ties"),
    tally("faults"),
    Column("account", Text),  # of a person
    Column("identity", Text, nullable=False, server_default=""),  # who it is in all contests, see identity.py
    PrimaryKeyConstraint("contest", "number"),
)
Index("entrants_identity", entrants.c.identity, entrants.c.contest)

fixtures = Table(  # of open contests, once their line-ups are known; a planned contest derives its own
    "fixtures",
    metadata,
    contest(),
    Column("number", BigInteger, nullable=False),
    Column("line_up", json, nullable=False),  # entrants by seat
    Column("deal", BigInteger, nullable=False),
    PrimaryKeyConstraint("contest", "number"),
)

starts = Table(  # of matches with awaited players: which server played them, attempt after attempt; the last one counts
    "starts",
    metadata,
    contest(),
    Column("number", BigInteger, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("server", Integer, nullable=False),
    Column("begun", Double, nullable=False),
    PrimaryKeyConstraint("contest", "number", "attempt"),
)

matches = Table(
    "matches",
    metadata,
    contest(),
    Column("number", BigInteger, nullable=False),
    Column("deal", BigInteger, nullable=False),
    Column("line_up", json, nullable=False),  # players by seat
    Column("winners", json, nullable=False),  # players
    Column("faulty", json, nullable=False),  # players
    Column("ranking", json, nullable=False),  # seats in tiers
    Column("scores", json, nullable=False),  # by seat
    Column("faults", JSON(none_as_null=True)),  # by seat; NULL if no one misbehaved; JSONB refuses "\\u0000" in it
    Column("ending", Text, nullable=False),
    Column("seconds", Double, nullable=False),  # that the match took
    Column("stored", Double, nullable=False),
    Column("record", LargeBinary),  # packed; NULL if it was not kept
    Column("broken", Text),  # why it was broken off, so that it has no outcome; NULL: it was played to its end
    PrimaryKeyConstraint("contest", "number"),
)

standings = Table(
    "standings",
    metadata,
    contest(),
    Column("lines", Text, nullable=False),  # JSON, byte for byte as it was given
    PrimaryKeyConstraint("contest"),
)

lines = Table(  # of the records of matches that are being played with awaited players
    "lines",
    metadata,
    contest(),
    Column("match", BigInteger, nullable=False),
    Column("number", Integer, nullable=False),  # of the line, from 0
    Column("line", LargeBinary, nullable=False),
    PrimaryKeyConstraint("contest", "match", "number"),
)

sessions = Table(  # by which remote players of unfinished contests are known again
    "sessions",
    metadata,
    contest(),
    Column("player", Integer, nullable=False),  # as in line-ups
    Column("secret", Text, nullable=False),  # the SHA-256 of the session key, never the key
    Column("hello", LargeBinary, nullable=False),  # how it signed up, JSON
    PrimaryKeyConstraint("contest", "player"),
)

newest = (matches.c.stored, matches.c.contest, matches.c.number)
misbehaved = text("faults IS NOT NULL")
Index("matches_faulty", *newest, sqlite_where=misbehaved, postgresql_where=misbehaved)

tables = Table(  # of the page: each leads to a match of an open contest
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("definition", LargeBinary, nullable=False),
    Column("created", Double, nullable=False),
    Column("finished", Double),
    Column("summary", LargeBinary),
    Column("contest", Integer),
    Column("number", BigInteger),  # of the match
)
Index("tables_match", tables.c.contest, tables.c.number, unique=True)
Index("tables_newest", tables.c.created)
Index("tables_running", tables.c.finished, tables.c.created)
Index("tables_of_game", tables.c.game, tables.c.created)
unfinished = text("finished IS NULL")
Index(
    "tables_running_of_game",
    tables.c.game,
    tables.c.created,
    sqlite_where=unfinished,
    postgresql_where=unfinished,
)

table_players = Table(  # by whom those tables are found; the game and the time are those of the table
    "table_players",
    metadata,
    Column("owner", Text, ForeignKey("tables.id"), nullable=False),
    Column("key", by_code_point, nullable=False),  # of the name
    Column("game", Text, nullable=False),
    Column("created", Double, nullable=False),
    PrimaryKeyConstraint("owner", "key"),
)
Index("table_players_newest", table_players.c.key, table_players.c.created, table_players.c.owner)
Index(
    "table_players_of_game", table_players.c.key, table_players.c.game, table_players.c.created, table_players.c.owner
)

servers = Table(  # that run on this store; a number is used once
    "servers",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("started", Double, nullable=False),
    sqlite_autoincrement=True,
)

accounts = Table(  # everybody who is known; without rights
    "accounts",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created", Double, nullable=False),
)

grants = Table(
    "grants",
    metadata,
    Column("account", Text, ForeignKey("accounts.id"), nullable=False),
    Column("role", Text, nullable=False),
    Column("contest", Integer, nullable=False),  # 0: the whole store
    PrimaryKeyConstraint("account", "role", "contest"),
)

tokens = Table(  # secrets by which accounts are known
    "tokens",
    metadata,
    Column("hash", Text, primary_key=True),  # never the secret
    Column("account", Text, ForeignKey("accounts.id"), nullable=False),
    Column("scope", Text, nullable=False),  # what it is good for, see accounts.py
    Column("expires", Double),  # NULL: never
)
Index("tokens_expire", tokens.c.expires)

boards = Table(  # what people drew
    "boards",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("drawing", LargeBinary, nullable=False),
    Column("created", Double, nullable=False),
)
Index("boards_newest", boards.c.created)
