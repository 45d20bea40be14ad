"""The folder with compiled kernels, in the cache folder of the user.

What lies there is executed.  So nobody else may write to it, and programs that play see it read-only: a sandbox shows
it to them, and `FOLDER` tells them where it is.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

FOLDER = "FAIRPLAY_KERNELS"
"""The variable that names the folder to programs that play; they only read it."""


class CacheFolder(NamedTuple):
    """Where to look for compiled code; why not, in one sentence, if `path` is None."""

    path: Path | None
    writable: bool = False
    reason: str = ""


def cache_place() -> Path:
    """Where compiled kernels are kept, whether there are any or not."""
    if given := os.environ.get(FOLDER):
        return Path(given)
    home = os.environ.get("XDG_CACHE_HOME")
    base = Path(home) if home and Path(home).is_absolute() else Path(os.path.expanduser("~/.cache"))  # noqa: PTH111 - it never fails
    return base / "fairplay" / "kernels"


def open_cache(key: str) -> CacheFolder:
    """The folder for code with this key, made if that is needed; without a path if it cannot be trusted."""
    place, given = cache_place(), bool(os.environ.get(FOLDER))
    try:
        if not given:
            place.parent.mkdir(parents=True, exist_ok=True)
            for folder in (place, place / key):
                folder.mkdir(mode=0o700, exist_ok=True)
        for folder in (place, place / key):
            if not belongs_to_us(folder):
                return CacheFolder(None, reason=f"{folder} is not a folder that only you can write to")
        return CacheFolder(place / key, writable=not given and os.access(place / key, os.W_OK))
    except FileNotFoundError:
        return CacheFolder(None)  # nothing was compiled for those who only read
    except OSError as error:
        return CacheFolder(None, reason=f"{place} cannot be used ({error.strerror})")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """While it lasts, no other process holds the lock of this folder, unless its file system has no locks."""
    with ExitStack() as held:
        with suppress(ImportError, OSError):
            import fcntl  # which not every system has

            fcntl.flock(held.enter_context((folder / LOCK).open("ab")), fcntl.LOCK_EX)
        yield


LOCK = ".lock"


def shown_cache() -> tuple[str, ...]:
    """The folder as programs that play may see it, in a tuple; an empty one if there is none to be trusted."""
    place = cache_place()
    with suppress(OSError):
        if belongs_to_us(place):
            return (str(place),)
    return ()


def belongs_to_us(folder: Path) -> bool:
    """Is this a folder of our own, no link, that nobody else can write to?  On Windows homes are private."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return False
    return os.name != "posix" or (found.st_uid == os.getuid() and not found.st_mode & 0o022)
