"""The same matches on a Dask cluster: a lost worker or node costs only its matches in flight."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from importlib import import_module
from itertools import islice
from typing import Any, Self

from fairplay.contest.contest import Batch, Contest, Hidden, Kinds, Match, Result, split_batches
from fairplay.core import EngineError, UsageError
from fairplay.run.engines.pool import BATCH, WorkerError
from fairplay.run.engines.worker import play_batch
from fairplay.run.entrants import hide_entrants
from fairplay.run.processes import guard_all_threads

AHEAD = 3
"""Batches per thread of the cluster that wait or run."""


TLS_HINT = (
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
            local = distributed.LocalCluster(n_workers=self.jobs, threads_per_worker=1, dashboard_address=None)
            target = self.open.enter_context(local)
        elif target.startswith("tls:") and not distributed.Security().get_connection_args("client").get("ssl_context"):
            raise UsageError(f"{target}: Dask knows no certificates; {TLS_HINT}")
        try:
            client = distributed.Client(target, timeout="10s", set_as_default=False)
        except (OSError, ValueError) as error:
            raise UsageError(f"no Dask scheduler answers at {self.address}: {error}") from None
        self.client: Any = self.open.enter_context(client)
        return self

    def __exit__(self, *error: object) -> None:
        self.open.close()

    def results(self, contest: Contest, matches: Iterable[Match]) -> Iterator[Result]:
        """Feed the cluster a few batches ahead of its threads, and yield what it finishes."""
        source = split_batches(contest, matches, BATCH, self.kinds, hide_entrants(contest, self.hidden))
        running: dict[str, Batch] = {}

        def submitted(count: int) -> list[Any]:
            futures = []
            for batch in islice(source, count):
                futures.append(self.client.submit(play_batch, batch, pure=False))
                running[futures[-1].key] = batch
            return futures

        threads = max(1, sum(self.client.nthreads().values()))
        finished = self.distributed.as_completed(submitted(AHEAD * threads), loop=self.client.loop)
        for future in finished:
            yield from self.fetched(future, running.pop(future.key))
            for more in submitted(1):
                finished.add(more)

    def fetched(self, future: Any, batch: Batch) -> list[Result]:
        """What came of a batch, once, however many workers played it."""
        try:
            results: list[Result] = future.result()
        except self.distributed.KilledWorker as killed:
            raise WorkerError(describe_loss(batch, killed.allowed_failures + 1)) from None
        except self.distributed.CancelledError:
            raise ClusterError("the connection to the Dask scheduler was lost") from None
        return results


def describe_loss(batch: Batch, times: int) -> str:
    """Dask suspects whatever a lost worker had been given, so this accuses nobody."""
    first, last = batch.matches[0].number, batch.matches[-1].number
    names = ", ".join(dict.fromkeys(name for match in batch.matches for name, _ in match.entrants))
    return (
        f"matches {first} to {last} ({names}) were lost with their Dask worker {times} times: "
        "a player ends the process it is in, or workers come and go; without a cluster, such a player is named"
    )
