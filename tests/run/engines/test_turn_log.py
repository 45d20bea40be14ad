"""Lines on their way into the store: grouped, waited for, and not lost where a write fails."""

from __future__ import annotations

import asyncio
from threading import Event

import pytest

from fairplay.core import StoreError
from fairplay.run.engines.turn_log import TurnLog
from fairplay.run.keeping import MemoryKeeper, Turns


class GatedKeeper(MemoryKeeper):
    """Writes when it is let."""

    durable = True

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[list[tuple[int, int, bytes]]] = []
        self.begun, self.let = Event(), Event()
        self.full = False

    def add_turns(self, turns: Turns) -> None:
        given = list(turns)
        self.begun.set()
        assert self.let.wait(60)
        if self.full:
            raise StoreError("the disk is full")
        self.writes.append(given)


def test_lines_that_come_during_a_write_are_written_together_after_it() -> None:
    keeper = GatedKeeper()

    async def conversation() -> None:
        log = TurnLog(keeper)
        first = log.add(0, 0, b"first")
        waiting = [asyncio.create_task(log.settle(first))]
        await asyncio.to_thread(keeper.begun.wait, 60)
        waiting += [asyncio.create_task(log.settle(log.add(match, 0, b"other"))) for match in range(1, 50)]
        await asyncio.sleep(0)
        assert not any(task.done() for task in waiting)
        keeper.let.set()
        await asyncio.gather(*waiting)
        log.close()

    asyncio.run(conversation())
    assert [len(write) for write in keeper.writes] == [1, 49]


def test_a_match_waits_for_its_own_lines_and_not_for_later_ones() -> None:
    keeper = GatedKeeper()

    async def conversation() -> None:
        log = TurnLog(keeper)
        keeper.let.set()
        mine = log.add(0, 0, b"mine")
        await log.settle(mine)
        keeper.let.clear()
        keeper.begun.clear()
        other = asyncio.create_task(log.settle(log.add(1, 0, b"other")))
        await asyncio.to_thread(keeper.begun.wait, 60)
        await log.settle(mine)  # does not wait for the write that is under way
        assert not other.done()
        keeper.let.set()
        await other
        log.close()

    asyncio.run(conversation())


def test_a_write_that_fails_is_told_to_all_who_wait_and_its_lines_are_written_by_the_next() -> None:
    keeper = GatedKeeper()

    async def conversation() -> None:
        log = TurnLog(keeper)
        keeper.full = True
        keeper.let.set()
        settling = [log.settle(log.add(match, 0, b"line %d" % match)) for match in range(3)]
        failed = await asyncio.gather(*settling, return_exceptions=True)
        assert [type(error) for error in failed] == [StoreError] * 3
        keeper.full = False
        await log.settle(log.add(3, 0, b"line 3"))
        log.close()

    asyncio.run(conversation())
    assert [line for write in keeper.writes for _, _, line in write] == [b"line %d" % match for match in range(4)]


def test_someone_who_stops_waiting_does_not_stop_the_write() -> None:
    keeper = GatedKeeper()

    async def conversation() -> None:
        log = TurnLog(keeper)
        impatient = asyncio.create_task(log.settle(log.add(0, 0, b"line")))
        await asyncio.to_thread(keeper.begun.wait, 60)
        impatient.cancel()
        patient = asyncio.create_task(log.settle(1))
        keeper.let.set()
        await patient
        with pytest.raises(asyncio.CancelledError):
            await impatient
        log.close()

    asyncio.run(conversation())
    assert len(keeper.writes) == 1


def test_closing_waits_for_the_write_that_is_under_way() -> None:
    keeper = GatedKeeper()

    async def conversation() -> None:
        log = TurnLog(keeper)
        settling = asyncio.create_task(log.settle(log.add(0, 0, b"line")))
        await asyncio.to_thread(keeper.begun.wait, 60)
        closing = asyncio.create_task(asyncio.to_thread(log.close))
        await asyncio.sleep(0)
        assert not closing.done()
        keeper.let.set()
        await closing
        assert len(keeper.writes) == 1
        await settling

    asyncio.run(conversation())


def test_without_a_store_nothing_is_waited_for() -> None:
    async def conversation() -> None:
        log = TurnLog(MemoryKeeper())
        await log.settle(log.add(0, 0, b"line"))
        log.close()

    asyncio.run(conversation())
