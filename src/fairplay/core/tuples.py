"""Tuples with something changed: states are immutable, and most of a turn is one item of a few tuples."""

from __future__ import annotations

from typing import TypeVar

__all__ = ["with_item"]

T = TypeVar("T")


def with_item(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """`items` with another one at `index`, from 0."""
    return items[:index] + (item,) + items[index + 1 :]  # faster than unpacking
