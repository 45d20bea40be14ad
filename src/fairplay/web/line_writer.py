"""Writes the record lines of all running matches to the store, in groups: a match shows what is in there, not more."""

import asyncio
from time import monotonic

import structlog

from fairplay.core import StoreError
from fairplay.store.unfinished import TakenOverError
from fairplay.store.web.tables import TableLine, WebTables

GROUP_INTERVAL = 0.02
"""Seconds between two transactions, at least: how long a line waits for others to share its transaction."""

RETRY_INTERVAL = 0.5
"""Seconds until a store that failed is asked again."""

LOG = structlog.get_logger("fairplay.web")


class LineWriter:
    """Takes lines, writes them in groups, and lets matches wait until theirs are safe."""

    def __init__(self, tables: WebTables) -> None:
        self.server: int | None = None  # our number, once we have one
        self._tables = tables
        self._waiting: list[TableLine] = []
        self._newest: dict[str, int] = {}  # by table, how many lines in all there were with its newest one
        self._added = self._kept = 0
        self._lost: set[str] = set()  # tables that are another server's now
        self._due = 0.0  # when the next transaction may begin
        self._wanted = asyncio.Event()
        self._written = asyncio.Event()  # replaced after each transaction
        self._lock = asyncio.Lock()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, table: str, number: int, line: bytes) -> None:
        """Take the line `number` of a table."""
        self._waiting.append((table, number, line))
        self._added += 1
        self._newest[table] = self._added
        self._wanted.set()

    def forget(self, table: str) -> None:
        """No more lines of this table will come, and nobody waits for any."""
        self._newest.pop(table, None)
        self._lost.discard(table)

    async def settle(self, table: str) -> None:
        """Wait until all lines of a table are in the store; raises TakenOverError if it takes none of ours."""
        while self._newest.get(table, 0) > self._kept:
            await self._written.wait()
        if table in self._lost:
            raise TakenOverError(f"table {table} belongs to another server")

    async def run(self) -> None:
        """Write what comes, until this is cancelled."""
        while True:
            await self._wanted.wait()
            await asyncio.sleep(self._due - monotonic())
            try:
                await self.flush()
            except StoreError as error:
                LOG.error("record lines are waiting for the store", reason=str(error))
                await asyncio.sleep(RETRY_INTERVAL)

    async def flush(self) -> None:
        """Write the lines that are waiting; if the store fails, they go on waiting."""
        async with self._lock:
            self._due = monotonic() + GROUP_INTERVAL
            self._wanted.clear()
            lines, added = self._waiting, self._added
            self._waiting = []
            try:
                self._lost |= await asyncio.to_thread(self._tables.add_lines, lines, self.server) if lines else set()
            except BaseException:
                self._waiting = lines + self._waiting
                self._wanted.set()
                raise
            self._kept = added
            self._written.set()
            self._written = asyncio.Event()
