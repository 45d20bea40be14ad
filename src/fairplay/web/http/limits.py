"""What the owner of the server decides; and how often each address may do something, and how much is remembered."""

from collections import Counter, OrderedDict
from pathlib import Path
from time import monotonic
from typing import TypeVar

from msgspec import Struct

from fairplay.net.strangers import address_group

LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Settings(Struct, frozen=True, kw_only=True):
    """The limits of the server, and who its owner is."""

    token: str = ""  # proves the owner; empty: there is none, and the owner needs a link
    hosts: tuple[str, ...] = LOOPBACK  # the names under which the server is reached; empty: any
    matches: int = 500  # running at once
    watchers: int = 5_000  # open sockets
    connections: int = 500  # open at once from one address
    patience: float = 60.0  # seconds that a person may be away before a house player takes over
    rate: float = 30.0  # requests a second from one address, in the long run
    burst: float = 200.0  # and at once
    tables: float = 30.0  # that one address may open in a minute
    thinkers: int = 0  # processes for long thoughts of house players; 0: all processors but one, two at least
    cpu: float = 30.0  # seconds of CPU time a minute for one address: house players at its tables, reviews, pictures
    edits: float = 8.0  # clicks a second in the editor from one address, in the long run
    key: Path | None = None  # the file with the key that signs matches; None: they are not signed
    seated: tuple[tuple[str, ...], ...] = ()  # tables of the owner's to open: the game, and who has each seat
    proxy: str = ""  # the address of a trusted proxy that says where requests come from; empty: none

    @property
    def is_local(self) -> bool:
        """Is the server reached from this machine alone?  Behind a proxy it is not, whatever name the proxy uses."""
        return not self.proxy and bool(self.hosts) and all(host in LOOPBACK for host in self.hosts)


MAX_ADDRESSES = 10_000
"""Addresses that are counted; the one that was silent for longest is forgotten first."""

FIRST_DELAY = 0.5
_LONGEST_DELAY = 60.0
"""Seconds to wait after the first failure, and at most."""

_FORGET_FAILURES = 600.0
"""Seconds after which failures are forgotten."""


K = TypeVar("K")
V = TypeVar("V")


class BoundedDict(OrderedDict[K, V]):
    """A dictionary that holds at most `size` entries; setting one makes it the newest, and the oldest is dropped."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self.size:
            del self[next(iter(self))]


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

    def full_at(self, address: str) -> float:
        """When the bucket is full again if nothing is taken out, on the monotonic clock; in the past if it is full."""
        left, then = self._buckets.get(address, (self.burst, 0.0))
        return then + (self.burst - left) / self.rate

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


class TableLimiter(RateLimiter):
    """How often an address may open a table, save a board or have a match reviewed."""


class ConnectionLimit:
    """How many connections each address has open, and how many it may have."""

    def __init__(self, limit: int, exempt: str = "") -> None:
        """`exempt`: an address that is not limited, such as that of a proxy."""
        self.limit, self.exempt = limit, exempt
        self._open: dict[object, str] = {}  # connections, and whose they are
        self._counts: Counter[str] = Counter()

    def enter(self, connection: object, address: str) -> bool:
        """Count a connection that is opened; False if it is one too many."""
        group = address_group(address)
        if self._counts[group] >= self.limit and address != self.exempt:
            return False
        self._open[connection] = group
        self._counts[group] += 1
        return True

    def leave(self, connection: object) -> None:
        """The connection is closed; the second time nothing happens."""
        group = self._open.pop(connection, None)
        if group is not None:
            self._counts[group] -= 1
            if not self._counts[group]:
                del self._counts[group]


class FailureDelays:
    """After each failure an address must wait twice as long as after the one before."""

    def __init__(self) -> None:
        self._failures: BoundedDict[str, tuple[int, float]] = BoundedDict(MAX_ADDRESSES)  # how many, and until when

    def seconds_to_wait(self, address: str) -> float:
        """How long until the address may try again."""
        return max(0.0, self._failures.get(address, (0, 0.0))[1] - monotonic())

    def fail(self, address: str) -> None:
        """Count a failure; old ones are forgotten."""
        now = monotonic()
        count, until = self._failures.get(address, (0, 0.0))
        count = count + 1 if now < until + _FORGET_FAILURES else 1
        self._failures[address] = (count, now + min(_LONGEST_DELAY, FIRST_DELAY * 2.0 ** (count - 1)))

    def forget(self, address: str) -> None:
        """Start from the beginning: the address has succeeded."""
        self._failures.pop(address, None)
