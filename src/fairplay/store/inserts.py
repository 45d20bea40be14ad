"""How contests and results come into the database, each once, and out again: all inside a caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Table, bindparam, select
from sqlalchemy.dialects import postgresql, sqlite

from fairplay.contest.contest import Contest, Result
from fairplay.core import Outcome, StoreError
from fairplay.store.schema import contests, matches, players, standings

__all__ = [
    "OUTCOME_COLUMNS",
    "RESULT_COLUMNS",
    "TALLIES",
    "check_same_results",
    "dialect_insert",
    "insert_contest",
    "insert_results",
    "insert_standings",
    "read_outcome",
    "read_result",
]

DIALECTS: dict[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}

OUTCOME_COLUMNS = (matches.c.ranking, matches.c.scores, matches.c.faults, matches.c.ending)
RESULT_COLUMNS = (matches.c.number, matches.c.line_up, matches.c.deal, *OUTCOME_COLUMNS, matches.c.seconds)
"""Without the record, which is large."""

TALLIES = (players.c.matches, players.c.wins, players.c.ties, players.c.faults)


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
        if msgspec.json.decode(known.definition, type=Contest) != contest:
            raise StoreError(f"tournament {known.id} of this store has the same fingerprint, but another definition")
        return int(known.id)
    row = {"fingerprint": fingerprint, "game": contest.game, "format": contest.format, "definition": definition}
    key = connection.execute(contests.insert().values(**row, created=created)).inserted_primary_key
    assert key is not None
    id = int(key[0])
    rows = [
        {"contest": id, "number": number, "name": name, "spec": spec}
        for number, (name, spec) in enumerate(contest.entrants)
    ]
    if rows:
        connection.execute(players.insert(), rows)
    return id


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


def insert_results(connection: Connection, id: int, results: Sequence[Result], now: float) -> None:
    """Keep those results that are not there yet, and count them for their players."""
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
        connection.execute(matches.insert(), [result_row(id, result, now) for result in given.values()])
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
    which = (players.c.contest == bindparam("of")) & (players.c.number == bindparam("who"))
    more = {tally: tally + bindparam(name) for tally, name in zip(TALLIES, names, strict=True)}
    if rows:
        connection.execute(players.update().where(which).values(more), rows)


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
