"""The house players that search: they look as many turns ahead as their budget allows.

Positions are valued by territory or, between two seats on boards of at most eight rows and columns, by a net.

Two seats play alpha-beta, more of them a tree search in which everyone wants the best for itself.  What it chooses
follows from the position alone, so it keeps nothing in mind from one turn to the next but the arrays it works in.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from fairplay.core.thinking import Budget, Clock, Searcher, Thought
from fairplay.games.fish.rules import legal_actions, remaining_seats
from fairplay.games.fish.state import Action, View

if TYPE_CHECKING:
    from fairplay.games.fish.players.thinking import SearchSpace
    from fairplay.kernels.code import How

NODES = 300_000
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
    net: 1: the net says what that is worth, if there is one; 0: all fish that are reached count the same.
    """
    if net not in (0, 1):
        raise ValueError("net must be 0 or 1")
    return FishThinker(rng, Budget(nodes, seconds, clock), slip, net=net == 1)


def net(rng: Random) -> FishThinker:
    """Looks one turn ahead, and plays what the net values most; without a net, the most territory."""
    return FishThinker(rng, Budget(1))


class FishThinker(Searcher[View, Action]):
    """A player of Fish that searches."""

    def __init__(
        self, rng: Random, budget: Budget, slip: float = 0.0, how: How | None = None, net: bool = True
    ) -> None:
        super().__init__(rng, budget, slip)
        self.how, self.net = how, net
        self.space: SearchSpace | None = None

    def _draw(self) -> tuple[bool, int]:
        """Its search needs no chance, and its slips are drawn in another way than elsewhere: records depend on it."""
        return self.slip > 0 and self.rng.random() < self.slip, 0

    def _draw_seed(self) -> int:
        return 0

    def _list_actions(self, view: View) -> Sequence[Action]:
        return legal_actions(view)

    def _think(self, view: View, consider: Sequence[Action], seed: int) -> Thought:
        from fairplay.games.fish.players import thinking

        if self.space is None or not self.space.suits(view.state):
            self.space = thinking.SearchSpace(view.state, self.how, self.net)
        self.space.lay_out(view.state)
        if thought := thinking.think_alone(self.space, view, consider, self.budget):
            return thought
        think = thinking.think_deeper if len(remaining_seats(view.state)) <= 2 else thinking.think_in_tree
        return think(self.space, view, consider, self.budget)
