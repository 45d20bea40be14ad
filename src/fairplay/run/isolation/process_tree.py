"""The processes below a process: what they use, and their end, by what Linux tells in ``/proc``.

psutil finds children by reading every process of the machine: 50 times the cost of one look, and we look 20 times a
second at each program.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

__all__ = [
    "TreeUsage",
    "TreeWork",
    "count_files",
    "find_by_environment",
    "kill_tree",
    "list_tree",
    "measure_cpu",
    "measure_usage",
    "read_states",
    "read_work",
    "signal_all",
    "signal_tree",
]

PROC: Final = Path("/proc")
PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")
TICKS_PER_SECOND: Final = os.sysconf("SC_CLK_TCK")
MAX_PROCESSES: Final = 10_000
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
    ready: dict[int, float]  # by thread; empty where the kernel does not tell


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
    for thread in list_threads(process):
        yield from map(int, read_of_thread(process, thread, "children").split())


def list_threads(process: int) -> list[str]:
    """The threads of a process by number; none where it has ended."""
    try:
        return os.listdir(f"/proc/{process}/task")  # noqa: PTH208 - the names are wanted, and quickly
    except OSError:
        return []


def read_of_thread(process: int, thread: str, name: str) -> bytes:
    """What the kernel tells of a thread in the file `name`; nothing where it has ended, or where it does not tell."""
    try:
        file = os.open(f"/proc/{process}/task/{thread}/{name}", os.O_RDONLY)
    except OSError:
        return b""
    try:
        return os.read(file, SHORT_FILE)
    except OSError:
        return b""
    finally:
        os.close(file)


SHORT_FILE: Final = 65_536
"""More bytes than such a file has, by far: it is read in one go."""


def read_states(processes: list[int]) -> frozenset[bytes]:
    """In which states the threads of these processes are, by the letters of ``ps``: R is running or ready to run."""
    states = set[bytes]()
    for process in processes:
        for thread in list_threads(process):
            states.add(read_of_thread(process, thread, "stat").rpartition(b") ")[2][:1])
    return frozenset(states - {b""})


def read_work(processes: list[int]) -> TreeWork:
    """What these processes have done so far; of those that have ended, what their parents have waited for."""
    ready, ticks = dict[int, float](), 0
    for process in processes:
        for thread in list_threads(process):
            if found := read_of_thread(process, thread, "schedstat").split():
                ready[int(thread)] = int(found[1]) / 1e9
        if fields := read_of_thread(process, str(process), "stat").rpartition(b")")[2].split():
            ticks += sum(map(int, fields[13:15]))
    return TreeWork(measure_cpu(processes) + ticks / TICKS_PER_SECOND, ready)


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
        resident += int(fields[21]) * PAGE_BYTES
        hidden += int(fields[17]) * THREAD_BYTES + int(fields[20]) // ADDRESSES_PER_BYTE
    return TreeUsage(threads, resident, ticks / TICKS_PER_SECOND, hidden)


def measure_cpu(processes: list[int]) -> float:
    """Seconds of CPU time that these processes have taken, to the microsecond; those that have ended not counted."""
    seconds = 0.0
    for process in processes:
        with suppress(OSError):
            seconds += time.clock_gettime(~process << 3 | CPU_CLOCK)
    return seconds


CPU_CLOCK: Final = 2
"""The clock of a process in Linux's numbers for clocks: the inverted number of the process, and three bits."""

THREAD_BYTES: Final = 32_768
"""What the kernel keeps for a thread: a stack of 16 KiB, and what describes it."""

ADDRESSES_PER_BYTE: Final = 512
"""A page table of 4 KiB describes 2 MiB, whether they are in use or not."""


def count_files(processes: list[int], *, unseen: int) -> int:
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
