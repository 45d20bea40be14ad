"""Who answers for house players of the page: the server itself at sight, or a process; each payer within a budget."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from time import thread_time
from typing import Final

from fairplay.catalog import GAMES
from fairplay.match.players import parse_house
from fairplay.web.house.queue import Budgets, FairQueue, Payer
from fairplay.web.house.worker import AnyQuestion, HouseQuestion, HouseReply, ThinkingProcess, answer

__all__ = ["MAX_THINKING", "AtSight", "HousePool", "Payer", "Thinkers", "default_processes"]

MAX_THINKING: Final = 180.0
"""Seconds for one answer of a house player; the first one that searches may have to be compiled."""

TURN_COST: Final = 0.002
"""CPU seconds that a turn of a house player takes besides its thinking: for the referee, the record, the page."""

AT_SIGHT: Final = 0.002
"""CPU seconds that an answer in the server may take; who took longer twice is asked in a process."""

SLICE: Final = 0.004
"""CPU seconds of answers in the server after which it looks after everything else first."""

SHORT: Final = 0.02
"""CPU seconds: who took no longer lately is asked when nobody thinks for long."""

SHORT_NICENESS: Final = 5
LONG_NICENESS: Final = 10
"""How far house players stand back behind the server, and long thoughts behind short ones, on a busy machine."""

MAX_PROCESSES: Final = 8


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
