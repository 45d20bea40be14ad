"""Sets of small numbers as the bits of one integer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

__all__ = ["bits", "mask"]


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
