"""Engines, which play the matches of a contest: here, in worker processes of this machine, or on a Dask cluster.

Workers may die: they are replaced, and a lost worker or node costs only its matches in flight.
"""

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from importlib import import_module
from itertools import islice, pairwise
from multiprocessing.queues import SimpleQueue
from typing import Any, Protocol, Self

from msgspec.structs import replace

from fairplay import game_files
from fairplay.contest.contest import Batch, Contest, Hidden, Kinds, Match, Result, split_batches
from fairplay.core import EngineError, UsageError
from fairplay.run.engines.worker import Notice, Printing, play_batch, play_matches, print_aside
from fairplay.run.entrants import hide_entrants
from fairplay.run.processes import guard_all_threads, spawn_context

BATCH = 8
"""Matches sent to a worker at once: enough to hide the sending, few enough to lose when a worker dies."""

_AHEAD = 3
"""Batches per worker, or thread of a cluster, that wait or run: memory stays flat however many matches there are."""

TRIES = 3


class WorkerError(EngineError):
    """A match ends the process that plays it, again and again."""


class Engine(Protocol):
    """Plays matches; entered once for a whole contest."""

    hidden: Hidden  # what its players are not shown
    kinds: Kinds

    def __enter__(self) -> Self: ...
    def __exit__(self, *error: object) -> None: ...
    def results(self, contest: Contest, matches: Iterable[Match]) -> Iterator[Result]:
        """The results of `matches` as they finish, in any order."""
        ...


class Inline:
    """One match after the other in this process; `notice` is told what the programs of each took.

    `logs` is a folder for what they print, and `hidden` is not shown to them.
    """

    def __init__(
        self,
        notice: Notice | None = None,
        printing: Printing = print_aside,
        logs: str = "",
        hidden: Hidden = Hidden(),
        kinds: Kinds = Kinds(),
    ) -> None:
        self.notice, self.printing, self.logs, self.hidden, self.kinds = notice, printing, logs, hidden, kinds

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing to end."""

    def results(self, contest: Contest, matches: Iterable[Match]) -> Iterator[Result]:
        batches = split_batches(contest, matches, 1, self.kinds, hide_entrants(contest, self.hidden), self.logs)
        yield from play_matches(((batch, batch.matches[0]) for batch in batches), self.notice, self.printing)


class Pool:
    """Worker processes of this machine.  A batch lost with its worker is played again, match by match.

    `logs` is a folder for what programs print, and `hidden` is not shown to them.
    """

    def __init__(self, jobs: int, logs: str = "", hidden: Hidden = Hidden(), kinds: Kinds = Kinds()) -> None:
        self.jobs, self.logs, self.hidden, self.kinds = jobs, logs, hidden, kinds
        self.running: dict[Future[list[Result]], Batch] = {}
        self.executor: ProcessPoolExecutor | None = None  # once there is something to play
        self.closed = False
        self.lock = threading.Lock()  # no worker is started while they are ended

    def __enter__(self) -> Self:
        self.closed = False
        return self

    def __exit__(self, *error: object) -> None:
        """End the workers, even while another thread is waiting for their results."""
        with self.lock:
            self.closed = True
            if self.executor is not None:
                _stop_executor(self.executor, gently=not self.running)
                self.executor = None

    def results(self, contest: Contest, matches: Iterable[Match]) -> Iterator[Result]:
        source = split_batches(contest, matches, BATCH, self.kinds, hide_entrants(contest, self.hidden), self.logs)
        while True:
            for batch in islice(source, _AHEAD * self.jobs - len(self.running)):
                self.submit(batch)
            if not self.running:
                return
            done, _ = wait(self.running, return_when=FIRST_COMPLETED)
            yield from self.collected(done)

    def submit(self, batch: Batch) -> None:
        with self.lock:
            if self.closed:
                raise EngineError("the pool was closed")
            if self.executor is None:
                self.executor = _start_executor(self.jobs, batch.hidden.entrants)
            try:
                future = self.executor.submit(play_batch, batch)
            except BrokenProcessPool as broken:  # a worker died while nobody was looking
                future = Future()
                future.set_exception(broken)
            self.running[future] = batch

    def collected(self, done: Iterable[Future[list[Result]]]) -> Iterator[Result]:
        lost: list[Batch] = []
        for future in done:
            batch = self.running.pop(future)
            try:
                results = future.result()
            except (BrokenProcessPool, CancelledError):
                lost.append(batch)
            else:
                yield from results
        if lost:  # one dead worker breaks the whole pool: all that was running is lost with it
            lost += self.running.values()
            self.running.clear()
            with self.lock:
                if self.closed:
                    raise EngineError("the pool was closed")
                if self.executor is not None:
                    _stop_executor(self.executor, gently=False)
                    self.executor = None
            yield from _replay_suspects([replace(batch, matches=(match,)) for batch in lost for match in batch.matches])


def _replay_suspects(suspects: list[Batch]) -> Iterator[Result]:
    """Play suspects one at a time, so that the one that ends its worker is known by name."""
    files = suspects[0].hidden.entrants
    alone, finished = _start_executor(1, files), False
    try:
        for batch in suspects:
            for attempt in range(1, TRIES + 1):
                try:
                    results = alone.submit(play_batch, batch).result()
                    break
                except BrokenProcessPool:
                    if attempt == TRIES:
                        raise WorkerError(_describe_culprit(batch.matches[0])) from None
                    _stop_executor(alone, gently=False)
                    alone = _start_executor(1, files)
            yield from results
        finished = True
    finally:
        _stop_executor(alone, gently=finished)


def _describe_culprit(match: Match) -> str:
    """Which match ends its workers, in words."""
    names = ", ".join(name for name, _ in match.entrants)
    return f"match {match.number} ({names}) ended its worker process {TRIES} times: one of its players does that"


def _start_executor(workers: int, files: Sequence[str]) -> ProcessPoolExecutor:
    """A pool of fresh worker processes, which import nothing from where `files` of entrants lie."""
    # Spawned, not forked: a worker must not inherit threads, locks or open databases.
    context = spawn_context(files)
    shares = context.SimpleQueue()
    for share in split_processors(workers):
        shares.put(share)
    return ProcessPoolExecutor(workers, context, _prepare_player_worker, (shares,))


def split_processors(workers: int) -> list[list[int]]:
    """The processors for each worker and the programs that it starts, so that no match slows another one.

    All may use all of them if there are too few, or if this system cannot tell.
    """
    if not hasattr(os, "sched_getaffinity"):
        return [[]] * workers
    processors = sorted(os.sched_getaffinity(0))
    if workers > len(processors):
        return [processors] * workers
    ends = [len(processors) * worker // workers for worker in range(workers + 1)]
    return [processors[first:end] for first, end in pairwise(ends)]


def _stop_executor(executor: ProcessPoolExecutor, *, gently: bool) -> None:
    """End the workers: after their work, or now."""
    if not gently:
        for process in list((executor._processes or {}).values()):
            process.kill()
    executor.shutdown(wait=True, cancel_futures=True)  # the workers are dead or idle: this does not take long


def _prepare_player_worker(shares: SimpleQueue[list[int]]) -> None:
    """Keep to a share of the processors that no other worker has, and so will the programs that play."""
    prepare_worker()
    if share := shares.get():
        os.sched_setaffinity(0, share)


def prepare_worker() -> None:
    """Leave Ctrl-C, which reaches every process of a terminal, to the first one, and do not outlive one's parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """A parent that was killed cannot tell its workers."""
    parent = multiprocessing.parent_process()
    assert parent is not None, "only a worker calls this"
    multiprocessing.connection.wait([parent.sentinel])
    os._exit(1)


# -- a Dask cluster ----------------------------------------------------------------------------

_TLS_HINT = (
    "set DASK_DISTRIBUTED__COMM__TLS__CA_FILE, DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT "
    "and DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY to their files"
)


class ClusterError(EngineError):
    """The cluster is gone."""


class Cluster:
    """The scheduler at `address`; without one, a cluster of `jobs` processes of this machine."""

    def __init__(self, address: str | None, jobs: int, hidden: Hidden = Hidden(), kinds: Kinds = Kinds()) -> None:
        self.address, self.jobs, self.hidden, self.kinds = address, jobs, hidden, kinds
        self.open = ExitStack()

    def __enter__(self) -> Self:
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            raise UsageError("for a cluster, install Dask: pip install distributed") from None
        self.distributed = distributed
        target: Any = self.address
        if target is None:
            self.open.enter_context(guard_all_threads())  # Dask's own start its workers, now and after a death
            inside = {"dashboard_address": "127.0.0.1:0"}  # or it takes one port for all, open to other machines
            local = distributed.LocalCluster(
                n_workers=self.jobs, threads_per_worker=1, dashboard_address=None, scheduler_kwargs=inside
            )
            target = self.open.enter_context(local)
        elif target.startswith("tls:") and not distributed.Security().get_connection_args("client").get("ssl_context"):
            raise UsageError(f"{target}: Dask knows no certificates; {_TLS_HINT}")
        try:
            client = distributed.Client(target, timeout="10s", set_as_default=False)
        except (OSError, ValueError) as error:
            raise UsageError(f"no Dask scheduler answers at {self.address}: {error}") from None
        self.client: Any = self.open.enter_context(client)
        return self

    def __exit__(self, *error: object) -> None:
        self.open.close()

    def results(self, contest: Contest, matches: Iterable[Match]) -> Iterator[Result]:
        """Feed the cluster a few batches ahead of its threads, and yield what it finishes.

        Raises UsageError if the game is a file: workers of other machines do not have it.
        """
        if self.address is not None and contest.game in game_files.taken_files():
            file = game_files.word_for(contest.game)
            raise UsageError(f"{file}: the workers at {self.address} do not have this file; use --on dask or --jobs")
        source = split_batches(contest, matches, BATCH, self.kinds, hide_entrants(contest, self.hidden))
        running: dict[str, Batch] = {}

        def submitted(count: int) -> list[Any]:
            futures = []
            for batch in islice(source, count):
                futures.append(self.client.submit(play_batch, batch, pure=False))
                running[futures[-1].key] = batch
            return futures

        threads = max(1, sum(self.client.nthreads().values()))
        finished = self.distributed.as_completed(submitted(_AHEAD * threads), loop=self.client.loop)
        for future in finished:
            yield from self.fetched(future, running.pop(future.key))
            for more in submitted(1):
                finished.add(more)

    def fetched(self, future: Any, batch: Batch) -> list[Result]:
        """What came of a batch, once, however many workers played it."""
        try:
            results: list[Result] = future.result()
        except self.distributed.KilledWorker as killed:
            raise WorkerError(_describe_loss(batch, killed.allowed_failures + 1)) from None
        except self.distributed.CancelledError:
            raise ClusterError("the connection to the Dask scheduler was lost") from None
        return results


def _describe_loss(batch: Batch, times: int) -> str:
    """Dask suspects whatever a lost worker had been given, so this accuses nobody."""
    first, last = batch.matches[0].number, batch.matches[-1].number
    names = ", ".join(dict.fromkeys(name for match in batch.matches for name, _ in match.entrants))
    return (
        f"matches {first} to {last} ({names}) were lost with their Dask worker {times} times: "
        "a player ends the process it is in, or workers come and go; without a cluster, such a player is named"
    )
