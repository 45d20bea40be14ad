"""The processes below a process: what they use, wherever they hide it, and their end, by what Linux tells in ``/proc``.

psutil finds children by reading every process of the machine: 50 times the cost of one look, and we look 20 times a
second at each program.

The kernel charges a process for the pages that it has mapped.  A program may hold memory in other places as well, and
each of them is closed by the filter of system calls (`sandbox`), or counted here:

| where                                    | what is done                                                            |
| ---                                      | ---                                                                     |
| pages of its processes                   | counted; pages that two of them share count twice                       |
| memfd, System V and POSIX shared memory  | refused by the filter                                                   |
| shared mappings without a file           | refused by the filter; there is no /dev/zero                            |
| files in the scratch folder, deleted too | counted: bytes, and `_INODE_BYTES` for each file, however small          |
| pipes and socket pairs                   | counted: each open file as if it were a socket with full buffers        |
| descriptors on their way through sockets | refused by the filter                                                   |
| page tables, threads                     | counted, as if all addresses were in use                                |
| locks, watches, queues, keys, timers     | refused by the filter                                                   |

The sum of these must not be more than the limit.  Between two looks, a twentieth of a second apart, a program can take
more; each of its processes is kept from allocating more than twice the limit meanwhile.
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from fairplay.run.isolation.mounts import SCRATCH

PROC = Path("/proc")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
MAX_PROCESSES = 10_000
"""Processes of a tree that are looked at: more than any limit lets a program have."""


class TreeUsage(NamedTuple):
    """What a tree of processes uses: their threads, resident bytes, seconds of CPU time so far, and hidden bytes."""

    threads: int
    resident: int
    cpu: float
    hidden: int = 0  # of the kernel, for their page tables, threads and open files: an upper bound


class TreeWork(NamedTuple):
    """What a tree of processes has done so far, in seconds: CPU time, and for how long each thread stood ready.

    A thread is ready while it could run and something else does.
    """

    cpu: float
    ready: dict[int, float]  # by thread; empty if the kernel does not tell


def list_tree(root: int) -> list[int]:
    """`root` and all processes below it, parents first."""
    tree = [root]
    for process in tree:  # grows while it is walked
        tree += list_children(process)
        if len(tree) > MAX_PROCESSES:
            break
    return tree


def list_children(process: int) -> Iterator[int]:
    """The processes that the threads of `process` started and that have not ended."""
    for thread in _list_threads(process):
        yield from map(int, _read_of_thread(process, thread, "children").split())


def _list_threads(process: int) -> list[str]:
    """The threads of a process by number; none if it has ended."""
    try:
        return os.listdir(f"/proc/{process}/task")  # noqa: PTH208 - the names are wanted, and quickly
    except OSError:
        return []


def _read_of_thread(process: int, thread: str, name: str) -> bytes:
    """What the kernel tells of a thread in the file `name`; nothing if it has ended, or if it does not tell."""
    try:
        file = os.open(f"/proc/{process}/task/{thread}/{name}", os.O_RDONLY)
    except OSError:
        return b""
    try:
        return os.read(file, _SHORT_FILE)
    except OSError:
        return b""
    finally:
        os.close(file)


_SHORT_FILE = 65_536
"""More bytes than such a file has, by far: it is read in one go."""


def read_states(processes: list[int]) -> frozenset[bytes]:
    """In which states the threads of these processes are, by the letters of ``ps``: R is running or ready to run."""
    states = set[bytes]()
    for process in processes:
        for thread in _list_threads(process):
            states.add(_read_of_thread(process, thread, "stat").rpartition(b") ")[2][:1])
    return frozenset(states - {b""})


def read_work(processes: list[int]) -> TreeWork:
    """What these processes have done so far; of those that have ended, what their parents have waited for."""
    ready, ticks = dict[int, float](), 0
    for process in processes:
        for thread in _list_threads(process):
            if found := _read_of_thread(process, thread, "schedstat").split():
                ready[int(thread)] = int(found[1]) / 1e9
        if fields := _read_of_thread(process, str(process), "stat").rpartition(b")")[2].split():
            ticks += sum(map(int, fields[13:15]))
    return TreeWork(measure_cpu(processes) + ticks / _TICKS_PER_SECOND, ready)


def measure_usage(processes: list[int]) -> TreeUsage:
    """What these processes use together; those that have ended count for nothing."""
    threads, resident, ticks, hidden = 0, 0, 0, 0
    for process in processes:
        try:
            fields = (PROC / str(process) / "stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue
        threads += int(fields[17])
        ticks += sum(map(int, fields[11:15]))  # its own time and that of children it has waited for
        resident += int(fields[21]) * _PAGE_BYTES
        hidden += int(fields[17]) * _THREAD_BYTES + int(fields[20]) // _ADDRESSES_PER_BYTE
    return TreeUsage(threads, resident, ticks / _TICKS_PER_SECOND, hidden)


def measure_cpu(processes: list[int]) -> float:
    """Seconds of CPU time that these processes have taken, to the microsecond; those that have ended not counted."""
    seconds = 0.0
    for process in processes:
        with suppress(OSError):
            seconds += time.clock_gettime(~process << 3 | _CPU_CLOCK)
    return seconds


_CPU_CLOCK = 2
"""The clock of a process in Linux's numbers for clocks: the inverted number of the process, and three bits."""

_THREAD_BYTES = 32_768
"""What the kernel keeps for a thread: a stack of 16 KiB, and what describes it."""

_ADDRESSES_PER_BYTE = 512
"""A page table of 4 KiB describes 2 MiB, whether they are in use or not."""


def _count_files(processes: list[int], *, unseen: int) -> int:
    """How many files these processes have open; one that does not let us look counts as if it had `unseen`."""
    count = 0
    for process in processes:
        try:
            count += len(os.listdir(PROC / str(process) / "fd"))  # noqa: PTH208 - the number is wanted, and quickly
        except PermissionError:
            count += unseen
        except OSError:
            continue
    return count


def find_by_environment(mark: str) -> Iterator[int]:
    """The processes whose environment holds `mark`, wherever they have put themselves."""
    wanted = mark.encode()
    for entry in os.listdir(PROC):  # noqa: PTH208 - the names are wanted, and quickly
        if entry.isdigit():
            with suppress(OSError):
                if wanted in (PROC / entry / "environ").read_bytes():
                    yield int(entry)


def kill_tree(root: int) -> None:
    """Kill `root`, its process group and everything below it.

    The group dies at one blow, however fast it grows; a process that has left the group is found below `root`.
    """
    tree = list_tree(root)
    with suppress(OSError):
        os.killpg(root, signal.SIGKILL)
    signal_all(tree, signal.SIGKILL)


def signal_tree(root: int, number: int) -> None:
    """Send the signal with this number to `root`, its process group and everything below it, until two looks agree.

    LIMIT: a process that has left the group, and whose parent has ended, is not found.
    """
    with suppress(OSError):
        os.killpg(root, number)
    found: list[int] = []
    while (tree := list_tree(root)) != found and len(tree) <= MAX_PROCESSES:
        signal_all(tree, number)
        found = tree


def signal_all(processes: list[int], number: int) -> None:
    """Send the signal with this number to all of `processes`; those that are gone already do no harm."""
    for process in processes:
        with suppress(OSError):
            os.kill(process, number)


# -- memory that is in no process --------------------------------------------------------------

_WRAPPERS = 2
"""Processes of bubblewrap itself at the top of each tree: the one that waits for it, and the first one inside."""

_INODE_BYTES = 1_024
"""What the kernel keeps for a file in memory, beside its contents, and for its name."""

_PIPE_PAGES = 16


def measure_hidden(tree: list[int], usage: TreeUsage, *, disk: int, files: int) -> int:
    """How many bytes a sandbox holds beside the pages of its processes, at most.

    ASSUME `tree` begins with bubblewrap's own processes, parents first.  `disk` and `files` are its limits: what cannot
    be looked at counts as if it were full.
    """
    inside = tree[_WRAPPERS:]
    opened = _count_files(inside, unseen=files) * _file_bytes()
    return usage.hidden + opened + (_measure_scratch(inside[0], disk) if inside else 0)


@cache
def _file_bytes() -> int:
    """The most that one open file can hold: a pipe its pages, a socket what is sent and not yet received."""
    sockets = 0
    with suppress(OSError, ValueError):
        sockets = int(Path("/proc/sys/net/core/wmem_default").read_text())
    return max(_PIPE_PAGES * _PAGE_BYTES, sockets + sockets // 4)  # it takes one piece more than fits


def _measure_scratch(process: int, disk: int) -> int:
    """How many bytes the files hold in the scratch folder of the sandbox that `process` is in, deleted ones too."""
    try:
        found = os.statvfs(f"/proc/{process}/root{SCRATCH}")
    except PermissionError:
        return disk
    except OSError:
        return 0
    if found.f_blocks * found.f_frsize > disk + _PAGE_BYTES:
        return 0  # it is not in its sandbox yet: this folder is the machine's
    return (found.f_blocks - found.f_bfree) * found.f_frsize + (found.f_files - found.f_ffree) * _INODE_BYTES
