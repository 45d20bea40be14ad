"""Servers of a store: each has a number and a lease, and what another has taken over is not theirs any more."""

from __future__ import annotations

import pytest

from fairplay.match.packing import unpacked
from fairplay.store import TakenOverError, open_store
from fairplay.store.store import Store
from store.samples import sample_results

RECORD = unpacked(sample_results()[0].record)


def test_a_server_runs_until_it_stops_and_then_its_tables_are_free(url: str) -> None:
    with open_store(url) as store, open_store(url) as other:
        with store.servers.run() as one, other.servers.run() as two:
            assert one != two
            store.tables.open("a", "fish", b"{}", one)
            assert store.servers.is_running(two) and other.servers.is_running(one)
            assert [table.id for table in other.tables.unfinished_elsewhere(two)] == ["a"]
            assert store.tables.unfinished_elsewhere(one) == []
        assert not other.servers.is_running(one), "so that its tables are free"
        assert other.tables.get("a").server == one


def test_a_number_is_never_used_again(store: Store) -> None:
    numbers = []
    for _ in range(3):
        with store.servers.run() as number:
            numbers.append(number)
    assert len({*numbers}) == 3


def test_one_of_two_gets_a_table(store: Store) -> None:
    store.tables.open("a", "fish", b"{}")
    assert [store.tables.claim("a", None, server) for server in (7, 8)] == [True, False]
    assert store.tables.get("a").server == 7 and store.tables.claim("a", 7, 8)
    store.tables.close("a", b"{}", 8)
    assert not store.tables.claim("a", 8, 9), "it is finished"


def test_what_another_server_has_taken_over_is_not_changed(store: Store) -> None:
    store.tables.open("a", "fish", b"{}", 7)
    store.tables.open("b", "fish", b"{}", 7)
    assert store.tables.claim("a", 7, 8)
    assert store.tables.add_lines([("a", 0, RECORD[0]), ("b", 0, RECORD[0])], 7) == {"a"}
    assert (store.tables.lines("a"), store.tables.lines("b")) == ([], RECORD[:1])
    with pytest.raises(TakenOverError):
        store.tables.change("a", b"{}", 7)
    with pytest.raises(TakenOverError):
        store.tables.close("a", b"{}", 7)
    assert store.tables.add_lines([("a", 0, RECORD[0])], 8) == set()
