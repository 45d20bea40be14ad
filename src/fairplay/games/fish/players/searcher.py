"""The house player `search`: it looks as many turns ahead as its budget allows, and values positions by territory.

Two seats play alpha-beta, more of them a tree search in which everyone wants the best for itself.  What it chooses
follows from the position alone, so it keeps nothing in mind from one turn to the next but the arrays it works in.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Final

from fairplay.core import Seen
from fairplay.core.chance import choice
from fairplay.games.fish.rules import legal_actions
from fairplay.games.fish.state import Action, View
from fairplay.parts.thinking import Budget, Clock, Thought

if TYPE_CHECKING:
    from fairplay.games.fish.players.desk import Desk
    from fairplay.kernels.code import How

__all__ = ["NODES", "FishThinker", "search"]

NODES: Final = 250_000
"""About 100 ms of a processor core on 8 by 8 tiles, compiled."""


def search(
    rng: Random,
    *,
    nodes: int = NODES,
    slip: float = 0.0,
    seconds: float = 0.0,
    clock: Clock | None = None,
    net: int = 1,
) -> FishThinker:
    """Looks ahead as far as `nodes` positions allow; values what each seat reaches before the others.

    slip: the chance of any legal action instead, each turn.
    seconds: think for this time; then `nodes` does not count.
    """
    if not 0 <= slip <= 1:
        raise ValueError("slip must be a chance from 0 to 1")
    return FishThinker(rng, Budget(nodes, seconds, clock), slip, net=bool(net))


class FishThinker:
    """A player of Fish that searches."""

    def __init__(self, rng: Random, budget: Budget, slip: float = 0.0, how: How | None = None, net: bool = True) -> None:
        self.rng, self.budget, self.slip, self.how, self.net = rng, budget, slip, how, net
        self.desk: Desk | None = None

    def __call__(self, view: View, /) -> Action:
        """Choose an action."""
        if self.slip and self.rng.random() < self.slip:
            return choice(self.rng, legal_actions(view))
        action: Action = self.think(view).action
        return action

    def think(self, view: View, consider: Sequence[Action] = (), /) -> Thought:
        """Think about a position; the actions in `consider` are among the candidates."""
        from fairplay.games.fish.players.deepening import think_alone, think_deeper
        from fairplay.games.fish.players.desk import Desk

        if self.desk is None or not self.desk.suits(view.state):
            self.desk = Desk(view.state, self.how, self.net)
        self.desk.lay_out(view.state)
        alone = think_alone(self.desk, view, consider, self.budget)
        return alone or think_deeper(self.desk, view, consider, self.budget)

    def saw(self, seen: Seen, /) -> None:
        """Nothing: a view of Fish shows all there is to know."""
