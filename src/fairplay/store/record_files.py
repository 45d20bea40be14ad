"""How people name a match that was recorded: by the file of its record, or by its place in a store."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from fairplay.core import UsageError

__all__ = ["STORED", "read_lines"]

STORED: Final = re.compile(r"(?:(?P<db>.+)#)?(?P<id>\d+)/(?P<number>\d+)")
"""A match of a store: 3/17 is match 17 of tournament 3, other.db#3/17 that of another store."""

SQLITE: Final = b"SQLite format 3\0"
"""What every SQLite file begins with."""


def read_lines(path: Path) -> list[bytes]:
    """The lines of a file; raises UsageError if it cannot be a record, and says how matches are named."""
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name a record in it, such as {path / 'match-0001.jsonl'}")
    if not path.is_file():
        raise UsageError(f"there is no file {path}; match 0 of tournament 1 in the store is named 1/0")
    data = path.read_bytes()
    if data.startswith(SQLITE):
        listed = f"`fairplay tournament list --db {path}` lists its tournaments"
        raise UsageError(f"{path} is a store of many matches; {listed}, and `fairplay replay {path}#1/0` shows one")
    return data.splitlines(keepends=True)
