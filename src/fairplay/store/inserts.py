"""How contests and results come into the database, each once, and out again: all inside a caller's transaction."""

import secrets
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, Table, bindparam, func, select
from sqlalchemy.dialects import postgresql, sqlite

from fairplay.contest.contest import Contest, Result
from fairplay.contest.specs import PERSON, BotFileSpec, ConnectionSpec, HouseSpec, PersonSpec, parse_spec
from fairplay.core import Outcome, StoreError
from fairplay.store.schema import contests, entrants, fixtures, matches, standings

DIALECTS: dict[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}

OUTCOME_COLUMNS = (matches.c.ranking, matches.c.scores, matches.c.faults, matches.c.ending)
RESULT_COLUMNS = (matches.c.number, matches.c.line_up, matches.c.deal, *OUTCOME_COLUMNS, matches.c.seconds)
"""Without the record, which is large."""

TALLIES = (entrants.c.matches, entrants.c.wins, entrants.c.ties, entrants.c.faults)


def dialect_insert(connection: Connection, table: Table) -> Any:
    """An insertion that can be told what to do on a conflict: both databases can, each in its own dialect."""
    return DIALECTS[connection.dialect.name](table)


# -- contests ----------------------------------------------------------------------------------


def insert_contest(connection: Connection, fingerprint: str, contest: Contest, created: float) -> int:
    """The number of the contest with this fingerprint, which is made if it is new; raises StoreError."""
    definition = msgspec.json.encode(contest).decode()
    known = connection.execute(
        select(contests.c.id, contests.c.definition).where(contests.c.fingerprint == fingerprint)
    ).one_or_none()
    if known is not None:
        # Compared as values: a definition that an older version has kept does not name what is new since.
        ours = msgspec.json.decode(known.definition, type=Contest)
        if contest.is_open:
            add_entrants(connection, known.id, fingerprint, contest)
            ours, contest = replace(ours, entrants=()), replace(contest, entrants=())
        if ours != contest:
            raise StoreError(f"tournament {known.id} of this store has the same fingerprint, but another definition")
        return int(known.id)
    row = {"fingerprint": fingerprint, "game": contest.game, "format": contest.format, "definition": definition}
    key = connection.execute(contests.insert().values(**row, created=created)).inserted_primary_key
    assert key is not None
    id = int(key[0])
    add_entrants(connection, id, fingerprint, contest)
    return id


def add_entrants(connection: Connection, id: int, fingerprint: str, contest: Contest) -> None:
    """Add the entrants of a contest that are not there yet; raises StoreError if others have their numbers."""
    query = select(entrants.c.number, entrants.c.name, entrants.c.spec).where(entrants.c.contest == id)
    there = {row.number: (row.name, row.spec) for row in connection.execute(query)}
    rows = []
    for number, (name, spec) in enumerate(contest.entrants):
        if there.get(number, (name, spec)) != (name, spec):
            raise StoreError(f"player {number} of tournament {id} in this store is another one, {there[number][0]}")
        if number not in there:
            identity = identify(spec, fingerprint, number)
            rows.append({"contest": id, "number": number, "name": name, "spec": spec, "identity": identity})
    if rows:
        connection.execute(entrants.insert(), rows)


class NewEntrant(NamedTuple):
    """Who takes part, and by what it is known in all contests."""

    name: str
    spec: str
    identity: str
    account: str | None = None


def insert_entrant(connection: Connection, contest: int, number: int, entrant: NewEntrant) -> None:
    """Add an entrant to a contest."""
    connection.execute(entrants.insert(), {"contest": contest, "number": number, **entrant._asdict()})


def identify(spec: str, fingerprint: str, number: int, account: str | None = None) -> str:
    """By what a player is known in all contests: by what it is, never by a name that somebody typed.

    That is an account, a house player with its options, the content of a bot file or the command of a program.  Whoever
    came over a network or sat at the terminal is somebody else in each contest.
    """
    match parse_spec(spec):
        case PersonSpec() if account is not None:
            return f"account:{account}"
        case PersonSpec() | ConnectionSpec() as someone:
            kind = "connection" if isinstance(someone, ConnectionSpec) else PERSON
            return f"{kind}:{fingerprint}/{number}"
        case BotFileSpec() as file:
            return identify_file(file)
        case HouseSpec() as house:
            return house.bare
    return spec


def identify_file(file: BotFileSpec) -> str:
    """A bot file by its content, or by its path if it cannot be read."""
    try:
        content = blake2b(Path(file.path).read_bytes(), digest_size=16).hexdigest()
    except OSError:
        return file.bare
    return f"file:{content}:{file.function}".removesuffix(":")


def open_contest(connection: Connection, contest: Contest, now: float) -> int:
    """The number of the open contest of this game, setup and limits, which is made if it is new."""
    shared = [contest.format, contest.game, contest.setup, contest.options]
    topic = blake2b(msgspec.json.encode(shared), digest_size=16).hexdigest()
    row = {"fingerprint": secrets.token_hex(16), "game": contest.game, "format": contest.format, "topic": topic}
    insert = dialect_insert(connection, contests).on_conflict_do_nothing(index_elements=["topic"])
    known = select(contests.c.id).where(contests.c.topic == topic)
    if (id := connection.execute(known).scalar()) is None:
        connection.execute(insert, {**row, "definition": msgspec.json.encode(contest).decode(), "created": now})
        id = connection.execute(known).scalar_one()
    return int(id)


def enter(connection: Connection, contest: int, given: Sequence[NewEntrant]) -> list[int]:
    """The numbers of entrants of an open contest, each of whom is added the first time it takes part.

    ASSUME: nobody else adds entrants to this contest until the transaction ends.
    """
    found: list[int] = []
    last = connection.execute(select(func.max(entrants.c.number)).where(entrants.c.contest == contest)).scalar()
    free = 0 if last is None else last + 1
    for each in given:
        is_it = (entrants.c.contest == contest) & (entrants.c.identity == each.identity)
        which = is_it & (entrants.c.name == each.name) & (entrants.c.spec == each.spec)
        query = select(entrants.c.number).where(which & entrants.c.number.not_in(found)).order_by(entrants.c.number)
        number = connection.execute(query).scalars().first()
        if number is None:
            number, free = free, free + 1
            insert_entrant(connection, contest, number, each)
        found.append(number)
    return found


def insert_fixture(connection: Connection, contest: int, number: int, line_up: Sequence[int], deal: int) -> None:
    """Say who plays what in a match of an open contest."""
    row = {"contest": contest, "number": number, "line_up": list(line_up), "deal": deal}
    insert = dialect_insert(connection, fixtures)
    connection.execute(insert.on_conflict_do_nothing(index_elements=["contest", "number"]), row)


def insert_standings(connection: Connection, id: int, lines: bytes) -> None:
    """Keep the standings of a contest, or others in their place."""
    row = {"contest": id, "lines": lines.decode()}
    insert = dialect_insert(connection, standings)
    connection.execute(insert.on_conflict_do_update(index_elements=["contest"], set_={"lines": row["lines"]}), row)


# -- results -----------------------------------------------------------------------------------


def check_same_results(connection: Connection, id: int, results: Sequence[Result]) -> None:
    """Refuse results that contradict what is there; raises StoreError."""
    given = {result.number: result for result in results}
    query = select(*RESULT_COLUMNS).where((matches.c.contest == id) & matches.c.number.in_(given))
    for row in connection.execute(query):
        ours, theirs = read_result(row, b""), given[row.number]
        if (ours.line_up, ours.deal, ours.outcome) != (theirs.line_up, theirs.deal, theirs.outcome):
            raise StoreError(f"match {row.number} ended otherwise in tournament {id} of this store")


def insert_results(
    connection: Connection, id: int, results: Sequence[Result], now: float, *, broken: str | None = None
) -> None:
    """Keep those results that are not there yet, and count them for their players.

    broken: why these matches were broken off; such a match is kept for its record, and counts for nobody.
    """
    this = contests.c.id == id
    lock = select(contests.c.id).where(this).with_for_update(key_share=True)
    connection.execute(lock)  # no one else adds matches to this contest until we are through
    given: dict[int, Result] = {}
    for result in results:
        given.setdefault(result.number, result)
    query = select(matches.c.number).where((matches.c.contest == id) & matches.c.number.in_(given))
    for number in connection.execute(query).scalars():
        del given[number]
    if given:
        rows = [{**result_row(id, result, now), "broken": broken} for result in given.values()]
        connection.execute(matches.insert(), rows)
    if given and broken is None:
        connection.execute(contests.update().where(this).values(matches=contests.c.matches + len(given)))
        add_to_tallies(connection, id, given.values())


def add_to_tallies(connection: Connection, contest: int, results: Iterable[Result]) -> None:
    """Add results to the tallies of their players; ASSUME they are new."""
    sums: dict[int, list[int]] = {}
    for result in results:
        winners, faults = result.outcome.winners, result.outcome.faults
        for seat, player in enumerate(result.line_up):
            tally = sums.setdefault(player, [0] * len(TALLIES))
            tally[0] += 1
            tally[1] += seat in winners and len(winners) == 1
            tally[2] += seat in winners and len(winners) > 1
            fault = faults[seat]
            tally[3] += fault is not None and not fault.is_absence
    names = [f"more_{tally.name}" for tally in TALLIES]
    rows = [{"of": contest, "who": who, **dict(zip(names, sums[who], strict=True))} for who in sorted(sums)]
    which = (entrants.c.contest == bindparam("of")) & (entrants.c.number == bindparam("who"))
    more = {tally: tally + bindparam(name) for tally, name in zip(TALLIES, names, strict=True)}
    if rows:
        connection.execute(entrants.update().where(which).values(more), rows)


def result_row(contest: int, result: Result, stored: float) -> dict[str, Any]:
    """The row that keeps `result`."""
    line_up, outcome = result.line_up, result.outcome
    faulty = [player for player, fault in zip(line_up, outcome.faults, strict=True) if fault is not None]
    return {
        "contest": contest,
        "number": result.number,
        "deal": result.deal,
        "line_up": line_up,
        "winners": [line_up[seat] for seat in outcome.winners],
        "faulty": faulty,
        "ranking": outcome.ranking,
        "scores": outcome.scores,
        "faults": outcome.faults if faulty else None,
        "ending": outcome.ending,
        "seconds": result.seconds,
        "stored": stored,
        "record": result.record or None,
    }


def read_result(row: Any, record: bytes) -> Result:
    """The result that `row` keeps; ASSUME it was selected with RESULT_COLUMNS."""
    return Result(row.number, tuple(row.line_up), row.deal, read_outcome(row), record, row.seconds)


def read_outcome(row: Any) -> Outcome:
    """The outcome that `row` keeps; ASSUME it was selected with OUTCOME_COLUMNS."""
    faults = row.faults or [None] * len(row.scores)
    return msgspec.convert(
        {"ranking": row.ranking, "scores": row.scores, "faults": faults, "ending": row.ending}, Outcome
    )
