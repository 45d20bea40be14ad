"""A house player that searches: random playouts of every action; of equals, the heap that most was taken from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from fairplay.core import Seen
from fairplay.core.chance import choice
from fairplay.core.thinking import Budget, Candidate, Clock, Searcher, Thought
from nim.rules import Heaps, Take, View, apply, legal_actions, to_move, view


def search(
    rng: Random, *, playouts: int = 64, slip: float = 0.0, seconds: float = 0.0, clock: Clock | None = None
) -> NimSearcher:
    """Random playouts of every action, and what the others took so far."""
    return NimSearcher(rng, Budget(playouts, seconds, clock), slip)


class NimSearcher(Searcher[View, Take]):
    """It keeps in mind what was taken."""

    def __init__(self, rng: Random, budget: Budget, slip: float) -> None:
        super().__init__(rng, budget, slip)
        self.taken: Counter[int] = Counter()  # from each heap, by whomever

    def saw(self, seen: Seen) -> None:
        if isinstance(seen.action, Take):
            self.taken[seen.action.heap] += seen.action.matches

    def _list_actions(self, view: View) -> Sequence[Take]:
        return legal_actions(view)

    def _think(self, view: View, consider: Sequence[Take], seed: int) -> Thought:
        chance = Random(seed)
        actions, wins, done = legal_actions(view), Counter[Take](), 0
        for size in self.budget.slices(8):
            for _ in range(size):
                for action in actions:
                    wins[action] += play_out(apply(view.state, action), chance) == view.me
            done += size
        ranked = sorted(actions, key=lambda action: (-wins[action], -self.taken[action.heap]))
        seats = range(len(view.state.seats))
        candidates = [
            Candidate(action, tuple(wins[action] / done if seat == view.me else 0.0 for seat in seats), done, (action,))
            for action in ranked
        ]
        return Thought(tuple(candidates), done * len(actions))


def play_out(state: Heaps, chance: Random) -> int | None:
    """Who wins where everybody plays at random."""
    while (mover := to_move(state)) is not None:
        state = apply(state, choice(chance, legal_actions(view(state, mover))))
    return state.last
