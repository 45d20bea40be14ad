"""A player of the native protocol over whatever connection it has just now: it may lose one and come back."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Final

from fairplay.core import Fault, FaultKind
from fairplay.net.connection import GONE, Connection
from fairplay.play.protocol import Joined, encoded, unsolicited

__all__ = ["PARTING", "Session"]

PARTING: Final = 1.0
"""Seconds for the last lines to be sent before we hang up all the same."""

RETURNS: Final = 100
"""How often a player may come back: each time it is sent again what it has not replied to."""


class Session:
    """What was said, what is unanswered, and where.  Only the secret brings a player back."""

    def __init__(self, connection: Connection, secret: str, grace: float) -> None:
        self.connection, self.secret, self.grace = connection, secret, grace
        self.unanswered = b""  # lines sent since the last reply
        self.returns = 0
        self.fault: Fault | None = None  # why it was thrown out
        self.returned = asyncio.Event()
        connection.send(self.joined)

    @property
    def joined(self) -> bytes:
        return encoded(Joined(self.secret, self.grace))

    @property
    def lost(self) -> bool:
        """Has it been away for too long?"""
        ended = self.connection.ended_at
        return ended is not None and monotonic() >= ended + self.grace

    @property
    def may_return(self) -> bool:
        return self.fault is None and not self.lost and self.returns < RETURNS

    def come_back(self, connection: Connection) -> None:
        """Go on with another connection, from the first line that was not replied to.  ASSUME it may return."""
        self.returns += 1
        self.connection, before = connection, self.connection
        before.close()
        connection.send(self.joined + self.unanswered)
        self.returned.set()

    def say(self, lines: bytes) -> None:
        """Send lines that want no reply, or whose reply is awaited elsewhere."""
        self.unanswered += lines
        self.connection.send(lines)

    async def exchange(self, lines: bytes, patience: float) -> bytes | Fault:
        """The one line in reply to `lines`, complete within `patience` seconds in all, or the fault."""
        connection = self.connection
        if connection.unasked:
            return unsolicited(connection.unasked).fault
        if connection.clogged and connection.ending is None and not await connection.drained(patience):
            return Fault(FaultKind.TIMED_OUT, f"nothing read within {patience:g} s")
        due = monotonic() + patience
        self.say(lines)
        while True:
            connection = self.connection
            reply = await connection.line(max(0.0, due - monotonic()))
            if not isinstance(reply, Fault):
                self.unanswered = b""
                return unsolicited(connection.unasked).fault if connection.unasked else reply
            if reply.kind is FaultKind.TIMED_OUT:
                return Fault(FaultKind.TIMED_OUT, f"no answer within {patience:g} s")
            if reply.kind is not FaultKind.GONE or not await self.back(connection, due):
                return reply

    async def back(self, connection: Connection, due: float) -> bool:
        """Wait until it has another connection than this one; False where it does not come in time."""
        assert connection.ended_at is not None
        left = min(due, connection.ended_at + self.grace) - monotonic()
        if self.connection is connection and left > 0:
            self.returned.clear()
            try:
                async with asyncio.timeout(left):
                    await self.returned.wait()
            except TimeoutError:
                return False
        return self.connection is not connection

    def close(self) -> None:
        """Hang up once the last words are sent; whoever does not read them is not waited for."""
        self.fault = self.fault or GONE
        self.connection.finish()
        asyncio.get_running_loop().call_later(PARTING, self.connection.close)
