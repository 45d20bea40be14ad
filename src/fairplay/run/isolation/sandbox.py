"""Where a program runs: limits on what it may take, and bubblewrap with a filter around it if that works.

Inside bubblewrap a program has namespaces of its own: it sees its own processes only, no network, a read-only file
system that holds the system's programs and what belongs to the program itself, and a scratch folder of bounded size.
When its first process ends, the kernel ends all the others.  Without bubblewrap only the limits are left.
"""

import errno
import logging
import os
import platform
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from math import ceil
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

from msgspec import Struct

from fairplay.match.protocol import LONGEST
from fairplay.match.record import Isolation
from fairplay.run.isolation.command import Command
from fairplay.run.isolation.mounts import SCRATCH, show_covers, show_paths, system_folders

MIB = 1 << 20


class ProgramLimits(Struct, frozen=True):
    """What one program may take in one match; seconds and bytes."""

    start: float = 30.0  # until it has said hello, on a machine that may be busy
    bank: float = 1_200.0  # for all its replies together
    parting: float = 1.0  # to end by itself after the last line
    cpu: float = 600.0  # of each process
    memory: int = 512 * MIB  # resident in all; each process may allocate twice as much
    message: int = LONGEST  # one line
    output: int = 64 * MIB  # everything it writes to its standard output and error
    disk: int = 64 * MIB  # one file, and the scratch folder of a sandbox
    files: int = 256  # open at once
    processes: int = 64  # and threads


OPTIONS = (
    *("--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"),
    *("--uid", "1000", "--gid", "1000", "--hostname", "sandbox"),
)


# -- the sandbox -------------------------------------------------------------------------------


class Bubblewrap(NamedTuple):
    """How to call bubblewrap; an empty command, and the reason in one line, if that does not work."""

    command: tuple[str, ...]
    reason: str = ""


@cache
def find_bubblewrap() -> Bubblewrap:
    """How to call bubblewrap on this machine, tried once: in many containers it is installed and does not work."""
    found = shutil.which("bwrap")
    if found is None:
        return Bubblewrap((), "bubblewrap is not installed")
    if find_filter() is None:
        return Bubblewrap((), "libseccomp is not installed")
    reason = ""
    for extra in (("--disable-userns",), ()):  # older ones do not know that option
        command = (found, *OPTIONS, *extra)
        reason = try_bubblewrap(command)
        if not reason:
            return Bubblewrap(command)
    return Bubblewrap((), f"bubblewrap does not work here ({reason})")


TRIAL_SECONDS = 20.0


def try_bubblewrap(command: Sequence[str]) -> str:
    """Why bubblewrap cannot be called so, in one line; empty if it can."""
    try:
        with prepare_sandbox(Command(("true",), "/"), ProgramLimits(), command) as (arguments, given):
            trial = subprocess.Popen(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env={"PATH": PATH},
                pass_fds=given,
                start_new_session=True,
            )
    except OSError as error:
        return str(error)
    with trial:
        try:
            said = trial.communicate(timeout=TRIAL_SECONDS)[1]
        except subprocess.TimeoutExpired as error:
            os.killpg(trial.pid, signal.SIGKILL)  # all of it: the part inside would wait for the one outside for ever
            return str(error)
    lines = said.decode("utf-8", "replace").splitlines()
    return "" if trial.returncode == 0 else lines[-1] if lines else f"exit code {trial.returncode}"


def launch_arguments(
    program: Command, limits: ProgramLimits, *, scratch: str, mark: str
) -> tuple[list[str], dict[str, str]]:
    """The arguments and the environment that start `program` as a plain process, with limits alone.

    ASSUME `scratch` is a folder of this program's own.
    """
    environment = {"PATH": PATH, "LANG": "C.UTF-8", "HOME": scratch, "TMPDIR": scratch, MARK: mark}
    environment.update(program.variables)
    return [*_dies_with_us(), *_limit_arguments(limits, alone=False), *program.arguments], environment


@contextmanager
def prepare_sandbox(
    program: Command, limits: ProgramLimits, command: Sequence[str] | None = None
) -> Iterator[tuple[list[str], list[int]]]:
    """The arguments that start `program` in a sandbox, and the descriptors that must be passed on to it.

    ASSUME bubblewrap works, called as `command` says or else as was found out.
    """
    filter = find_filter()
    assert filter is not None, "without a filter there is no sandbox"
    bubblewrap, *ways = command or find_bubblewrap().command
    given = [_open_text(filter)]
    try:
        if program.proc:
            given.append(_open_text(_describe_memory(limits)))
        options = [
            *ways,
            *("--seccomp", str(given[0])),
            *system_folders(limits.disk),
            *_kernel_files(proc=program.proc),
            *(("--ro-bind-data", str(given[1]), "/proc/meminfo") if program.proc else ()),
            *("--dir", program.folder, *show_paths(program.shown), *show_covers(program.covers)),
            *("--remount-ro", "/", "--chdir", program.folder),
            *(word for name, value in variables(program).items() for word in ("--setenv", name, value)),
        ]
        given.append(_open_text("".join(f"{option}\0" for option in options).encode(errors="surrogateescape")))
        words = (*_limit_arguments(limits, alone=True), *program.arguments)
        # A program can read the command line of its first process, which is bubblewrap.
        yield [bubblewrap, "--args", str(given[-1]), "--", *words], given
    finally:
        for each in given:
            os.close(each)


def variables(program: Command) -> dict[str, str]:
    """The environment of a program in a sandbox."""
    return {"PATH": PATH, "LANG": "C.UTF-8", "HOME": SCRATCH, "TMPDIR": SCRATCH, **dict(program.variables)}


def _open_text(text: bytes) -> int:
    """A descriptor from which `text` can be read."""
    given = os.memfd_create("given")
    os.write(given, text)
    os.lseek(given, 0, os.SEEK_SET)
    return given


def _describe_memory(limits: ProgramLimits) -> bytes:
    """``/proc/meminfo`` of a machine that has what the program may use: virtual machines choose their heap by it."""
    names = ("MemTotal", "MemFree", "MemAvailable")
    return "".join(f"{name}: {limits.memory // 1024} kB\n" for name in names).encode()


@cache
def _kernel_files(*, proc: bool) -> tuple[str, ...]:
    """Options for the few devices of a sandbox, and for its ``/proc``, which tells of its own processes only."""
    devices = [word for name in _DEVICES for word in ("--dev-bind", f"/dev/{name}", f"/dev/{name}")]
    if not proc:
        return tuple(devices)
    links = [word for name, path in _STREAMS.items() for word in ("--symlink", f"/proc/self/{path}", f"/dev/{name}")]
    return (*devices, *links, "--proc", "/proc", *_hide_machine())


def _hide_machine() -> Iterator[str]:
    """Options that cover whatever in ``/proc`` tells of the machine, and so of other programs: load, keys, locks ..."""
    for path in sorted(Path("/proc").iterdir()):
        if path.name.isdigit() or path.name in SHOWN or path.is_symlink():
            continue
        if path.is_dir():
            yield from ("--tmpfs", str(path), "--remount-ro", str(path))
        else:
            yield from ("--ro-bind", "/dev/null", str(path))  # which cannot be opened there


_DEVICES = ("null", "random", "urandom")
"""The devices of a sandbox.  /dev/zero would be memory that nobody is charged for."""

_STREAMS = {"fd": "fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2"}

SHOWN = ("cpuinfo", "filesystems", "meminfo", "version")
"""What virtual machines read in ``/proc`` besides what is their own."""

MARK = "FAIRPLAY_PROGRAM"
PATH = "/usr/local/bin:/usr/bin:/bin"


def _limit_arguments(limits: ProgramLimits, *, alone: bool) -> list[str]:
    """What sets the limits of a process before it becomes the program; nothing if that tool is missing.

    Linux counts processes per user, so outside a user namespace of its own a program would be charged for everything
    that its user runs.  Root is never charged.  Therefore its processes are also counted while a reply is awaited.
    """
    tool = shutil.which("prlimit", path=PATH)
    if tool is None:
        return []
    cpu = ceil(limits.cpu)
    return [
        tool,
        f"--data={2 * limits.memory}",
        f"--as={16 * limits.memory}",  # virtual machines reserve far more than they ever use
        f"--cpu={cpu}:{cpu + 1}",
        f"--fsize={limits.disk}",
        f"--nofile={limits.files}",
        *([f"--nproc={limits.processes}"] if alone else []),
        "--core=0",
        "--",
    ]


def _dies_with_us() -> list[str]:
    """What ends a program without a sandbox when the referee is killed."""
    tool = shutil.which("setpriv", path=PATH)
    return [] if tool is None else [tool, "--pdeathsig", "KILL", "--no-new-privs", "--"]


# -- the filter of system calls ----------------------------------------------------------------

# Which calls a program may make; libseccomp builds the filter for bubblewrap once.
#
# What is not listed is answered with an error, so that runtimes fall back on something else; nothing is ever killed.
# The list holds what interpreters, virtual machines and compiled programs need to compute, to read their own files, to
# write into their scratch folder and to have threads and children.  It leaves out whatever outlives a process or can be
# shared with a stranger (keyrings, shared memory, locks, watches on files, the page cache), whatever holds memory that
# nobody counts, every socket but a pair, and whatever changes the machine.

CALLS = """
    read write readv writev pread64 pwrite64 preadv pwritev lseek close close_range
    open openat creat access faccessat faccessat2 stat fstat lstat newfstatat statx readlink readlinkat
    getdents getdents64 getcwd chdir fchdir umask
    rename renameat renameat2 mkdir mkdirat rmdir link linkat unlink unlinkat symlink symlinkat
    chmod fchmod fchmodat truncate ftruncate fallocate utime utimes utimensat futimesat
    dup dup2 dup3 pipe pipe2 poll ppoll select pselect6 copy_file_range sendfile
    epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2
    signalfd signalfd4 timerfd_create timerfd_settime timerfd_gettime
    sendto recvfrom recvmsg shutdown getsockname getpeername getsockopt

    brk munmap mremap mprotect
    futex set_robust_list get_robust_list set_tid_address rseq membarrier arch_prctl
    fork vfork execve exit exit_group wait4 waitid
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait sigaltstack restart_syscall
    pause alarm setitimer getitimer

    clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times getrusage
    getrandom uname getcpu
    getpid gettid getppid getpgrp getpgid getsid
    getuid geteuid getgid getegid getresuid getresgid getgroups capget
    getrlimit setrlimit prlimit64 getpriority setpriority
    sched_yield sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min
"""
"""What a program may call with any arguments."""


class Condition(NamedTuple):
    """A call of which one argument, under a mask, must have one of some values."""

    call: str
    argument: int
    values: tuple[int, ...]
    mask: int = 0xFFFF_FFFF
    first: int | None = None  # what its first argument must be besides


_NAMESPACES = 0x7E02_0080  # all CLONE_NEW*
CLONE_FILES, CLONE_THREAD = 0x400, 0x1_0000
MAP_SHARED, MAP_ANONYMOUS = 0x1, 0x20
AF_UNIX, SOCK_STREAM, SOCK_TYPES = 1, 1, 0xF
SIGCONT, SIGNAL_BITS = 18, (1, 2, 4, 8, 16, 32, 64)

_CONDITIONS = (
    # Children and threads, but no namespaces, and no thread with open files that nobody would count.
    Condition("clone", 0, (0, CLONE_FILES, CLONE_FILES | CLONE_THREAD), _NAMESPACES | CLONE_FILES | CLONE_THREAD),
    # Shared memory without a file can be let go of and kept: no process is charged for it.
    Condition("mmap", 3, (0, MAP_SHARED, MAP_ANONYMOUS), MAP_SHARED | MAP_ANONYMOUS),
    # To copy a descriptor, to see and set its flags: no locks, leases and watches, no larger pipes.
    Condition("fcntl", 1, (0, 1, 2, 3, 4, 1030, 1032)),
    # To ask whether it is a terminal, its size, how much there is to read; blocking or not; to be closed on exec.
    Condition("ioctl", 1, (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x802C_542A)),
    # Advice on its own memory, but nothing that moves pages of files in and out of memory, or merges pages.
    Condition("madvise", 2, (0, 1, 2, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19, 22, 23, 24, 25)),
    # Names of threads, signals when the parent ends, no new privileges, huge pages, names of memory.
    Condition("prctl", 0, (1, 2, 3, 15, 16, 21, 23, 29, 30, 38, 39, 41, 42, 0x5356_4D41)),
    # A stream can neither be connected to anything else nor be sent to an address.
    Condition("socketpair", 1, (SOCK_STREAM,), SOCK_TYPES, first=AF_UNIX),
    # Any signal but SIGCONT, from which one bit at least differs: who is stopped is not woken by an accomplice.
    *(
        Condition(call, argument, (bit & ~SIGCONT,), bit)
        for call, argument in (("kill", 1), ("tkill", 1), ("tgkill", 2))
        for bit in SIGNAL_BITS
    ),
)
"""What a program may call with some arguments only."""

_ANSWERS: Mapping[int, tuple[str, ...]] = {
    0: ("fsync", "fdatasync", "msync"),  # the scratch folder is memory; other people's files are not to be flushed
    errno.EAFNOSUPPORT: ("socket",),
    errno.EOPNOTSUPP: ("getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr", "flistxattr", "setxattr"),
    errno.EPERM: (
        *("ptrace", "process_vm_readv", "process_vm_writev", "bpf", "perf_event_open", "userfaultfd", "unshare"),
        *("setns", "mount", "umount2", "pivot_root", "chroot", "chown", "fchown", "lchown", "fchownat", "setuid"),
        *("setgid", "setreuid", "setregid", "setresuid", "setresgid", "setgroups", "capset", "add_key", "keyctl"),
        *("request_key", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "setsockopt", "sendmsg"),
        *("connect", "bind", "listen", "accept", "accept4", "shmget", "semget", "msgget", "mknod", "mknodat"),
        *("personality", "flock"),
        *("setsid", "setpgid"),  # it is stopped as one process group
    ),
}
"""What is refused with another error than ENOSYS: calls that every kernel has, so that nobody is prepared for that."""


@cache
def find_filter() -> bytes | None:
    """The filter as bubblewrap reads it, built once; None if libseccomp is missing."""
    try:
        return _build_filter()
    except (ImportError, OSError, RuntimeError):  # pyseccomp raises the last one if there is no library
        return None


def _build_filter() -> bytes:
    """The filter as a program for the kernel; raises ImportError or RuntimeError if libseccomp is missing."""
    import pyseccomp  # here: importing it loads the library

    made = pyseccomp.SyscallFilter(pyseccomp.ERRNO(errno.ENOSYS))
    made.set_attr(pyseccomp.Attr.ACT_BADARCH, pyseccomp.ERRNO(errno.ENOSYS))  # calls of 32-bit programs, and of x32
    for call in CALLS.split():
        _add_rule(made, pyseccomp.ALLOW, call)
    for answer, calls in _ANSWERS.items():
        for call in calls:
            _add_rule(made, pyseccomp.ERRNO(answer), call)
    for condition in _CONDITIONS:
        first = [] if condition.first is None else [pyseccomp.Arg(0, pyseccomp.EQ, condition.first)]
        for value in condition.values:
            wanted = pyseccomp.Arg(condition.argument, pyseccomp.MASKED_EQ, condition.mask, value)
            _add_rule(made, pyseccomp.ALLOW, condition.call, *first, wanted)
    with TemporaryFile() as file:
        made.export_bpf(file)
        file.seek(0)
        return file.read()


def _add_rule(made: Any, action: int, call: str, *arguments: object) -> None:
    """Add a rule, unless libseccomp has never heard of the call: then it is refused like everything unknown."""
    import pyseccomp

    number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, call)
    if number != UNKNOWN:
        made.add_rule(action, number, *arguments)


UNKNOWN = -1
"""The number of a call that libseccomp does not know."""


# -- at which level this machine can run programs ----------------------------------------------


class FoundLevel(NamedTuple):
    """The best level that this machine has for programs, and in one line why there is no better one."""

    level: Isolation
    reason: str = ""  # such as "bubblewrap is not installed"; empty if the level is the best there is


@cache
def find_level() -> FoundLevel:
    """The best level for programs on this machine, found out once by trying.  Warns if there is no sandbox."""
    reason = _find_obstacle()
    if reason is None:
        return FoundLevel("sandboxed")
    logging.getLogger("fairplay").warning(
        "Warning: %s: programs run without a sandbox, as you, with limits on time and output only; let only programs "
        "play that you trust with your files.",
        reason,
    )
    return FoundLevel("process", reason)


def _find_obstacle() -> str | None:
    """What keeps this machine from running programs in a sandbox, in one line; None if nothing does."""
    if platform.system() != "Linux":
        return "sandboxes need Linux"
    return find_bubblewrap().reason or None
