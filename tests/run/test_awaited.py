"""Orders carried out by players who may take their time: what they say is understood here or is their fault."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from threading import Event
from typing import Any

import pytest

from fairplay.core import FaultKind, House, StoreError
from fairplay.core.chance import derived
from fairplay.match.players import house_strategy
from fairplay.match.replay import record_match, start_match
from fairplay.run import inline
from fairplay.run.awaited import LineLog, LocalPlayer, play_awaited
from fairplay.store import TakenOverError
from run.peers import FISH, SETUP, SPEC, Near, remote


def test_a_remote_match_is_the_match_inline() -> None:
    ours, theirs = list[bytes](), list[bytes]()
    names = ("a", "b", "c")
    near = play_awaited(record_match(FISH, SETUP, 5, names, ours.append), [remote(Near()) for _ in names])
    here = [House(house_strategy(FISH, SPEC, derived(1))) for _ in names]
    assert asyncio.run(near) == inline.play_inline(record_match(FISH, SETUP, 5, names, theirs.append), here)
    assert ours == theirs


def test_an_observer_that_raises_is_dropped() -> None:
    seen: list[Any] = []

    def failing(event: Any) -> None:
        seen.append(event)
        raise RuntimeError

    outcome = asyncio.run(play_awaited(start_match(FISH, SETUP, 5, 2), [remote(Near()), remote(Near())], [failing]))
    assert len(seen) == 1
    assert outcome.faults == (None, None)


def test_players_of_the_house_sit_among_remote_ones() -> None:
    players: list[Any] = [remote(Near()), LocalPlayer(House(house_strategy(FISH, SPEC, derived(1))))]
    outcome = asyncio.run(play_awaited(start_match(FISH, SETUP, 5, 2), players))
    assert outcome == inline.play_inline(
        start_match(FISH, SETUP, 5, 2), [House(house_strategy(FISH, SPEC, derived(1)))] * 2
    )


def test_a_house_player_that_crashes_is_out() -> None:
    players: list[Any] = [LocalPlayer(House(lambda view: 1 // 0)), remote(Near())]
    outcome = asyncio.run(play_awaited(start_match(FISH, SETUP, 5, 2), players))
    assert outcome.faults[0] is not None
    assert outcome.faults[0].kind is FaultKind.CRASHED


# -- the log of lines -----------------------------------------------------------------------------


class Gate:
    """Keeps lines when it is let."""

    def __init__(self) -> None:
        self.writes: list[list[tuple[int, int, bytes]]] = []
        self.begun, self.let = Event(), Event()
        self.full = False

    def write(self, given: list[tuple[int, int, bytes]]) -> None:
        self.begun.set()
        assert self.let.wait(60)
        if self.full:
            raise StoreError("the disk is full")
        self.writes.append(given)


def test_lines_that_come_during_a_write_are_written_together_after_it() -> None:
    gate = Gate()

    async def conversation() -> None:
        log = LineLog(gate.write)
        log.add(0, 0, b"first")
        waiting = [asyncio.create_task(log.settle(0))]
        await asyncio.to_thread(gate.begun.wait, 60)
        for match in range(1, 50):
            log.add(match, 0, b"other")
            waiting.append(asyncio.create_task(log.settle(match)))
        await asyncio.sleep(0)
        assert not any(task.done() for task in waiting)
        gate.let.set()
        await asyncio.gather(*waiting)
        log.close()

    asyncio.run(conversation())
    assert [len(write) for write in gate.writes] == [1, 49]


def test_a_match_waits_for_its_own_lines_and_not_for_later_ones() -> None:
    gate = Gate()

    async def conversation() -> None:
        log = LineLog(gate.write)
        gate.let.set()
        log.add(0, 0, b"mine")
        await log.settle(0)
        gate.let.clear()
        gate.begun.clear()
        log.add(1, 0, b"other")
        other = asyncio.create_task(log.settle(1))
        await asyncio.to_thread(gate.begun.wait, 60)
        await log.settle(0)  # does not wait for the write that is under way
        assert not other.done()
        gate.let.set()
        await other
        log.close()

    asyncio.run(conversation())


def test_a_write_that_fails_is_told_to_all_who_wait_and_its_lines_are_written_by_the_next() -> None:
    gate = Gate()

    async def conversation() -> None:
        log = LineLog(gate.write)
        gate.full = True
        gate.let.set()
        for match in range(3):
            log.add(match, 0, b"line %d" % match)
        failed = await asyncio.gather(*map(log.settle, range(3)), return_exceptions=True)
        assert [type(error) for error in failed] == [StoreError] * 3
        gate.full = False
        log.add(3, 0, b"line 3")
        await log.settle(3)
        log.close()

    asyncio.run(conversation())
    assert [line for write in gate.writes for _, _, line in write] == [b"line %d" % match for match in range(4)]


def test_someone_who_stops_waiting_does_not_stop_the_write() -> None:
    gate = Gate()

    async def conversation() -> None:
        log = LineLog(gate.write)
        log.add(0, 0, b"line")
        impatient = asyncio.create_task(log.settle(0))
        await asyncio.to_thread(gate.begun.wait, 60)
        impatient.cancel()
        patient = asyncio.create_task(log.settle(0))
        gate.let.set()
        await patient
        with pytest.raises(asyncio.CancelledError):
            await impatient
        log.close()

    asyncio.run(conversation())
    assert len(gate.writes) == 1


def test_closing_waits_for_the_write_that_is_under_way() -> None:
    gate = Gate()

    async def conversation() -> None:
        log = LineLog(gate.write)
        log.add(0, 0, b"line")
        settling = asyncio.create_task(log.settle(0))
        await asyncio.to_thread(gate.begun.wait, 60)
        closing = asyncio.create_task(asyncio.to_thread(log.close))
        await asyncio.sleep(0)
        assert not closing.done()
        gate.let.set()
        await closing
        assert len(gate.writes) == 1
        await settling

    asyncio.run(conversation())


class Tables:
    """A store that notes what each transaction holds."""

    def __init__(self) -> None:
        self.groups: list[list[tuple[str, int]]] = []
        self.lost: set[str] = set()
        self.away, self.failures = False, 0

    def add_lines(self, lines: list[tuple[str, int, bytes]]) -> set[str]:
        if self.away:
            raise StoreError("away")
        self.groups.append([(table, number) for table, number, _ in lines])
        return {line[0] for line in lines} & self.lost


def run(work: Callable[[LineLog[str], Tables], Awaitable[None]]) -> Tables:
    """Do something with a log that waits for a store that is away."""

    async def started() -> Tables:
        tables = Tables()

        async def wait_out(error: StoreError) -> None:
            tables.failures += 1
            await asyncio.sleep(0.01)

        log = LineLog(tables.add_lines, interval=0.02, wait_out=wait_out)
        async with asyncio.timeout(120):
            await work(log, tables)
        log.close()
        return tables

    return asyncio.run(started())


def test_lines_that_come_together_share_a_transaction() -> None:
    async def work(log: LineLog[str], tables: Tables) -> None:
        for table in "abc":
            log.add(table, 0, b"")
        await asyncio.gather(*map(log.settle, "abc"))
        assert not len(log)

    assert run(work).groups == [[("a", 0), ("b", 0), ("c", 0)]]


def test_a_match_does_not_wait_for_lines_of_others_while_the_store_is_away() -> None:
    async def work(log: LineLog[str], tables: Tables) -> None:
        await log.settle("a")
        tables.away = True
        log.add("b", 0, b"")
        await log.settle("a")
        waiting = asyncio.create_task(log.settle("b"))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        waiting.cancel()

    assert run(work).groups == []


def test_a_store_that_was_away_gets_everything_in_order() -> None:
    async def work(log: LineLog[str], tables: Tables) -> None:
        tables.away = True
        log.add("a", 0, b"")
        settling = asyncio.create_task(log.settle("a"))
        while not tables.failures:
            await asyncio.sleep(0.01)
        log.add("a", 1, b"")
        tables.away = False
        await settling

    assert [line for group in run(work).groups for line in group] == [("a", 0), ("a", 1)]


def test_a_table_that_another_server_has_is_given_up() -> None:
    async def work(log: LineLog[str], tables: Tables) -> None:
        tables.lost = {"a"}
        log.add("a", 0, b"")
        log.add("b", 0, b"")
        with pytest.raises(TakenOverError):
            await log.settle("a")
        await log.settle("b")
        log.forget("a")
        await log.settle("a")

    run(work)
