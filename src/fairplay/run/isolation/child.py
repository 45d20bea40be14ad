"""A child process that is asked and replies, line by line, within limits: what is the same on every system."""

import re
import shutil
import signal
from abc import ABC, abstractmethod

from fairplay.core import Fault, FaultKind, Misbehaved
from fairplay.match.protocol import unsolicited_fault
from fairplay.match.record import Isolation
from fairplay.run.isolation.sandbox import ProgramLimits
from fairplay.run.isolation.timing import Turns

KEPT = 65_536
"""Bytes of its standard error that are kept: the last ones say most."""

CHUNK = 65_536

SETTLE = 0.5
"""Seconds from the end of the output to the end of the process."""


class Child(ABC):
    """One program at work.  Everything it says and takes is bounded; `end` leaves nothing behind."""

    def __init__(self, limits: ProgramLimits, level: Isolation) -> None:
        self.limits, self.level = limits, level
        self.sandboxed = level == "sandboxed"
        self.errors = bytearray()  # the last part of its standard error
        self.written = 0  # bytes to standard output and error in all
        self.cpu, self.resident = 0.0, 0  # seconds and bytes, as seen last and at most; 0 if nobody can look
        self.status: int | None = None  # exit status, negative for a signal
        self.exceeded: str | None = None  # which limit it broke while nobody waited for it
        self.spoke = False  # it has said its first line
        self.charged = 0.0  # seconds for its last line: by the clock, unless the system tells what was not its fault
        self._held = bytearray()  # an unfinished line

    @abstractmethod
    def exchange(self, line: bytes, seconds: float, late: str) -> bytes:
        """Write `line`, and return the one line that comes back within `seconds`; raises Misbehaved."""

    @abstractmethod
    def listen(self, seconds: float, late: str, rest: bytes = b"") -> bytes:
        """The next line, and the only one, within `seconds`, writing `rest` meanwhile; raises Misbehaved."""

    @abstractmethod
    def wait(self, seconds: float) -> bool:
        """Has it ended by itself within `seconds`?"""

    @abstractmethod
    def say_last(self, line: bytes) -> None:
        """Write `line` if there is room for it, and nothing more ever."""

    @abstractmethod
    def kill(self) -> None:
        """Kill everything of it, and keep the rest: another thread may be reading its pipes."""

    @abstractmethod
    def end(self) -> None:
        """Kill everything of it, and let go of the rest.  Never waits for the pipes: somebody may hold them open."""

    @abstractmethod
    def share(self, turns: Turns) -> None:
        """Stand still while others of its match are awaited, if somebody can see to that."""

    def measure_cpu(self) -> float:
        """Seconds of CPU time so far, as precisely as the system tells; 0 if nobody can look."""
        return self.cpu

    @abstractmethod
    def _read_errors(self) -> bool:
        """Keep what it wrote to its standard error; was there anything?"""

    # -- what it says --------------------------------------------------------------------------

    def _take_output(self, piece: bytes) -> bytes | None:
        """The line that `piece` completes, if it does; raises Misbehaved."""
        self._count(len(piece))
        at = piece.find(b"\n")
        if at < 0 or len(self._held) + at > self.limits.message:
            self._held += piece
            if len(self._held) > self.limits.message:
                raise Misbehaved(Fault(FaultKind.EXCEEDED, f"a line of more than {self.limits.message} bytes"))
            return None
        if at + 1 < len(piece):
            raise unsolicited_fault(piece[at + 1 :], bytes(self._held) + piece[: at + 1])
        if not self._held:
            return piece
        line = bytes(self._held) + piece
        self._held.clear()
        return line

    def _take_errors(self, piece: bytes) -> None:
        """Keep the last part of its standard error; raises Misbehaved."""
        self.errors += piece
        if len(self.errors) > 2 * KEPT:
            del self.errors[:-KEPT]
        self._count(len(piece))

    def _count(self, size: int) -> None:
        self.written += size
        if self.written > self.limits.output:
            raise Misbehaved(Fault(FaultKind.EXCEEDED, f"more than {self.limits.output} bytes of output"))

    # -- its end -------------------------------------------------------------------------------

    def death(self) -> Misbehaved:
        """The fault of a program that ended, or closed its output, though something is awaited of it."""
        if self.exceeded:
            return Misbehaved(Fault(FaultKind.EXCEEDED, self.exceeded))
        ended = self.wait(SETTLE)
        while self._read_errors():
            pass
        if not ended:
            return Misbehaved(Fault(FaultKind.GONE, "it closed its standard input or output"))
        assert self.status is not None
        number = -self.status if self.status < 0 else self.status - 128 if self.sandboxed else 0
        number = number if number in {*signal.Signals} else 0
        if (limit := self.broken_limit(number)) is not None:
            return Misbehaved(Fault.of(FaultKind.EXCEEDED, limit))
        how = f"by {signal.Signals(number).name}" if number else f"with exit code {self.status}"
        when = "" if self.spoke else " before its hello"
        return Misbehaved(Fault.of(FaultKind.CRASHED, f"the program ended {how}{when}{self.last_lines()}"))

    def broken_limit(self, number: int) -> str | None:
        name = signal.Signals(number).name if number else ""
        if name == "SIGXCPU" or (name == "SIGKILL" and self.cpu >= self.limits.cpu):
            return f"more than {self.limits.cpu:g} s of CPU time"
        if name == "SIGXFSZ":
            return f"a file of more than {self.limits.disk} bytes"
        if self.resident > self.limits.memory or NO_MEMORY.search(self.stderr[-TAIL:]):
            return f"more than {self.limits.memory} bytes of memory{self.last_lines()}"
        return None

    def last_lines(self) -> str:
        """What its author reads of its standard error in a fault."""
        lines = self.stderr.rstrip().splitlines()[-LINES:]
        return "; the last lines of its standard error:\n" + "\n".join(lines) if lines else ""

    @property
    def stderr(self) -> str:
        """What is kept of its standard error, without what could play tricks on a terminal."""
        return UNSEEMLY.sub("\ufffd", bytes(self.errors[-KEPT:]).decode("utf-8", "replace"))


UNSEEMLY = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but the tab and the line feed, and those that turn the direction of writing."""

LINES = 12
TAIL = 1_000
NO_MEMORY = re.compile("MemoryError|bad_alloc|[Oo]ut of memory|Cannot allocate memory")
"""What programs say last that asked for more memory than they may have."""


def delete_folder(scratch: str) -> None:
    """Remove a scratch folder, if there is one."""
    if scratch:
        shutil.rmtree(scratch, ignore_errors=True)
