"""Tournaments that the server runs itself: each in a process of its own, so that no page and no match waits for it."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from time import monotonic
from typing import Final, Literal

import msgspec
import structlog
from msgspec import Struct

from fairplay.catalog import GAMES
from fairplay.contest.contest import Contest
from fairplay.core import FairplayError
from fairplay.run.engines.pool import Pool, prepare_worker
from fairplay.store import open_store
from fairplay.store.running import Running
from fairplay.store.store import Store

__all__ = ["BURDEN", "Contests", "Report", "State", "conduct"]

State = Literal["waiting", "running"]

REPORT_EVERY: Final = 1.0
"""Seconds between two reports of a running tournament, at least."""

BURDEN: Final = 10
"""How many times as long as tables take to be made, none are made: most of the time is for playing."""

POLITENESS: Final = 10
"""How far tournaments stand back behind live matches when both want the processor."""

GRACE: Final = 5.0
"""Seconds that a tournament has to keep what is finished when it is stopped."""

LOG = structlog.get_logger("fairplay.web")


class Report(Struct, frozen=True, omit_defaults=True):
    """What the process of a tournament says: its tables so far, or why it cannot go on."""

    tables: msgspec.Raw = msgspec.Raw()
    failed: str = ""


class Contests:
    """One tournament after the other, in the order in which they were asked for.

    What is to be done stands in the store, so that a server that starts again goes on with it.
    """

    def __init__(self, store: Store, jobs: int | None = None) -> None:
        self.store = store
        self.jobs = jobs or max(1, len(os.sched_getaffinity(0)) - 1)
        self.tables: dict[int, msgspec.Raw] = {}  # as reported last, JSON
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._running: int | None = None
        self._turn = asyncio.Semaphore(1)
        self._ears = ThreadPoolExecutor(1, "tournament")

    def state(self, id: int) -> State | None:
        """What is going on with a tournament here; None: nothing."""
        return None if id not in self._tasks else "running" if id == self._running else "waiting"

    async def open(self) -> None:
        """Go on with what was not finished when the server stopped."""
        for id in await asyncio.to_thread(self.store.errands):
            self._take_up(id)

    async def close(self) -> None:
        """Stop; what was played is kept."""
        await self._stop(*self._tasks)
        self._ears.shutdown()

    async def begin(self, contest: Contest) -> int:
        """Keep a new tournament and run it; its number."""
        id = await asyncio.to_thread(self.store.create, contest, errand=True)
        self._take_up(id)
        return id

    async def go_on(self, id: int) -> None:
        """Run what is missing of a tournament; raises StoreError where there is none."""
        await asyncio.to_thread(self.store.keep_errand, id)
        if id not in self._tasks:
            self._take_up(id)

    async def cancel(self, id: int) -> None:
        """Play no more of a tournament, not even after a restart."""
        await asyncio.to_thread(self.store.drop_errand, id)
        await self._stop(id)

    def _take_up(self, id: int) -> None:
        self._tasks[id] = asyncio.create_task(self._conducted(id), name=f"tournament {id}")

    async def _stop(self, *ids: int) -> None:
        tasks = [self._tasks[id] for id in ids if id in self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _conducted(self, id: int) -> None:
        """Run a tournament when it is its turn."""
        try:
            async with self._turn:
                self._running = id
                await self._in_process(id)
        finally:
            if self._running == id:
                self._running = None
            self.tables.pop(id, None)
            del self._tasks[id]

    async def _in_process(self, id: int) -> None:
        ours, theirs = SPAWN.Pipe(duplex=False)
        process = SPAWN.Process(
            target=conduct, args=(self.store.address, id, self.jobs, theirs), name=f"tournament {id}"
        )
        process.start()
        theirs.close()
        hearing = asyncio.get_running_loop().run_in_executor(self._ears, self._hear, id, ours)
        try:
            await asyncio.shield(hearing)
        finally:
            process.terminate()  # where it is still at work: it keeps what is finished
            await asyncio.to_thread(ended, process)
            await hearing

    def _hear(self, id: int, reports: Connection) -> None:
        """Take reports until there are no more."""
        with reports:
            while True:
                try:
                    report = msgspec.json.decode(reports.recv_bytes(), type=Report)
                except (EOFError, OSError):
                    return
                if report.failed:
                    LOG.error("a tournament cannot go on", tournament=id, reason=report.failed)
                else:
                    self.tables[id] = report.tables


SPAWN = multiprocessing.get_context("spawn")


def ended(process: SpawnProcess) -> None:
    """Wait until a process has ended, and let it take no longer than it may."""
    process.join(GRACE)
    process.kill()
    process.join()
    process.close()


# -- in the other process ----------------------------------------------------------------------


def conduct(address: str, id: int, jobs: int, reports: Connection) -> None:
    """Run what is missing of a tournament, and report how far it is; ends with the process that started this one."""
    prepare_worker()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    os.nice(POLITENESS)
    try:
        with open_store(address) as store:
            run(store, id, jobs, reports)
    except KeyboardInterrupt:
        return
    except FairplayError as error:
        reports.send_bytes(msgspec.json.encode(Report(failed=str(error))))


def run(store: Store, id: int, jobs: int, reports: Connection) -> None:
    running = Running(store, id, GAMES[store.contest(id).game])
    due = monotonic()  # the first report follows the first new match, when what was played earlier is counted too
    for _ in running.results(Pool(jobs)):
        started = monotonic()
        if started >= due:
            tables = msgspec.Raw(msgspec.json.encode(running.board.tables()))
            reports.send_bytes(msgspec.json.encode(Report(tables)))
            due = monotonic() + max(REPORT_EVERY, BURDEN * (monotonic() - started))
