"""How much memory a program in a sandbox holds, wherever it hides it.

The kernel charges a process for the pages that it has mapped.  A program may hold memory in other places as well, and
each of them is closed by the filter of system calls (`seccomp`), or counted here:

| where                                    | what is done                                                            |
| ---                                      | ---                                                                     |
| pages of its processes                   | counted; pages that two of them share count twice                       |
| memfd, System V and POSIX shared memory  | refused by the filter                                                   |
| shared mappings without a file           | refused by the filter; there is no /dev/zero                            |
| files in the scratch folder, deleted too | counted: bytes, and `INODE_BYTES` for each file, however small          |
| pipes and socket pairs                   | counted: each open file as if it were a socket with full buffers        |
| descriptors on their way through sockets | refused by the filter                                                   |
| page tables, threads                     | counted, as if all addresses were in use                                |
| locks, watches, queues, keys, timers     | refused by the filter                                                   |

The sum of these must not be more than the limit.  Between two looks, a twentieth of a second apart, a program can take
more; each of its processes is kept from allocating more than twice the limit meanwhile.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from fairplay.run.isolation.mounts import SCRATCH
from fairplay.run.isolation.process_tree import PAGE_BYTES, TreeUsage, count_files

__all__ = ["measure_hidden"]

WRAPPERS: Final = 2
"""Processes of bubblewrap itself at the top of each tree: the one that waits for it, and the first one inside."""

INODE_BYTES: Final = 1_024
"""What the kernel keeps for a file in memory, beside its contents, and for its name."""

PIPE_PAGES: Final = 16


def measure_hidden(tree: list[int], usage: TreeUsage, *, disk: int, files: int) -> int:
    """How many bytes a sandbox holds beside the pages of its processes, at most.

    ASSUME `tree` begins with bubblewrap's own processes, parents first.  `disk` and `files` are its limits: what cannot
    be looked at counts as if it were full.
    """
    inside = tree[WRAPPERS:]
    opened = count_files(inside, unseen=files) * file_bytes()
    return usage.hidden + opened + (measure_scratch(inside[0], disk) if inside else 0)


@cache
def file_bytes() -> int:
    """The most that one open file can hold: a pipe its pages, a socket what is sent and not yet received."""
    sockets = 0
    with suppress(OSError, ValueError):
        sockets = int(Path("/proc/sys/net/core/wmem_default").read_text())
    return max(PIPE_PAGES * PAGE_BYTES, sockets + sockets // 4)  # it takes one piece more than fits


def measure_scratch(process: int, disk: int) -> int:
    """How many bytes the files hold in the scratch folder of the sandbox that `process` is in, deleted ones too."""
    try:
        found = os.statvfs(f"/proc/{process}/root{SCRATCH}")
    except PermissionError:
        return disk
    except OSError:
        return 0
    if found.f_blocks * found.f_frsize > disk + PAGE_BYTES:
        return 0  # it is not in its sandbox yet: this folder is the machine's
    return (found.f_blocks - found.f_bfree) * found.f_frsize + (found.f_files - found.f_ffree) * INODE_BYTES
