"""What a program sees of the file system: the system's programs and what belongs to itself, all of it read-only.

What lies beside a bot belongs to it: modules, weights, tables.  Left out are stores, records, keys and hidden files,
and the folders of other entrants.  Where two entrants share a folder, each of them sees its own file alone.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from fairplay.run.isolation.hidden import HiddenFiles, holds_matches, identify, is_beside, is_database, list_entries

__all__ = [
    "SCRATCH",
    "Cover",
    "cover_folders",
    "folder_paths",
    "is_shown",
    "is_system",
    "own_paths",
    "show_covers",
    "show_paths",
    "system_folders",
]

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

MAX_ENTRIES: Final = 20_000
"""Files and folders that are looked at beside one bot."""

MAX_SHOWN: Final = 1_000
"""Files and folders beside one bot that are shown one by one: each is a mount of its own."""


# -- what belongs to a program -----------------------------------------------------------------


def own_paths(words: Iterable[str], hidden: HiddenFiles) -> Iterator[str]:
    """What belongs to a program: its executable, and every file and folder among its arguments.

    A file brings what lies beside it; see `folder_paths`.  An executable in a folder `bin` brings what is installed
    with it.  A folder that holds the working folder is not shown.
    """
    for number, word in enumerate(words):
        path = Path(os.path.normpath(hidden.work / word))
        for step in follow_links(path) if number == 0 else [path]:
            if not step.exists() or is_system(step) or hidden.has(step):
                continue
            if step.is_dir():
                if not hidden.work.is_relative_to(os.path.realpath(step)):
                    yield from folder_paths(step, hidden)
            elif number == 0 and step.parent.name == "bin":
                yield installed_path(step, hidden.work)
            elif number == 0 or not holds_matches(step):
                yield str(step)
                yield from folder_paths(step.parent, hidden)


def installed_path(program: Path, work: Path) -> str:
    """What an executable in a folder `bin` was installed with, or the file alone if more than that lies there."""
    home = program.parent.parent
    return str(program if home in COMMON or work.is_relative_to(home) else home)


def folder_paths(folder: Path, hidden: HiddenFiles) -> list[str]:
    """What of `folder` may be shown to a bot that lies there: nothing where a rival's file lies there too.

    Nothing either where it is not a bot's folder but somebody's home, or everything.
    """
    real = Path(os.path.realpath(folder))
    if real in COMMON or identify(real) in hidden.of_rivals:
        return []
    if hidden.of_rivals and real != folder:  # a link may lead to another entrant's
        return []
    scan = FolderScan(hidden)
    try:
        shown = scan.shown(folder)
    except OverflowError:
        return []
    shown += [link for link in scan.links if leads_to_shown(link, shown, hidden)]
    return shown if len(shown) <= MAX_SHOWN else []


COMMON: Final = frozenset((Path("/"), Path("/tmp"), Path("/var/tmp"), Path("/home"), Path("/root"), Path.home()))
"""Folders that hold more than one bot and what belongs to it."""


class FolderScan:
    """Looks for what may be shown of a folder: all of it at once where nothing in it is to be hidden.

    A folder that is written to while matches are played is never shown at once: what is made there later would show.
    """

    def __init__(self, hidden: HiddenFiles) -> None:
        self.hidden = hidden
        self.links: list[str] = []
        self.entries = 0

    def shown(self, folder: Path) -> list[str]:
        """The paths to show; raises OverflowError where there are too many to look at."""
        here, shown = identify(folder), list[str]()
        whole, names = here not in self.hidden.written, self.hidden.names_in(here)
        found = list_entries(folder)
        self.entries += len(found)
        if self.entries > MAX_ENTRIES:
            raise OverflowError
        for entry in found:
            if entry.is_symlink():
                self.links.append(entry.path)
                continue
            part = [] if is_beside(entry.name, names) else self._shown_of(entry)
            if not part and entry.is_file() and is_database(entry.path):
                names.append(entry.name)  # what belongs to it comes after it
            whole = whole and part == [entry.path]
            shown += part
        return [str(folder)] if whole and shown else shown

    def _shown_of(self, entry: os.DirEntry[str]) -> list[str]:
        if IS_PRIVATE.match(entry.name):
            return []
        if entry.is_dir():
            return [] if identify(entry.path) in self.hidden.of_rivals else self.shown(Path(entry))
        return [entry.path] if is_harmless(entry, self.hidden) else []


def is_harmless(entry: os.DirEntry[str], hidden: HiddenFiles) -> bool:
    """May this file be shown, as far as its identity and contents tell?"""
    return entry.is_file() and not hidden.has_entry(entry) and not holds_matches(entry.path)


def leads_to_shown(link: str, shown: Collection[str], hidden: HiddenFiles) -> bool:
    """Does a link lead to what is shown anyway, and to nothing that is hidden?"""
    real = Path(os.path.realpath(link))
    if not is_shown(real, shown) or hidden.has(real) or any(place.is_relative_to(real) for place in hidden.places):
        return False
    return not real.is_file() or not holds_matches(real)


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


class Cover(Struct, frozen=True):
    """A folder inside what is shown as a whole, of which only some entries are shown."""

    folder: str
    shown: tuple[str, ...]
    links: tuple[tuple[str, str], ...]  # what each leads to, and where it is


def cover_folders(shown: Iterable[str], hidden: HiddenFiles) -> list[Cover]:
    """The folders with something to hide inside what nobody looks through: the system, and what is installed."""
    whole = [folder for folder in (*SYSTEM, *outermost_paths(shown)) if Path(folder).is_dir()]
    covers: dict[str, Cover] = {}
    for place in sorted(hidden.places):
        for folder in whole:
            real = Path(os.path.realpath(folder))
            if place.is_relative_to(real):
                inside = Path(folder, place.relative_to(real))
                covers[str(inside)] = make_cover(inside, hidden)
    return [*covers.values()]


def make_cover(folder: Path, hidden: HiddenFiles) -> Cover:
    """What of `folder` itself may be shown; what lies deeper is not looked at."""
    names, found = hidden.names_in(identify(folder)), list_entries(folder)
    found = [each for each in found if not IS_PRIVATE.match(each.name) and not is_beside(each.name, names)]
    links = [(str(Path(each).readlink()), each.path) for each in found if each.is_symlink()]
    files = [each for each in found if not each.is_symlink()]
    shown = [each.path for each in files if each.is_dir() or is_harmless(each, hidden)]
    return Cover(str(folder), tuple(shown), tuple(links)) if len(found) <= MAX_SHOWN else Cover(str(folder), (), ())


def show_covers(covers: Sequence[Cover]) -> Iterator[str]:
    """Options that hide folders again, but for what of them may be shown; ASSUME an outer folder comes first."""
    for cover in covers:
        yield from ("--tmpfs", cover.folder)
        for path in cover.shown:
            yield from ("--ro-bind-try", path, path)
        for target, path in cover.links:
            yield from ("--symlink", target, path)
    for cover in reversed(covers):
        yield from ("--remount-ro", cover.folder)


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
