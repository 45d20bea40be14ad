"""Every match kept: an SQLite file by default, PostgreSQL by URL."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairplay.store.store import Store

__all__ = ["PATIENCE", "open_store"]

PATIENCE = 10.0
"""Seconds that a database may be locked or away before an operation fails."""


def open_store(url: str | Path, *, patience: float = PATIENCE) -> Store:
    """The store at `url` (a file, ``sqlite:///...`` or ``postgresql://...``), made where it is new; raises StoreError.

    It is a context manager.  Only here is the database library loaded: it takes longer than all the rest.
    """
    from fairplay.store.opening import opened
    from fairplay.store.store import Store

    return Store(opened(url, patience), patience)
