"""The arrays that the search of one position works with, and what compiled code is told in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from fairplay.core import KernelSizeError, Seat
from fairplay.core.chance import derived
from fairplay.games.labyrinth.numbers import encoding_of
from fairplay.games.labyrinth.players.belief import Goals, Guesses
from fairplay.games.labyrinth.rules import imagine
from fairplay.games.labyrinth.state import Variant
from fairplay.kernels.code import How, load_functions

__all__ = ["RatedMove", "SearchSpace"]

MOST_RATED: Final = 1024
TURNS: Final[Mapping[Variant, int]] = {"plain": 60, "multi-goal": 6, "original": 5}
"""Turns that are played out at most; then the race is judged."""

TRIES: Final = 4
"""Slides that a seat tries in a playout if it cannot arrive."""

CHANCE_UNIT: Final = 1 << 24


class RatedMove(NamedTuple):
    """A move that may be worth playouts."""

    number: int  # of the action
    rate: float  # how good it looks
    ways: int  # how many slides open a way to the goal from where it ends; -1: it arrives


class SearchSpace:
    """One position, what is believed of it, and arrays for compiled code; raises KernelSizeError."""

    def __init__(self, goals: Goals, guesses: Mapping[Seat, Guesses], how: How | None = None) -> None:
        import numpy as np

        from fairplay.games.labyrinth import kernel
        from fairplay.games.labyrinth.players import mazes
        from fairplay.games.labyrinth.players.candidates import rate_moves
        from fairplay.games.labyrinth.players.playouts import expect_line, play_samples

        view = goals.view
        homeward = frozenset({view.me}) if goals.going_home else frozenset[Seat]()
        state = replace(imagine(view, derived(0)), homeward=homeward)
        constants = kernel.constants_for(state)
        if not constants["SMALL"]:
            raise KernelSizeError("the search of Labyrinth has room for 64 cells, one more column counted")
        self.view, self.guesses, self.goals = view, guesses, goals
        self.encoding, self.seats = encoding_of(view), len(view.avatars)
        self.code = load_functions("labyrinth-search", (expect_line, play_samples, rate_moves), constants, how)
        self.tables = kernel.make_tables(state)
        self.root, self.row = np.zeros((2, constants["WORDS"]), np.uint64)
        kernel.pack(state, self.root)
        self.mazes = np.zeros(mazes.MAZE_WORDS, np.uint64)
        self.points = np.zeros(self.seats, np.int64)
        dealt = self.seats if view.variant == "plain" else len(self.goals.all)
        self.facts = np.array([view.me, self.goals.known, dealt, TURNS[view.variant], TRIES], np.int64)
        self.belief = self.write_guesses(guesses)

    def write_guesses(self, guesses: Mapping[Seat, Guesses]) -> tuple[Any, Any]:
        """What is believed, as compiled code reads it: chances added up, and guesses as words."""
        import numpy as np

        from fairplay.games.labyrinth.players.hidden import MOST_GUESSES, TARGET_AT

        chances = np.zeros(self.seats * MOST_GUESSES, np.int64)
        words = np.zeros(self.seats * MOST_GUESSES, np.uint64)
        for seat, each in guesses.items():
            total, start = 0, seat * MOST_GUESSES
            for place, (guess, chance) in enumerate(each.items(), start):
                total += max(1, int(chance * CHANCE_UNIT))
                chances[place], words[place] = total, guess.target << TARGET_AT | guess.found
            chances[start + MOST_GUESSES - 1] = len(each)
        return chances, words

    def rate_moves(self) -> list[RatedMove]:
        """The moves that may be worth playouts, the most promising first."""
        import numpy as np

        from fairplay.games.labyrinth.players.candidates import rate_moves

        numbers, rates, ways = np.zeros(MOST_RATED, np.int64), np.zeros(MOST_RATED), np.zeros(MOST_RATED, np.int64)
        threats, spots = np.array(self._list_threats()), np.zeros(64, np.int64)
        count = self.code.call(rate_moves, self.tables, self.root, self.mazes, threats, spots, numbers, rates, ways)
        found = [RatedMove(int(numbers[at]), float(rates[at]), int(ways[at])) for at in range(count)]
        return sorted(found, key=lambda move: (-move.rate, move.number))

    def _list_threats(self) -> list[float]:
        """For every seat and goal the chance that it is its target; for me that it will be the next one."""
        from fairplay.games.labyrinth.players.candidates import GOALS_EACH

        threats = [0.0] * (self.seats * GOALS_EACH)
        for seat, guesses in self.guesses.items():
            for guess, chance in guesses.items():
                threats[seat * GOALS_EACH + guess.target] += chance
        for goal, chance in self.goals.next_targets().items():
            threats[self.view.me * GOALS_EACH + goal] += chance
        return threats

    def play_samples(self, numbers: Sequence[int], seed: int, first: int, samples: int) -> tuple[Any, Any]:
        """Play the match out after each action.

        Returns the sums of the shares of the win, a row for each action, and of the products of mine after each two
        actions, the later one first.
        """
        import numpy as np

        from fairplay.games.labyrinth.players.playouts import play_samples

        count = len(numbers)
        sums, products, shares = np.zeros(count * self.seats), np.zeros(count * count), np.zeros(count)
        arrays = (self.tables, self.root, self.row, self.mazes, np.array(numbers, np.int64), self.facts, *self.belief)
        results = (sums, products, shares, self.points)
        self.code.call(play_samples, *arrays, *results, np.uint64(seed), first, samples)
        return sums.reshape(count, self.seats), products.reshape(count, count)

    def expect_line(self, number: int, seed: int) -> list[int]:
        """An action, and what may well follow up to my next turn, if everyone looks for what is most likely."""
        import numpy as np

        from fairplay.games.labyrinth.players.playouts import expect_line

        likeliest = {
            seat: {max(each, key=lambda guess: (each[guess], guess)): 1.0} for seat, each in self.guesses.items()
        }
        line = np.zeros(len(self.view.seats) + 1, np.int64)
        line[0] = number
        arrays = (self.tables, self.root, self.row, self.mazes, self.facts, *self.write_guesses(likeliest), line)
        count = self.code.call(expect_line, *arrays, np.uint64(seed))
        return [int(each) for each in line[:count]]
