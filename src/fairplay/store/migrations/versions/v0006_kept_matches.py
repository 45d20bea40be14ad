"""One kind of kept match: tables of the page become open contests, their matches lie beside those of tournaments.

And one way to be known: the owner's keys and the keys of seats become tokens of accounts.
"""

import secrets
from collections.abc import Iterator
from hashlib import blake2b
from itertools import count
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

from fairplay.core import RecordError
from fairplay.match.packing import unpacked
from fairplay.match.record import read_record
from fairplay.store.schema import json

revision = "0006"
down_revision = "0005"

CHUNK = 500
"""Tables that are in memory at a time."""

FAULTS = sa.JSON(none_as_null=True)

TALLIES = ("matches", "wins", "ties", "faults")


def upgrade() -> None:
    """Make the new tables, move what is there into them, and drop the old ones."""
    make_tables()
    move_owner()
    identify_entrants()
    move_tables()
    drop_old()


def make_tables() -> None:
    """Make what is new, and rename what goes on under another name."""
    op.rename_table("lines", "page_lines")
    op.rename_table("turns", "lines")
    op.rename_table("players", "entrants")
    op.add_column("entrants", sa.Column("account", sa.Text))
    op.add_column("entrants", sa.Column("identity", sa.Text, nullable=False, server_default=""))
    op.add_column("contests", sa.Column("topic", sa.String(32)))
    op.add_column("contests", sa.Column("server", sa.Integer))
    op.add_column("matches", sa.Column("broken", sa.Text))
    op.add_column("tables", sa.Column("contest", sa.Integer))
    op.add_column("tables", sa.Column("number", sa.BigInteger))
    op.create_table(
        "fixtures",
        sa.Column("contest", sa.Integer, sa.ForeignKey("contests.id"), primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True),
        sa.Column("line_up", json, nullable=False),
        sa.Column("deal", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "starts",
        sa.Column("contest", sa.Integer, sa.ForeignKey("contests.id"), primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True),
        sa.Column("attempt", sa.Integer, primary_key=True),
        sa.Column("server", sa.Integer, nullable=False),
        sa.Column("begun", sa.Double, nullable=False),
    )
    op.create_table(
        "accounts",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )
    op.create_table(
        "grants",
        sa.Column("account", sa.Text, sa.ForeignKey("accounts.id"), primary_key=True),
        sa.Column("role", sa.Text, primary_key=True),
        sa.Column("contest", sa.Integer, primary_key=True),
    )
    op.create_table(
        "tokens",
        sa.Column("hash", sa.Text, primary_key=True),
        sa.Column("account", sa.Text, sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("scope", sa.Text, nullable=False),
        sa.Column("expires", sa.Double),
    )


def table(name: str, *columns: str) -> sa.TableClause:
    """A table of the database, by some of its columns."""
    typed = {**dict.fromkeys(("line_up", "winners", "faulty", "ranking", "scores"), json), "faults": FAULTS}
    return sa.table(name, *(sa.column(each, typed.get(each)) for each in columns))


# -- accounts ----------------------------------------------------------------------------------


def move_owner() -> None:
    """Make the keys of the owner tokens of an account."""
    old = table("owner_keys", "hash", "kind", "expires")
    if rows := op.get_bind().execute(sa.select(old)).all():
        op.get_bind().execute(
            table("accounts", "id", "name", "created").insert(), {"id": "owner", "name": "", "created": 0.0}
        )
        op.get_bind().execute(
            table("grants", "account", "role", "contest").insert(), {"account": "owner", "role": "owner", "contest": 0}
        )
        given = [{"hash": row.hash, "account": "owner", "scope": row.kind, "expires": row.expires} for row in rows]
        op.get_bind().execute(table("tokens", "hash", "account", "scope", "expires").insert(), given)


def identify_entrants() -> None:
    """Say who the players of tournaments are: what their specs say, for nobody knows any more what their files held."""
    entrants = table("entrants", "contest", "number", "spec", "identity")
    op.execute(entrants.update().values(identity=entrants.c.spec))
    for kind in ("isolated", "trusted"):
        prefix = f"{kind}:"
        bare = sa.func.substr(entrants.c.identity, len(prefix) + 1)
        op.execute(entrants.update().where(entrants.c.identity.startswith(prefix)).values(identity=bare))
    here, contests = op.get_bind(), table("contests", "id", "fingerprint")
    which = sa.or_(*(entrants.c.identity.startswith(kind) for kind in ("connection", "human")))
    rows = here.execute(
        sa.select(entrants.c.contest, entrants.c.number, entrants.c.identity, contests.c.fingerprint)
        .join(contests, contests.c.id == entrants.c.contest)
        .where(which)
    ).all()
    this = (entrants.c.contest == sa.bindparam("of")) & (entrants.c.number == sa.bindparam("who"))
    changed = [
        {
            "of": row.contest,
            "who": row.number,
            "now": f"{row.identity.partition(':')[0]}:{row.fingerprint}/{row.number}",
        }
        for row in rows
    ]
    if changed:
        here.execute(entrants.update().where(this).values(identity=sa.bindparam("now")), changed)


# -- tables ------------------------------------------------------------------------------------


class Mover:
    """Gives every table a match of an open contest."""

    def __init__(self) -> None:
        self.contests: dict[str, int] = {}  # by topic
        self.numbers: dict[int, count[int]] = {}  # the next match of each
        self.entrants: dict[int, dict[tuple[str, str, str], int]] = {}
        self.tallies: dict[tuple[int, int], list[int]] = {}
        self.here = op.get_bind()

    def move(self, row: Any) -> None:
        """Move one table."""
        seats, setup, seed, limits = read_definition(row.definition)
        contest = self.contest(row.game, setup, limits)
        number = next(self.numbers[contest])
        accounts = [self.account(row, seat) for seat in seats]
        tables = table("tables", "id", "contest", "number", "definition")
        given = {"contest": contest, "number": number, "definition": name_accounts(row.definition, accounts)}
        self.here.execute(tables.update().where(tables.c.id == row.id).values(given))
        if row.server is not None and row.finished is None:
            start = {"contest": contest, "number": number, "attempt": 0, "server": row.server, "begun": row.created}
            self.here.execute(table("starts", *start).insert(), start)
        lines = list(self.lines_of(row))
        if lines:
            line_up = self.enter(contest, seats, accounts)
            fixture = {"contest": contest, "number": number, "line_up": line_up, "deal": seed}
            self.here.execute(table("fixtures", *fixture).insert(), fixture)
            self.keep(row, contest, number, line_up, seed, lines)

    def lines_of(self, row: Any) -> Iterator[bytes]:
        """The lines of the record so far."""
        if row.record is not None:
            yield from unpacked(row.record)
            return
        old = table("page_lines", "owner", "number", "line")
        yield from self.here.execute(
            sa.select(old.c.line).where(old.c.owner == row.id).order_by(old.c.number)
        ).scalars()

    def keep(self, row: Any, contest: int, number: int, line_up: list[int], seed: int, lines: list[bytes]) -> None:
        """Keep the lines of a match that is played, or the record of one that is over."""
        if row.finished is None:
            given = [
                {"contest": contest, "match": number, "number": line, "line": text} for line, text in enumerate(lines)
            ]
            self.here.execute(table("lines", "contest", "match", "number", "line").insert(), given)
            return
        match = match_row(row, contest, number, line_up, seed, lines)
        self.here.execute(table("matches", *match).insert(), match)
        if match["broken"] is None:
            self.count(match)

    def count(self, match: dict[str, Any]) -> None:
        """Count a match for its players."""
        for player in match["line_up"]:
            tally = self.tallies.setdefault((match["contest"], player), [0] * len(TALLIES))
            tally[0] += 1
            tally[1] += match["winners"] == [player]
            tally[2] += player in match["winners"] and len(match["winners"]) > 1
            tally[3] += player in match["faulty"]

    def contest(self, game: str, setup: Any, limits: dict[str, float]) -> int:
        """The number of the open contest of this game, setup and limits."""
        topic = blake2b(msgspec.json.encode(["table", game, setup, limits]), digest_size=16).hexdigest()
        if topic not in self.contests:
            shared = {"game": game, "players": [], "format": "table", "options": limits, "setup": setup}
            definition = {**shared, "seed": 0, "patience": limits.get("clock", 0.0), "deals": "fresh"}
            row = {"fingerprint": secrets.token_hex(16), "topic": topic, "game": game, "format": "table"}
            contests = table("contests", "id", *row, "definition", "created")
            text = msgspec.json.encode(definition).decode()
            made = contests.insert().values(**row, definition=text, created=0.0).returning(contests.c.id)
            id = self.contests[topic] = self.here.execute(made).scalar_one()
            self.numbers[id], self.entrants[id] = count(), {}
        return self.contests[topic]

    def account(self, row: Any, seat: dict[str, Any]) -> str | None:
        """A new account for the person with a key to a seat, who is known by this key at this table alone."""
        if not seat.get("person") or not seat.get("key"):
            return None
        id = secrets.token_hex(8)
        account = {"id": id, "name": seat["name"], "created": row.created}
        token = {"hash": seat["key"], "account": id, "scope": f"seat {row.id}", "expires": None}
        self.here.execute(table("accounts", *account).insert(), account)
        self.here.execute(table("tokens", *token).insert(), token)
        return id

    def enter(self, contest: int, seats: list[dict[str, Any]], accounts: list[str | None]) -> list[int]:
        """The numbers of those who sit at a table among the entrants of the contest."""
        known, line_up = self.entrants[contest], list[int]()
        for seat, account in zip(seats, accounts, strict=True):
            spec = "human" if seat.get("person") else seat["player"]
            identity = f"account:{account}" if account else spec
            key = (identity, seat["name"], spec)
            if key not in known or known[key] in line_up:
                known[key] = len(known)
                row = {"contest": contest, "number": known[key], "name": seat["name"], "spec": spec}
                entrant = {**row, "account": account, "identity": identity}
                self.here.execute(table("entrants", *entrant).insert(), entrant)
            line_up.append(known[key])
        return line_up

    def finish(self) -> None:
        """Write the tallies down."""
        entrants = sa.table("entrants", *map(sa.column, ("contest", "number", *TALLIES)))
        for (contest, number), tally in self.tallies.items():
            which = (entrants.c.contest == contest) & (entrants.c.number == number)
            self.here.execute(entrants.update().where(which).values(dict(zip(TALLIES, tally, strict=True))))
        contests, matches = table("contests", "id", "matches", "topic"), table("matches", "contest", "broken")
        played = sa.select(sa.func.count()).where(matches.c.contest == contests.c.id, matches.c.broken.is_(None))
        made = contests.c.topic.is_not(None)
        self.here.execute(contests.update().where(made).values(matches=played.scalar_subquery()))


def move_tables() -> None:
    """Move all tables, a chunk at a time."""
    tables = table("tables", "id", "game", "definition", "created", "finished", "summary", "record", "server")
    mover, last = Mover(), (-1.0, "")
    order = (tables.c.created, tables.c.id)
    query = sa.select(tables).order_by(*order).limit(CHUNK)
    while chunk := op.get_bind().execute(query.where(sa.tuple_(*order) > sa.tuple_(*map(sa.literal, last)))).all():
        for row in chunk:
            mover.move(row)
        last = (chunk[-1].created, chunk[-1].id)
    mover.finish()


def read_definition(definition: bytes) -> tuple[list[dict[str, Any]], Any, int, dict[str, float]]:
    """Who sits at a table, the setup, the seed and the limits; of one that cannot be read, nothing."""
    try:
        read = msgspec.json.decode(definition)
        seats = [{"player": "", **seat, "name": str(seat["name"])} for seat in read["chairs"]]
        setup = msgspec.Raw(msgspec.json.encode(read["setup"]))
        return seats, setup, int(read["seed"]), {"clock": read["clock"], "pace": read["pace"]}
    except (msgspec.MsgspecError, LookupError, TypeError, ValueError):
        return [], None, 0, {}


def name_accounts(definition: bytes, accounts: list[str | None]) -> bytes:
    """The definition with the account of each person in the place of the hash of a key."""
    if not any(accounts):
        return definition
    read = msgspec.json.decode(definition)
    for seat, account in zip(read["chairs"], accounts, strict=True):
        seat.pop("key", None)
        if account is not None:
            seat["account"] = account
    return msgspec.json.encode(read)


def match_row(row: Any, contest: int, number: int, line_up: list[int], seed: int, lines: list[bytes]) -> dict[str, Any]:
    """The row of a match that is over."""
    try:
        outcome = read_record(lines).outcome
    except RecordError:
        outcome = None
    seats = range(len(line_up))
    faults = [None] * len(seats) if outcome is None else msgspec.to_builtins(outcome.faults)
    broken = None if outcome else read_reason(row.summary)
    return {
        "contest": contest,
        "number": number,
        "deal": seed,
        "line_up": line_up,
        "winners": [line_up[seat] for seat in outcome.winners] if outcome else [],
        "faulty": [line_up[seat] for seat in seats if faults[seat] is not None],
        "ranking": msgspec.to_builtins(outcome.ranking) if outcome else [],
        "scores": msgspec.to_builtins(outcome.scores) if outcome else [None] * len(seats),
        "faults": faults if any(faults) else None,
        "ending": outcome.ending if outcome else "broken off",
        "seconds": max(0.0, row.finished - row.created),
        "stored": row.finished,
        "record": row.record,
        "broken": broken,
    }


def read_reason(summary: bytes | None) -> str:
    """Why a match was broken off."""
    try:
        return str(msgspec.json.decode(summary or b"")["cut_off"]) or "broken off"
    except (msgspec.MsgspecError, LookupError, TypeError):
        return "broken off"


def drop_old() -> None:
    """Drop what was moved, and make the indexes."""
    op.drop_table("page_lines")
    op.drop_table("owner_keys")
    op.drop_column("tables", "record")
    op.drop_column("tables", "server")
    op.create_index("tables_match", "tables", ["contest", "number"], unique=True)
    op.create_index("contests_topic", "contests", ["topic"], unique=True)
    op.create_index("entrants_identity", "entrants", ["identity", "contest"])
    op.create_index("tokens_expire", "tokens", ["expires"])
