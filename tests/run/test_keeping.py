"""The two keepers: what they were given is there, a store's outlives the process, and only one plays a contest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from fairplay.core import StoreError
from fairplay.match.packing import Signer, check_signature, unpacked
from fairplay.run.engines.pool import Inline
from fairplay.run.keeping import Keeper, MemoryKeeper, StoreKeeper
from fairplay.store import open_store

from .contests import contest, wanted

CONTEST = contest()


@pytest.fixture(params=["memory", "store"])
def keeper(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Keeper]:
    if request.param == "memory":
        yield MemoryKeeper()
        return
    with open_store(tmp_path / "fairplay.db") as store:
        yield StoreKeeper(store, store.create(CONTEST))


def test_results_come_back_in_order_of_number_and_each_counts_once(keeper: Keeper) -> None:
    results = list(Inline().results(CONTEST, wanted(CONTEST, 4)))
    keeper.add(results[2:])
    keeper.add([replace(results[2], deal=9), *results[:2]])
    kept = list(keeper.results())
    assert [result.number for result in kept] == [0, 1, 2, 3]
    assert kept[2].deal == results[2].deal
    assert keeper.outcomes([1, 3, 7]) == {1: results[1].outcome, 3: results[3].outcome}


def test_turns_are_kept_until_the_result_is_there(tmp_path: Path) -> None:
    results = list(Inline().results(CONTEST, wanted(CONTEST, 1)))
    with open_store(tmp_path / "fairplay.db") as store:
        id = store.create(CONTEST)
        StoreKeeper(store, id).add_turns([(0, 0, b"header"), (0, 1, b"first")])
    with open_store(tmp_path / "fairplay.db") as store:
        keeper = StoreKeeper(store, id)
        assert keeper.durable
        assert keeper.turns() == {0: [b"header", b"first"]}
        keeper.add(results)
        assert keeper.turns() == {}


def test_memory_keeps_no_turns() -> None:
    keeper = MemoryKeeper()
    keeper.add_turns([(0, 0, b"header")])
    assert not keeper.durable
    assert keeper.turns() == {}


def test_tables_are_kept_at_the_end(keeper: Keeper) -> None:
    with keeper.lease():
        keeper.finish(b'{"standings":[]}')
    if isinstance(keeper, StoreKeeper):
        assert keeper.store.standings(keeper.id) == b'{"standings":[]}'
        assert keeper.store.summary(keeper.id).finished is not None
    else:
        assert isinstance(keeper, MemoryKeeper)
        assert keeper.tables == b'{"standings":[]}'


def test_one_process_at_a_time_plays_a_stored_contest(tmp_path: Path) -> None:
    with open_store(tmp_path / "fairplay.db") as store:
        id = store.create(CONTEST)
        with StoreKeeper(store, id).lease(), pytest.raises(StoreError, match="is being run by"):  # noqa: SIM117  # the second must fail inside the first
            with StoreKeeper(store, id).lease():
                pass


def test_a_store_keeps_matches_signed_and_gives_them_back_so(tmp_path: Path) -> None:
    signer = Signer(b"\1" * 32)
    with open_store(tmp_path / "fairplay.db") as store:
        id = store.create(CONTEST)
        keeper = StoreKeeper(store, id, signer)
        played = list(Inline().results(CONTEST, wanted(CONTEST, 2)))
        given = [*keeper.add([played[0], replace(played[1], record=b"")])]
        kept = list(store.results(id, records=True))
        assert kept == [replace(each, efforts=()) for each in given], "what it took is said, not kept"
        signature = check_signature(unpacked(kept[0].record))
        assert signature is not None
        assert (signature.key, signature.match) == (signer.public, f"{store.summary(id).fingerprint}/0")
        assert kept[1].record == b""  # there is nothing to sign
        assert kept[0].record.startswith(played[0].record)


def test_without_a_key_matches_are_kept_as_they_are(keeper: Keeper) -> None:
    played = list(Inline().results(CONTEST, wanted(CONTEST, 2)))
    assert keeper.add(played) == played
