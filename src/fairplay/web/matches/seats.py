"""Who answers at a table of the web server: house players at a pace that people can follow, and people."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Any

from fairplay.core import Fault, Player, Seat
from fairplay.run.remote import Local

__all__ = ["Paced", "Person"]


class Paced:
    """A house player that takes its time, so that people can follow."""

    def __init__(self, player: Player, pace: float) -> None:
        self.local, self.pace = Local(player), pace

    async def choose(self, view: Any) -> Any:
        due = monotonic() + self.pace
        action = await self.local.choose(view)
        await asyncio.sleep(due - monotonic())
        return action

    async def hear(self, news: object) -> Fault | None:
        return await self.local.hear(news)

    def close(self) -> None:
        """It has nothing to hang up."""


class Person:
    """A person, who answers by clicks; a house player stands in for somebody who is away, or out of time.

    Nobody is removed for that: the seat is the person's to come back to.
    """

    def __init__(
        self, seat: Seat, stand_in: Paced, clock: float, patience: float, changed: Callable[[], object]
    ) -> None:
        self.seat, self.stand_in, self.clock, self.patience = seat, stand_in, clock, patience
        self.view: Any = None  # of the question that waits for an answer
        self.due: float | None = None  # when the time for it is up, on the monotonic clock
        self._answer: asyncio.Future[Any] | None = None
        self._changed = changed
        self._watching = 0  # pages of this person that are open
        self._left = monotonic()  # when the last of them was closed

    # -- what the page says --------------------------------------------------------------------

    @property
    def away(self) -> bool:
        """Has nobody looked for longer than the patience?"""
        return not self._watching and monotonic() >= self._left + self.patience

    @property
    def there(self) -> bool:
        return bool(self._watching)

    def arrive(self) -> None:
        self._watching += 1
        self._changed()

    def leave(self) -> None:
        self._watching -= 1
        self._left = monotonic()
        self._changed()

    def decide(self, action: Any) -> bool:
        """Answer the question that waits; False where none does."""
        if self._answer is None or self._answer.done():
            return False
        self._answer.set_result(action)
        return True

    # -- what the referee says -----------------------------------------------------------------

    async def choose(self, view: Any) -> Any:
        if self.away:
            return await self.stand_in.choose(view)
        self.view, self.due = view, monotonic() + self.clock
        self._answer = asyncio.get_running_loop().create_future()
        self._changed()
        try:
            return await self._decided()
        finally:
            self.view = self.due = self._answer = None

    async def _decided(self) -> Any:
        """The person's answer, or the house's once the time is up or the person has been away for too long."""
        assert self._answer is not None and self.due is not None
        while not self.away and (left := self.due - monotonic()) > 0:
            done, _ = await asyncio.wait([self._answer], timeout=min(left, 1.0))
            if done:
                return self._answer.result()
        self._answer.cancel()
        self._changed()
        return await self.stand_in.choose(self.view)

    async def hear(self, news: object) -> Fault | None:
        return None

    def close(self) -> None:
        """A page is not hung up on: its owner may watch the rest."""
