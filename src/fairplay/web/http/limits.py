"""Rate limits: how often each address may do something, or how much of something it may use."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from time import monotonic
from typing import Final

from fairplay.web.bounded import BoundedDict

__all__ = ["RateLimiter", "address_group"]

MAX_ADDRESSES: Final = 10_000
"""Addresses that are counted; the one that was silent for longest is forgotten first."""

IPV6_NETWORK: Final = 64
"""Bits of an IPv6 address that say whose it is; one customer has all addresses that begin with them."""


class RateLimiter:
    """A token bucket for each address: `rate` tokens a second in the long run, `burst` of them at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._buckets: BoundedDict[str, tuple[float, float]] = BoundedDict(MAX_ADDRESSES)  # tokens left, and when

    def left(self, address: str) -> float:
        """The tokens in the bucket; it may be overdrawn."""
        now = monotonic()
        left, then = self._buckets.get(address, (self.burst, now))
        return min(self.burst, left + (now - then) * self.rate)

    def spend(self, address: str, tokens: float) -> None:
        """Take tokens out, even if there are too few."""
        self._buckets[address] = (self.left(address) - tokens, monotonic())

    def allow(self, address: str) -> bool:
        """Count one more request; False if it is one too many."""
        left = self.left(address)
        self.spend(address, min(1.0, left))
        return left >= 1

    def seconds_to_wait(self, address: str) -> float:
        """How long until the bucket is no longer overdrawn."""
        return max(0.0, -self.left(address) / self.rate)


def address_group(address: str) -> str:
    """What limits are counted by: an IPv4 address, or the network of an IPv6 address."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(IPv6Address(int(parsed) >> (128 - IPV6_NETWORK) << (128 - IPV6_NETWORK)))
