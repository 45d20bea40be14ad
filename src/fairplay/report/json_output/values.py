"""Values that several documents share: times, and figures with their intervals."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from fairplay.contest.intervals import Estimate

__all__ = ["Figure", "Time", "figure_of", "optional_time", "time_of"]

Time: TypeAlias = Annotated[datetime, Meta(tz=True, description="ISO 8601, UTC")]


def time_of(seconds: float) -> datetime:
    """The moment that is `seconds` after the beginning of 1970."""
    return datetime.fromtimestamp(seconds, UTC)


def optional_time(seconds: float | None) -> datetime | None:
    """The same, None for None."""
    return None if seconds is None else time_of(seconds)


class Figure(Struct, frozen=True):
    """A figure with its 95 % interval; both ends are null if there are too few matches to say."""

    value: float
    low: float | None
    high: float | None


def figure_of(estimate: Estimate) -> Figure:
    """An estimate as it is written."""
    low, high = estimate.interval or (None, None)
    return Figure(estimate.value, low, high)
