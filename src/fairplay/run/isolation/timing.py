"""Time on the processors: when a program may work, and what it is charged.

One thread watches all programs of this process.  LAW: what a program takes is measured `WATCH` seconds
after the last time at the latest while it runs, whoever is awaited, and also while nobody is; and before it is stopped.

A program that owes no answer may not work once somebody else of its match has been awaited for `GRACE` seconds.  It is
looked at then, and after twice as long, and so on; as soon as its CPU time has grown from one look to the next, or it
has a process that it did not have, it is stopped until it is asked or told something.  One that only waits is left
alone, because a stop in the middle of `epoll_wait` makes that fail, and many a program ends then.

Kernels of house players let this thread run meanwhile, and Python lets it in after five milliseconds.

A reply is charged by the clock, less the longest that any one thread of the program stood ready while something else
was run.  So an honest program loses nothing to a busy machine, one that sleeps is charged for every second, and so is
one whose threads keep each other waiting: it is never charged less than its own CPU time, shared by the processors that
it may use.
"""

from __future__ import annotations

import math
import os
import threading
import weakref
from collections.abc import Callable, Iterable
from time import monotonic
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from fairplay.run.isolation.process_tree import TreeWork  # which no other system than Linux can load

# -- when a program may work -------------------------------------------------------------------

WATCH = 0.05
"""Seconds between two looks at a program that runs."""

GRACE = 0.002
"""Seconds for which somebody is awaited before the others have to stand still."""


class Turns:
    """Whose turn it is in one match, as far as its programs have to know: ``with turns:`` somebody is awaited."""

    def __init__(self, watcher: ProgramWatcher) -> None:
        self._watcher = watcher
        self.since: float | None = None  # when somebody began to be awaited; None: nobody is

    def __enter__(self) -> None:
        self.since = monotonic()
        if self._watcher.dozes:
            self._watcher.wake()

    def __exit__(self, *error: object) -> None:
        self.since = None


class Vigil:
    """When one program is looked at and measured next, and whether it has to stand still."""

    def __init__(self, now: float) -> None:
        self.turns: Turns | None = None  # of its match; None: it never has to stand still
        self.awaited = False  # it owes an answer
        self.stopped = False
        self._still = False  # it was stopped, and was seen to stand still
        self._looked = self._measured = now
        self._worked = 0.0  # seconds of CPU time at the last look
        self._alive = frozenset[int]()  # its processes at the last look

    def next_look(self) -> float:
        """By the clock of `monotonic`; infinite while there is nothing to see."""
        if self._still:
            return math.inf
        if self.stopped:
            return self._looked + GRACE
        since = self._others_turn()
        if since is None:
            return self._measured + WATCH
        return min(self._measured + WATCH, max(since + GRACE, 2 * self._looked - since))

    def must_stop(
        self, now: float, worked: float, processes: Iterable[int], read_states: Callable[[], frozenset[bytes]]
    ) -> bool:
        """Take a look: is it to be stopped, or stopped again?

        Its `processes` have `worked` for so many seconds of CPU time so far; `read_states` takes long.  A new one is
        work, too: what those took that have ended is not known, and one may hand its work to the next.
        """
        before, self._worked = self._worked, worked
        known, self._alive = self._alive, frozenset(processes)
        last, self._looked = self._looked, now
        since = self._others_turn()
        if self.stopped:
            self._still = read_states() <= _STANDING
            return not self._still  # one of them may have let another one go on, just before it stood still
        if since is None or last < since + GRACE:  # what it did in its own turn says nothing
            return False
        return worked - before > FREE_WORK or not self._alive <= known

    def must_measure(self, now: float, *, stop: bool) -> bool:
        """Is what it takes to be measured at this look, at which it is to be stopped or not?"""
        due = stop or now >= self._measured + WATCH
        if due:
            self._measured = now
        return due

    def _others_turn(self) -> float | None:
        """Since when somebody else of its match is awaited; None: it may work."""
        return None if self.awaited or self.turns is None else self.turns.since

    def let_go_on(self, now: float, *, awaited: bool) -> bool:
        """It may work from now on; was it stopped?"""
        self.awaited = awaited
        if not self.stopped:
            return False
        self.stopped = self._still = False
        self._measured = now  # when it was stopped, and it could not take more since
        return True

    def close(self) -> None:
        """There is nothing left to see."""
        self._still = True


FREE_WORK = 0.001
"""Seconds of CPU time from one look to the next for which nobody is stopped: for what follows an answer, or a timer."""

_STANDING = frozenset({b"T", b"t", b"Z", b"X"})
"""States of threads that stand still: stopped, or ended."""


class Watched(Protocol):
    """What is watched; `look` and `next_look` are called by the watcher alone."""

    def next_look(self) -> float:
        """When it has to be looked at next, by the clock of `monotonic`."""
        ...

    def look(self, now: float) -> None:
        """See what it takes, and whether it works when it should not; it is ended or stopped then."""
        ...


class ProgramWatcher:
    """Looks at programs as often as each of them needs it, in a thread that lives as long as there are any."""

    def __init__(self) -> None:
        self.dozes = False  # it may sleep past the moment at which somebody has to be stopped, unless it is woken
        self._watched: weakref.WeakSet[Watched] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._alarm = threading.Event()
        self._thread: threading.Thread | None = None
        self._owner = 0

    def add(self, watched: Watched) -> None:
        """EFFECT: starts the thread, if it is not at work."""
        with self._lock:
            if self._owner != os.getpid():  # a fork of this process has neither the thread nor the programs
                self._owner, self._thread = os.getpid(), None
                self._watched.clear()
            self._watched.add(watched)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
                self._thread.start()
        self.wake()

    def discard(self, watched: Watched) -> None:
        with self._lock:
            self._watched.discard(watched)
        self.wake()

    def wake(self) -> None:
        """Let it find out anew when it has to look at what."""
        self._alarm.set()

    def look_around(self, clock: Callable[[], float] = monotonic) -> float:
        """Look at all who are due; the seconds until the next one is."""
        with self._lock:
            watched = [*self._watched]
        due = math.inf
        for each in watched:
            if each.next_look() <= (now := clock()):
                each.look(now)
            due = min(due, each.next_look())
        return max(0.0, due - clock())

    def _run(self) -> None:
        while True:
            self._alarm.clear()
            self.dozes = True  # from before the look: what changes meanwhile must wake it
            pause = self.look_around()
            with self._lock:
                if not self._watched:
                    self._thread = None
                    return
            self.dozes = pause > GRACE
            self._alarm.wait(None if pause == math.inf else pause)


WATCHER = ProgramWatcher()
"""The one of this process."""


# -- what it is charged ------------------------------------------------------------------------

MOST = 10
"""Times the limit, by the clock, that nobody is waited for any longer, whatever it is charged."""

QUICK = 0.002
"""Seconds within which a reply is charged by the clock alone: less than it takes to find out what else was run."""

NOTE = 0.05
"""Seconds between two notes of what the threads of a program do while its reply is awaited."""


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
        return min(self._due - now, QUICK if self._charge is None else NOTE)

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
