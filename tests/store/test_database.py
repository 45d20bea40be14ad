"""Programs that use one store at once wait for each other, for a while."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

import pytest

from fairplay.core import StoreError
from fairplay.store import open_store
from fairplay.store.store import Store
from store.children import CLEAN, adds_beside, child, creates, holds, waits
from store.samples import CONTEST, results

FAIRPLAY = [sys.executable, "-c", "from fairplay.cli import main; main()"]


def test_programs_that_make_a_new_store_at_once_wait_for_each_other(url: str) -> None:
    start = CLEAN.Barrier(6)
    with ExitStack() as stack:
        children = [stack.enter_context(child(creates, url, start)) for _ in range(6)]
        made = [reports.recv() for _, reports in children]
    with open_store(url) as store:
        assert sorted(made) == [contest.id for contest in store.contests()] == list(range(1, 7))


def test_several_processes_may_write_at_once(url: str, store: Store) -> None:
    id = store.create(CONTEST)
    with ExitStack() as stack:
        children = [stack.enter_context(child(adds_beside, url, id, start)) for start in (0, 20, 40)]
        assert [reports.recv() for _, reports in children] == ["done"] * 3
    assert [each.number for each in store.results(id)] == list(range(92))
    assert sum(each.matches for each in store.history.players()) == 2 * 92


def test_a_writer_waits_for_another_as_long_as_it_has_patience(url: str, store: Store) -> None:
    id, release = store.create(CONTEST), CLEAN.Event()
    with open_store(url, patience=0.2) as hasty, child(holds, url, id, release) as (_, holder):
        assert holder.recv() == "held"
        with pytest.raises(StoreError, match=r"^\S+ is locked by another program; try again when that has finished$"):
            hasty.add(id, results(range(1, 2)))
        assert hasty.summary(id).matches == 0  # reading goes on
        with child(waits, url, id) as (_, waiter):
            assert waiter.recv() == "trying"
            release.set()
            assert (holder.recv(), waiter.recv()) == ("done", "done")
    assert [each.number for each in store.results(id)] == [0, 1]


def test_two_commands_at_once_keep_both_their_tournaments(tmp_path: Path) -> None:
    command = [*FAIRPLAY, "tournament", "run", "fish", "random", "greedy", "--games", "1", "--jobs", "1"]
    db = tmp_path / "new.db"
    with ExitStack() as stack:
        running = [
            stack.enter_context(subprocess.Popen([*command, "--db", str(db)], stdout=subprocess.PIPE)) for _ in range(2)
        ]
        said = [process.communicate()[0] for process in running]
    assert [process.returncode for process in running] == [0, 0], said
    with open_store(db) as store:
        assert [contest.matches for contest in store.contests() if contest.finished] == [2, 2]


def test_threads_may_share_a_store(store: Store) -> None:
    id = store.create(CONTEST)

    def work(start: int) -> None:
        for number in range(start, start + 30):
            store.add(id, results(range(number, number + 3)))

    threads = [Thread(target=work, args=(start,)) for start in (0, 10, 20, 30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [each.number for each in store.results(id)] == list(range(62))
    assert sum(each.matches for each in store.history.players()) == 2 * 62
