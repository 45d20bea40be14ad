"""What a program sees of the file system: the system's programs and what belongs to itself, all of it read-only.

What lies beside a bot belongs to it: modules, weights, tables.  Left out are stores, records, keys and hidden files,
and the folders of other entrants.  If two entrants share a folder, each of them sees its own file alone.

What is in use is known by where it lies.  A file may have several names, and a folder may be reached by several ways:
both are known by device and inode.  Everything else that is to be hidden is known by its name or what it begins with.
"""

import fnmatch
import os
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from fairplay.contest.contest import Hidden

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Folders that every sandbox shows, if the machine has them."""

_NEEDED = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime")
"""The few other files that system programs need to start."""

SCRATCH = "/tmp"

_PRIVATE = (
    ".*",  # hidden files, keys and settings among them
    *("*.db", "*.db-*", "*.sqlite", "*.sqlite-*", "*.sqlite3", "*.sqlite3-*"),
    *("*.fairplay", "match-*-seat-*.log"),  # exported tournaments, and what `--logs` writes
    *("*.key", "*.pem", "*.p12", "*.pfx", "*.token", "token.txt", "fairplay-owner-*"),
)
"""Names of files and folders that no bot sees, even if they lie beside it."""

_IS_PRIVATE = re.compile("|".join(map(fnmatch.translate, _PRIVATE)), re.IGNORECASE)

MAX_ENTRIES = 20_000
"""Files and folders that are looked at beside one bot."""

MAX_SHOWN = 1_000
"""Files and folders beside one bot that are shown one by one: each is a mount of its own."""


# -- what is hidden ---------------------------------------------------------------------------

_FileId: TypeAlias = tuple[int, int]
"""Device and inode."""


def hide_paths(files: Iterable[str | Path | None], folders: Iterable[str | Path | None] = ()) -> Hidden:
    """These files and folders, as workers in other folders need them."""
    here = Path.cwd()
    return Hidden(
        files=tuple(str(here / file) for file in files if file),
        folders=tuple(str(here / folder) for folder in folders if folder),
    )


class HiddenFiles:
    """The files of `hidden` as they are found on this machine, for a player whose own files are `own`."""

    def __init__(self, hidden: Hidden, work: Path, own: Iterable[Path] = ()) -> None:
        self.work = work
        self.places: set[Path] = set()  # folders that hold something to hide, links followed
        self.written: set[_FileId] = set()  # folders that are written to while matches are played
        self.of_rivals: set[_FileId] = set()  # folders that other entrants' files lie in
        self._names: dict[_FileId, list[str]] = {}
        self._files: set[_FileId] = set()
        for folder in (work, *map(Path, hidden.folders)):
            self._add_written(work / folder)
        for file in hidden.files:
            self._add_file(work / file)
            self._add_file(Path(os.path.realpath(work / file)))  # SQLite puts its files beside what a link leads to
        self._add_rivals([Path(os.path.realpath(work / file)) for file in hidden.entrants], own)

    def names_in(self, folder: _FileId | None) -> list[str]:
        """The names of what is hidden in a folder; see `_is_beside`."""
        return [] if folder is None else [*self._names.get(folder, ())]

    def has(self, path: str | Path) -> bool:
        """Is this one of the hidden files, links followed?"""
        real = Path(os.path.realpath(path))
        return identify(real) in self._files or _is_beside(real.name, self.names_in(identify(real.parent)))

    def has_entry(self, entry: os.DirEntry[str]) -> bool:
        """Is this file one of the hidden ones under another name?"""
        return any(entry.inode() == inode for _, inode in self._files) and identify(entry.path) in self._files

    def _add_written(self, folder: Path) -> Path:
        """Note `folder`, or what it will be made in; the path of that."""
        while not folder.is_dir():
            folder = folder.parent
        self.places.add(Path(os.path.realpath(folder)))
        self.written |= {*known([identify(folder)])}
        return folder

    def _add_file(self, file: Path) -> None:
        if self._add_written(file.parent) != file.parent:
            return  # its folder is made later
        for folder in known([identify(file.parent)]):
            self._names.setdefault(folder, []).append(file.name)
        there = (entry.path for entry in _list_entries(file.parent) if _is_beside(entry.name, [file.name]))
        self._files |= {*known(map(identify, there))}

    def _add_rivals(self, files: Iterable[Path], own: Iterable[Path]) -> None:
        mine = {Path(os.path.realpath(path)) for path in own}
        rivals = {*files} - mine
        self._files |= {*known(map(identify, rivals))} - {*known(map(identify, mine))}
        self.of_rivals |= {*known(identify(rival.parent) for rival in rivals)}
        # What is installed is started by everyone: the interpreter of a rival may be that of this player's program.
        self.places |= {rival.parent for rival in rivals if rival.parent.name != "bin"}


def identify(path: str | Path) -> _FileId | None:
    """Device and inode, links followed; None if there is nothing."""
    try:
        found = os.stat(path)  # noqa: PTH116 - of every file beside a bot
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def known(found: Iterable[_FileId | None]) -> Iterator[_FileId]:
    """Those that are there."""
    return (each for each in found if each is not None)


def _list_entries(folder: Path) -> list[os.DirEntry[str]]:
    """What is in a folder, by name; nothing if it cannot be read."""
    try:
        return sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return []


def _is_beside(name: str, names: Sequence[str]) -> bool:
    """Is `name` one of `names`, or that of a file that a database or a lease keeps beside it?"""
    return name in names or name.startswith(tuple(f"{each}-" for each in names))


# -- what it begins with -----------------------------------------------------------------------

DATABASE = b"SQLite format 3\0"
_WRITE_AHEAD_LOG = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
_ROLLBACK_JOURNAL = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
INDEX = (b"\x18\xe2\x2d\x00", b"\x00\x2d\xe2\x18")
"""What the index of a write-ahead log (``-shm``) begins with: the version of its format, in either order of bytes."""

_INDEX_HEADER = 48
"""Bytes of a header that stands there twice."""

RECORD = b'{"fairplay":'
"""What records and key files begin with."""

_EXPORT = b'{"tournament":'
GZIP = b"\x1f\x8b"
HEAD = 512


def holds_matches(path: str | Path) -> bool:
    """Is this file part of a store, a record, an export or a key, or can it not be read?"""
    head = read_head(path)
    if head is None or head.startswith((DATABASE, *_WRITE_AHEAD_LOG, _ROLLBACK_JOURNAL, RECORD, _EXPORT)):
        return True
    if head.startswith(INDEX):
        return head[:_INDEX_HEADER] == head[_INDEX_HEADER : 2 * _INDEX_HEADER]
    return head.startswith(GZIP) and _unzip_head(head).startswith((_EXPORT, RECORD))


def _is_database(path: str | Path) -> bool:
    """Is this file a database of SQLite?"""
    return (read_head(path) or b"").startswith(DATABASE)


def read_head(path: str | Path) -> bytes | None:
    """How a file begins; None if it cannot be read."""
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - of every file beside a bot
            return file.read(HEAD)
    except (OSError, ValueError):
        return None


def _unzip_head(head: bytes) -> bytes:
    """How the contents of a gzip file begin, as far as `head` goes."""
    try:
        return zlib.decompressobj(wbits=31).decompress(head, len(_EXPORT))
    except zlib.error:
        return b""


# -- what belongs to a program -----------------------------------------------------------------


def own_paths(words: Iterable[str], hidden: HiddenFiles) -> Iterator[str]:
    """What belongs to a program: its executable, and every file and folder among its arguments.

    A file brings what lies beside it; see `folder_paths`.  An executable in a folder `bin` brings what is installed
    with it.  A folder that holds the working folder is not shown.
    """
    for number, word in enumerate(words):
        path = Path(os.path.normpath(hidden.work / word))
        for step in _follow_links(path) if number == 0 else [path]:
            if not step.exists() or _is_system(step) or hidden.has(step):
                continue
            if step.is_dir():
                if not hidden.work.is_relative_to(os.path.realpath(step)):
                    yield from folder_paths(step, hidden)
            elif number == 0 and step.parent.name == "bin":
                yield _installed_path(step, hidden.work)
            elif number == 0 or not holds_matches(step):
                yield str(step)
                yield from folder_paths(step.parent, hidden)


def _installed_path(program: Path, work: Path) -> str:
    """What an executable in a folder `bin` was installed with, or the file alone if more than that lies there."""
    home = program.parent.parent
    return str(program if home in COMMON or work.is_relative_to(home) else home)


def folder_paths(folder: Path, hidden: HiddenFiles) -> list[str]:
    """What of `folder` may be shown to a bot that lies there: nothing if a rival's file lies there too.

    Nothing either if it is not a bot's folder but somebody's home, or everything.
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
    shown += [link for link in scan.links if _leads_to_shown(link, shown, hidden)]
    return shown if len(shown) <= MAX_SHOWN else []


COMMON = frozenset((Path("/"), Path("/tmp"), Path("/var/tmp"), Path("/home"), Path("/root"), Path.home()))
"""Folders that hold more than one bot and what belongs to it."""


class FolderScan:
    """Looks for what may be shown of a folder: all of it at once if nothing in it is to be hidden.

    A folder that is written to while matches are played is never shown at once: what is made there later would show.
    """

    def __init__(self, hidden: HiddenFiles) -> None:
        self.hidden = hidden
        self.links: list[str] = []
        self.entries = 0

    def shown(self, folder: Path) -> list[str]:
        """The paths to show; raises OverflowError if there are too many to look at."""
        here, shown = identify(folder), list[str]()
        whole, names = here not in self.hidden.written, self.hidden.names_in(here)
        found = _list_entries(folder)
        self.entries += len(found)
        if self.entries > MAX_ENTRIES:
            raise OverflowError
        for entry in found:
            if entry.is_symlink():
                self.links.append(entry.path)
                continue
            part = [] if _is_beside(entry.name, names) else self._shown_of(entry)
            if not part and entry.is_file() and _is_database(entry.path):
                names.append(entry.name)  # what belongs to it comes after it
            whole = whole and part == [entry.path]
            shown += part
        return [str(folder)] if whole and shown else shown

    def _shown_of(self, entry: os.DirEntry[str]) -> list[str]:
        if _IS_PRIVATE.match(entry.name):
            return []
        if entry.is_dir():
            return [] if identify(entry.path) in self.hidden.of_rivals else self.shown(Path(entry))
        return [entry.path] if _is_harmless(entry, self.hidden) else []


def _is_harmless(entry: os.DirEntry[str], hidden: HiddenFiles) -> bool:
    """May this file be shown, as far as its identity and contents tell?"""
    return entry.is_file() and not hidden.has_entry(entry) and not holds_matches(entry.path)


def _leads_to_shown(link: str, shown: Collection[str], hidden: HiddenFiles) -> bool:
    """Does a link lead to what is shown anyway, and to nothing that is hidden?"""
    real = Path(os.path.realpath(link))
    if not is_shown(real, shown) or hidden.has(real) or any(place.is_relative_to(real) for place in hidden.places):
        return False
    return not real.is_file() or not holds_matches(real)


def _follow_links(path: Path) -> Iterator[Path]:
    """`path`, and what it points at, link by link."""
    for _ in range(40):
        yield path
        if not path.is_symlink():
            return
        path = Path(os.path.normpath(path.parent / path.readlink()))


# -- showing it --------------------------------------------------------------------------------


def _is_system(path: Path) -> bool:
    """Does every sandbox show this path anyway?"""
    return any(path.is_relative_to(folder) for folder in _SYSTEM)


def is_shown(path: Path, shown: Collection[str]) -> bool:
    """Does a sandbox that shows `shown` show this path?"""
    return _is_system(path) or any(path.is_relative_to(each) for each in shown)


def show_paths(paths: Iterable[str]) -> Iterator[str]:
    """Options that show these paths, if the sandbox does not show them anyway."""
    for path in outermost_paths(paths):
        yield from ("--ro-bind-try", path, path)  # what an editor removed in between is not missed


class Cover(Struct, frozen=True):
    """A folder inside what is shown as a whole, of which only some entries are shown."""

    folder: str
    shown: tuple[str, ...]
    links: tuple[tuple[str, str], ...]  # what each leads to, and where it is


def cover_folders(shown: Iterable[str], hidden: HiddenFiles) -> list[Cover]:
    """The folders with something to hide inside what nobody looks through: the system, and what is installed."""
    whole = [folder for folder in (*_SYSTEM, *outermost_paths(shown)) if Path(folder).is_dir()]
    covers: dict[str, Cover] = {}
    for place in sorted(hidden.places):
        for folder in whole:
            real = Path(os.path.realpath(folder))
            if place.is_relative_to(real):
                inside = Path(folder, place.relative_to(real))
                covers[str(inside)] = _make_cover(inside, hidden)
    return [*covers.values()]


def _make_cover(folder: Path, hidden: HiddenFiles) -> Cover:
    """What of `folder` itself may be shown; what lies deeper is not looked at."""
    names, found = hidden.names_in(identify(folder)), _list_entries(folder)
    found = [each for each in found if not _IS_PRIVATE.match(each.name) and not _is_beside(each.name, names)]
    links = [(str(Path(each).readlink()), each.path) for each in found if each.is_symlink()]
    files = [each for each in found if not each.is_symlink()]
    shown = [each.path for each in files if each.is_dir() or _is_harmless(each, hidden)]
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
    folders = sorted({Path(path) for path in paths if not _is_system(Path(path))})
    known = {*folders}
    return [str(path) for path in folders if known.isdisjoint(path.parents)]


def system_folders(scratch: int) -> Iterator[str]:
    """Options for what every sandbox has, read-only but for a scratch folder of `scratch` bytes."""
    for folder in map(Path, _SYSTEM):
        if folder.is_symlink():
            yield from ("--symlink", str(folder.readlink()), str(folder))
        elif folder.is_dir():
            yield from ("--ro-bind", str(folder), str(folder))
    for file in _NEEDED:
        yield from ("--ro-bind-try", file, file)
    yield from ("--size", str(scratch), "--tmpfs", SCRATCH)
