"""One TCP connection that carries JSON values: bounded in both directions, every answer due at a deadline."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, Final

from fairplay.core import Call, Fault, FaultKind, Json, WireError
from fairplay.net.framing import LONGEST, Framer, TooLarge, decoded, encoded

__all__ = ["Connection", "scratch"]

PIECE: Final = 4_096
"""Bytes read at once: few enough that the values in one piece need little room and little time."""

OWN_DELAY: Final = 0.05
"""Seconds of our own lateness from which a player gets them back."""

GONE: Final = Fault(FaultKind.GONE, "the connection closed")


def scratch() -> memoryview:
    """Room for one piece, shared by all connections of one event loop: each empties it before the next is read."""
    return memoryview(bytearray(PIECE))


class Connection(asyncio.BufferedProtocol):
    """The far end of a conversation.  Values wait here until they are asked for; meanwhile nothing more is read."""

    __slots__ = (
        *("clogged", "due", "ending", "framer", "paused", "room"),
        *("timer", "transport", "unclogged", "values", "waiter"),
    )

    def __init__(self, room: memoryview, longest: int = LONGEST) -> None:
        self.room = room
        self.framer = Framer(longest=longest)
        self.values: deque[bytes] = deque()
        self.ending: Fault | None = None  # nothing comes after the waiting values, and why
        self.waiter: asyncio.Future[None] | None = None
        self.due: float | None = None  # when whoever waits gives up
        self.timer: asyncio.TimerHandle | None = None  # looks at that then, or before
        self.transport: Any = None
        self.paused = False
        self.clogged = False  # more waits to be sent than the high-water mark allows
        self.unclogged: asyncio.Event | None = None  # set once that is over, for whoever waits for it

    # -- what the event loop calls ----------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        if self.ending is not None:  # closed before it was made
            self.transport.abort()

    def get_buffer(self, sizehint: int) -> memoryview:
        return self.room

    def buffer_updated(self, nbytes: int) -> None:
        try:
            self.values.extend(self.framer.feed(bytes(self.room[:nbytes])))
            failure = self.framer.failure
        except WireError as error:
            failure = error
        if failure is not None:
            kind = FaultKind.EXCEEDED if isinstance(failure, TooLarge) else FaultKind.MALFORMED
            self.end(Fault.of(kind, str(failure)))
        if self.ending is not None or len(self.values) > (self.waiter is not None):
            self.pause()
        if self.values:
            self.wake()

    def eof_received(self) -> bool:
        self.end(GONE)
        # Whoever only stops speaking may still be called until it owes an answer; TLS cannot do that.
        return self.transport.get_extra_info("sslcontext") is None

    def connection_lost(self, exc: Exception | None) -> None:
        self.end(GONE)

    def pause_writing(self) -> None:
        self.clogged = True

    def resume_writing(self) -> None:
        self.clogged = False
        if self.unclogged is not None:
            self.unclogged.set()

    # -- what a conversation needs ----------------------------------------------------------------

    async def exchange(self, call: Call, patience: float) -> Json | Fault:
        """The answer to `call`, complete within `patience` seconds from its first byte written, or the fault."""
        if self.clogged and not await self.drained(patience):
            return Fault(FaultKind.TIMED_OUT, f"nothing read within {patience:g} s")
        if self.ending is not None and not self.values:
            return self.ending
        self.write(call)
        if self.values:
            await asyncio.sleep(0)  # whoever answers beforehand waits for its turn among all others
        return await self.value(patience)

    def write(self, value: Json) -> None:
        """Send one value.  EFFECT: what waits to be sent stays below one value more than the high-water mark."""
        if not self.transport.is_closing():
            self.transport.write(encoded(value))

    async def value(self, patience: float | None) -> Json | Fault:
        """The next value, complete within `patience` seconds, or the fault."""
        if not self.values and self.ending is None:
            await self.arrival(patience)
        if not self.values:
            if self.ending is None:
                return Fault(FaultKind.TIMED_OUT, f"no answer within {patience:g} s")
            return self.ending
        value = self.values.popleft()
        self.resume()
        try:
            return decoded(value)
        except WireError as error:
            return Fault.of(FaultKind.MALFORMED, str(error))

    async def arrival(self, patience: float | None) -> None:
        """Wait until there is something to say, at most so long."""
        loop = asyncio.get_running_loop()
        self.waiter = loop.create_future()
        self.due = None if patience is None else loop.time() + patience
        # A timer that was set for an earlier answer is left alone: one for each took a sixth of the server's CPU time.
        if self.due is None or self.timer is None or self.timer.when() > self.due:
            self.stop_timer()
            if self.due is not None:
                self.timer = loop.call_at(self.due, self.expire, loop)
        try:
            await self.waiter
        finally:
            self.waiter = None
            if self.due is None:
                self.stop_timer()

    def expire(self, loop: asyncio.AbstractEventLoop) -> None:
        """Give up, or give back once what this process was late itself: an answer may lie there unread."""
        self.timer = None
        if self.waiter is None or self.due is None:
            return
        late = loop.time() - self.due
        if late < 0:
            self.timer = loop.call_at(self.due, self.expire, loop)
        elif late < OWN_DELAY:
            self.wake()
        else:
            self.timer, self.due = loop.call_later(late, self.wake), None

    def stop_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    async def drained(self, patience: float) -> bool:
        """Wait until a peer that answers, or did beforehand, has read what it was sent; False where it does not."""
        self.unclogged = asyncio.Event()
        try:
            async with asyncio.timeout(patience):
                await self.unclogged.wait()
        except TimeoutError:
            return False
        finally:
            self.unclogged = None
        return True

    def close(self) -> None:
        """Hang up at once: a peer that does not read must not keep what was to be sent to it."""
        self.end(GONE)
        self.values.clear()
        if self.transport is not None:
            self.transport.abort()

    def finish(self) -> None:
        """Hang up once everything is sent."""
        if self.transport is not None:
            self.transport.close()

    # -- its own state ----------------------------------------------------------------------------

    def end(self, fault: Fault) -> None:
        """Only the first reason counts."""
        self.ending = self.ending or fault
        if self.unclogged is not None:
            self.unclogged.set()
        self.framer.held = bytearray()
        self.stop_timer()
        self.wake()

    def wake(self) -> None:
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(None)

    def pause(self) -> None:
        if not self.paused and not self.transport.is_closing():
            self.paused = True
            self.transport.pause_reading()

    def resume(self) -> None:
        if self.paused and not self.values and self.ending is None:
            self.paused = False
            if not self.transport.is_closing():
                self.transport.resume_reading()
