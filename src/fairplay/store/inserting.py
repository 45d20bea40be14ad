"""Rows that may be there already: both databases know how to insert or ignore, each in its own dialect."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

__all__ = ["insert"]

DIALECTS: dict[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def insert(connection: Connection, table: Table) -> Any:
    """An insertion that can be told what to do on a conflict."""
    return DIALECTS[connection.dialect.name](table)
