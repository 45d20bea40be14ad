"""The processes below a process: counted, weighed and ended, by what Linux tells in ``/proc``."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

__all__ = ["Weight", "end", "fell", "marked", "members", "weight"]

PROC: Final = Path("/proc")
PAGE: Final = os.sysconf("SC_PAGE_SIZE")
TICK: Final = os.sysconf("SC_CLK_TCK")
MANY: Final = 10_000
"""Processes that are looked at: more than any limit lets a program have."""


class Weight(NamedTuple):
    """What a tree of processes takes: their number, resident bytes, and seconds of CPU time so far."""

    processes: int
    resident: int
    cpu: float


def members(root: int) -> list[int]:
    """`root` and all processes below it, parents first."""
    found = [root]
    for process in found:  # grows while it is walked
        found += children(process)
        if len(found) > MANY:
            break
    return found


def children(process: int) -> Iterator[int]:
    try:
        threads = os.listdir(PROC / str(process) / "task")  # noqa: PTH208 - the names are wanted, and quickly
    except OSError:
        return
    for thread in threads:
        with suppress(OSError):
            yield from map(int, (PROC / str(process) / "task" / thread / "children").read_bytes().split())


def weight(processes: list[int]) -> Weight:
    """What these processes take together; those that have ended count for nothing."""
    count, resident, ticks = 0, 0, 0
    for process in processes:
        try:
            fields = (PROC / str(process) / "stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue
        count += 1
        ticks += sum(map(int, fields[11:15]))  # its own time and that of children it has waited for
        resident += int(fields[21]) * PAGE
    return Weight(count, resident, ticks / TICK)


def marked(mark: str) -> Iterator[int]:
    """The processes whose environment holds `mark`, wherever they have put themselves."""
    wanted = mark.encode()
    for entry in os.listdir(PROC):  # noqa: PTH208 - the names are wanted, and quickly
        if entry.isdigit():
            with suppress(OSError):
                if wanted in (PROC / entry / "environ").read_bytes():
                    yield int(entry)


def fell(root: int) -> None:
    """Kill `root`, its process group and everything below it.

    The group dies at one blow, however fast it grows; who has left the group is found below `root`.
    """
    found = members(root)
    with suppress(OSError):
        os.killpg(root, signal.SIGKILL)
    end(found)


def end(processes: list[int]) -> None:
    """Kill all of `processes`; those that are gone already do no harm."""
    for process in processes:
        with suppress(OSError):
            os.kill(process, signal.SIGKILL)
