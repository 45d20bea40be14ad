"""The arrays that a learner's environment of many matches works on, on a processor or a device."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

from fairplay.core.kernel import Integers, Words
from fairplay.core.numbers import AnyEncoding, Floats, Mask


class MatchArrays(NamedTuple):
    """One entry for each match, in the order in which `advance_many` takes them, and says what they are."""

    rows: Words
    actions: Integers
    movers: Integers
    observations: Floats  # flat; their shape is that of the encoding
    masks: Mask
    rewards: Floats
    ended: Mask
    removed: Mask
    points: Integers

    @property
    def shown(self) -> tuple[Words, Integers, Floats, Mask]:
        """Those that `show_many` takes."""
        return self.rows, self.movers, self.observations, self.masks


def make_arrays(
    count: int, words: int, seats: int, encoding: AnyEncoding, zeros: Callable[[tuple[int, ...], str], Any]
) -> MatchArrays:
    """Arrays for `count` matches, made by `zeros` of a shape and a type of numbers."""
    return MatchArrays(
        rows=zeros((count, words), "uint64"),
        actions=zeros((count,), "int64"),
        movers=zeros((count,), "int64"),
        observations=zeros((count, prod(encoding.shape)), "float32"),
        masks=zeros((count, encoding.actions), "int8"),
        rewards=zeros((count, seats), "float32"),
        ended=zeros((count,), "int8"),
        removed=zeros((count, seats), "int8"),
        points=zeros((count, seats), "int64"),
    )
