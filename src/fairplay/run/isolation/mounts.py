"""What a program sees of the file system: the system's programs and what belongs to itself, all of it read-only."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

__all__ = ["SCRATCH", "own_paths", "show_paths", "system_folders"]

SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Folders that every sandbox shows, where the machine has them."""

NEEDED: Final = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime")
"""The few other files that system programs need to start."""

SCRATCH: Final = "/tmp"


def own_paths(words: Iterable[str], folder: Path) -> Iterator[str]:
    """What belongs to a program: its executable, and every file among its arguments.

    A file brings the folder it lies in, for modules beside it, unless that folder also holds the working folder: there
    lie records and other people's bots, so it comes alone.  An executable in a folder `bin` brings what is installed
    with it.
    """
    for number, word in enumerate(words):
        path = Path(os.path.normpath(folder / word))
        for step in follow_links(path) if number == 0 else [path]:
            if not step.exists() or is_system(step):
                continue
            home = step if step.is_dir() else step.parent.parent if step.parent.name == "bin" else step.parent
            if not folder.is_relative_to(home):
                yield str(home)
            elif step.is_file():
                yield str(step)


def follow_links(path: Path) -> Iterator[Path]:
    """`path`, and what it points at, link by link."""
    for _ in range(40):
        yield path
        if not path.is_symlink():
            return
        path = Path(os.path.normpath(path.parent / path.readlink()))


def is_system(path: Path) -> bool:
    """Does every sandbox show this path anyway?"""
    return any(path.is_relative_to(folder) for folder in SYSTEM)


def show_paths(paths: Iterable[str]) -> Iterator[str]:
    """Options that show these paths, where the sandbox does not show them anyway."""
    for path in outermost_paths(paths):
        yield from ("--ro-bind", path, path)


def outermost_paths(paths: Iterable[str]) -> list[str]:
    """Those of `paths` that lie in no other one of them."""
    folders = sorted({Path(path) for path in paths if not is_system(Path(path))})
    return [str(path) for path in folders if not any(parent in folders for parent in path.parents)]


def system_folders(scratch: int) -> Iterator[str]:
    """Options for what every sandbox has, read-only but for a scratch folder of so many bytes."""
    for folder in map(Path, SYSTEM):
        if folder.is_symlink():
            yield from ("--symlink", str(folder.readlink()), str(folder))
        elif folder.is_dir():
            yield from ("--ro-bind", str(folder), str(folder))
    for file in NEEDED:
        yield from ("--ro-bind-try", file, file)
    yield from ("--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev")
    yield from ("--size", str(scratch), "--tmpfs", SCRATCH)
