"""The lines of running matches on their way into the store: nobody is asked before what happened is safe."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from fairplay.run.keeping import Keeper


class TurnLog:
    """Writes lines in a thread of its own, all that have come during one write in the next."""

    def __init__(self, keeper: Keeper) -> None:
        self.keeper = keeper
        self._thread = ThreadPoolExecutor(1, "turn-log")
        self._waiting: list[tuple[int, int, bytes]] = []
        self._added = self._safe = 0  # lines so far
        self._writing: asyncio.Task[None] | None = None

    def add(self, match: int, number: int, line: bytes) -> int:
        """Take a line, with the number of its match and its own from 0; returns what `settle` wants to know."""
        if self.keeper.durable:
            self._waiting.append((match, number, line))
            self._added += 1
        return self._added

    async def settle(self, added: int) -> None:
        """Wait until the first `added` lines are safe; raises StoreError."""
        while self._safe < added:
            if self._writing is None:
                self._writing = asyncio.create_task(self._write())
            await asyncio.shield(self._writing)

    async def _write(self) -> None:
        lines, self._waiting = self._waiting, []
        try:
            await asyncio.get_running_loop().run_in_executor(self._thread, self.keeper.add_turns, lines)
            self._safe += len(lines)
        except BaseException:
            self._waiting = lines + self._waiting
            raise
        finally:
            self._writing = None

    def close(self) -> None:
        """Wait for the write that is under way; there will be no other."""
        self._thread.shutdown(wait=True, cancel_futures=True)
