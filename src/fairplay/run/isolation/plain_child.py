"""A child process on any system, with limits on time and output alone: threads read its pipes.

Nobody watches it, and it is not stopped while others are awaited.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from contextlib import suppress
from queue import Empty, Queue, SimpleQueue
from time import monotonic
from typing import IO, TypeAlias

from fairplay.core import Fault, FaultKind, Misbehaved
from fairplay.match.protocol import unsolicited_fault
from fairplay.run.isolation.child import CHUNK, SETTLE, Child, delete_folder
from fairplay.run.isolation.sandbox import Command, ProgramLimits
from fairplay.run.isolation.timing import Turns

Pieces: TypeAlias = "Queue[tuple[bool, bytes]]"
"""What it wrote, in pieces: to its standard output or not; an empty piece is the end."""

MAX_PIECES = 16
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
        self._pieces: Pieces = Queue(MAX_PIECES)
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        # The threads must not know this object: then it could never be forgotten.
        for work, *arguments in (
            (read_pieces, stdout, True, self._pieces),
            (read_pieces, stderr, False, self._pieces),
            (write_lines, stdin, self._lines),
        ):
            threading.Thread(target=work, args=arguments, daemon=True).start()
        self._finalizer = weakref.finalize(
            self, finish_process, self._process, self._pieces, self._lines, self._scratch, os.getpid()
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
            is_output, piece = self._pieces.get(timeout=SETTLE)
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
            kill_group(self._process)

    def end(self) -> None:
        if self._finalizer.alive:
            with suppress(Misbehaved):
                while not self._pieces.empty() and self._read_errors():
                    pass
            self._finalizer()


def start_process(program: Command, scratch: str) -> subprocess.Popen[bytes]:
    """EFFECT: starts the program in a group of its own, with pipes to it."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
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


KEPT_VARIABLES = ("PATH", "SYSTEMROOT", "PATHEXT", "COMSPEC")
"""What a program is told of the environment: where programs lie, and what Windows cannot do without."""


def read_pieces(stream: IO[bytes], is_output: bool, pieces: Pieces) -> None:
    """EFFECT: hands on what comes, until the end; runs in a thread of its own."""
    piece = b"?"
    with stream:
        while piece:
            try:
                piece = stream.read(CHUNK)
            except OSError:
                piece = b""
            pieces.put((is_output, piece))


def write_lines(stream: IO[bytes], lines: SimpleQueue[bytes | None]) -> None:
    """EFFECT: writes what is to be written, until None comes, and closes the stream; runs in a thread of its own."""
    with suppress(OSError), stream:
        while (line := lines.get()) is not None:
            while line:
                line = line[stream.write(line) :]


def finish_process(
    process: subprocess.Popen[bytes],
    pieces: Pieces,
    lines: SimpleQueue[bytes | None],
    scratch: str,
    owner: int,
) -> None:
    """EFFECT: ends the process and its group, lets the threads end, removes its scratch folder."""
    if os.getpid() != owner:  # a copy in a forked process is nobody's to end
        return
    kill_group(process)
    lines.put(None)
    with suppress(Empty):
        ends = 0
        while ends < 2:  # unless somebody keeps the pipes open
            ends += not pieces.get(timeout=SETTLE)[1]
    with suppress(subprocess.TimeoutExpired):
        process.wait(STUCK)
    delete_folder(scratch)


STUCK = 5.0
"""Seconds that a killed process may take to vanish: only the machine can hold it."""


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and what it started, as far as the system knows what that is."""
    with suppress(OSError):
        if sys.platform == "win32":
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True)
        else:
            os.killpg(process.pid, signal.SIGKILL)
    with suppress(OSError):
        process.kill()
