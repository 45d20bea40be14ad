"""Play a match with players that are awaited: at the far end of a wire, in a browser, or in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import Any, Protocol

from fairplay.core import Fault, House, Json, Outcome, Player, Removed
from fairplay.play.driver import drive
from fairplay.play.record import Script
from fairplay.play.referee import Ask, Orders
from fairplay.run.inline import Audience, Observer, guarded

__all__ = ["AwaitedPlayer", "LocalPlayer", "Settle", "run"]

Settle = Callable[[], Awaitable[None]]
"""Waits until everything that happened so far is kept: nobody is shown what could still be lost."""


class AwaitedPlayer(Protocol):
    """A player that may take its time.  It never raises: what it did wrong is its reply."""

    async def choose(self, view: Any, /) -> Any: ...
    async def hear(self, news: object, /) -> Json | Fault: ...

    async def recall(self, order: Any, reply: Any, /) -> None:
        """This order and reply lie in the past: the match goes on where it was cut off."""
        ...

    def close(self) -> None:
        """It was removed, and is hung up on."""
        ...


class LocalPlayer:
    """A player of this process at a table with others that are awaited; it thinks in a thread."""

    def __init__(self, player: Player, threads: Executor | None = None) -> None:
        self.player, self.threads = player, threads

    async def choose(self, view: Any) -> Any:
        return await self._call(self.player.choose, view)

    async def hear(self, news: object) -> Fault | None:
        if isinstance(self.player, House):
            return None  # it needs no news
        reply = await self._call(self.player.hear, news)
        return reply if isinstance(reply, Fault) else None

    async def recall(self, order: Any, reply: Any) -> None:
        """Live through it again: it may remember, and its generator must stand where it stood."""
        await (self.choose(order.view) if isinstance(order, Ask) else self.hear(order.news))

    async def _call(self, call: Callable[[Any], Any], argument: Any) -> Any:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.threads, partial(guarded, call, argument))

    def close(self) -> None:
        """It has no connection to close."""


async def run(
    orders: Orders,
    players: Sequence[AwaitedPlayer],
    observers: Sequence[Observer] = (),
    past: Script | None = None,
    settle: Settle | None = None,
) -> Outcome:
    """Play one match to its end; a player that is removed is hung up on at once (section 6.3 of each rule book).

    What `past` holds is replied as it was.  `settle` is awaited before anyone is asked or told something new.
    """

    async def answer(order: Any) -> Any:
        player = players[order.seat]
        if past is not None and not past.over:
            reply = past.reply(order)
            await player.recall(order, reply)
            return reply
        if settle is not None:
            await settle()
        return await (player.choose(order.view) if type(order) is Ask else player.hear(order.news))

    steps, audience = drive(orders, answer), Audience(observers)
    reply: Any = None
    while True:
        try:
            step = steps.send(reply)
        except StopIteration as done:
            outcome: Outcome = done.value
            return outcome
        if asyncio.iscoroutine(step):
            reply = await step
            continue
        reply = None
        audience.show(step)
        if isinstance(step, Removed):
            players[step.seat].close()
