"""Rate limits: how often each address may do something."""

from __future__ import annotations

from time import monotonic
from typing import Final

from fairplay.web.bounded import BoundedDict

__all__ = ["RateLimiter"]

MAX_ADDRESSES: Final = 10_000
"""Addresses that are counted; the one that was silent for longest is forgotten first."""


class RateLimiter:
    """A token bucket for each address: `rate` requests a second in the long run, `burst` of them at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._buckets: BoundedDict[str, tuple[float, float]] = BoundedDict(MAX_ADDRESSES)  # tokens left, and when

    def allow(self, address: str) -> bool:
        """Count one more request; False if it is one too many."""
        now = monotonic()
        left, then = self._buckets.get(address, (self.burst, now))
        left = min(self.burst, left + (now - then) * self.rate)
        self._buckets[address] = (max(left - 1, 0.0), now)
        return left >= 1
