"""Where boards are drawn: one at a time and beside everything else, so that no match waits for a drawing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, TypeVar

from fairplay.web.http.security import Meter
from fairplay.web.matches.registry import BusyError

__all__ = ["Easel"]

T = TypeVar("T")

QUEUE: Final = 20
"""Drawings that may wait."""


class Easel:
    """Draws one board after another; who clicks faster than people do, or comes when many wait, is turned away."""

    def __init__(self, rate: float) -> None:
        self.clicks = Meter(rate, 10 * rate)
        self._lock = asyncio.Lock()
        self._waiting = 0

    async def draw(self, work: Callable[..., T], *arguments: Any) -> T:
        """What `work` makes of its arguments; raises BusyError."""
        if self._waiting >= QUEUE:
            raise BusyError("many people are drawing; try again in a moment")
        self._waiting += 1
        try:
            async with self._lock:
                return await asyncio.to_thread(work, *arguments)
        finally:
            self._waiting -= 1
