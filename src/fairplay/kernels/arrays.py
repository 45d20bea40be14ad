"""The arrays that a learner's environment of many matches works on, on a processor or a device."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from fairplay.core.numbers import Encoding


class MatchArrays(NamedTuple):
    """One entry for each match, in the order in which `advance_many` takes them, and says what they are."""

    rows: Any
    actions: Any
    movers: Any
    observations: Any  # flat; their shape is that of the encoding
    masks: Any
    rewards: Any
    ended: Any
    removed: Any
    points: Any

    @property
    def shown(self) -> tuple[Any, Any, Any, Any]:
        """Those that `show_many` takes."""
        return self.rows, self.movers, self.observations, self.masks


def make_arrays(
    count: int, words: int, seats: int, encoding: Encoding[Any, Any], zeros: Callable[[tuple[int, ...], Any], Any]
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
