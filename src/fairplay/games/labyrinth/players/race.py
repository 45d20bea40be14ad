"""Candidates that are played out with the same hidden goals; those that fall behind drop out."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final

from fairplay.core.thinking import Candidate
from fairplay.games.labyrinth.players.workspace import SearchSpace
from fairplay.games.labyrinth.state import Action

__all__ = ["CandidateRace"]

MOST_CANDIDATES: Final = 55
MOST_OTHERS: Final = 4  # candidates that do not arrive when others do: to end the match may be wrong

CONFIDENCE: Final = 2.0  # how many standard errors a candidate may fall behind
DOUBT: Final = 0.05  # added to how much few samples differ
LINES: Final = 3  # candidates that are shown with what may follow


class CandidateRace:
    """The candidates of one position, and how often each seat won after them."""

    def __init__(self, space: SearchSpace, consider: Sequence[Action], most: int) -> None:
        import numpy as np

        self.space = space
        rated = space.rate_moves()
        self.ways = {move.number: move.ways for move in rated}
        arriving = [move.number for move in rated if move.ways < 0]
        others = [move.number for move in rated if move.ways >= 0]
        plain = space.view.variant == "plain"
        found = arriving + others[: 0 if plain else MOST_OTHERS] if arriving else others or [0]
        wanted = [space.encoding.number(action, space.view) for action in consider]
        self.numbers = list(dict.fromkeys([*found[: max(1, min(most - len(wanted), MOST_CANDIDATES))], *wanted]))
        self.wins = bool(arriving) and space.goals.going_home and space.view.variant != "multi-goal"
        self.live = list(range(len(self.numbers)))
        self.sums = np.zeros((len(self.numbers), space.seats))
        self.products = np.zeros((len(self.numbers), len(self.numbers)))
        self.samples = [0] * len(self.numbers)
        self.drawn = self.work = 0

    def run(self, size: int, seed: int) -> bool:
        """Make about `size` more playouts; is there still a choice?"""
        samples = max(1, size // len(self.live))
        numbers = [self.numbers[place] for place in self.live]
        sums, products = self.space.play_samples(numbers, seed, self.drawn, samples)
        self.drawn += samples
        self.work += samples * len(numbers)
        for at, place in enumerate(self.live):
            self.sums[place] += sums[at]
            self.products[place, self.live] += products[at]
            self.samples[place] += samples
        best = max(self.live, key=self.mean)
        self.live = [place for place in self.live if self.mean(best) - self.mean(place) <= self.error(best, place)]
        return len(self.live) > 1

    def mean(self, place: int) -> float:
        """My share of the win after a candidate."""
        return float(self.sums[place][self.space.view.me]) / max(self.samples[place], 1)

    def error(self, one: int, other: int) -> float:
        """How much of the difference of two candidates that are still in chance may explain."""
        samples, difference = self.samples[one], self.mean(one) - self.mean(other)
        both = self.products[max(one, other), min(one, other)]
        squares = float(self.products[one, one] + self.products[other, other] - 2 * both) / samples
        return CONFIDENCE * sqrt((max(squares - difference * difference, 0.0) + DOUBT / samples) / samples)

    @property
    def order(self) -> list[int]:
        """The candidates, best first: those that dropped out last, then by their share of the win."""
        return sorted(range(len(self.numbers)), key=lambda place: (-self.samples[place], -self.mean(place), place))

    @property
    def best_number(self) -> int:
        """The number of the best candidate."""
        return self.numbers[self.order[0]]

    @property
    def best(self) -> Action:
        """The best candidate."""
        return self.space.encoding.action(self.best_number, self.space.view)

    def candidates(self, seed: int) -> tuple[Candidate, ...]:
        """All candidates, best first, the first few with what may follow."""
        return tuple(self._candidate(place, seed, with_line=shown < LINES) for shown, place in enumerate(self.order))

    def _candidate(self, place: int, seed: int, *, with_line: bool) -> Candidate:
        space, samples = self.space, self.samples[place]
        values = tuple(float(each) / samples for each in self.sums[place]) if samples else self._sure_win()
        numbers = space.expect_line(self.numbers[place], seed) if with_line else [self.numbers[place]]
        line = tuple(space.encoding.action(number, space.view) for number in numbers)
        return Candidate(line[0], values, samples, line)

    def _sure_win(self) -> tuple[float, ...]:
        """What a candidate is worth that comes home, which ends the match."""
        return tuple(float(seat == self.space.view.me) for seat in range(self.space.seats))
