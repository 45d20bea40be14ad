"""A child process on Linux, in a sandbox or with limits alone: watched while it is waited for, and nothing is left."""

import os
import resource
import secrets
import select
import signal
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic, sleep

from fairplay.core import Fault, FaultKind, Misbehaved
from fairplay.match.protocol import unsolicited_fault
from fairplay.match.record import Isolation
from fairplay.run.isolation import process_tree as tree
from fairplay.run.isolation.child import CHUNK, Child, delete_folder
from fairplay.run.isolation.command import Command
from fairplay.run.isolation.sandbox import MARK, PATH, ProgramLimits, launch_arguments, prepare_sandbox
from fairplay.run.isolation.timing import WATCHER, Charge, ReplyTime, Turns, Vigil


class LinuxChild(Child):
    """One program at work, watched through ``/proc``."""

    def __init__(self, program: Command, limits: ProgramLimits, level: Isolation) -> None:
        """EFFECT: starts it."""
        super().__init__(limits, level)
        self._owner, self._vigil = os.getpid(), Vigil(monotonic())
        self._lock = threading.Lock()  # between who asks it and who watches it
        self._mark = secrets.token_hex(16)
        self._scratch = "" if self.sandboxed else tempfile.mkdtemp(prefix="fairplay-")
        try:
            self._start(program)
        except BaseException:
            delete_folder(self._scratch)
            raise
        WATCHER.add(self)

    def _start(self, program: Command) -> None:
        if self.sandboxed:
            with prepare_sandbox(program, self.limits) as (arguments, given):
                self._process = start_process(arguments, program.folder, {"PATH": PATH}, given)
        else:
            arguments, environment = launch_arguments(program, self.limits, scratch=self._scratch, mark=self._mark)
            self._process = start_process(arguments, program.folder, environment)
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self.pid = self._process.pid
        self._stdin, self._stdout, self._stderr = (
            stream.fileno() for stream in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream, False)
        self._exit = os.pidfd_open(self.pid)  # tells of its end even if somebody else keeps its pipes
        self._poll = select.poll()
        for stream in (self._stdout, self._stderr, self._exit):
            self._poll.register(stream, select.POLLIN)
        # A player that is simply forgotten, or a program that ends early, must not leave a process behind.
        mark = None if self.sandboxed else self._mark
        self._finalizer = weakref.finalize(
            self, _finish_child, self._process, self._exit, self._scratch, mark, os.getpid()
        )

    # -- talking -------------------------------------------------------------------------------

    def exchange(self, line: bytes, seconds: float, late: str) -> bytes:
        begun = monotonic()
        with self._turn():
            self._check_silence()
            try:
                done = os.write(self._stdin, line)
            except BlockingIOError:
                done = 0
            except OSError:
                raise self.death() from None
            return self._listen(begun, seconds, late, line[done:])

    def listen(self, seconds: float, late: str, rest: bytes = b"") -> bytes:
        with self._turn():
            return self._listen(monotonic(), seconds, late, rest)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """While it owes an answer, it may work."""
        self._go_on(awaited=True)
        try:
            yield
        finally:
            self._vigil.awaited = False

    def _go_on(self, *, awaited: bool) -> None:
        """EFFECT: lets it go on where it was stopped."""
        with self._lock:
            if not self._vigil.let_go_on(monotonic(), awaited=awaited):
                return
            self._signal(signal.SIGCONT)
        WATCHER.wake()

    def _listen(self, begun: float, seconds: float, late: str, rest: bytes) -> bytes:
        if rest:
            self._poll.register(self._stdin, select.POLLOUT)
        time = ReplyTime(seconds, begun, self._start_charge)
        try:
            while True:
                now = monotonic()
                if time.is_up(now):
                    return self._just_in_time(late)
                ready = self._poll.poll(time.pause(now) * 1000 + 1)
                if not ready:
                    time.look()
                for stream, _ in ready:
                    if stream == self._stdout:
                        if line := self._read_line():
                            self.spoke = True
                            return line
                    elif stream == self._stderr:
                        self._read_errors()
                    elif stream == self._stdin:
                        rest = self._write(rest)
                    elif ready[0][0] != self._stdout:  # it has ended, and there is nothing left to read
                        raise self.death()
        finally:
            self.charged = time.charged(monotonic())
            if rest:
                with suppress(OSError, KeyError):
                    self._poll.unregister(self._stdin)

    def _start_charge(self) -> Charge:
        return Charge(lambda: tree.read_work(tree.list_tree(self.pid)), self._count_processors())

    def _count_processors(self) -> int:
        try:
            return len(os.sched_getaffinity(self.pid))
        except OSError:
            return 1

    def _just_in_time(self, late: str) -> bytes:
        """A line that lay there when the deadline came: if we looked too late, that is not the program's fault."""
        if self._poll.poll(0) and (line := self._read_line()):
            return line
        raise Misbehaved(Fault(FaultKind.TIMED_OUT, late))

    def _write(self, rest: bytes) -> bytes:
        try:
            rest = rest[os.write(self._stdin, rest) :]
        except BlockingIOError:
            return rest
        except OSError:
            raise self.death() from None
        if not rest:
            self._poll.unregister(self._stdin)
        return rest

    def _check_silence(self) -> None:
        """Nothing may be said before something was asked."""
        if self.exceeded:
            raise Misbehaved(Fault(FaultKind.EXCEEDED, self.exceeded))
        try:
            early = os.read(self._stdout, CHUNK)
        except BlockingIOError:
            return
        raise unsolicited_fault(early) if early else self.death()

    def _read_line(self) -> bytes | None:
        try:
            piece = os.read(self._stdout, CHUNK)
        except BlockingIOError:
            return None
        if not piece:
            raise self.death()
        return self._take_output(piece)

    def _read_errors(self) -> bool:
        try:
            piece = os.read(self._stderr, CHUNK)
        except OSError:
            return False
        if not piece:
            with suppress(OSError, KeyError):
                self._poll.unregister(self._stderr)
            return False
        self._take_errors(piece)
        return True

    # -- watching ------------------------------------------------------------------------------

    def share(self, turns: Turns) -> None:
        self._vigil.turns = turns

    def next_look(self) -> float:
        return self._vigil.next_look()

    def look(self, now: float) -> None:
        with self._lock:
            if self.exceeded or self.status is not None or not self._finalizer.alive:
                self._vigil.close()
                return
            processes = tree.list_tree(self.pid)
            inside = processes[1:] if self.sandboxed else processes
            stop = self._vigil.must_stop(now, tree.measure_cpu(inside), inside, lambda: tree.read_states(inside))
            if self._vigil.must_measure(now, stop=stop):
                self.weigh(processes)
            if stop:
                self._vigil.stopped = self._signal(signal.SIGSTOP)

    def _signal(self, number: int) -> bool:
        """EFFECT: stops it, or lets it go on; False while bubblewrap still builds its sandbox, and it cannot work."""
        if not self.sandboxed:
            tree.signal_tree(self.pid, number)
        elif group := self._group():
            with suppress(OSError):
                os.killpg(group, number)
        else:
            return False
        return True

    def _group(self) -> int:
        """The process group that everything in the sandbox belongs to; 0 while bubblewrap is still building it.

        Its first process makes it, and none of the others can leave it.
        """
        for first in tree.list_children(self.pid):
            with suppress(OSError):
                if os.getpgid(first) == first:
                    return first
        return 0

    def weigh(self, processes: list[int]) -> None:
        """See what it takes; who takes too much is ended, and told so when it is next waited for."""
        usage = tree.measure_usage(processes)
        self.cpu, self.resident = max(self.cpu, usage.cpu), max(self.resident, usage.resident)
        limits, held = self.limits, usage.resident
        if self.sandboxed:
            held += tree.measure_hidden(processes, usage, disk=limits.disk, files=limits.files)
        if usage.threads > limits.processes:
            self.exceeded = f"more than {limits.processes} processes and threads"
        elif held > limits.memory:
            self.exceeded = f"more than {limits.memory} bytes of memory"
        if self.exceeded:
            tree.kill_tree(self.pid)

    def measure_cpu(self) -> float:
        return max(self.cpu, tree.measure_cpu(tree.list_tree(self.pid))) if self.status is None else self.cpu

    # -- ending --------------------------------------------------------------------------------

    def wait(self, seconds: float) -> bool:
        if self.status is None and self._finalizer.alive:
            poll = select.poll()
            poll.register(self._exit, select.POLLIN)
            if poll.poll(seconds * 1000):
                with self._lock:  # from now on its number may be another process's
                    _, status, usage = os.wait4(self.pid, 0)
                    self.status = os.waitstatus_to_exitcode(status)
                self._process.returncode = self.status
                self.cpu = max(self.cpu, usage.ru_utime + usage.ru_stime)
                self.resident = max(self.resident, _own_peak(usage))
        return self.status is not None

    def say_last(self, line: bytes) -> None:
        assert self._process.stdin is not None
        self._go_on(awaited=False)
        with suppress(OSError):
            os.write(self._stdin, line)
            self._process.stdin.close()

    def kill(self) -> None:
        if self._finalizer.alive:
            tree.kill_tree(self.pid)

    def end(self) -> None:
        if not self._finalizer.alive:
            return
        if os.getpid() != self._owner:  # a copy in a forked process, where somebody may hold the locks for ever
            self._finalizer()
            return
        WATCHER.discard(self)
        with suppress(Misbehaved):
            while self._read_errors():
                pass
        with self._lock:
            if self.status is None:
                self.cpu = self.measure_cpu()
            self._finalizer()


_LOOKS = 200
ENOUGH = 4
PAUSE = 0.005
STUCK = 5.0
"""Seconds that a killed process may take to vanish: only the machine can hold it."""


def start_process(
    arguments: Sequence[str], folder: str, environment: dict[str, str], given: Sequence[int] = ()
) -> subprocess.Popen[bytes]:
    """EFFECT: starts a process in a session of its own, with pipes to it."""
    return subprocess.Popen(
        arguments,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd=folder,
        env=environment,
        start_new_session=True,
        pass_fds=given,
    )


def _own_peak(usage: resource.struct_rusage) -> int:
    """The most memory that an ended child had, as far as that can be told.

    Linux also counts what the child had before it became another program: a copy of us.  Less than that says nothing.
    """
    ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return usage.ru_maxrss * 1024 if usage.ru_maxrss > ours else 0


def _finish_child(process: subprocess.Popen[bytes], exit: int, scratch: str, mark: str | None, owner: int) -> None:
    """EFFECT: ends the process with everything below it, closes its pipes, removes its scratch folder.

    In a sandbox its processes die with the first one.  Without one they are looked for: by who started whom, and by
    the mark in their environment, for those that were left to nobody.
    """
    if os.getpid() != owner:  # a copy in a forked process is nobody's to end
        process.returncode = 0
        return
    if process.returncode is None:
        tree.kill_tree(process.pid)
    elif mark is not None:
        with suppress(OSError):  # its group may have outlived it
            os.killpg(process.pid, signal.SIGKILL)
    for stream in (process.stdin, process.stdout, process.stderr):
        assert stream is not None
        with suppress(OSError):
            stream.close()
    if mark is not None:
        _end_strays(f"{MARK}={mark}")
    if process.returncode is None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(STUCK)
    os.close(exit)
    delete_folder(scratch)


def _end_strays(mark: str) -> None:
    """EFFECT: kills what bears `mark`, until some looks have not seen any: while we look, one may start another."""
    unseen = 0
    for _ in range(_LOOKS):
        strays = [*tree.find_by_environment(mark)]
        unseen = 0 if strays else unseen + 1
        if unseen == ENOUGH:
            return
        tree.signal_all(strays, signal.SIGKILL)
        sleep(PAUSE)
