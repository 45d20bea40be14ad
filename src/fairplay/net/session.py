"""A player of the native protocol over whatever connection it has just now: it may lose one and come back."""

import asyncio
from collections.abc import Callable
from hmac import compare_digest
from time import monotonic

from fairplay.core import Fault, FaultKind
from fairplay.match.protocol import Joined, encode_message, unsolicited_fault
from fairplay.net.connection import GONE, PeerConnection
from fairplay.net.strangers import hash_secret

PARTING = 1.0
"""Seconds for the last lines to be sent before we hang up all the same."""

RETURNS = 100
"""How often a player may come back: each time it is sent again what it has not replied to."""


class Session:
    """What was said, what is unanswered, and where.  Only the secret, of which a hash is kept, brings a player back.

    Without a connection it stands for a player that signed up with a server that was started again since.
    """

    def __init__(self, secret: str, grace: float, connection: PeerConnection | None = None) -> None:
        """`secret` is the hash of the session key."""
        self.secret, self.grace, self.connection = secret, grace, connection
        self.unanswered = b""  # lines since the last reply, to be sent again on another connection
        self.question = b""  # the last of them, while its reply is awaited
        self.returns = 0
        self.fault: Fault | None = None  # why it was thrown out for good
        self.return_event = asyncio.Event()
        self._away_since = monotonic()
        self._recap: Callable[[], bytes] | None = None
        self._wants_past = False

    # -- coming and going ----------------------------------------------------------------------

    def opens_with(self, secret: str) -> bool:
        """Is this the session key?  Takes as long for a wrong one as for the right one."""
        return compare_digest(hash_secret(secret), self.secret)

    def greet(self, secret: str) -> None:
        """Tell a newcomer its session key."""
        self._send(encode_message(Joined(secret, self.grace)))

    @property
    def away_since(self) -> float | None:
        """When its connection ended, on the monotonic clock; None while it is there."""
        return self._away_since if self.connection is None else self.connection.ended_at

    @property
    def is_lost(self) -> bool:
        """Has it been away for too long?"""
        since = self.away_since
        return since is not None and monotonic() >= since + self.grace

    @property
    def may_return(self) -> bool:
        return self.fault is None and not self.is_lost and self.returns < RETURNS

    def come_back(self, connection: PeerConnection, secret: str, *, past: bool = False) -> None:
        """Go on with another connection, from the first line that was not replied to.  ASSUME it may return.

        With `past` it is a new process, which is told the match so far.
        """
        self.returns += 1
        before, self.connection = self.connection, connection
        if before is not None:
            before.close()
        self.greet(secret)
        self._wants_past = past
        if past and self._recap is not None:
            self._tell_past(self._recap)
        else:
            self._send(self.unanswered)
        self.return_event.set()

    def set_recap(self, recap: Callable[[], bytes] | None) -> None:
        """What a player that comes back without memory is told first, now or later; None: it is in no match."""
        self._recap = recap
        if recap is not None and self._wants_past:
            self._tell_past(recap)

    def _tell_past(self, recap: Callable[[], bytes]) -> None:
        """The match so far, and the line whose reply is awaited."""
        self._wants_past, self.unanswered = False, self.question
        self._send(recap() + self.question)

    async def ready(self) -> None:
        """Wait until it has a connection, or may not come back any more."""
        while (since := self.away_since) is not None and self.may_return:
            await self._wait_for_return(since + self.grace)

    # -- talking -------------------------------------------------------------------------------

    def say(self, lines: bytes) -> None:
        """Send lines that want no reply, or whose reply is awaited elsewhere."""
        self.unanswered += lines
        self._send(lines)

    def _send(self, lines: bytes) -> None:
        if self.connection is not None:
            self.connection.send(lines)

    async def exchange(self, lines: bytes, patience: float) -> bytes | Fault:
        """The one line in reply to `lines`, complete within `patience` seconds in all, or the fault."""
        connection = self.connection
        if connection is not None and connection.early_input:
            return unsolicited_fault(connection.early_input).fault
        stuck = connection is not None and connection.write_blocked and connection.ending is None
        if connection is not None and stuck and not await connection.wait_until_read(patience):
            return Fault(FaultKind.TIMED_OUT, f"nothing read within {patience:g} s")
        due = monotonic() + patience
        self.question = lines[lines.rfind(b"\n", 0, -1) + 1 :]
        self.say(lines)
        try:
            return await self._reply(due, patience)
        finally:
            self.question = b""

    async def _reply(self, due: float, patience: float) -> bytes | Fault:
        while True:
            connection = self.connection
            reply = GONE if connection is None else await connection.line(max(0.0, due - monotonic()))
            if connection is not None and not isinstance(reply, Fault):
                self.unanswered = b""
                return unsolicited_fault(connection.early_input, reply).fault if connection.early_input else reply
            assert isinstance(reply, Fault)
            if reply.kind is FaultKind.TIMED_OUT:
                return Fault(FaultKind.TIMED_OUT, f"no answer within {patience:g} s")
            if reply.kind is not FaultKind.GONE or not await self._is_back(connection, due):
                return reply

    async def _is_back(self, connection: PeerConnection | None, due: float) -> bool:
        """Wait until it has another connection than this one; False if it does not come in time."""
        since = self.away_since
        if self.connection is connection and since is not None and self.may_return:
            await self._wait_for_return(min(due, since + self.grace))
        return self.connection is not connection

    async def _wait_for_return(self, due: float) -> None:
        self.return_event.clear()
        if (left := due - monotonic()) <= 0:
            return
        try:
            async with asyncio.timeout(left):
                await self.return_event.wait()
        except TimeoutError:
            pass

    def close(self, *, stays: bool = False) -> None:
        """Hang up once the last words are sent; a player that does not read them is not waited for.

        One that `stays` may come back for its next match.
        """
        self._recap, self.unanswered = None, b""
        if not stays:
            self.fault = self.fault or GONE
        if self.connection is not None:
            self.connection.finish()
            self.connection.values.clear()
            asyncio.get_running_loop().call_later(PARTING, self.connection.close)

    async def hang_up(self) -> None:
        """Hang up at the end of all, giving the last lines a moment to be sent."""
        if self.connection is not None:
            await self.connection.close_after_sending(PARTING)
