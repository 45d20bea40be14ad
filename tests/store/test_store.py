"""The store, on both databases: what is added is there, once, and in order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from fairplay.contest.contest import Contest, Entrant
from fairplay.core import RecordError, StoreError
from fairplay.match.record import read_record
from fairplay.store import SessionRow, open_store
from fairplay.store.inserts import insert_standings
from fairplay.store.schema import metadata
from fairplay.store.store import PAGE_SIZE, Store
from store.samples import CONTEST, FIXTURES, faulty, result, results, sample_results


def test_a_contest_comes_back_as_it_was(store: Store) -> None:
    id = store.create(CONTEST)
    back = store.contest(id)
    assert msgspec.json.encode(back) == msgspec.json.encode(CONTEST)
    assert back.entrants == CONTEST.entrants
    assert msgspec.json.decode(back.setup)["rows"] == 4


def test_the_same_definition_makes_a_new_contest_each_time(store: Store) -> None:
    first, second = store.create(CONTEST), store.create(CONTEST)
    assert first != second
    assert store.summary(first).fingerprint != store.summary(second).fingerprint
    assert store.find_contest(store.summary(second).fingerprint) == second
    assert store.find_contest("0" * 32) is None


def test_contests_are_listed_with_what_is_there_of_them(store: Store) -> None:
    assert store.contests() == []
    first, second = store.create(CONTEST), store.create(msgspec.structs.replace(CONTEST, format="swiss", entrants=()))
    store.add(first, results(range(3)))
    store.finish(second, b"[]")
    listed = store.contests()
    assert listed == [store.summary(first), store.summary(second)]
    assert [(line.id, line.format, line.players, line.matches) for line in listed] == [
        (first, "round-robin", ("first", "second", "third"), 3),
        (second, "swiss", (), 0),
    ]
    assert listed[0].finished is None
    assert listed[1].finished is not None and listed[1].finished >= listed[1].created


def test_the_newest_contests_come_first_some_at_a_time(store: Store) -> None:
    ids = [store.create(CONTEST) for _ in range(5)]
    assert [line.id for line in store.newest(2)] == ids[:2:-1]
    assert store.newest(2, before=ids[3]) == [store.summary(ids[2]), store.summary(ids[1])]
    assert [line.id for line in store.newest(before=ids[0])] == []


def test_results_come_back_in_order_of_number_however_they_were_added(store: Store) -> None:
    id = store.create(CONTEST)
    store.add(id, results(range(5, 12)))
    store.add(id, reversed(results(range(5))))
    assert list(store.results(id, records=True)) == list(sample_results())
    assert list(store.results(id)) == [msgspec.structs.replace(each, record=b"") for each in sample_results()]


def test_results_are_read_page_by_page(store: Store) -> None:
    id, other = store.create(CONTEST), store.create(CONTEST)
    store.add(id, results(range(2 * PAGE_SIZE)))
    store.add(other, results(range(3)))
    assert [each.number for each in store.results(id)] == list(range(2 * PAGE_SIZE))
    reading = store.results(id)
    next(reading)
    store.add(id, results(range(2 * PAGE_SIZE, 2 * PAGE_SIZE + 7)))  # while somebody reads
    assert sum(1 for _ in reading) == 2 * PAGE_SIZE + 6
    assert sum(1 for _ in store.results(other)) == 3


def test_outcomes_are_those_that_are_there(store: Store) -> None:
    id = store.create(CONTEST)
    store.add(id, results(range(0, 2_000, 2)))
    found = store.outcomes(id, range(1_500, 2_500))
    assert found == {number: result(number).outcome for number in range(1_500, 2_000, 2)}
    assert store.outcomes(id, []) == {}


def test_a_record_is_its_lines_again(store: Store) -> None:
    id = store.create(CONTEST)
    store.add(id, sample_results())
    for each in sample_results():
        record = read_record(store.record(id, each.number).splitlines(keepends=True))
        assert record.outcome == each.outcome


def test_a_record_that_is_not_there_is_told_in_words(store: Store) -> None:
    id = store.create(CONTEST)
    store.add(id, [faulty(0), msgspec.structs.replace(result(1), record=b"no record")])
    with pytest.raises(StoreError, match=f"^tournament {id} has no match 7$"):
        store.record(id, 7)
    with pytest.raises(StoreError, match=f"^match 0 of tournament {id} was kept without its record$"):
        store.record(id, 0)
    with pytest.raises(RecordError, match="damaged"):
        store.record(id, 1)


def test_standings_are_kept_byte_for_byte_and_can_be_renewed(store: Store) -> None:
    id = store.create(CONTEST)
    assert store.standings(id) is None
    for lines in (b'[{"b":1,"a":0.10}]', '[{"player":"☃"}]'.encode()):
        store.finish(id, lines)
        assert store.standings(id) == lines


def test_a_contest_is_finished_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    id, clock = store.create(CONTEST), iter((1_000.5, 2_000.5))
    monkeypatch.setattr("fairplay.store.store.time", lambda: next(clock))
    for _ in range(2):
        store.finish(id, b"[]")
        assert store.summary(id).finished == 1_000.5


def test_a_contest_is_deleted_whole_and_no_other_is_touched(store: Store) -> None:
    gone, stays = (store.create(CONTEST, sessions=[SessionRow(0, "ab", b"{}")], queued=True) for _ in range(2))
    for id in (gone, stays):
        store.add(id, [faulty(0), result(1)])
        store.add_turns(id, [(2, 0, b"line")])
        store.database.write(partial(insert_standings, id=id, lines=b"[]"))
    before = store.results(stays), store.sessions(stays), store.unfinished_turns(stays), store.standings(stays)
    store.delete(gone)
    assert [each.id for each in store.contests()] == store.queue.contests() == [stays]
    assert (store.sessions(stays), store.unfinished_turns(stays), store.standings(stays)) == before[1:]
    assert list(store.results(stays)) == list(before[0])
    for table in metadata.sorted_tables:
        if "contest" in table.c:
            assert {row.contest for row in store.database.rows(select(table.c.contest))} <= {stays}, table


def test_a_contest_that_is_being_run_is_not_deleted(url: str) -> None:
    with open_store(url) as running, open_store(url) as other:
        id = running.create(CONTEST)
        with running.lease(id), pytest.raises(StoreError, match=f"^tournament {id} is being run by process "):
            other.delete(id)
        assert other.summary(id).game == "fish"


USES: list[Callable[[Store, int], Any]] = [
    lambda store, number: store.contest(number),
    lambda store, number: store.summary(number),
    lambda store, number: store.add(number, [result(0)]),
    lambda store, number: store.results(number),
    lambda store, number: store.outcomes(number, [1]),
    lambda store, number: store.record(number, 0),
    lambda store, number: store.history.matches(number),
    lambda store, number: store.queue.add(number),
    lambda store, number: store.standings(number),
    lambda store, number: store.finish(number, b"[]"),
    lambda store, number: store.delete(number),
    lambda store, number: store.lease(number).__enter__(),
]


def test_a_contest_that_is_not_there_is_told_in_words(store: Store) -> None:
    store.create(CONTEST)
    for use, id in product(USES, (2, 0, -1)):
        with pytest.raises(StoreError, match=f"^there is no tournament {id}$"):
            use(store, id)
    with pytest.raises(StoreError, match="there is no tournament"):
        store.contest(2**80)  # more than a database can ask for
    assert [line.matches for line in store.contests()] == [0]


def test_what_was_added_is_there_for_the_next_who_opens_the_store(url: str) -> None:
    with open_store(url) as store:
        id = store.create(CONTEST)
        store.add(id, sample_results())
    with open_store(url) as store, open_store(url) as beside:
        assert list(store.results(id, records=True)) == list(sample_results())
        store.add(id, [result(len(FIXTURES))])
        assert beside.summary(id).matches == len(FIXTURES) + 1


def test_a_contest_is_a_value(store: Store) -> None:
    odd = Contest(
        "fish", (Entrant("☃ \\ '", "x:y=1"),), "ladder", {"a": [1, {"b": None}]}, msgspec.Raw(b"{}"), -(2**63), 0.5
    )
    back = store.contest(store.create(odd))
    assert msgspec.json.encode(back) == msgspec.json.encode(odd)
