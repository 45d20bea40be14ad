"""A child process that is asked and replies, line by line, within limits: what is the same everywhere, and a plain one.

The plain one runs on any system, with limits on time and output alone.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from abc import ABC, abstractmethod
from contextlib import suppress
from queue import Empty, Queue, SimpleQueue
from time import monotonic
from typing import IO, TypeAlias

from fairplay.core import Fault, FaultKind, Misbehaved
from fairplay.match.protocol import unsolicited_fault
from fairplay.match.record import Isolation
from fairplay.run.isolation.command import Command
from fairplay.run.isolation.sandbox import ProgramLimits
from fairplay.run.isolation.timing import Turns

KEPT = 65_536
"""Bytes of its standard error that are kept: the last ones say most."""

CHUNK = 65_536

_SETTLE = 0.5
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
        ended = self.wait(_SETTLE)
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
        if self.resident > self.limits.memory or _NO_MEMORY.search(self.stderr[-TAIL:]):
            return f"more than {self.limits.memory} bytes of memory{self.last_lines()}"
        return None

    def last_lines(self) -> str:
        """What its author reads of its standard error in a fault."""
        lines = self.stderr.rstrip().splitlines()[-LINES:]
        return "; the last lines of its standard error:\n" + "\n".join(lines) if lines else ""

    @property
    def stderr(self) -> str:
        """What is kept of its standard error, without what could play tricks on a terminal."""
        return _UNSEEMLY.sub("\ufffd", bytes(self.errors[-KEPT:]).decode("utf-8", "replace"))


_UNSEEMLY = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but the tab and the line feed, and those that turn the direction of writing."""

LINES = 12
TAIL = 1_000
_NO_MEMORY = re.compile("MemoryError|bad_alloc|[Oo]ut of memory|Cannot allocate memory")
"""What programs say last that asked for more memory than they may have."""


def delete_folder(scratch: str) -> None:
    """Remove a scratch folder, if there is one."""
    if scratch:
        shutil.rmtree(scratch, ignore_errors=True)


# -- on any system -----------------------------------------------------------------------------

# Threads read its pipes.  Nobody watches it, and it is not stopped while others are awaited.

Pieces: TypeAlias = "Queue[tuple[bool, bytes]]"
"""What it wrote, in pieces: to its standard output or not; an empty piece is the end."""

_MAX_PIECES = 16
"""Pieces that are read before anyone wants them: a flood waits in its own pipe."""


class PlainChild(Child):
    """One program at work.  Its processes are ended together if the system has groups of them."""

    def __init__(self, program: Command, limits: ProgramLimits) -> None:
        """EFFECT: starts it."""
        super().__init__(limits, "process")
        self._scratch = tempfile.mkdtemp(prefix="fairplay-")
        try:
            self._process = start_process(program, self._scratch)
        except BaseException:
            delete_folder(self._scratch)
            raise
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin and stdout and stderr
        self._pieces: Pieces = Queue(_MAX_PIECES)
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        # The threads must not know this object: then it could never be forgotten.
        for work, *arguments in (
            (_read_pieces, stdout, True, self._pieces),
            (_read_pieces, stderr, False, self._pieces),
            (_write_lines, stdin, self._lines),
        ):
            threading.Thread(target=work, args=arguments, daemon=True).start()
        self._finalizer = weakref.finalize(
            self, _finish_process, self._process, self._pieces, self._lines, self._scratch, os.getpid()
        )

    def exchange(self, line: bytes, seconds: float, late: str) -> bytes:
        if (said := self._next_output(0)) is not None:
            raise unsolicited_fault(said) if said else self.death()
        return self.listen(seconds, late, line)

    def listen(self, seconds: float, late: str, rest: bytes = b"") -> bytes:
        begun = monotonic()
        until = begun + seconds
        if rest:
            self._lines.put(rest)
        try:
            return self._next_line(until, late)
        finally:
            self.charged = monotonic() - begun

    def _next_line(self, until: float, late: str) -> bytes:
        while True:
            piece = self._next_output(until - monotonic())
            if piece is None:
                raise Misbehaved(Fault(FaultKind.TIMED_OUT, late))
            if not piece:
                raise self.death()
            if line := self._take_output(piece):
                self.spoke = True
                return line

    def _next_output(self, seconds: float) -> bytes | None:
        """The next piece of its standard output, empty at the end; None if none comes in time."""
        until = monotonic() + seconds
        while True:
            try:
                is_output, piece = self._pieces.get(block=seconds > 0, timeout=max(until - monotonic(), 0.001))
            except Empty:
                return None
            if is_output:
                return piece
            self._take_errors(piece)

    def _read_errors(self) -> bool:
        try:
            is_output, piece = self._pieces.get(timeout=_SETTLE)
        except Empty:
            return False
        if not is_output:
            self._take_errors(piece)
        return bool(piece)

    def share(self, turns: Turns) -> None:
        """Nobody stops it here."""

    def wait(self, seconds: float) -> bool:
        if self.status is None and self._finalizer.alive:
            with suppress(subprocess.TimeoutExpired):
                self.status = self._process.wait(seconds)
        return self.status is not None

    def say_last(self, line: bytes) -> None:
        self._lines.put(line)
        self._lines.put(None)

    def kill(self) -> None:
        if self._finalizer.alive:
            _kill_group(self._process)

    def end(self) -> None:
        if self._finalizer.alive:
            with suppress(Misbehaved):
                while not self._pieces.empty() and self._read_errors():
                    pass
            self._finalizer()


def start_process(program: Command, scratch: str) -> subprocess.Popen[bytes]:
    """EFFECT: starts the program in a group of its own, with pipes to it."""
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    return subprocess.Popen(
        program.arguments,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd=program.folder,
        env={**kept, "LANG": "C.UTF-8", "HOME": scratch, "TMPDIR": scratch, "TEMP": scratch, **dict(program.variables)},
        start_new_session=True,  # does nothing on Windows
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )


_KEPT_VARIABLES = ("PATH", "SYSTEMROOT", "PATHEXT", "COMSPEC")
"""What a program is told of the environment: where programs lie, and what Windows cannot do without."""


def _read_pieces(stream: IO[bytes], is_output: bool, pieces: Pieces) -> None:
    """EFFECT: hands on what comes, until the end; runs in a thread of its own."""
    piece = b"?"
    with stream:
        while piece:
            try:
                piece = stream.read(CHUNK)
            except OSError:
                piece = b""
            pieces.put((is_output, piece))


def _write_lines(stream: IO[bytes], lines: SimpleQueue[bytes | None]) -> None:
    """EFFECT: writes what is to be written, until None comes, and closes the stream; runs in a thread of its own."""
    with suppress(OSError), stream:
        while (line := lines.get()) is not None:
            while line:
                line = line[stream.write(line) :]


def _finish_process(
    process: subprocess.Popen[bytes],
    pieces: Pieces,
    lines: SimpleQueue[bytes | None],
    scratch: str,
    owner: int,
) -> None:
    """EFFECT: ends the process and its group, lets the threads end, removes its scratch folder."""
    if os.getpid() != owner:  # a copy in a forked process is nobody's to end
        return
    _kill_group(process)
    lines.put(None)
    with suppress(Empty):
        ends = 0
        while ends < 2:  # unless somebody keeps the pipes open
            ends += not pieces.get(timeout=_SETTLE)[1]
    with suppress(subprocess.TimeoutExpired):
        process.wait(STUCK)
    delete_folder(scratch)


STUCK = 5.0
"""Seconds that a killed process may take to vanish: only the machine can hold it."""


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and what it started, as far as the system knows what that is."""
    with suppress(OSError):
        if sys.platform == "win32":
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True)
        else:
            os.killpg(process.pid, signal.SIGKILL)
    with suppress(OSError):
        process.kill()
