"""Values that several documents share: times, and figures with their intervals."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, TypeAlias

from msgspec import Meta

Time: TypeAlias = Annotated[datetime, Meta(tz=True, description="ISO 8601, UTC")]


def time_of(seconds: float) -> datetime:
    """The moment that is `seconds` after the beginning of 1970."""
    return datetime.fromtimestamp(seconds, UTC)


def optional_time(seconds: float | None) -> datetime | None:
    """The same, None for None."""
    return None if seconds is None else time_of(seconds)
