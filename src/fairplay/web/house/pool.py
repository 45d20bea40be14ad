"""House players think in a bounded pool of processes; whose question comes next depends on who asks how much."""

import asyncio
import os
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from heapq import heapify, heappop, heappush
from time import monotonic, thread_time
from typing import Any, Generic, TypeVar

from msgspec import Struct

from fairplay.catalog import GAMES
from fairplay.match.players import parse_house
from fairplay.web.house.worker import AnyQuestion, HouseQuestion, HouseReply, ThinkingProcess, answer
from fairplay.web.http.limits import RateLimiter

BURST = 2.0
"""Minutes' worth of its budget that an address or a table may use at once."""

TABLE_SHARE = 0.5
"""The share of an address's budget that one table may use."""


class Payer(Struct, frozen=True):
    """Whose CPU time is used: the address that opened a table, and the table; None: it is not limited."""

    address: str | None = None
    table: str | None = None

    @property
    def group(self) -> Hashable:
        """Those who share one turn: all tables of an address, one table of an unknown address, or the owner's."""
        return self if self.address is None else self.address


class Budgets:
    """The CPU time that addresses and tables may use."""

    def __init__(self, cpu: float) -> None:
        """`cpu`: CPU seconds a minute for the tables that one address has opened."""
        self.addresses = RateLimiter(cpu / 60, cpu * BURST)
        self.tables = RateLimiter(cpu / 60 * TABLE_SHARE, cpu * BURST * TABLE_SHARE)

    def seconds_to_wait(self, payer: Payer) -> float:
        """How long until there is CPU time again."""
        return max((limiter.seconds_to_wait(name) for limiter, name in self._limits(payer)), default=0.0)

    def spend(self, payer: Payer, seconds: float) -> None:
        """Charge for an answer."""
        for limiter, name in self._limits(payer):
            limiter.spend(name, seconds)

    def _limits(self, payer: Payer) -> list[tuple[RateLimiter, str]]:
        limits = ((self.addresses, payer.address), (self.tables, payer.table))
        return [(limiter, name) for limiter, name in limits if name is not None]

    def address_full_at(self, payer: Payer) -> float:
        """When the budget of the address is full again.  Where that is first, most is left: all grow alike."""
        return 0.0 if payer.address is None else self.addresses.full_at(payer.address)

    def table_full_at(self, payer: Payer) -> float:
        """The same of the table."""
        return 0.0 if payer.table is None else self.tables.full_at(payer.table)


SPARE = 16
"""Entries that no longer count, of which so many and one for each item may lie in a heap."""

T = TypeVar("T")


class Ranking(Generic[T]):
    """Items by a key, the smallest first.  Keys may grow at any time; one that shrinks must be put in again."""

    def __init__(self, key: Callable[[T], Any]) -> None:
        self._key = key
        self._heap: list[tuple[Any, int, T]] = []
        self._newest: dict[T, int] = {}  # the number of the entry that counts; older ones are dropped when they come up
        self._count = 0

    def __len__(self) -> int:
        return len(self._newest)

    def put(self, item: T) -> None:
        """Add an item, or find its place again."""
        self._count += 1
        self._newest[item] = self._count
        heappush(self._heap, (self._key(item), self._count, item))
        if len(self._heap) > 2 * len(self._newest) + SPARE:
            self._heap = [entry for entry in self._heap if self._newest.get(entry[2]) == entry[1]]
            heapify(self._heap)

    def remove(self, item: T) -> bool:
        """Take an item out; False if it is not there any more."""
        return self._newest.pop(item, None) is not None

    def first(self) -> T | None:
        """The item with the smallest key."""
        while self._heap:
            key, number, item = self._heap[0]
            if self._newest.get(item) == number:
                if self._key(item) <= key:
                    return item
                self.put(item)  # its key has grown: it comes later
            heappop(self._heap)
        return None


class Waiting(Generic[T]):
    """Something that waits for its turn."""

    __slots__ = ("arrived", "item", "payer")

    def __init__(self, item: T, payer: Payer) -> None:
        self.item, self.payer, self.arrived = item, payer, monotonic()


class Group(Generic[T]):
    """Those who share one turn: what of theirs waits, and how many of their questions are being answered."""

    def __init__(self, key: Callable[[Waiting[T]], float]) -> None:
        self.waiting = Ranking(key)
        self.thinking = 0


class FairQueue(Generic[T]):
    """Questions that wait.  First comes the group that has fewest answered at the moment; among those the one that has
    most left of its budget, then the table that has; the oldest among equals.

    A budget that is full counts from then on like a question's arrival: who was full first, or came later, comes first.
    Finding the next one takes a number of steps that grows with the logarithm of how many wait.
    """

    def __init__(self, budgets: Budgets) -> None:
        self._budgets = budgets
        self._groups: dict[Hashable, Group[T]] = {}
        self._ready = Ranking(self._rank_group)  # those of which something waits
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, item: T, payer: Payer) -> Waiting[T]:
        waiting = Waiting(item, payer)
        self._find_group(payer).waiting.put(waiting)
        self._count += 1
        self._settle(payer)
        return waiting

    def remove(self, waiting: Waiting[T]) -> None:
        """Take something out, because it is its turn or nobody wants it any more; the second time nothing happens."""
        self._count -= self._find_group(waiting.payer).waiting.remove(waiting)
        self._settle(waiting.payer)

    def first(self) -> Waiting[T] | None:
        """Whose turn it is."""
        group = self._ready.first()
        return None if group is None else group.waiting.first()

    def count_thinking(self, payer: Payer) -> int:
        """How many questions of its group are being answered."""
        group = self._groups.get(payer.group)
        return 0 if group is None else group.thinking

    def begin(self, payer: Payer) -> None:
        """A question of this payer is being answered from now on."""
        self._find_group(payer).thinking += 1
        self._settle(payer)

    def end(self, payer: Payer) -> None:
        """It is answered."""
        self._find_group(payer).thinking -= 1
        self._settle(payer)

    def _find_group(self, payer: Payer) -> Group[T]:
        return self._groups.setdefault(payer.group, Group(self._rank_waiting))

    def _settle(self, payer: Payer) -> None:
        """Find the place of a group again, or forget it."""
        group = self._groups[payer.group]
        if group.waiting:
            self._ready.put(group)
            return
        self._ready.remove(group)
        if not group.thinking:
            del self._groups[payer.group]

    def _rank_waiting(self, waiting: Waiting[T]) -> float:
        return max(self._budgets.table_full_at(waiting.payer), waiting.arrived)

    def _rank_group(self, group: Group[T]) -> tuple[int, float]:
        first = group.waiting.first()
        assert first is not None, "only groups of which something waits are ranked"
        return group.thinking, max(self._budgets.address_full_at(first.payer), first.arrived)


MAX_THINKING = 180.0
"""Seconds for one answer of a house player; the first one that searches may have to be compiled."""

TURN_COST = 0.002
"""CPU seconds that a turn of a house player takes besides its thinking: for the referee, the record, the page."""

AT_SIGHT = 0.002
"""CPU seconds that an answer in the server may take; who took longer twice is asked in a process."""

SLICE = 0.004
"""CPU seconds of answers in the server after which it looks after everything else first."""

SHORT = 0.02
"""CPU seconds: who took no longer lately is asked when nobody thinks for long."""

SHORT_NICENESS = 5
LONG_NICENESS = 10
"""How far house players stand back behind the server, and long thoughts behind short ones, on a busy machine."""

MAX_PROCESSES = 8


def default_processes() -> int:
    """All processors but one, which is left to the server; and two at least, so that one address never has all."""
    return min(MAX_PROCESSES, max(2, len(os.sched_getaffinity(0)) - 1))


class HousePool:
    """Answers the questions to house players.

    Those who never search are answered in the server, as long as that is quick.  All others think in processes: in some
    of them for as long as they like, in others only those whose last answer was quick, so that none of them has to wait
    for a long thought.
    """

    def __init__(self, processes: int, cpu: float) -> None:
        """`processes` for long thoughts, and half as many for short ones.

        `cpu`: CPU seconds a minute for the tables that one address has opened.
        """
        self.budgets = Budgets(cpu)
        self._at_sight = AtSight(self.budgets)
        self._long = Thinkers([ThinkingProcess(LONG_NICENESS) for _ in range(processes)], self.budgets)
        self._short = Thinkers([ThinkingProcess(SHORT_NICENESS) for _ in range(0, processes, 2)], self.budgets)

    async def choose(self, question: AnyQuestion, payer: Payer, on_slow: Callable[[bool], object]) -> HouseReply:
        """What a house player does or thinks.

        If the budget of the address or the table is used up, `on_slow` is called with True, and with False once the
        answer can be worked out after all.
        """
        if self.budgets.seconds_to_wait(payer) > 0:
            on_slow(True)
            while (seconds := self.budgets.seconds_to_wait(payer)) > 0:
                await asyncio.sleep(seconds)
            on_slow(False)
        if isinstance(question, HouseQuestion) and is_at_sight(question):
            return await self._at_sight.choose(question, payer)
        return await (self._short if is_short(question) else self._long).choose(question, payer)

    async def stop(self) -> None:
        """End all processes."""
        self._at_sight.stop()
        await asyncio.gather(self._long.stop(), self._short.stop())


def is_at_sight(question: HouseQuestion) -> bool:
    """Does the player never search, as its game says, and is it quick?  One slow answer says nothing."""
    declared = parse_house(question.player)[0] in GAMES[question.game].players.at_sight
    return declared and not question.again and (len(question.took) < 2 or min(question.took) <= AT_SIGHT)


def is_short(question: AnyQuestion) -> bool:
    """Has the player answered quickly lately?"""
    if not isinstance(question, HouseQuestion) or question.again or not question.took:
        return False
    return max(question.took) <= SHORT


class AtSight:
    """Players that never search are answered in the server: at once, or in the next slices if many are asked together.

    The server looks after everything else between two slices.
    """

    def __init__(self, budgets: Budgets) -> None:
        self._budgets = budgets
        self._queue = FairQueue[tuple[HouseQuestion, asyncio.Future[HouseReply]]](budgets)
        self._spent = 0.0  # in this slice
        self._next: asyncio.Handle | None = None  # begins the next slice

    async def choose(self, question: HouseQuestion, payer: Payer) -> HouseReply:
        """What a house player does."""
        if self._spent < SLICE and not self._queue:
            return self._answer(question, payer)
        reply: asyncio.Future[HouseReply] = asyncio.get_running_loop().create_future()
        waiting = self._queue.add((question, reply), payer)
        try:
            return await reply
        except asyncio.CancelledError:
            self._queue.remove(waiting)
            raise

    def _answer(self, question: HouseQuestion, payer: Payer) -> HouseReply:
        if self._next is None:
            self._next = asyncio.get_running_loop().call_soon(self._begin_slice)
        reply = answer(question, thread_time)
        self._spent += reply.cpu
        self._budgets.spend(payer, TURN_COST + reply.cpu)
        return reply

    def _begin_slice(self) -> None:
        """Answer those who wait, as long as the slice lasts."""
        self._spent, self._next = 0.0, None
        while self._spent < SLICE and (waiting := self._queue.first()) is not None:
            self._queue.remove(waiting)
            question, reply = waiting.item
            if not reply.done():  # somebody may have given it up
                reply.set_result(self._answer(question, waiting.payer))

    def stop(self) -> None:
        """Answer nothing more."""
        if self._next is not None:
            self._next.cancel()


class Thinkers:
    """Some processes in which house players think.

    Nobody gets the last one that is idle while one of theirs is thinking: it is kept for somebody else.
    """

    def __init__(self, processes: Sequence[ThinkingProcess], budgets: Budgets) -> None:
        self._budgets = budgets
        self._processes = processes
        self._idle = [*processes]
        self._threads = ThreadPoolExecutor(len(processes), "house")  # they wait for the processes
        self._queue = FairQueue[asyncio.Future[ThinkingProcess]](budgets)

    async def choose(self, question: AnyQuestion, payer: Payer) -> HouseReply:
        """What a house player does or thinks."""
        process = await self._take_process(payer)
        asking = self._threads.submit(process.ask, question, MAX_THINKING)
        loop = asyncio.get_running_loop()

        def finish(done: Future[HouseReply]) -> None:
            with suppress(RuntimeError):  # the server has stopped
                loop.call_soon_threadsafe(self._finish, process, payer, done)

        asking.add_done_callback(finish)
        return await asyncio.wrap_future(asking)

    async def _take_process(self, payer: Payer) -> ThinkingProcess:
        turn: asyncio.Future[ThinkingProcess] = asyncio.get_running_loop().create_future()
        waiting = self._queue.add(turn, payer)
        self._give_processes()
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._release(turn.result(), payer)
            else:
                self._queue.remove(waiting)
            raise

    def _give_processes(self) -> None:
        """Give idle processes to those whose turn it is."""
        while self._idle and (waiting := self._queue.first()) is not None:
            if len(self._idle) == 1 and self._queue.count_thinking(waiting.payer):
                return
            self._queue.remove(waiting)
            if not waiting.item.done():  # somebody may have given it up
                self._queue.begin(waiting.payer)
                waiting.item.set_result(self._idle.pop())

    def _finish(self, process: ThinkingProcess, payer: Payer, done: Future[HouseReply]) -> None:
        """Charge for an answer, and let the next one be worked out."""
        thought = 0.0 if done.cancelled() or done.exception() else done.result().cpu
        self._budgets.spend(payer, TURN_COST + thought)
        self._release(process, payer)

    def _release(self, process: ThinkingProcess, payer: Payer) -> None:
        self._idle.append(process)
        self._queue.end(payer)
        self._give_processes()

    async def stop(self) -> None:
        """End the processes."""
        await asyncio.to_thread(self._stop_all)

    def _stop_all(self) -> None:
        for process in self._processes:
            process.close()
        self._threads.shutdown(cancel_futures=True)
