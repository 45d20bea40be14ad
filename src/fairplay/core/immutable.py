"""Values that never change: tuples with one item replaced, and sets of small numbers as the bits of one integer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

__all__ = ["bits", "mask", "with_item"]

T = TypeVar("T")


def with_item(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """`items` with another one at `index`, from 0: most of a turn is one item of a few tuples."""
    return items[:index] + (item,) + items[index + 1 :]  # faster than unpacking


def mask(numbers: Iterable[int]) -> int:
    """The integer with the bits of `numbers`."""
    result = 0
    for number in numbers:
        result |= 1 << number
    return result


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits of `mask`, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
