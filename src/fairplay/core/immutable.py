"""Values that never change: tuples with one item replaced, small numbers as bits of an integer, mappings made late."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


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


class DeferredMapping(Mapping[K, V]):
    """A mapping that is made when somebody first looks into it, such as one out of a file."""

    def __init__(self, make: Callable[[], Mapping[K, V]]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> Mapping[K, V]:
        return self._make()

    def __getitem__(self, key: K) -> V:
        return self._made[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)
