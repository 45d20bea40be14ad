"""Tournaments that the server runs: each in a process of its own, so that no page and no match waits for it."""

import asyncio
import os
import signal
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from time import monotonic
from typing import Literal

import msgspec
import structlog
from msgspec import Struct

from fairplay.catalog import find_game
from fairplay.contest.contest import Contest, Result
from fairplay.core import FairplayError
from fairplay.run.competition import Competition
from fairplay.run.engines.pool import Engine, Pool, prepare_worker
from fairplay.run.isolation.mounts import hide_paths
from fairplay.run.keeping import StoreKeeper
from fairplay.run.processes import spawn_context
from fairplay.store import open_store, store_file
from fairplay.store.keys import open_keys
from fairplay.store.store import Store

RunState = Literal["waiting", "running"]

_REPORT_INTERVAL = 1.0
"""Seconds between two reports of a running tournament, at least."""

TABLE_COST_RATIO = 10
"""After building tables, wait this many times as long before building them again: most of the time is for playing."""

_NICENESS = 10
"""How far tournaments stand back behind live matches when both want the processor."""

_STOP_TIMEOUT = 5.0
"""Seconds that a tournament has to keep its finished matches when it is stopped."""

LOG = structlog.get_logger("fairplay.web")


class ProgressReport(Struct, frozen=True, omit_defaults=True):
    """What the process of a tournament says: its tables so far, or why it cannot go on."""

    tables: msgspec.Raw = msgspec.Raw()
    failure: str = ""


class TournamentRunner:
    """Runs one tournament after another, in the order in which they were asked for.

    What is to be run is written in the store, so that a server that starts again resumes it.
    """

    def __init__(self, store: Store, jobs: int | None = None, key: Path | None = None) -> None:
        """`key` is the file with the key that signs matches; without it, they are not signed."""
        self.store, self.key = store, key
        self.jobs = jobs or max(1, len(os.sched_getaffinity(0)) - 1)
        self.tables: dict[int, msgspec.Raw] = {}  # as last reported, JSON
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._running: int | None = None
        self._turn = asyncio.Semaphore(1)
        self._readers = ThreadPoolExecutor(1, "tournament")

    def state(self, id: int) -> RunState | None:
        """Whether this server is running a tournament, or will; None if not."""
        return None if id not in self._tasks else "running" if id == self._running else "waiting"

    async def start(self) -> None:
        """Resume what was not finished when the server stopped."""
        for id in await asyncio.to_thread(self.store.queue.contests):
            self._enqueue(id)

    async def stop(self) -> None:
        """Stop; what was played is kept."""
        await self._cancel_tasks(*self._tasks)
        self._readers.shutdown()

    async def create(self, contest: Contest) -> int:
        """Keep a new tournament and run it; returns its number."""
        id = await asyncio.to_thread(self.store.create, contest, queued=True)
        self._enqueue(id)
        return id

    async def resume(self, id: int) -> None:
        """Run the rest of a tournament; raises StoreError if there is none."""
        await asyncio.to_thread(self.store.queue.add, id)
        if id not in self._tasks:
            self._enqueue(id)

    async def cancel(self, id: int) -> None:
        """Play no more of a tournament, not even after a restart."""
        await asyncio.to_thread(self.store.queue.remove, id)
        await self._cancel_tasks(id)

    def _enqueue(self, id: int) -> None:
        self._tasks[id] = asyncio.create_task(self._run_in_turn(id), name=f"tournament {id}")

    async def _cancel_tasks(self, *ids: int) -> None:
        tasks = [self._tasks[id] for id in ids if id in self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run_in_turn(self, id: int) -> None:
        """Run a tournament when those before it are done."""
        try:
            async with self._turn:
                self._running = id
                await self._start_process(id)
        finally:
            if self._running == id:
                self._running = None
            self.tables.pop(id, None)
            del self._tasks[id]

    async def _start_process(self, id: int) -> None:
        """Run a tournament in a process until it ends."""
        context = spawn_context()
        ours, theirs = context.Pipe(duplex=False)
        args = (self.store.address, id, self.jobs, theirs, self.key)
        process = context.Process(target=_run_in_process, args=args, name=f"tournament {id}")
        process.start()
        theirs.close()
        reading = asyncio.get_running_loop().run_in_executor(self._readers, self._read_reports, id, ours)
        try:
            await asyncio.shield(reading)
        finally:
            process.terminate()  # if it is still running, it keeps its finished matches
            await asyncio.to_thread(_wait_for_exit, process)
            await reading

    def _read_reports(self, id: int, reports: Connection) -> None:
        """Take reports until there are no more."""
        with reports:
            while True:
                try:
                    report = msgspec.json.decode(reports.recv_bytes(), type=ProgressReport)
                except (EOFError, OSError):
                    return
                if report.failure:
                    LOG.error("a tournament failed", tournament=id, reason=report.failure)
                else:
                    self.tables[id] = report.tables


def _wait_for_exit(process: SpawnProcess) -> None:
    """Wait until a process has ended, and kill it if that takes too long."""
    process.join(_STOP_TIMEOUT)
    process.kill()
    process.join()
    process.close()


# -- in the other process ----------------------------------------------------------------------


class BatchKeeper(StoreKeeper):
    """A contest of a store that knows how many of the stored results are not counted yet."""

    uncounted = 0

    def add(self, results: Sequence[Result]) -> Sequence[Result]:
        self.uncounted += len(results)
        return super().add(results)


def _run_in_process(address: str, id: int, jobs: int, reports: Connection, key: Path | None = None) -> None:
    """Run the rest of a tournament and report on it; ends with the process that started this one."""
    prepare_worker()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    os.nice(_NICENESS)
    try:
        with open_store(address) as store:
            keeper = BatchKeeper(store, id, None if key is None else open_keys(key).signer)
            _run_tournament(keeper, Pool(jobs, hidden=hide_paths([store_file(address), key])), reports)
    except KeyboardInterrupt:
        return
    except FairplayError as error:
        reports.send_bytes(msgspec.json.encode(ProgressReport(failure=str(error))))


def _run_tournament(keeper: BatchKeeper, engine: Engine, reports: Connection) -> None:
    """Play the missing matches, and report the tables now and then, when they count all that is stored."""
    contest = keeper.store.contest(keeper.id)
    competition = Competition(find_game(contest.game), contest, keeper)
    due = monotonic()  # the first report follows the first new match, and counts the earlier ones too
    for _ in competition.results(engine):
        keeper.uncounted -= 1
        started = monotonic()
        if started >= due and not keeper.uncounted:
            tables = msgspec.Raw(msgspec.json.encode(competition.board.tables()))
            reports.send_bytes(msgspec.json.encode(ProgressReport(tables)))
            due = monotonic() + max(_REPORT_INTERVAL, TABLE_COST_RATIO * (monotonic() - started))
