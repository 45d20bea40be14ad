"""A decision of one seat: what it is shown, and what the number means that it answers with."""

from __future__ import annotations

from operator import index
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fairplay.core import AnyGame, Fault, FaultKind, NumberError, UsageError
from fairplay.match.referee import judge
from fairplay.parts.numbers import Encoding, FactoredEncoding

__all__ = ["Decision", "Observation", "read_number"]

Observation: TypeAlias = dict[str, NDArray[Any]]
"""``"observation"``: 32-bit floats; ``"action_mask"``: 1 for each action that is legal now.

In factored mode also ``"first_decision"``: 1 for the first decision, where the second one is awaited.
"""


class Decision:
    """What one seat is asked, or would be asked if it were its turn.

    In factored mode an action takes two decisions.  Both have the same numbers of choices, the larger of the two; the
    mask says which there are.
    """

    __slots__ = ("encoding", "factored", "first", "game", "view")

    def __init__(
        self, game: AnyGame, encoding: Encoding[Any, Any], view: Any, factored: FactoredEncoding | None, first: int = 0
    ) -> None:
        self.game, self.encoding, self.view = game, encoding, view
        self.factored = factored  # the encoding once more, where actions are made in two decisions
        self.first = first  # the first decision, where the second one is awaited

    def observe(self) -> Observation:
        """What the seat sees, in new arrays."""
        seen: NDArray[np.float32] = np.empty(self.encoding.shape, np.float32)
        self.encoding.observe(self.view, seen)
        if self.factored is None:
            return {"observation": seen, "action_mask": self.mask_actions()}
        first = np.zeros(self.factored.firsts, np.int8)
        first[self.first] = self.first > 0
        return {"observation": seen, "action_mask": self.mask_decisions(self.factored), "first_decision": first}

    def mask_actions(self) -> NDArray[np.int8]:
        """Which actions are legal."""
        mask: NDArray[np.int8] = np.empty(self.encoding.actions, np.int8)
        self.encoding.fill_mask(self.view, mask)
        return mask

    def mask_decisions(self, factored: FactoredEncoding) -> NDArray[np.int8]:
        """Which answers to this decision lead to a legal action."""
        mask = np.zeros(max(factored.firsts, factored.cells), np.int8)
        if self.first:
            factored.fill_second_mask(self.mask_actions(), self.first, mask[: factored.cells])
        else:
            factored.fill_first_mask(self.mask_actions(), mask[: factored.firsts])
        return mask

    def answer(self, number: int) -> Any:
        """What a number comes to: an action that is legal, the fault of one that is not, or the second decision."""
        if self.factored is not None:
            mask = self.mask_decisions(self.factored)
            if not 0 <= number < len(mask) or not mask[number]:
                return Fault.of(FaultKind.ILLEGAL, f"{number} is not among the legal decisions")
            if number and not self.first:
                return Decision(self.game, self.encoding, self.view, self.factored, number)
            number = self.factored.join(self.first, number)
        try:
            action = self.encoding.action(number, self.view)
        except NumberError as error:
            return Fault.of(FaultKind.ILLEGAL, str(error))
        return judge(self.game, self.view, action)


def read_number(action: object, seat: str) -> int:
    """The number that a learner gave; raises UsageError where it is not a whole number."""
    try:
        return index(action)  # type: ignore[arg-type]  # that is the question
    except TypeError:
        given = "None" if action is None else type(action).__name__
        raise UsageError(f"it is the turn of {seat}: expected the number of an action, not {given}") from None
