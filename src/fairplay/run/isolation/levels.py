"""At which level this machine can run programs: sandboxed, or as plain processes."""

import logging
import platform
from functools import cache
from typing import NamedTuple

from fairplay.match.record import Isolation
from fairplay.run.isolation.sandbox import find_bubblewrap


class FoundLevel(NamedTuple):
    """The best level that this machine has for programs, and in one line why there is no better one."""

    level: Isolation
    reason: str = ""  # such as "bubblewrap is not installed"; empty if the level is the best there is


@cache
def find_level() -> FoundLevel:
    """The best level for programs on this machine, found out once by trying.  Warns if there is no sandbox."""
    reason = find_obstacle()
    if reason is None:
        return FoundLevel("sandboxed")
    logging.getLogger("fairplay").warning(
        "Warning: %s: programs run without a sandbox, as you, with limits on time and output only; let only programs "
        "play that you trust with your files.",
        reason,
    )
    return FoundLevel("process", reason)


def find_obstacle() -> str | None:
    """What keeps this machine from running programs in a sandbox, in one line; None if nothing does."""
    if platform.system() != "Linux":
        return "sandboxes need Linux"
    return find_bubblewrap().reason or None
