"""What child processes of the tests do: hold a lease, and add results until they are killed."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from fairplay.core import StoreError
from fairplay.store import open_store
from fairplay.store.inserts import insert_results
from store.samples import CONTEST, results

BATCH = 3

CLEAN = multiprocessing.get_context("forkserver")
"""Children are forked from a process without threads and open files, in which everything is imported already."""
CLEAN.set_forkserver_preload(["store.children", "fairplay.store.store", "fairplay.store.opening", "alembic.command"])


@contextmanager
def child(work: Any, *arguments: object) -> Iterator[tuple[BaseProcess, Connection]]:
    """A process that does `work`, and the end of a pipe on which it reports; killed when the block ends."""
    ours, theirs = CLEAN.Pipe(duplex=False)
    process = CLEAN.Process(target=work, args=(*arguments, theirs))
    process.start()
    theirs.close()
    try:
        yield process, ours
    finally:
        process.kill()
        process.join()
        process.close()
        ours.close()


def adds(url: str, id: int, first: int, reports: Connection) -> None:
    """Hold the lease and add batches of results for ever; report each batch when it is durable."""
    with open_store(url, patience=5) as store, store.lease(id):
        reports.send(None)
        number = first
        while True:
            store.add(id, results(range(number, number + BATCH)))
            number += BATCH
            reports.send(number)


def adds_beside(url: str, id: int, start: int, reports: Connection) -> None:
    """Add some results without the lease, as fast as it goes."""
    with open_store(url, patience=20) as store:
        for number in range(start, start + 50):
            store.add(id, results(range(number, number + 3)))
    reports.send("done")


def opens(url: str, reports: Connection) -> None:
    """Open the store, new as it may be."""
    with open_store(url, patience=60):
        reports.send("open")


def creates(url: str, start: Any, reports: Connection) -> None:
    """Open the store at the same moment as others, new as it may be, and make a contest; report its number."""
    start.wait()
    try:
        with open_store(url, patience=60) as store:
            reports.send(store.create(CONTEST))
    except StoreError as error:
        reports.send(str(error))


def holds(url: str, id: int, release: Any, reports: Connection) -> None:
    """Add a result, and hold the transaction open until released."""

    def work(transaction: Any) -> None:
        insert_results(transaction, id, results(range(1)), 0.0)
        reports.send("held")
        release.wait()

    with open_store(url) as store:
        store.database.write(work)
    reports.send("done")


def waits(url: str, id: int, reports: Connection) -> None:
    """Open the store and add a result, however long it takes."""
    reports.send("trying")
    with open_store(url, patience=60) as store:
        store.add(id, results(range(1, 2)))
    reports.send("done")


def leases(url: str, id: int, reports: Connection) -> None:
    """Try to get the lease, say whether it worked, and keep it until told otherwise by being killed."""
    with open_store(url) as store:
        try:
            with store.lease(id):
                reports.send("mine")
                CLEAN.Event().wait()
        except StoreError as error:
            reports.send(str(error))


def leases_and_forks(url: str, id: int, reports: Connection) -> None:
    """Get the lease, then fork a child that lives on and holds whatever children hold."""
    with open_store(url) as store, store.lease(id):
        grandchild = os.fork()
        if grandchild:
            reports.send(grandchild)
        CLEAN.Event().wait()


def adds_turns(url: str, id: int, first: int, reports: Connection) -> None:
    """Play three matches line by line to their results, and begin a fourth."""
    with open_store(url, patience=20) as store:
        for match in range(first, first + 4):
            for number in range(3):
                store.add_turns(id, [(match, number, str(number).encode())])
            if match < first + 3:
                store.add(id, results(range(match, match + 1)))
                store.add_turns(id, [(match, 3, b"too late")])
    reports.send("done")
