"""An event loop that skips waits: when nothing has happened for a moment, its clock moves on to the next timer.

For tests whose parties all live in one loop.  Deadlines can then be long, so that no machine is too slow for them, and
passing one takes no time.  A wait shorter than a moment is waited for, so whoever polls keeps the clock from skipping.
What a thread does is not noticed: nobody may set a deadline for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from selectors import DefaultSelector, SelectorKey
from typing import Any, TypeVar
from unittest.mock import patch

from fairplay.net import connection, session

T = TypeVar("T")

MOMENT = 0.05
"""Seconds without any event, after which nobody is at work: what one party has sent, another has received by then."""


class SkippingSelector(DefaultSelector):
    def __init__(self) -> None:
        super().__init__()
        self.skipped = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        if timeout is None or timeout <= MOMENT:
            return super().select(timeout)
        if not (events := super().select(MOMENT)):
            self.skipped += timeout - MOMENT
        return events


class SkippingLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.selector = SkippingSelector()
        super().__init__(self.selector)

    def time(self) -> float:
        return super().time() + self.selector.skipped

    def skip(self, seconds: float) -> None:
        """Be away for so long, as if the machine had been busy with something else."""
        self.selector.skipped += seconds


def run_skipping(work: Coroutine[Any, Any, T]) -> T:
    """Run it to its end, as `asyncio.run`; connections and sessions go by the same clock."""
    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        time = runner.get_loop().time
        with patch.object(connection, "monotonic", time), patch.object(session, "monotonic", time):
            return runner.run(work)


async def settle() -> None:
    """Wait until nobody in the loop has anything to do."""
    await asyncio.sleep(4 * MOMENT)
