"""The processes in which house players think, shared fairly: each address and each table has a budget of CPU time."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Final

from msgspec import Struct

from fairplay.web.house.worker import AnyQuestion, HouseReply, ThinkingProcess
from fairplay.web.http.limits import RateLimiter

__all__ = ["MAX_THINKING", "HousePool", "Payer", "default_processes"]

MAX_THINKING: Final = 180.0
"""Seconds for one answer of a house player; the first one that searches may have to be compiled."""

TURN_COST: Final = 0.002
"""CPU seconds that a turn of a house player takes besides its thinking: for the referee, the record, the page."""

BURST: Final = 2.0
"""Minutes' worth of its budget that an address or a table may use at once."""

TABLE_SHARE: Final = 0.5
"""The share of an address's budget that one table may use."""

MAX_PROCESSES: Final = 8


class Payer(Struct, frozen=True):
    """Whose CPU time is used: the address that opened a table, and the table; None: it is not limited."""

    address: str | None = None
    table: str | None = None


def default_processes() -> int:
    """All processors but one, which is left to the server."""
    return min(MAX_PROCESSES, max(1, len(os.sched_getaffinity(0)) - 1))


class HousePool:
    """A bounded number of processes.  Of the questions that wait, the one whose payer has most left comes first."""

    def __init__(self, processes: int, cpu: float) -> None:
        """`cpu`: CPU seconds a minute for the tables that one address has opened."""
        self.addresses = RateLimiter(cpu / 60, cpu * BURST)
        self.tables = RateLimiter(cpu / 60 * TABLE_SHARE, cpu * BURST * TABLE_SHARE)
        self._processes = [ThinkingProcess() for _ in range(processes)]
        self._idle = [*self._processes]
        self._threads = ThreadPoolExecutor(processes, "house")  # they wait for the processes
        self._waiting: list[tuple[Payer, asyncio.Future[ThinkingProcess]]] = []

    async def choose(self, question: AnyQuestion, payer: Payer, on_slow: Callable[[bool], object]) -> HouseReply:
        """What a house player does or thinks.

        Where the budget of the address or the table is used up, `on_slow` is called with True, and with False once the
        answer can be worked out after all.
        """
        if self.seconds_to_wait(payer) > 0:
            on_slow(True)
            while (seconds := self.seconds_to_wait(payer)) > 0:
                await asyncio.sleep(seconds)
            on_slow(False)
        process = await self._take_process(payer)
        asking = self._threads.submit(process.ask, question, MAX_THINKING)
        loop = asyncio.get_running_loop()

        def finish(done: Future[HouseReply]) -> None:
            with suppress(RuntimeError):  # the server has stopped
                loop.call_soon_threadsafe(self._finish, process, payer, done)

        asking.add_done_callback(finish)
        return await asyncio.wrap_future(asking)

    def seconds_to_wait(self, payer: Payer) -> float:
        """How long until there is CPU time again for this table."""
        return max((limiter.seconds_to_wait(name) for limiter, name in self._limits(payer)), default=0.0)

    def _limits(self, payer: Payer) -> list[tuple[RateLimiter, str]]:
        """What is charged for an answer."""
        limits = ((self.addresses, payer.address), (self.tables, payer.table))
        return [(limiter, name) for limiter, name in limits if name is not None]

    def _credit(self, payer: Payer) -> tuple[float, float]:
        """CPU seconds that the address may still use, and the table."""
        of_address = self.addresses.burst if payer.address is None else self.addresses.left(payer.address)
        of_table = self.tables.burst if payer.table is None else self.tables.left(payer.table)
        return round(of_address, 2), round(of_table, 2)  # so that the time in between decides nothing

    async def _take_process(self, payer: Payer) -> ThinkingProcess:
        if self._idle:
            return self._idle.pop()
        turn: asyncio.Future[ThinkingProcess] = asyncio.get_running_loop().create_future()
        self._waiting.append((payer, turn))
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._give_process(turn.result())
            raise

    def _finish(self, process: ThinkingProcess, payer: Payer, done: Future[HouseReply]) -> None:
        """Charge for an answer, and let the next one be worked out."""
        spent = TURN_COST + (0.0 if done.cancelled() or done.exception() else done.result().cpu)
        for limiter, name in self._limits(payer):
            limiter.spend(name, spent)
        self._give_process(process)

    def _give_process(self, process: ThinkingProcess) -> None:
        self._waiting = [each for each in self._waiting if not each[1].done()]
        if not self._waiting:
            self._idle.append(process)
            return
        next_one = max(self._waiting, key=lambda each: self._credit(each[0]))  # the oldest of the equal
        self._waiting.remove(next_one)
        next_one[1].set_result(process)

    async def stop(self) -> None:
        """End all processes."""
        await asyncio.to_thread(self._stop_all)

    def _stop_all(self) -> None:
        for process in self._processes:
            process.close()
        self._threads.shutdown(cancel_futures=True)
