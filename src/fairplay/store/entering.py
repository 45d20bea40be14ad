"""How contests and their results come into the tables, each once, inside a transaction of the caller."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, select

from fairplay.contest.contest import Contest, Result
from fairplay.core import StoreError
from fairplay.store.careers import count
from fairplay.store.inserting import insert
from fairplay.store.rows import WITHOUT_RECORD, result_in, row_of
from fairplay.store.schema import contests, errands, matches, players, standings
from fairplay.store.unfinished import delete_sessions, delete_turns

__all__ = ["check_equal", "conclude", "enter", "keep"]


def enter(connection: Connection, fingerprint: str, contest: Contest, created: float) -> int:
    """The number of the contest with this fingerprint, which is made where it is new; raises StoreError."""
    definition = msgspec.json.encode(contest).decode()
    known = connection.execute(
        select(contests.c.id, contests.c.definition).where(contests.c.fingerprint == fingerprint)
    ).one_or_none()
    if known is not None:
        if known.definition != definition:
            raise StoreError(f"tournament {known.id} of this store has the same fingerprint, but another definition")
        return int(known.id)
    row = {"fingerprint": fingerprint, "game": contest.game, "format": contest.format, "definition": definition}
    key = connection.execute(contests.insert().values(**row, created=created)).inserted_primary_key
    assert key is not None
    id = int(key[0])
    everybody = [
        {"contest": id, "number": number, "name": name, "spec": spec}
        for number, (name, spec) in enumerate(contest.entrants)
    ]
    if everybody:
        connection.execute(players.insert(), everybody)
    return id


def check_equal(connection: Connection, id: int, results: Sequence[Result]) -> None:
    """Refuse results that contradict what is there; raises StoreError."""
    given = {result.number: result for result in results}
    query = select(*WITHOUT_RECORD).where((matches.c.contest == id) & matches.c.number.in_(given))
    for row in connection.execute(query):
        ours, theirs = result_in(row, b""), given[row.number]
        if (ours.line_up, ours.deal, ours.outcome) != (theirs.line_up, theirs.deal, theirs.outcome):
            raise StoreError(f"match {row.number} ended otherwise in tournament {id} of this store")


def keep(connection: Connection, id: int, results: Sequence[Result], now: float) -> None:
    """Keep those results that are not there yet, and count them for their players."""
    this = contests.c.id == id
    lock = select(contests.c.id).where(this).with_for_update(key_share=True)
    connection.execute(lock)  # nobody else adds matches to this contest until we are through
    delete_turns(connection, id, [result.number for result in results])
    given: dict[int, Result] = {}
    for result in results:
        given.setdefault(result.number, result)
    query = select(matches.c.number).where((matches.c.contest == id) & matches.c.number.in_(given))
    for number in connection.execute(query).scalars():
        del given[number]
    if given:
        connection.execute(matches.insert(), [row_of(id, result, now) for result in given.values()])
        connection.execute(contests.update().where(this).values(matches=contests.c.matches + len(given)))
        count(connection, id, given.values())


def conclude(connection: Connection, id: int, lines: bytes) -> None:
    """Keep the table of a contest, or another one in its place; forget what only an unfinished contest needs."""
    row = {"contest": id, "lines": lines.decode()}
    both = insert(connection, standings).on_conflict_do_update(index_elements=["contest"], set_={"lines": row["lines"]})
    connection.execute(both, row)
    delete_turns(connection, id)
    delete_sessions(connection, id)
    connection.execute(errands.delete().where(errands.c.contest == id))
