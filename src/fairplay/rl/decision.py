"""A decision of one seat: what it is shown, and what the number means that it answers with."""

from __future__ import annotations

from operator import index
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fairplay.core import AnyGame, Fault, FaultKind, NumberError, Seat, UsageError
from fairplay.core.numbers import Encoding, FactoredEncoding
from fairplay.match.referee import judge

__all__ = ["Decision", "MatchTable", "Observation", "read_number"]

Observation: TypeAlias = dict[str, NDArray[Any]]
"""``"observation"``: 32-bit floats; ``"action_mask"``: 1 for each action that is legal now.

In factored mode also ``"first_decision"``: 1 for the first decision, when the second one is awaited.
"""


class MatchTable(NamedTuple):
    """What the decisions of one match share."""

    game: AnyGame
    encoding: Encoding[Any, Any]
    factored: FactoredEncoding | None  # the encoding once more, if actions are made in two decisions

    def show(self, state: Any, seat: Seat) -> Decision:
        """The decision of `seat`, which has no legal answers unless it is its turn."""
        return Decision(self, self.game.rules.view(state, seat))


class Decision:
    """What one seat is asked, or would be asked if it were its turn.

    In factored mode an action takes two decisions.  Both have the same numbers of choices, the larger of the two; the
    mask says which there are.
    """

    __slots__ = ("first", "legal", "table", "view")

    def __init__(self, table: MatchTable, view: Any, first: int = 0) -> None:
        self.table, self.view = table, view
        self.first = first  # the first decision, when the second one is awaited
        self.legal: bytes | None = None  # one for each action, once somebody has asked which are

    def observe(self) -> Observation:
        """What the seat sees, in new arrays."""
        encoding = self.table.encoding
        seen: NDArray[np.float32] = np.empty(encoding.shape, np.float32)
        encoding.observe(self.view, seen)
        if self.table.factored is None:
            return {"observation": seen, "action_mask": self.mask_actions()}
        first = np.zeros(self.table.factored.firsts, np.int8)
        first[self.first] = self.first > 0
        mask = self.mask_decisions(self.table.factored)
        return {"observation": seen, "action_mask": mask, "first_decision": first}

    def mask_actions(self) -> NDArray[np.int8]:
        encoding = self.table.encoding
        mask: NDArray[np.int8] = np.empty(encoding.actions, np.int8)
        encoding.fill_mask(self.view, mask)
        self.legal = mask.tobytes()  # a copy: learners may write into theirs
        return mask

    def mask_decisions(self, factored: FactoredEncoding) -> NDArray[np.int8]:
        """Which answers to this decision lead to a legal action."""
        mask = np.zeros(max(factored.firsts, factored.cells), np.int8)
        legal = self.mask_actions() if self.legal is None else np.frombuffer(self.legal, np.int8)
        if self.first:
            factored.fill_second_mask(legal, self.first, mask[: factored.cells])
        else:
            factored.fill_first_mask(legal, mask[: factored.firsts])
        return mask

    def answer(self, number: int) -> Any:
        """What a number comes to: an action that is legal, the fault of one that is not, or the second decision."""
        factored = self.table.factored
        if factored is not None:
            mask = self.mask_decisions(factored)
            if not 0 <= number < len(mask) or not mask[number]:
                return Fault.of(FaultKind.ILLEGAL, f"{number} is not among the legal decisions")
            if number and not self.first:
                second = Decision(self.table, self.view, number)
                second.legal = self.legal
                return second
            number = factored.join(self.first, number)
        try:
            action = self.table.encoding.action(number, self.view)
        except NumberError as error:
            return Fault.of(FaultKind.ILLEGAL, str(error))
        if self.legal is not None and self.legal[number]:
            return action
        return judge(self.table.game, self.view, action)


def read_number(action: object, seat: str) -> int:
    """The number that a learner gave; raises UsageError if it is not a whole number."""
    try:
        return index(action)  # type: ignore[arg-type]  # that is the question
    except TypeError:
        given = "None" if action is None else type(action).__name__
        raise UsageError(f"it is the turn of {seat}: expected the number of an action, not {given}") from None
