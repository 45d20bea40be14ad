"""Play a match with players that are awaited: at the far end of a wire, in a browser, or in a thread."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from threading import Lock
from time import monotonic
from typing import Any, Protocol

from fairplay.core import ABSENCE, Fault, House, Json, Outcome, Player, Removed, Seat, SeatInfo, Seen
from fairplay.match.calls import call_player
from fairplay.match.driver import Witnesses, drive
from fairplay.match.referee import Ask, Orders
from fairplay.match.replay import Script
from fairplay.run.inline import Audience, Observer, let_catch_up
from fairplay.run.isolation.program import Program, end_programs, share_turns

Settle = Callable[[], Awaitable[None]]
"""Waits until everything that happened so far is kept: nobody is shown what could still be lost."""


class AwaitedPlayer(Protocol):
    """A player that may take its time.  It never raises: what it did wrong is its reply.

    One that has a method `saw` keeps what happens (`Seen`) for its next order; it does not wait.
    """

    async def choose(self, view: Any, /) -> Any: ...
    async def hear(self, news: object, /) -> Json | Fault: ...

    async def recall(self, order: Any, reply: Any, /) -> None:
        """This order and reply lie in the past: the match goes on where it was cut off."""
        ...

    def close(self) -> None:
        """It was removed, and is hung up on."""
        ...


class Contender(AwaitedPlayer, Protocol):
    """An awaited player that takes part in a whole contest: it is told of each of its matches."""

    def begin(self, chance: int, info: SeatInfo, lines: Sequence[bytes]) -> None:
        """A match begins; `chance` is a seed of the player's own for it, `lines` is its record, which grows."""
        ...

    async def ready(self) -> None:
        """Wait until it is there, or will not come back any more."""
        ...

    def throw_out(self, fault: Fault, *, stays: bool = False) -> None:
        """It did this, and is hung up on; `stays` says that it may come back for its next match."""
        ...

    def end(self, outcome: Outcome) -> None:
        """The match is over, and the player was not thrown out of it."""
        ...

    @property
    def is_out(self) -> bool:
        """Was it thrown out, so that it cannot come back?"""
        ...


class AbsentPlayer:
    """Stands for a contender that is out: it is gone at its first order."""

    async def choose(self, view: Any) -> Fault:
        return ABSENCE

    async def hear(self, news: object) -> Fault:
        return ABSENCE

    async def recall(self, order: Any, reply: Any) -> None: ...
    def close(self) -> None: ...


class LocalPlayer:
    """A player of this process at a table with others that are awaited; it thinks in a thread."""

    def __init__(self, player: Player, threads: Executor | None = None) -> None:
        self.player, self.threads = player, threads
        self._lock = Lock()  # a call that nobody waits for any more may still be under way

    @property
    def saw(self) -> Callable[[Seen], object] | None:
        """The player's own: it keeps what happened in mind, and does not wait."""
        found: Callable[[Seen], object] | None = getattr(self.player, "saw", None)
        return found

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
        return await loop.run_in_executor(self.threads, self._call_here, call, argument)

    def _call_here(self, call: Callable[[Any], Any], argument: Any) -> Any:
        with self._lock:
            return call_player(call, argument)

    def close(self) -> None:
        """It has no connection to close."""

    def interrupt(self) -> None:
        """Cut a call short that nobody waits for any more, if that can be done; ASSUME `end` is called next."""
        if isinstance(self.player, Program):
            self.player.kill()

    def end(self, outcome: Outcome | None) -> None:
        """Let a program go, with the outcome if there is one; waits for a call that is under way."""
        with self._lock:
            end_programs([self.player], outcome)
            if outcome is not None:
                let_catch_up(self.player)


async def play_awaited(
    orders: Orders,
    players: Sequence[AwaitedPlayer],
    observers: Sequence[Observer] = (),
    past: Script | None = None,
    settle: Settle | None = None,
    note_wait: Callable[[Seat, float], object] | None = None,
    *,
    ponder: bool = False,
) -> Outcome:
    """Play one match to its end; a player that is removed is hung up on at once (section 6.3 of each rule book).

    What `past` holds is replied as it was.  `settle` is awaited before anyone is asked or told something new.
    `note_wait` is given the seconds of every answer.  Programs stand still while others are awaited, unless they may
    `ponder`.
    """
    turns = None if ponder else share_turns(each.player for each in players if isinstance(each, LocalPlayer))

    async def answer(order: Any) -> Any:
        player = players[order.seat]
        if past is not None and not past.over:
            reply = past.reply(order)
            await player.recall(order, reply)
            return reply
        if settle is not None:
            await settle()
        if type(order) is not Ask:
            return await player.hear(order.news)
        started = monotonic()
        reply = await player.choose(order.view)
        if note_wait is not None:
            note_wait(order.seat, monotonic() - started)
        return reply

    steps, audience = drive(orders, answer, Witnesses(players).witness), Audience(observers)
    reply: Any = None
    while True:
        try:
            step = steps.send(reply)
        except StopIteration as done:
            outcome: Outcome = done.value
            return outcome
        if asyncio.iscoroutine(step):
            with turns or nullcontext():
                reply = await step
            continue
        reply = None
        audience.show(step)
        if isinstance(step, Removed):
            players[step.seat].close()
