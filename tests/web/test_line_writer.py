"""Lines in groups: a match waits until its own are safe, and one transaction serves many."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fairplay.core import StoreError
from fairplay.store.unfinished import TakenOverError
from fairplay.web import line_writer
from fairplay.web.line_writer import GROUP_INTERVAL, LineWriter


class Tables:
    """A store that notes what each transaction holds."""

    def __init__(self) -> None:
        self.groups: list[list[Any]] = []
        self.lost: set[str] = set()
        self.away = False

    def add_lines(self, lines: list[Any], server: int | None) -> set[str]:
        if self.away:
            raise StoreError("away")
        self.groups.append([line[:2] for line in lines])
        return {line[0] for line in lines} & self.lost


def run(work: Callable[[LineWriter, Tables], Awaitable[None]]) -> Tables:
    """Do something with a writer that runs."""

    async def started() -> Tables:
        tables = Tables()
        writer = LineWriter(tables)  # type: ignore[arg-type]  # tables of the test
        running = asyncio.create_task(writer.run())
        async with asyncio.timeout(120):
            await work(writer, tables)
        running.cancel()
        return tables

    return asyncio.run(started())


def test_nothing_is_later_than_promised() -> None:
    assert GROUP_INTERVAL <= 0.02


def test_lines_that_come_together_share_a_transaction() -> None:
    async def work(writer: LineWriter, tables: Tables) -> None:
        for table in "abc":
            writer.add(table, 0, b"")
        await asyncio.gather(*map(writer.settle, "abc"))
        assert not len(writer)

    assert run(work).groups == [[("a", 0), ("b", 0), ("c", 0)]]


def test_a_match_waits_for_its_own_lines_only() -> None:
    async def work(writer: LineWriter, tables: Tables) -> None:
        await writer.settle("a")
        tables.away = True
        writer.add("b", 0, b"")
        await writer.settle("a")
        waiting = asyncio.create_task(writer.settle("b"))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        waiting.cancel()

    assert run(work).groups == []


def test_a_store_that_was_away_gets_everything_in_order(
    monkeypatch: pytest.MonkeyPatch, log: list[dict[str, Any]]
) -> None:
    monkeypatch.setattr(line_writer, "RETRY_INTERVAL", 0.01)

    async def work(writer: LineWriter, tables: Tables) -> None:
        tables.away = True
        writer.add("a", 0, b"")
        while not log:
            await asyncio.sleep(0.01)
        writer.add("a", 1, b"")
        tables.away = False
        await writer.settle("a")

    assert [line for group in run(work).groups for line in group] == [("a", 0), ("a", 1)]


def test_a_table_that_another_server_has_is_given_up() -> None:
    async def work(writer: LineWriter, tables: Tables) -> None:
        tables.lost = {"a"}
        writer.add("a", 0, b"")
        writer.add("b", 0, b"")
        with pytest.raises(TakenOverError):
            await writer.settle("a")
        await writer.settle("b")
        writer.forget("a")
        await writer.settle("a")

    run(work)
