"""Who pays for the thinking of house players, and in which order those who wait are served."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from heapq import heapify, heappop, heappush
from time import monotonic
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

from fairplay.web.http.limits import RateLimiter

__all__ = ["Budgets", "FairQueue", "Payer"]

BURST: Final = 2.0
"""Minutes' worth of its budget that an address or a table may use at once."""

TABLE_SHARE: Final = 0.5
"""The share of an address's budget that one table may use."""


class Payer(Struct, frozen=True):
    """Whose CPU time is used: the address that opened a table, and the table; None: it is not limited."""

    address: str | None = None
    table: str | None = None

    @property
    def group(self) -> Hashable:
        """Those who share one turn: all tables of an address, one table of an unknown address, or the owner's."""
        return self if self.address is None else self.address


class Budgets:
    """The CPU time that addresses and tables may use."""

    def __init__(self, cpu: float) -> None:
        """`cpu`: CPU seconds a minute for the tables that one address has opened."""
        self.addresses = RateLimiter(cpu / 60, cpu * BURST)
        self.tables = RateLimiter(cpu / 60 * TABLE_SHARE, cpu * BURST * TABLE_SHARE)

    def seconds_to_wait(self, payer: Payer) -> float:
        """How long until there is CPU time again."""
        return max((limiter.seconds_to_wait(name) for limiter, name in self._limits(payer)), default=0.0)

    def spend(self, payer: Payer, seconds: float) -> None:
        """Charge for an answer."""
        for limiter, name in self._limits(payer):
            limiter.spend(name, seconds)

    def _limits(self, payer: Payer) -> list[tuple[RateLimiter, str]]:
        limits = ((self.addresses, payer.address), (self.tables, payer.table))
        return [(limiter, name) for limiter, name in limits if name is not None]

    def address_full_at(self, payer: Payer) -> float:
        """When the budget of the address is full again.  Where that is first, most is left: all grow alike."""
        return 0.0 if payer.address is None else self.addresses.full_at(payer.address)

    def table_full_at(self, payer: Payer) -> float:
        """The same of the table."""
        return 0.0 if payer.table is None else self.tables.full_at(payer.table)


SPARE: Final = 16
"""Entries that no longer count, of which so many and one for each item may lie in a heap."""

T = TypeVar("T")


class Ranking(Generic[T]):
    """Items by a key, the smallest first.  Keys may grow at any time; one that shrinks must be put in again."""

    def __init__(self, key: Callable[[T], Any]) -> None:
        self._key = key
        self._heap: list[tuple[Any, int, T]] = []
        self._newest: dict[T, int] = {}  # the number of the entry that counts; older ones are dropped when they come up
        self._count = 0

    def __len__(self) -> int:
        return len(self._newest)

    def put(self, item: T) -> None:
        """Add an item, or find its place again."""
        self._count += 1
        self._newest[item] = self._count
        heappush(self._heap, (self._key(item), self._count, item))
        if len(self._heap) > 2 * len(self._newest) + SPARE:
            self._heap = [entry for entry in self._heap if self._newest.get(entry[2]) == entry[1]]
            heapify(self._heap)

    def remove(self, item: T) -> bool:
        """Take an item out; False if it is not there any more."""
        return self._newest.pop(item, None) is not None

    def first(self) -> T | None:
        """The item with the smallest key."""
        while self._heap:
            key, number, item = self._heap[0]
            if self._newest.get(item) == number:
                if self._key(item) <= key:
                    return item
                self.put(item)  # its key has grown: it comes later
            heappop(self._heap)
        return None


class Waiting(Generic[T]):
    """Something that waits for its turn."""

    __slots__ = ("arrived", "item", "payer")

    def __init__(self, item: T, payer: Payer) -> None:
        self.item, self.payer, self.arrived = item, payer, monotonic()


class Group(Generic[T]):
    """Those who share one turn: what of theirs waits, and how many of their questions are being answered."""

    def __init__(self, key: Callable[[Waiting[T]], float]) -> None:
        self.waiting = Ranking(key)
        self.thinking = 0


class FairQueue(Generic[T]):
    """Questions that wait.  First comes the group that has fewest answered at the moment; among those the one that has
    most left of its budget, then the table that has; the oldest among equals.

    A budget that is full counts from then on like a question's arrival: who was full first, or came later, comes first.
    Finding the next one takes a number of steps that grows with the logarithm of how many wait.
    """

    def __init__(self, budgets: Budgets) -> None:
        self._budgets = budgets
        self._groups: dict[Hashable, Group[T]] = {}
        self._ready = Ranking(self._rank_group)  # those of which something waits
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, item: T, payer: Payer) -> Waiting[T]:
        waiting = Waiting(item, payer)
        self._find_group(payer).waiting.put(waiting)
        self._count += 1
        self._settle(payer)
        return waiting

    def remove(self, waiting: Waiting[T]) -> None:
        """Take something out, because it is its turn or nobody wants it any more; the second time nothing happens."""
        self._count -= self._find_group(waiting.payer).waiting.remove(waiting)
        self._settle(waiting.payer)

    def first(self) -> Waiting[T] | None:
        """Whose turn it is."""
        group = self._ready.first()
        return None if group is None else group.waiting.first()

    def count_thinking(self, payer: Payer) -> int:
        """How many questions of its group are being answered."""
        group = self._groups.get(payer.group)
        return 0 if group is None else group.thinking

    def begin(self, payer: Payer) -> None:
        """A question of this payer is being answered from now on."""
        self._find_group(payer).thinking += 1
        self._settle(payer)

    def end(self, payer: Payer) -> None:
        """It is answered."""
        self._find_group(payer).thinking -= 1
        self._settle(payer)

    def _find_group(self, payer: Payer) -> Group[T]:
        return self._groups.setdefault(payer.group, Group(self._rank_waiting))

    def _settle(self, payer: Payer) -> None:
        """Find the place of a group again, or forget it."""
        group = self._groups[payer.group]
        if group.waiting:
            self._ready.put(group)
            return
        self._ready.remove(group)
        if not group.thinking:
            del self._groups[payer.group]

    def _rank_waiting(self, waiting: Waiting[T]) -> float:
        return max(self._budgets.table_full_at(waiting.payer), waiting.arrived)

    def _rank_group(self, group: Group[T]) -> tuple[int, float]:
        first = group.waiting.first()
        assert first is not None, "only groups of which something waits are ranked"
        return group.thinking, max(self._budgets.address_full_at(first.payer), first.arrived)
