"""What is shown to no player, whatever it is called: stores, records, keys, and the files of other entrants.

Those in use are known by where they lie.  A file may have several names, and a folder may be reached by several ways:
both are known by device and inode.  Everything else of that kind is known by what it begins with.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from fairplay.contest.contest import Hidden

__all__ = ["HiddenFiles", "hide_paths", "holds_matches", "identify", "is_beside", "is_database"]

FileId: TypeAlias = tuple[int, int]
"""Device and inode."""


def hide_paths(files: Iterable[str | Path | None], folders: Iterable[str | Path | None] = ()) -> Hidden:
    """These files and folders, as workers in other folders need them."""
    return Hidden(
        files=tuple(os.path.abspath(file) for file in files if file),  # noqa: PTH100 - it leaves links as they are
        folders=tuple(os.path.abspath(folder) for folder in folders if folder),  # noqa: PTH100
    )


class HiddenFiles:
    """The files of `hidden` as they are found on this machine, for a player whose own files are `own`."""

    def __init__(self, hidden: Hidden, work: Path, own: Iterable[Path] = ()) -> None:
        self.work = work
        self.places: set[Path] = set()  # folders that hold something to hide, links followed
        self.written: set[FileId] = set()  # folders that are written to while matches are played
        self.of_rivals: set[FileId] = set()  # folders that other entrants' files lie in
        self._names: dict[FileId, list[str]] = {}
        self._files: set[FileId] = set()
        for folder in (work, *map(Path, hidden.folders)):
            self._add_written(work / folder)
        for file in hidden.files:
            self._add_file(work / file)
            self._add_file(Path(os.path.realpath(work / file)))  # SQLite puts its files beside what a link leads to
        self._add_rivals([Path(os.path.realpath(work / file)) for file in hidden.entrants], own)

    def names_in(self, folder: FileId | None) -> list[str]:
        """The names of what is hidden in a folder; see `is_beside`."""
        return [] if folder is None else [*self._names.get(folder, ())]

    def has(self, path: str | Path) -> bool:
        """Is this one of the hidden files, links followed?"""
        real = Path(os.path.realpath(path))
        return identify(real) in self._files or is_beside(real.name, self.names_in(identify(real.parent)))

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
        there = (entry.path for entry in list_entries(file.parent) if is_beside(entry.name, [file.name]))
        self._files |= {*known(map(identify, there))}

    def _add_rivals(self, files: Iterable[Path], own: Iterable[Path]) -> None:
        mine = {Path(os.path.realpath(path)) for path in own}
        rivals = {*files} - mine
        self._files |= {*known(map(identify, rivals))} - {*known(map(identify, mine))}
        self.of_rivals |= {*known(identify(rival.parent) for rival in rivals)}
        # What is installed is started by everyone: the interpreter of a rival may be that of this player's program.
        self.places |= {rival.parent for rival in rivals if rival.parent.name != "bin"}


def identify(path: str | Path) -> FileId | None:
    """Device and inode, links followed; None if there is nothing."""
    try:
        found = os.stat(path)  # noqa: PTH116 - of every file beside a bot
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def known(found: Iterable[FileId | None]) -> Iterator[FileId]:
    """Those that are there."""
    return (each for each in found if each is not None)


def list_entries(folder: Path) -> list[os.DirEntry[str]]:
    """What is in a folder, by name; nothing if it cannot be read."""
    try:
        return sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return []


def is_beside(name: str, names: Sequence[str]) -> bool:
    """Is `name` one of `names`, or that of a file that a database or a lease keeps beside it?"""
    return name in names or name.startswith(tuple(f"{each}-" for each in names))


# -- what it begins with -----------------------------------------------------------------------

DATABASE: Final = b"SQLite format 3\0"
WRITE_AHEAD_LOG: Final = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
ROLLBACK_JOURNAL: Final = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
INDEX: Final = (b"\x18\xe2\x2d\x00", b"\x00\x2d\xe2\x18")
"""What the index of a write-ahead log (``-shm``) begins with: the version of its format, in either order of bytes."""

INDEX_HEADER: Final = 48
"""Bytes of a header that stands there twice."""

RECORD: Final = b'{"fairplay":'
"""What records and key files begin with."""

EXPORT: Final = b'{"tournament":'
GZIP: Final = b"\x1f\x8b"
HEAD: Final = 512


def holds_matches(path: str | Path) -> bool:
    """Is this file part of a store, a record, an export or a key, or can it not be read?"""
    head = read_head(path)
    if head is None or head.startswith((DATABASE, *WRITE_AHEAD_LOG, ROLLBACK_JOURNAL, RECORD, EXPORT)):
        return True
    if head.startswith(INDEX):
        return head[:INDEX_HEADER] == head[INDEX_HEADER : 2 * INDEX_HEADER]
    return head.startswith(GZIP) and unzip_head(head).startswith((EXPORT, RECORD))


def is_database(path: str | Path) -> bool:
    """Is this file a database of SQLite?"""
    return (read_head(path) or b"").startswith(DATABASE)


def read_head(path: str | Path) -> bytes | None:
    """How a file begins; None if it cannot be read."""
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - of every file beside a bot
            return file.read(HEAD)
    except (OSError, ValueError):
        return None


def unzip_head(head: bytes) -> bytes:
    """How the contents of a gzip file begin, as far as `head` goes."""
    try:
        return zlib.decompressobj(wbits=31).decompress(head, len(EXPORT))
    except zlib.error:
        return b""
