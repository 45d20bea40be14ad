"""Who watches a match: each message is made once for all who look the same way, and nobody is waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from fairplay.web.matches.timeline import Looker

__all__ = ["Feed", "Watcher"]

LAG: Final = 16
"""Messages that a watcher may lag behind before it is dropped."""


class Watcher:
    """Somebody who is sent what happens; `next` gives the messages in order, None when there are no more."""

    def __init__(self, looker: Looker, *, lasting: bool = False) -> None:
        self.looker = looker
        self.lasting = lasting  # goes on when a match ends: there are others
        self.dropped = False
        self.code: int | None = None  # with which its socket is closed, if it is to be told why
        self._waiting: asyncio.Queue[str | None] = asyncio.Queue(LAG + 1)  # one more for the end

    async def next(self) -> str | None:
        return None if self.dropped else await self._waiting.get()

    def offer(self, message: str) -> None:
        """Put a message into the queue, without waiting; a watcher that lags too far behind is dropped."""
        if self._waiting.qsize() >= LAG:
            self.drop()
        elif not self.dropped:
            self._waiting.put_nowait(message)

    def drop(self) -> None:
        """Send no more, and forget what was not taken."""
        self.dropped = True
        while not self._waiting.empty():
            self._waiting.get_nowait()
        self._waiting.put_nowait(None)

    def end(self) -> None:
        """Let the watcher take what waits for it, and no more; one that follows other matches as well goes on."""
        if not self.dropped and not self.lasting:
            self._waiting.put_nowait(None)


class Feed:
    """All watchers of one match."""

    def __init__(self) -> None:
        self._watchers: dict[Looker, set[Watcher]] = {}
        self.lost = 0  # watchers dropped because they lagged

    def __len__(self) -> int:
        return sum(map(len, self._watchers.values()))

    def join(self, watcher: Watcher) -> None:
        self._watchers.setdefault(watcher.looker, set()).add(watcher)

    def leave(self, watcher: Watcher) -> None:
        """Let go of a watcher; the second time nothing happens."""
        same = self._watchers.get(watcher.looker, set())
        same.discard(watcher)
        if not same:
            self._watchers.pop(watcher.looker, None)

    def publish(self, message: Callable[[Looker], str]) -> None:
        """Offer everybody the message for its kind of looker."""
        for looker, watchers in tuple(self._watchers.items()):
            text = message(looker)
            for watcher in tuple(watchers):
                watcher.offer(text)
                if watcher.dropped:
                    self.lost += 1
                    self.leave(watcher)

    def end(self) -> None:
        """Say that nothing more will come."""
        for watchers in self._watchers.values():
            for watcher in watchers:
                watcher.end()
        self._watchers.clear()
