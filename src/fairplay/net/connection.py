"""One TCP connection that carries JSON values: bounded in both directions, every answer due at a deadline.

Values of the established protocols, lines of the native one, and those lines inside a WebSocket all come this way.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any, Protocol

from fairplay.core import Fault, FaultKind, Json, WireError
from fairplay.core.established import Call
from fairplay.net.framing import Framer, Lines, TooLarge, decode_value, encode_value
from fairplay.net.transcript import Direction, Transcript

PIECE = 4_096
"""Bytes read at once: few enough that the values in one piece need little room and little time."""

_OWN_DELAY = 0.05
"""Seconds of our own lateness from which a player gets them back."""

GONE = Fault(FaultKind.GONE, "the connection closed")


def read_buffer() -> memoryview:
    """Room for one piece, shared by all connections of one event loop: each empties it before the next is read."""
    return memoryview(bytearray(PIECE))


class Wrapper(Protocol):
    """What a stream of lines is wrapped in on its way."""

    over: bool
    """Has the far end said that it is done?"""

    def unwrap(self, data: bytes) -> bytes:
        """The lines in what came; raises WireError."""
        ...

    def wrap(self, lines: bytes) -> bytes: ...

    def take_output(self) -> bytes:
        """What the wrapper itself has to send by now."""
        ...

    def close_output(self) -> bytes:
        """The last bytes to send."""
        ...


class PeerConnection(asyncio.BufferedProtocol):
    """The far end of a conversation.  Values wait here until they are asked for; meanwhile nothing more is read."""

    __slots__ = (
        *("write_blocked", "due", "ended_at", "ending", "framer", "is_lost", "paused", "room", "shell", "shell_for"),
        *("line_feeds", "sent_at", "timer", "transcript", "transport", "write_resumed", "values", "waiter"),
    )

    def __init__(
        self,
        room: memoryview,
        framer: Framer | Lines | None = None,
        shell: Wrapper | None = None,
        shell_for: Callable[[bytes], Wrapper | None] | None = None,
        *,
        line_feeds: bool | None = False,
        transcript: Transcript | None = None,
    ) -> None:
        """`shell_for` chooses the shell by the first bytes that come and are not blank.

        `line_feeds`: is each value that is written followed by one?  None: as the far end did before we first write.
        """
        self.room = room
        self.framer = framer or Framer()
        self.shell, self.shell_for = shell, shell_for
        self.line_feeds, self.transcript = line_feeds, transcript
        self.sent_at: float | None = None  # the last lines, on the monotonic clock
        self.values: deque[bytes] = deque()
        self.ending: Fault | None = None  # nothing comes after the waiting values, and why
        self.ended_at: float | None = None  # on the monotonic clock
        self.is_lost = False  # the machine has let go of it
        self.waiter: asyncio.Future[None] | None = None
        self.due: float | None = None  # when waiting ends
        self.timer: asyncio.TimerHandle | None = None  # looks at that then, or before
        self.transport: Any = None
        self.paused = False
        self.write_blocked = False  # more waits to be sent than the high-water mark allows
        self.write_resumed: asyncio.Event | None = None  # set once that is over

    # -- what the event loop calls ----------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        if self.ending is not None:  # closed before it was made
            self.transport.abort()
        elif self.shell is not None:
            self.transport.write(self.shell.take_output())

    def get_buffer(self, sizehint: int) -> memoryview:
        return self.room

    def buffer_updated(self, nbytes: int) -> None:
        data = bytes(self.room[:nbytes])
        try:
            if self.shell_for is not None and not data.isspace():
                self.shell, self.shell_for = self.shell_for(data), None
            values = self.framer.feed(data if self.shell is None else self.unwrap_data(self.shell, data))
            self.values.extend(values)
            self.write_down("received", values)
            failure = self.framer.failure
        except WireError as error:
            failure = error
        if failure is not None:
            kind = FaultKind.EXCEEDED if isinstance(failure, TooLarge) else FaultKind.MALFORMED
            self.end(Fault.of(kind, str(failure)))
        if self.ending is not None or self.is_flooded or len(self.values) > (self.waiter is not None):
            self.pause()
        if self.values:
            self.wake()

    def unwrap_data(self, shell: Wrapper, data: bytes) -> bytes:
        """The lines in what came; what the shell says to it is sent.  Raises WireError."""
        try:
            return shell.unwrap(data)
        finally:
            if not self.transport.is_closing():
                self.transport.write(shell.take_output())
            if shell.over:
                self.end(GONE)
                self.transport.close()

    def eof_received(self) -> bool:
        self.end(GONE)
        # A peer that only stops sending may still be called until it owes an answer; TLS cannot do that.
        return self.transport.get_extra_info("sslcontext") is None

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_lost = True
        self.end(GONE)

    def pause_writing(self) -> None:
        self.write_blocked = True

    def resume_writing(self) -> None:
        self.write_blocked = False
        if self.write_resumed is not None:
            self.write_resumed.set()
        self.resume()

    # -- what a conversation needs ----------------------------------------------------------------

    async def exchange(self, call: Call, patience: float) -> Json | Fault:
        """The answer to `call`, complete within `patience` seconds from its first byte written, or the fault."""
        if self.write_blocked and not await self.wait_until_read(patience):
            return Fault(FaultKind.TIMED_OUT, f"nothing read within {patience:g} s")
        if self.ending is not None and not self.values:
            return self.ending
        self.write(call)
        if self.values:
            await asyncio.sleep(0)  # a peer that answers beforehand waits for its turn
        return await self.value(patience)

    def write(self, value: Json) -> None:
        """Send one value.  EFFECT: what waits to be sent stays below one value more than the high-water mark."""
        if self.line_feeds is None:
            self.line_feeds = isinstance(self.framer, Framer) and self.framer.saw_line_feed
        self.send(encode_value(value, line_feed=self.line_feeds))

    def send(self, lines: bytes) -> None:
        """Send lines as they are."""
        if not self.transport.is_closing():
            self.transport.write(lines if self.shell is None else self.shell.wrap(lines))
            self.sent_at = monotonic()
            self.write_down("sent", lines.splitlines())

    def write_down(self, direction: Direction, values: Iterable[bytes]) -> None:
        """Add values to the transcript, if there is one."""
        if self.transcript is not None:
            host, port = (*(self.transport.get_extra_info("peername") or ()), "?", "?")[:2]
            for value in values:
                self.transcript.add(direction, f"{host}:{port}", value)

    async def value(self, patience: float | None) -> Json | Fault:
        """The next value, complete within `patience` seconds, or the fault."""
        value = await self.line(patience)
        if isinstance(value, Fault):
            return value
        try:
            return decode_value(value)
        except WireError as error:
            return Fault.of(FaultKind.MALFORMED, str(error))

    async def line(self, patience: float | None) -> bytes | Fault:
        """The bytes of the next value, complete within `patience` seconds, or the fault."""
        if not self.values and self.ending is None:
            await self.wait_for_input(patience)
        if not self.values:
            if self.ending is None:
                return Fault(FaultKind.TIMED_OUT, f"no answer within {patience:g} s")
            return self.ending
        value = self.values.popleft()
        self.resume()
        return value

    @property
    def early_input(self) -> bytes:
        """What has come though nothing was asked."""
        return self.values[0] if self.values else bytes(self.framer.held)

    async def wait_for_input(self, patience: float | None) -> None:
        """Wait until something has come, at most `patience` seconds."""
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
        elif late < _OWN_DELAY:
            self.wake()
        else:
            self.timer, self.due = loop.call_later(late, self.wake), None

    def stop_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    async def wait_until_read(self, patience: float) -> bool:
        """Wait until a peer that answers, or did beforehand, has read what it was sent; False if it does not."""
        self.write_resumed = asyncio.Event()
        try:
            async with asyncio.timeout(patience):
                await self.write_resumed.wait()
        except TimeoutError:
            return False
        finally:
            self.write_resumed = None
        return True

    def close(self) -> None:
        """Hang up at once: a peer that does not read must not keep what was to be sent to it."""
        self.end(GONE)
        self.values.clear()
        if self.transport is not None:
            self.transport.abort()

    def finish(self) -> None:
        """Hang up once everything is sent; nothing more is read."""
        self.end(GONE)
        if self.transport is not None:
            if self.shell is not None and not self.transport.is_closing():
                self.transport.write(self.shell.close_output())
            self.transport.close()

    async def close_after_sending(self, patience: float) -> None:
        """Hang up once everything is sent, or after `patience` seconds."""
        self.finish()
        due = monotonic() + patience
        while self.transport is not None and not self.is_lost and (left := due - monotonic()) > 0:
            await self.wait_for_input(left)
        self.close()

    # -- its own state ----------------------------------------------------------------------------

    def end(self, fault: Fault) -> None:
        """Only the first reason counts."""
        if self.ending is None:
            self.ending, self.ended_at = fault, monotonic()
        if self.write_resumed is not None:
            self.write_resumed.set()
        self.framer.held = bytearray()
        self.stop_timer()
        self.wake()

    @property
    def is_flooded(self) -> bool:
        """Does the far end make the shell say more than it reads?"""
        return self.write_blocked and self.shell is not None

    def wake(self) -> None:
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(None)

    def pause(self) -> None:
        if not self.paused and not self.transport.is_closing():
            self.paused = True
            self.transport.pause_reading()

    def resume(self) -> None:
        if self.paused and not self.values and not self.is_flooded and self.ending is None:
            self.paused = False
            if not self.transport.is_closing():
                self.transport.resume_reading()
