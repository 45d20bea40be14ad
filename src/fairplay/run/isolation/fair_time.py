"""How much of the time for which a program was awaited is charged to it.

By the clock, less the longest that any one of its threads stood ready while something else was run.  So an honest
program loses nothing to a busy machine, one that sleeps is charged for every second, and so is one whose threads keep
each other waiting: it is never charged less than its own CPU time, shared by the processors that it may use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fairplay.run.isolation.process_tree import TreeWork

__all__ = ["Charge", "ReplyTime"]

MOST: Final = 10
"""Times the limit, by the clock, that nobody is waited for any longer, whatever it is charged."""

QUICK: Final = 0.002
"""Seconds within which a reply is charged by the clock alone: less than it takes to find out what else was run."""

LOOK: Final = 0.05
"""Seconds between two looks at what the threads of a program do."""


class Charge:
    """What is charged from the moment when this is made."""

    def __init__(self, read: Callable[[], TreeWork], processors: int) -> None:
        """`read` tells what the program has done so far; it may run on so many processors at once."""
        self._read, self._processors = read, processors
        self._before = read()
        self._spent = self._stood = 0.0

    def look(self) -> None:
        """Take note of what its threads have done: of those that end before the next look, only this is known."""
        work = self._read()
        before = self._before.ready
        grown = (seconds - before.get(thread, 0.0) for thread, seconds in work.ready.items())
        self._stood = max(self._stood, max(grown, default=0.0))
        self._spent = max(self._spent, work.cpu - self._before.cpu)

    def seconds(self, elapsed: float) -> float:
        """What is charged if so many seconds have gone by, as of the last look."""
        return min(elapsed, max(elapsed - self._stood, self._spent / self._processors))


class ReplyTime:
    """The time that one reply takes: how long to wait for it, and what it is charged."""

    def __init__(self, limit: float, now: float, start_charge: Callable[[], Charge]) -> None:
        self._limit, self._begun, self._start_charge = limit, now, start_charge
        self._charge: Charge | None = None
        self._due = now + limit

    def pause(self, now: float) -> float:
        """How long to wait before the next `look`; at most until its time may be up."""
        return min(self._due - now, QUICK if self._charge is None else LOOK)

    def look(self) -> None:
        """Take note of what the program has done, because its reply has not come yet."""
        if self._charge is None:
            self._charge = self._start_charge()
        else:
            self._charge.look()

    def is_up(self, now: float) -> bool:
        """Is it charged for its whole limit?  If not, its time is up no sooner than after what is left of it."""
        if now < self._due:
            return False
        left = min(self._limit - self.charged(now), self._begun + MOST * self._limit - now)
        self._due = now + left
        return left <= 0

    def charged(self, now: float) -> float:
        """Seconds that the reply is charged so far."""
        elapsed = now - self._begun
        if self._charge is None:
            return elapsed
        self._charge.look()
        return self._charge.seconds(elapsed)
