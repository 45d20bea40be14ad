"""The lease: one process at a time, and none for longer than it lives."""

from __future__ import annotations

import fcntl
import os
import signal
from pathlib import Path
from threading import Thread

import pytest

from fairplay.core import StoreError
from fairplay.store import leases as leases_module, open_store
from fairplay.store.leases import FileLease
from fairplay.store.store import Store
from store.children import child, leases, leases_and_forks
from store.samples import CONTEST, result


def test_a_second_process_is_refused_while_the_first_lives(url: str, store: Store) -> None:
    id, other = store.create(CONTEST), store.create(CONTEST)
    with child(leases, url, id) as (process, reports):
        assert reports.recv() == "mine"
        with (
            pytest.raises(StoreError, match=rf"^tournament {id} is being run by process \d+") as refused,
            store.lease(id),
        ):
            pass
        if url.endswith(".db"):
            assert f"process {process.pid};" in str(refused.value)
        with store.lease(other):
            pass
    with store.lease(id):  # it was killed
        pass


def test_a_process_is_refused_while_we_hold_it(url: str, store: Store) -> None:
    id = store.create(CONTEST)
    with store.lease(id), child(leases, url, id) as (_, reports):
        assert "is being run by process" in reports.recv()
    with child(leases, url, id) as (_, reports):
        assert reports.recv() == "mine"


def test_threads_and_stores_of_one_process_exclude_each_other(
    url: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases_module, "GRACE", 0.2)
    id, heard = store.create(CONTEST), []

    def attempt(own: Store) -> None:
        try:
            with own.lease(id):
                heard.append("mine")
        except StoreError as error:
            heard.append(str(error))

    with open_store(url) as beside, store.lease(id):
        for own in (store, beside):
            thread = Thread(target=attempt, args=(own,))
            thread.start()
            thread.join()
    assert len(heard) == 2 and all("is being run by process" in word for word in heard)
    attempt(store)
    assert heard[-1] == "mine"


def test_an_error_inside_frees_the_lease(store: Store) -> None:
    id = store.create(CONTEST)
    with pytest.raises(ZeroDivisionError), store.lease(id):
        raise ZeroDivisionError
    with store.lease(id):
        store.add(id, [result(0)])
    assert store.summary(id).matches == 1


def test_a_worker_that_outlives_its_killed_parent_does_not_hold_the_lease(url: str, store: Store) -> None:
    id = store.create(CONTEST)
    with child(leases_and_forks, url, id) as (process, reports):
        orphan = reports.recv()
        process.kill()
        process.join()
    try:
        os.kill(orphan, 0)  # it lives
        with store.lease(id):
            pass
    finally:
        os.kill(orphan, signal.SIGKILL)


def test_nothing_is_left_beside_the_database(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store:
        id = store.create(CONTEST)
        with store.lease(id), store.lease(store.create(CONTEST)):
            assert (tmp_path / f"store.db-server-{store.database.server}").read_text() == str(os.getpid())
            assert len([*tmp_path.glob("store.db-server-*")]) == 1, "one lease, whatever it runs"
    assert [path.name for path in tmp_path.iterdir()] == ["store.db"]


def test_a_link_to_the_database_has_the_same_lease(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "store.db")
    with open_store(tmp_path / "store.db") as store, open_store(tmp_path / "link.db") as linked:
        id = store.create(CONTEST)
        with store.lease(id), pytest.raises(StoreError, match="is being run"), linked.lease(id):
            pass


def test_a_file_that_its_holder_removed_in_the_meantime_is_no_lease(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease = FileLease(tmp_path / "store.db", 1)
    lock, removed = fcntl.lockf, list[int]()

    def slow_lock(descriptor: int, how: int) -> None:
        lock(descriptor, how)
        if len(removed) < 2:  # the holder before us goes just now; the second time, the next one comes as well
            lease.path.unlink()
            removed.append(descriptor)
            if len(removed) == 2:
                lease.path.touch()

    monkeypatch.setattr(fcntl, "lockf", slow_lock)
    with lease.hold():
        assert lease.path.read_text() == str(os.getpid())
    assert len(removed) == 2


def test_a_folder_that_cannot_be_written_to_is_told_in_words(tmp_path: Path) -> None:
    with (
        pytest.raises(StoreError, match="cannot be locked: No such file or directory"),
        FileLease(tmp_path / "nowhere" / "store.db", 1).hold(),
    ):
        pass
