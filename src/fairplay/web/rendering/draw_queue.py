"""Boards are drawn one at a time, beside everything else, so that no match waits for a drawing."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from fairplay.web.http.errors import BusyError
from fairplay.web.http.limits import RateLimiter

P = ParamSpec("P")
T = TypeVar("T")

MAX_WAITING = 100
"""Drawings in the queue."""


class DrawQueue:
    """Draws one board after another; clicks that come faster than people click are refused."""

    def __init__(self, rate: float) -> None:
        """`rate` is how many clicks an address may make in a second, in the long run."""
        self.limiter = RateLimiter(rate, 10 * rate)
        self._lock = asyncio.Lock()
        self._waiting = 0

    async def draw(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of `work`, done in a thread when it is its turn; raises BusyError if the queue is full."""
        if self._waiting >= MAX_WAITING:
            raise BusyError("Many boards are being drawn. Try again in a moment.")
        self._waiting += 1
        try:
            async with self._lock:
                return await asyncio.to_thread(work, *args, **kwargs)
        finally:
            self._waiting -= 1
