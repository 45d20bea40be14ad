"""House players of any game: one that does anything, and one that imagines what is hidden and plays on from there."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from random import Random
from typing import Any

from fairplay.core import AnyStrategy, Seat
from fairplay.core.chance import choice
from fairplay.core.game import HousePlayers
from fairplay.core.thinking import Budget, Candidate, Clock, Searcher, Thought
from fairplay.defaults.rules import DerivedRules

_LONGEST_PLAYOUT = 500
"""Turns after which a match that is played out counts as a draw of all who are in."""

_CURIOSITY = 0.7
"""How much an action that was seldom tried is worth trying again."""


def players_of(rules: DerivedRules) -> HousePlayers[Any, Any]:
    """`random`, and `search`, which needs to know nothing of the game but its rules."""

    def random(rng: Random) -> AnyStrategy:
        """Any legal action."""
        return lambda view: choice(rng, rules.legal_actions(view))

    def search(
        rng: Random, *, playouts: int = 200, slip: float = 0.0, seconds: float = 0.0, clock: Clock | None = None
    ) -> _Imagining:
        """Plays on at random from what it imagines, most often with the actions that did best."""
        return _Imagining(rules, rng, Budget(playouts, seconds, clock), slip)

    return HousePlayers({"random": random, "search": search}, at_sight=frozenset({"random"}), reviewer="search")


class _Imagining(Searcher[Any, Any]):
    """Tries actions in worlds that its view allows, and counts who wins them."""

    def __init__(self, rules: DerivedRules, rng: Random, budget: Budget, slip: float) -> None:
        super().__init__(rng, budget, slip)
        self.rules = rules

    def _list_actions(self, view: Any) -> Sequence[Any]:
        return self.rules.legal_actions(view)

    def _think(self, view: Any, consider: Sequence[Any], seed: int) -> Thought:
        chance, actions = Random(seed), self.rules.legal_actions(view)
        shares, tried = [[0.0] * view.seats for _ in actions], [0] * len(actions)
        for size in self.budget.slices(8):
            for _ in range(size):
                at = _most_promising(shares, tried, view.me)
                tried[at] += 1
                world = self.rules.apply(self.rules.imagine(view, chance), actions[at])
                for seat, share in self._play_out(world, chance).items():
                    shares[at][seat] += share
        ranked = sorted(range(len(actions)), key=lambda at: -_mean(shares[at][view.me], tried[at]))
        candidates = (
            Candidate(actions[at], tuple(_mean(each, tried[at]) for each in shares[at]), tried[at], (actions[at],))
            for at in ranked
        )
        return Thought(tuple(candidates), sum(tried))

    def _play_out(self, state: Any, chance: Random) -> dict[Seat, float]:
        """What each seat's share of the victory is after a random end of the match."""
        rules = self.rules
        for _ in range(_LONGEST_PLAYOUT):
            state = rules.let_chance_fall(state, chance)
            if (mover := rules.to_move(state)) is None:
                break
            state = rules.apply(state, choice(chance, rules.legal_actions(rules.view(state, mover))))
        scores = rules.scores(state)
        best = max(scores.values(), default=())
        winners = [seat for seat, score in scores.items() if score == best or rules.to_move(state) is not None]
        return {seat: 1 / len(winners) for seat in winners}


def _mean(total: float, count: int) -> float:
    return total / count if count else 0.0


def _most_promising(shares: list[list[float]], tried: list[int], me: int) -> int:
    """The action to try next: one that was never tried, or the best so far with some curiosity about the others."""
    if 0 in tried:
        return tried.index(0)
    spread = log(sum(tried))
    return max(range(len(tried)), key=lambda at: shares[at][me] / tried[at] + _CURIOSITY * sqrt(spread / tried[at]))
