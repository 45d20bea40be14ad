"""Results are kept once, all of them or none, and counted for their players."""

from __future__ import annotations

import msgspec
import pytest

from fairplay.core import StoreError
from fairplay.store.store import Store
from store.samples import CONTEST, faulty, result, tied


def test_a_match_that_is_played_twice_counts_once_and_the_first_stays(store: Store) -> None:
    id = store.create(CONTEST)
    store.add(id, [tied(1)])
    store.add(id, [faulty(0), faulty(1), faulty(1)])
    assert list(store.results(id)) == [faulty(0), tied(1)]


def test_nothing_to_add_is_no_mistake(store: Store) -> None:
    id = store.create(CONTEST)
    store.add(id, [])
    assert list(store.results(id)) == []


def test_results_are_added_all_or_none(store: Store) -> None:
    id = store.create(CONTEST)
    too_large = msgspec.structs.replace(result(1), deal=2**70)
    with pytest.raises((StoreError, OverflowError)):
        store.add(id, [result(0), too_large])
    assert list(store.results(id)) == []
    store.add(id, [result(0)])
    assert [each.number for each in store.results(id)] == [0]


@pytest.mark.parametrize("detail", ["plain", "a \0 in it", "☃ \x1b[31m \ufffd", '"quoted" \\ \n', "x" * 2_000])
def test_faults_come_back_whatever_their_words(store: Store, detail: str) -> None:
    id = store.create(CONTEST)
    store.add(id, [faulty(3, detail)])
    assert list(store.results(id)) == [faulty(3, detail)]
    assert store.outcomes(id, [3]) == {3: faulty(3, detail).outcome}


def test_a_match_that_comes_twice_is_counted_once_for_its_players(store: Store) -> None:
    id = store.create(CONTEST)
    store.add(id, [faulty(0), faulty(0)])
    store.add(id, [faulty(0), tied(1)])
    assert [(each.matches, each.wins, each.ties, each.faults) for each in store.history.players()] == [
        (1, 1, 0, 0),
        (1, 0, 1, 0),
        (2, 0, 1, 1),
    ]
