"""Makes pictures in a process of its own, one after the other, so that no match waits for them; the latest are kept."""

import asyncio
import os
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from math import ceil
from time import process_time

from fairplay.run.engines.pool import prepare_worker
from fairplay.run.processes import spawn_context
from fairplay.web.http.endpoints import BusyError, RequestError
from fairplay.web.http.limits import RateLimiter

CACHE_BYTES = 32 << 20
MAX_WAITING = 16
"""Pictures that wait to be made."""

ADDRESS_WAITING = 4
"""Those of them that one address asked for."""

_MAX_SECONDS = 120.0
"""Seconds that somebody waits for a picture."""

_PICTURES_PER_PROCESS = 200
"""After that many, the process is replaced: it draws for strangers, and memory that was lost comes back."""

_NICENESS = 10


class ByteCache:
    """Results by key, up to a number of bytes; what was asked for longest ago is forgotten first."""

    def __init__(self, limit: int) -> None:
        self.limit, self.size = limit, 0
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()

    def get(self, key: Hashable) -> bytes | None:
        """What is kept under a key."""
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def put(self, key: Hashable, value: bytes) -> None:
        """Keep a result, unless it is too large to be kept."""
        if len(value) > self.limit:
            return
        self.size += len(value) - len(self._kept.pop(key, b""))
        self._kept[key] = value
        while self.size > self.limit:
            self.size -= len(self._kept.popitem(last=False)[1])


class PictureMaker:
    """Makes each picture once, however many people ask for it at the same time."""

    def __init__(self, budget: RateLimiter) -> None:
        """`budget`: CPU seconds by address, which pay for pictures, too."""
        self.cache = ByteCache(CACHE_BYTES)
        self._budget = budget
        self._pool: ProcessPoolExecutor | None = None
        self._making: dict[Hashable, asyncio.Task[bytes]] = {}
        self._payers: dict[Hashable, str | None] = {}  # of those

    @property
    def waiting(self) -> int:
        """How many pictures are being made, or wait for it."""
        return len(self._making)

    def find(self, key: Hashable) -> bytes | None:
        """A picture that was made before."""
        return self.cache.get(key)

    async def make(self, key: Hashable, work: Callable[..., bytes], *args: object, address: str | None = None) -> bytes:
        """The picture `key`, made by `work` in the other process; raises BusyError or RequestError if it must wait.

        address: who asks, and pays with CPU time if it has to be made; None: somebody without limits.
        """
        found = self.find(key)
        if found is not None:
            return found
        if key not in self._making:
            self._check_room(address)
            self._payers[key] = address
            self._making[key] = asyncio.create_task(self._make(key, work, args))
        try:
            return await asyncio.wait_for(asyncio.shield(self._making[key]), _MAX_SECONDS)
        except TimeoutError:
            raise BusyError("The picture takes longer than expected. Try again in a moment.") from None

    def _check_room(self, address: str | None) -> None:
        """Raises BusyError or RequestError if no further picture may be made, for anyone or for this address."""
        if len(self._making) >= MAX_WAITING:
            raise BusyError("Many pictures are being made. Try again in a moment.")
        if address is None:
            return
        if seconds := self._budget.seconds_to_wait(address):
            raise RequestError(429, f"You have used up your computing time. Wait {ceil(seconds)} seconds.")
        if [*self._payers.values()].count(address) >= ADDRESS_WAITING:
            raise BusyError("Many pictures that you asked for are being made. Wait for one of them.")

    async def stop(self) -> None:
        """End the process."""
        for task in self._making.values():
            task.cancel()
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in tuple((self._pool._processes or {}).values()):
                process.kill()

    async def _make(self, key: Hashable, work: Callable[..., bytes], args: tuple[object, ...]) -> bytes:
        try:
            loop = asyncio.get_running_loop()
            made, cpu = await loop.run_in_executor(self._find_pool(), _measure_work, work, *args)
        except BrokenProcessPool:
            self._pool = None
            raise BusyError("The picture could not be made. Try again in a moment.") from None
        finally:
            del self._making[key]
            address = self._payers.pop(key)
        self.cache.put(key, made)
        if address is not None:
            self._budget.spend(address, cpu)
        return made

    def _find_pool(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                1,
                spawn_context(),
                _prepare_process,
                max_tasks_per_child=_PICTURES_PER_PROCESS,
            )
        return self._pool


def _measure_work(work: Callable[..., bytes], *args: object) -> tuple[bytes, float]:
    """What `work` makes, and the CPU seconds that it took."""
    started = process_time()
    return work(*args), process_time() - started


def _prepare_process() -> None:
    """Stand back behind live matches, and end with the server."""
    prepare_worker()
    os.nice(_NICENESS)
