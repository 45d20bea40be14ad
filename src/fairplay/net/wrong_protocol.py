"""Visitors that speak a protocol that the server does not: the organiser hears of those who do not come right back."""

import asyncio
from collections.abc import Callable
from typing import Literal, TypeAlias

from msgspec import Struct

ProtocolName: TypeAlias = Literal["established", "native"]

RETURN_WITHIN = 5.0
"""Seconds for a client to come back with the right protocol, as `fairplay join` does, before the organiser is told."""

MOST_TOLD = 100
"""Addresses that the organiser is told of: strangers must not fill the terminal."""


class WrongProtocol(Struct, frozen=True):
    """A visitor at `address` spoke this protocol to a server of the other one."""

    address: str
    spoken: ProtocolName

    def __str__(self) -> str:
        """In words for the organiser."""
        expected = "native" if self.spoken == "established" else "established"
        return f"{self.address} spoke the {self.spoken} protocol; this server speaks the {expected} one"


class WrongProtocols:
    """Tells of each address once, and only if nobody signs up from it in the next moment."""

    def __init__(self, tell: Callable[[WrongProtocol], object]) -> None:
        self._tell = tell
        self._waiting: dict[str, tuple[WrongProtocol, asyncio.TimerHandle]] = {}
        self._told: set[str] = set()

    def note(self, visit: WrongProtocol) -> None:
        """Tell of this visit in a moment."""
        known = visit.address in self._told or visit.address in self._waiting
        if not known and len(self._told) + len(self._waiting) < MOST_TOLD:
            timer = asyncio.get_running_loop().call_later(RETURN_WITHIN, self._report, visit.address)
            self._waiting[visit.address] = visit, timer

    def forgive(self, address: str) -> None:
        """Say nothing of this address: somebody has just signed up from it."""
        _, timer = self._waiting.pop(address, (None, None))
        if timer is not None:
            timer.cancel()

    def report_all(self) -> None:
        """Tell of everyone who is still waited for."""
        for address in tuple(self._waiting):
            self._report(address)

    def _report(self, address: str) -> None:
        visit, timer = self._waiting.pop(address)
        timer.cancel()
        self._told.add(address)
        self._tell(visit)
