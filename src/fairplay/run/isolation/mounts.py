"""What a program sees of the file system: the system's programs and what belongs to itself, all of it read-only.

What lies beside a bot belongs to it: modules, weights, tables.  Left out are stores, records, keys and hidden files,
and the folders of other entrants.  Where two entrants share a folder, each of them sees its own file alone.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

__all__ = ["SCRATCH", "folder_paths", "is_shown", "is_system", "own_paths", "show_paths", "system_folders"]

SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Folders that every sandbox shows, where the machine has them."""

NEEDED: Final = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime")
"""The few other files that system programs need to start."""

SCRATCH: Final = "/tmp"

PRIVATE: Final = (
    ".*",  # hidden files, keys and settings among them
    *("*.db", "*.db-*", "*.sqlite", "*.sqlite-*", "*.sqlite3", "*.sqlite3-*"),
    *("*.fairplay", "match-*-seat-*.log"),  # exported tournaments, and what `--logs` writes
    "match-*.stderr-*.txt",  # the same, of an earlier version
    *("*.key", "*.pem", "*.p12", "*.pfx", "*.token", "token.txt", "fairplay-owner-*"),
)
"""Names of files and folders that no bot sees, also where they lie beside it."""

IS_PRIVATE: Final = re.compile("|".join(map(fnmatch.translate, PRIVATE)), re.IGNORECASE)

STORE: Final = b"SQLite format 3\0"
RECORD: Final = b'{"fairplay":'
"""What stores and records begin with, whatever their names are."""

MAX_ENTRIES: Final = 20_000
"""Files and folders that are looked at beside one bot."""

MAX_SHOWN: Final = 1_000
"""Files and folders beside one bot that are shown one by one: each is a mount of its own."""


# -- what belongs to a program -----------------------------------------------------------------


def own_paths(words: Iterable[str], work: Path, rivals: Iterable[Path] = ()) -> Iterator[str]:
    """What belongs to a program: its executable, and every file among its arguments.

    A file brings what lies beside it; see `folder_paths`.  An executable in a folder `bin` brings what is installed
    with it.  A folder among the arguments is shown unless it holds `work`, the working folder.
    """
    given = [Path(os.path.normpath(work / word)) for word in words]
    rivals = {*rivals} - {Path(os.path.realpath(path)) for path in given}
    for number, path in enumerate(given):
        for step in follow_links(path) if number == 0 else [path]:
            if not step.exists() or is_system(step):
                continue
            if step.is_file() and not (step.parent.name == "bin" and number == 0):
                yield str(step)
                yield from folder_paths(step.parent, work, rivals)
            else:
                home = step if step.is_dir() else step.parent.parent
                if not work.is_relative_to(home):
                    yield str(home)
                elif step.is_file():
                    yield str(step)


def folder_paths(folder: Path, work: Path, rivals: Iterable[Path]) -> list[str]:
    """What of `folder` may be shown to a bot that lies there: nothing where a rival's file lies there too.

    Nothing either where it is not a bot's folder but somebody's home, or everything.  ASSUME `rivals` are resolved.
    """
    real = Path(os.path.realpath(folder))
    others = {rival.parent for rival in rivals}
    if real in COMMON or real in others or (others and real != folder):  # a link may lead to another entrant's
        return []
    scan = FolderScan(work, others)
    try:
        shown = scan.shown(folder)
    except OverflowError:
        return []
    shown += [link for link in scan.links if is_shown(Path(os.path.realpath(link)), shown)]  # they lead nowhere else
    return shown if len(shown) <= MAX_SHOWN else []


COMMON: Final = frozenset((Path("/"), Path("/tmp"), Path("/var/tmp"), Path("/home"), Path("/root"), Path.home()))
"""Folders that hold more than one bot and what belongs to it."""


class FolderScan:
    """Looks for what may be shown of a folder: all of it at once where nothing in it is private.

    The working folder is never shown at once: the stores and records of later matches are made there.
    """

    def __init__(self, work: Path, others: Collection[Path]) -> None:
        self.work, self.others = work, others
        self.links: list[str] = []
        self.entries = 0

    def shown(self, folder: Path) -> list[str]:
        """The paths to show; raises OverflowError where there are too many to look at."""
        shown: list[str] = []
        whole = not self.work.is_relative_to(folder)
        try:
            found = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            return []
        self.entries += len(found)
        if self.entries > MAX_ENTRIES:
            raise OverflowError
        for entry in found:
            if entry.is_symlink():
                self.links.append(entry.path)
                continue
            part = self._shown_of(entry)
            whole = whole and part == [entry.path]
            shown += part
        return [str(folder)] if whole and shown else shown

    def _shown_of(self, entry: os.DirEntry[str]) -> list[str]:
        if IS_PRIVATE.match(entry.name):
            return []
        if entry.is_dir():
            return [] if Path(entry) in self.others else self.shown(Path(entry))
        return [entry.path] if entry.is_file() and not holds_matches(entry) else []


def holds_matches(entry: os.DirEntry[str]) -> bool:
    """Is this file a store or a record, or can it not be read?"""
    if entry.name.endswith((".py", ".pyc", ".so")):
        return False
    try:
        with open(entry.path, "rb") as file:  # noqa: PTH123 - many thousand times
            return file.read(len(STORE)).startswith((STORE, RECORD))
    except OSError:
        return True


def follow_links(path: Path) -> Iterator[Path]:
    """`path`, and what it points at, link by link."""
    for _ in range(40):
        yield path
        if not path.is_symlink():
            return
        path = Path(os.path.normpath(path.parent / path.readlink()))


# -- showing it --------------------------------------------------------------------------------


def is_system(path: Path) -> bool:
    """Does every sandbox show this path anyway?"""
    return any(path.is_relative_to(folder) for folder in SYSTEM)


def is_shown(path: Path, shown: Collection[str]) -> bool:
    """Does a sandbox that shows `shown` show this path?"""
    return is_system(path) or any(path.is_relative_to(each) for each in shown)


def show_paths(paths: Iterable[str]) -> Iterator[str]:
    """Options that show these paths, where the sandbox does not show them anyway."""
    for path in outermost_paths(paths):
        yield from ("--ro-bind-try", path, path)  # what an editor removed in between is not missed


def outermost_paths(paths: Iterable[str]) -> list[str]:
    """Those of `paths` that lie in no other one of them."""
    folders = sorted({Path(path) for path in paths if not is_system(Path(path))})
    known = {*folders}
    return [str(path) for path in folders if known.isdisjoint(path.parents)]


def system_folders(scratch: int) -> Iterator[str]:
    """Options for what every sandbox has, read-only but for a scratch folder of `scratch` bytes."""
    for folder in map(Path, SYSTEM):
        if folder.is_symlink():
            yield from ("--symlink", str(folder.readlink()), str(folder))
        elif folder.is_dir():
            yield from ("--ro-bind", str(folder), str(folder))
    for file in NEEDED:
        yield from ("--ro-bind-try", file, file)
    yield from ("--size", str(scratch), "--tmpfs", SCRATCH)
