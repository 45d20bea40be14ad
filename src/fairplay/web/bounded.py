"""A dictionary that forgets its oldest entries."""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar

__all__ = ["BoundedDict"]

K = TypeVar("K")
V = TypeVar("V")


class BoundedDict(OrderedDict[K, V]):
    """Holds at most `size` entries; setting one makes it the newest, and the oldest is dropped."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self.size:
            del self[next(iter(self))]
