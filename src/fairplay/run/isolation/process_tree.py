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
    "count_files",
    "find_by_environment",
    "kill_all",
    "kill_tree",
    "list_tree",
    "measure_cpu",
    "measure_usage",
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
    try:
        threads = os.listdir(PROC / str(process) / "task")  # noqa: PTH208 - the names are wanted, and quickly
    except OSError:
        return
    for thread in threads:
        with suppress(OSError):
            yield from map(int, (PROC / str(process) / "task" / thread / "children").read_bytes().split())


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
    kill_all(tree)


def kill_all(processes: list[int]) -> None:
    """Kill all of `processes`; those that are gone already do no harm."""
    for process in processes:
        with suppress(OSError):
            os.kill(process, signal.SIGKILL)
