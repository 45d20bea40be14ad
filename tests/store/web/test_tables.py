"""Tables: lines are kept as they happen, and are one packed record in the end."""

from __future__ import annotations

from threading import Thread

import pytest
from msgspec import Raw
from sqlalchemy import func, select

from fairplay.core import RecordError, StoreError
from fairplay.match.packing import unpacked
from fairplay.match.record import read_record
from fairplay.store import open_store
from fairplay.store.schema import lines as rows
from fairplay.store.store import Store
from fairplay.store.web.table_players import TableFilter
from fairplay.store.web.tables import Seated, TableLine, WebTable, plan_tables
from store.samples import sample_results

RECORD = unpacked(sample_results()[0].record)


def numbered(id: str, first: int = 0, last: int | None = None) -> list[TableLine]:
    return [(id, number, RECORD[number]) for number in range(first, len(RECORD) if last is None else last)]


def begin(store: Store, id: str, *accounts: str | None) -> None:
    """A table whose line-up is known."""
    store.tables.open(id, "fish", b"{}")
    seats = [Seated("guest", "human", account) for account in accounts] or [Seated("random", "random")]
    store.tables.begin(id, [*seats, Seated("greedy", "greedy")], 5)


def rows_in(store: Store) -> int:
    with store.database.engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(rows)).scalar_one()


def test_lines_come_back_in_order_while_the_match_runs(store: Store) -> None:
    store.tables.open("a", "fish", b"{}")
    assert store.tables.lines("a") == []
    store.tables.add_lines(numbered("a", 3, 7))
    store.tables.add_lines(reversed(numbered("a", 0, 3)))
    assert store.tables.lines("a") == RECORD[:7]
    assert read_record(store.tables.lines("a")).outcome is None


def test_a_line_that_is_there_stays(store: Store) -> None:
    store.tables.open("a", "fish", b"{}")
    store.tables.add_lines(numbered("a", 0, 2))
    store.tables.add_lines([("a", 1, b"another"), ("a", 2, RECORD[2]), ("a", 2, b"twice")])
    assert store.tables.lines("a") == RECORD[:3]


def test_lines_of_many_tables_are_added_at_once_and_kept_apart(store: Store) -> None:
    for id in "abc":
        store.tables.open(id, "fish", b"{}")
    store.tables.add_lines(numbered("a") + numbered("b", 0, 4) + numbered("c", 0, 1))
    assert [len(store.tables.lines(id)) for id in "abc"] == [len(RECORD), 4, 1]


def test_lines_of_a_table_that_is_closed_or_not_there_cost_nobody_else_theirs(store: Store) -> None:
    for id in "ab":
        store.tables.open(id, "fish", b"{}")
    store.tables.close("b", b"{}")
    store.tables.add_lines(numbered("b", 0, 2) + numbered("a", 0, 2) + numbered("never", 0, 2))
    assert (store.tables.lines("a"), store.tables.lines("b")) == (RECORD[:2], [])
    assert rows_in(store) == 2


def test_a_closed_table_holds_the_same_record_in_one_value(store: Store) -> None:
    for id in "ab":
        begin(store, id)
        store.tables.add_lines(numbered(id))
    store.tables.close("a", b'{"won":"me"}')
    assert store.tables.lines("a") == RECORD
    assert rows_in(store) == len(RECORD)  # those of the other
    closed = store.tables.get("a")
    assert closed.summary == b'{"won":"me"}'
    assert closed.finished is not None and closed.finished >= closed.created


def test_closing_twice_changes_nothing(store: Store) -> None:
    begin(store, "a")
    store.tables.add_lines(numbered("a"))
    store.tables.close("a", b"first")
    before = store.tables.get("a")
    store.tables.close("a", b"second")
    assert store.tables.get("a") == before
    assert store.tables.lines("a") == RECORD


@pytest.mark.parametrize("missing", [0, 2])
def test_lines_with_a_gap_are_not_packed_but_kept(store: Store, missing: int) -> None:
    store.tables.open("a", "fish", b"{}")
    store.tables.add_lines(line for line in numbered("a") if line[1] != missing)
    with pytest.raises(RecordError):
        store.tables.close("a", b"{}")
    assert store.tables.get("a").finished is None
    assert store.tables.lines("a") == [line for number, line in enumerate(RECORD) if number != missing]


def test_lines_that_are_none_of_a_record_are_not_packed_but_kept(store: Store) -> None:
    store.tables.open("a", "fish", b"{}")
    store.tables.add_lines([("a", 0, RECORD[0]), ("a", 1, b"x" * 100), ("a", 2, RECORD[1])])
    with pytest.raises(RecordError):
        store.tables.close("a", b"{}")
    assert len(store.tables.lines("a")) == 3


def test_tables_are_listed_newest_first(store: Store) -> None:
    for id, game in (("a", "fish"), ("b", "trains"), ("c", "fish"), ("d", "fish")):
        store.tables.open(id, game, b'{"\x00":"opaque"}')
    store.tables.close("b", b"{}")
    store.tables.close("c", b"{}")
    assert [table.id for table in store.tables.newest()] == ["d", "c", "b", "a"]
    assert [table.id for table in store.tables.newest(TableFilter(running=True))] == ["d", "a"]
    assert [table.id for table in store.tables.newest(TableFilter(running=False))] == ["c", "b"]
    assert [table.id for table in store.tables.newest(TableFilter(running=False, game="fish"))] == ["c"]
    assert [table.id for table in store.tables.newest(TableFilter(limit=2))] == ["d", "c"]
    assert [table.id for table in store.tables.newest(TableFilter(before=store.tables.get("c").created))] == ["b", "a"]
    first = store.tables.get("a")
    assert first == WebTable("a", "fish", b'{"\x00":"opaque"}', first.created, None, None, first.contest, 0)
    assert store.tables.newest()[-1] == first


def test_a_table_is_opened_once(store: Store) -> None:
    store.tables.open("a", "fish", b"{}")
    store.tables.add_lines(numbered("a", 0, 1))
    store.tables.open("a", "fish", b"{}")  # as after a connection that broke before it could say so
    assert store.tables.lines("a") == RECORD[:1]
    for game, definition in (("trains", b"{}"), ("fish", b"[]")):
        with pytest.raises(StoreError, match=r"^there is a table a already$"):
            store.tables.open("a", game, definition)


def test_the_definition_of_a_table_can_be_replaced(store: Store) -> None:
    store.tables.open("a", "fish", b"{}")
    store.tables.change("a", b'{"who": "sits"}')
    assert store.tables.get("a").definition == b'{"who": "sits"}'
    with pytest.raises(StoreError, match=r"^there is no table never$"):
        store.tables.change("never", b"{}")


def test_a_table_that_is_not_there_is_told_in_words(store: Store) -> None:
    for use in (store.tables.get, store.tables.lines, lambda name: store.tables.close(name, b"{}")):
        with pytest.raises(StoreError, match=r"^there is no table never$"):
            use("never")


def test_nothing_to_add_is_no_mistake(store: Store) -> None:
    store.tables.add_lines([])
    assert store.tables.newest() == []


def test_lines_and_ends_from_several_threads_and_stores_leave_no_line_behind(url: str) -> None:
    with open_store(url) as store, open_store(url) as other:
        for number in range(20):
            begin(store, str(number))

        def close() -> None:
            for number in range(20):
                other.tables.close(str(number), b"{}")

        adding = Thread(target=lambda: [store.tables.add_lines(numbered(str(number))) for number in range(20)])
        closing = Thread(target=close)
        for thread in (adding, closing):
            thread.start()
        for thread in (adding, closing):
            thread.join()
        assert rows_in(store) == 0
        assert {len(store.tables.lines(str(number))) for number in range(20)} <= {0, len(RECORD)}


def test_the_matches_of_tables_lie_beside_those_of_tournaments(store: Store) -> None:
    ann, bob = (store.accounts.admit("guest") for _ in range(2))
    for id, account in (("a", ann), ("b", bob), ("c", ann)):
        begin(store, id, account)
        store.tables.add_lines(numbered(id))
        store.tables.close(id, b"{}")
    tables = [store.tables.get(id) for id in "abc"]
    (contest,) = {table.contest for table in tables}
    assert [table.number for table in tables] == [0, 1, 2] and store.tables.find(contest, 1) == "b"
    results = list(store.results(contest, records=True))
    assert [result.number for result in results] == [0, 1, 2] and results[0].deal == 5
    assert [result.line_up for result in results] == [(0, 1), (2, 1), (0, 1)], "an entrant is an account, not a name"
    assert store.record(contest, 1) == b"".join(RECORD)
    assert store.contests() == [] and [each.matches for each in store.open_contests()] == [3]
    assert store.contest(contest).names == ("guest", "greedy", "guest")
    with pytest.raises(StoreError, match="it cannot be deleted"):
        store.delete(contest)


def test_a_match_that_was_broken_off_is_kept_and_counts_for_nobody(store: Store) -> None:
    begin(store, "a")
    store.tables.add_lines(numbered("a", 0, 5))
    store.tables.close("a", b"{}", broken="Abandoned.")
    assert store.tables.lines("a") == RECORD[:5]
    contest = store.tables.get("a").contest
    assert list(store.results(contest)) == [] and store.summary(contest).matches == 0
    assert store.record(contest, 0) == b"".join(RECORD[:5])
    assert [player.matches for player in store.history.players()] == [0, 0]


def test_tables_share_an_open_contest_if_game_setup_and_limits_are_the_same(store: Store) -> None:
    small, large = (Raw(b'{"rows":%d}' % rows) for rows in (3, 5))
    for id, setup, clock in (("a", small, 30.0), ("b", small, 60.0), ("c", large, 30.0), ("d", small, 30.0)):
        store.tables.open(id, "fish", b"{}", contest=plan_tables("fish", setup, {"clock": clock}))
    places = [(table.contest, table.number) for table in map(store.tables.get, "abcd")]
    assert len({contest for contest, _ in places}) == 3 and places[3] == (places[0][0], 1)
