"""The player that searches: candidates by ways, hidden goals by belief, and playouts after each candidate.

All candidates are played out with the same hidden goals, and those that fall behind drop out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from random import Random
from typing import Final

from fairplay.core import KernelSizeError, Seat, Seen
from fairplay.core.chance import choice, derived
from fairplay.games.labyrinth.numbers import encoding_of
from fairplay.games.labyrinth.players.belief import GoalBelief, Goals, Guesses
from fairplay.games.labyrinth.players.lookahead import look_ahead
from fairplay.games.labyrinth.rules import imagine, legal_actions
from fairplay.games.labyrinth.state import Action, Variant, View
from fairplay.parts.thinking import Budget, Candidate, Thought

__all__ = ["MazeSearcher"]

MOST_CANDIDATES: Final = 55
MOST_RATED: Final = 1024
TURNS: Final[Mapping[Variant, int]] = {"plain": 60, "multi-goal": 6, "original": 5}  # that are played out at most
TRIES: Final = 4  # slides that a seat tries in a playout
CHANCE_UNIT: Final = 1 << 24
CONFIDENCE: Final = 1.5  # how many standard errors a candidate may fall behind
SLICE: Final = 256  # playouts between two looks at who falls behind


class MazeSearcher:
    """A player that plays matches out; one match needs one of its own."""

    def __init__(self, rng: Random, budget: Budget, slip: float, belief: GoalBelief | None = None) -> None:
        self.rng, self.budget, self.slip = rng, budget, slip
        self.belief = belief or GoalBelief()

    def __call__(self, view: View) -> Action:
        """Choose an action; now and then, as `slip` says, any legal one."""
        slips, seed = self.rng.getrandbits(53) < self.slip * (1 << 53), self.rng.getrandbits(64)
        if slips:
            return choice(self.rng, legal_actions(view))
        action: Action = self._think(view, (), seed).action
        return action

    def look(self, view: View) -> None:
        """Keep in mind what a view shows."""
        self.belief.look(view)

    def saw(self, seen: Seen) -> None:
        """Keep in mind what happened."""
        self.belief.saw(seen)

    def think(self, view: View, consider: Sequence[Action] = ()) -> Thought:
        """Think about a position."""
        return self._think(view, consider, self.rng.getrandbits(64))

    def _think(self, view: View, consider: Sequence[Action], seed: int) -> Thought:
        guesses = self.belief.look(view)
        try:
            search = PositionSearch(view, guesses)
        except KernelSizeError:
            return think_simply(view, consider, seed)
        return search.think(self.budget, consider, seed)


class PositionSearch:
    """The search of one position: arrays for compiled code, made once."""

    def __init__(self, view: View, guesses: Mapping[Seat, Guesses]) -> None:
        import numpy as np

        from fairplay.games.labyrinth import kernel
        from fairplay.games.labyrinth.players import candidates, hidden, mazes, playouts
        from fairplay.kernels.code import load_functions

        state = imagine(view, derived(0))
        constants = kernel.constants_for(state)
        if not constants["SMALL"]:
            raise KernelSizeError("the search of Labyrinth has room for 64 cells, one more column counted")
        self.view, self.guesses, self.goals = view, guesses, Goals(view)
        self.encoding = encoding_of(view)
        self.seats = len(view.avatars)
        self.rating = load_functions("the search of Labyrinth", candidates, constants)
        self.playing = load_functions("the search of Labyrinth", playouts, constants)
        self.tables = kernel.make_tables(state)
        self.root, self.row = np.zeros((2, constants["WORDS"]), np.uint64)
        kernel.pack(state, self.root)
        self.mazes = np.zeros(mazes.MAZE_WORDS, np.uint64)
        self.points = np.zeros(self.seats, np.int64)
        self.chances = np.zeros(self.seats * hidden.MOST_GUESSES, np.int64)
        self.words = np.zeros(self.seats * hidden.MOST_GUESSES, np.uint64)
        for seat, each in guesses.items():
            self._write_guesses(seat, each)
        dealt = self.seats if view.variant == "plain" else len(self.goals.all)
        self.facts = np.array([view.me, self.goals.known, dealt, TURNS[view.variant], TRIES], np.int64)

    def _write_guesses(self, seat: Seat, guesses: Guesses) -> None:
        """Write what is believed about a seat as compiled code reads it."""
        from fairplay.games.labyrinth.players.hidden import MOST_GUESSES, TARGET_AT

        start, total = seat * MOST_GUESSES, 0
        for place, (guess, chance) in enumerate(guesses.items(), start):
            total += max(1, int(chance * CHANCE_UNIT))
            self.chances[place], self.words[place] = total, guess.target << TARGET_AT | guess.found
        self.chances[start + MOST_GUESSES - 1] = len(guesses)

    def think(self, budget: Budget, consider: Sequence[Action], seed: int) -> Thought:
        """Play candidates out until the budget is spent."""
        race = CandidateRace(self, self.list_candidates(consider))
        for size in budget.slices(SLICE):
            if not race.run(size, seed):
                break
        return race.conclude()

    def list_candidates(self, consider: Sequence[Action]) -> list[int]:
        """The numbers of the actions to play out, the most promising first; those to consider are among them."""
        import numpy as np

        numbers, rates, ways = np.zeros(MOST_RATED, np.int64), np.zeros(MOST_RATED), np.zeros(MOST_RATED, np.int64)
        threats, spots = np.array(self._list_threats()), np.zeros(64, np.int64)
        count = self.rating.call("rate_moves", self.tables, self.root, self.mazes, threats, spots, numbers, rates, ways)
        order = sorted(range(count), key=lambda place: (-rates[place], numbers[place]))
        arriving = [int(numbers[place]) for place in order if ways[place] < 0]
        others = [int(numbers[place]) for place in order if ways[place] >= 0]
        found = (arriving + others[: 0 if self.view.variant == "plain" else 4]) if arriving else others
        wanted = [self.encoding.number(action, self.view) for action in consider]
        return list(dict.fromkeys([*wanted, *found[:MOST_CANDIDATES]])) or [0]

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


class CandidateRace:
    """Candidates that are played out with the same hidden goals; those that fall behind drop out."""

    def __init__(self, search: PositionSearch, numbers: Sequence[int]) -> None:
        import numpy as np

        self.search, self.numbers = search, numbers
        self.live = list(range(len(numbers)))
        self.sums = np.zeros((len(numbers), search.seats))
        self.samples = [0] * len(numbers)
        self.drawn = self.work = 0

    def run(self, size: int, seed: int) -> bool:
        """Make about `size` more playouts; is there still a choice?"""
        import numpy as np

        search, live = self.search, self.live[:size]
        samples = max(1, size // len(live))
        sums = np.zeros(len(live) * search.seats)
        self.work += search.playing.call(
            "play_samples",
            search.tables,
            search.root,
            search.row,
            search.mazes,
            np.array([self.numbers[place] for place in live], np.int64),
            search.facts,
            search.chances,
            search.words,
            sums,
            search.points,
            np.uint64(seed),
            self.drawn,
            samples,
        )
        self.drawn += samples
        for place, shares in zip(live, sums.reshape(len(live), -1), strict=True):
            self.sums[place] += shares
            self.samples[place] += samples
        self._drop(live)
        return len(self.live) > 1

    def mean(self, place: int) -> float:
        """The share of the win of whoever thinks, after a candidate."""
        return float(self.sums[place][self.search.view.me]) / max(self.samples[place], 1)

    def error(self, place: int) -> float:
        """How far the mean of a candidate may be from the best one by chance."""
        mean, samples = self.mean(place), self.samples[place]
        return CONFIDENCE * sqrt(2 * (mean * (1 - mean) + 1 / (samples + 4)) / samples)

    def _drop(self, live: list[int]) -> None:
        """Drop the candidates that are worse than the best one by more than chance explains."""
        means = {place: self.mean(place) for place in live}
        best = max(means.values())

        self.live = [place for place in live if means[place] + self.error(place) >= best]

    def conclude(self) -> Thought:
        """All candidates, best first: those that were played out longest, then by their share of the win."""
        order = sorted(range(len(self.numbers)), key=lambda place: (-self.samples[place], -self.mean(place), place))
        found = tuple(self._candidate(place) for place in order)
        return Thought(found, work=self.work)

    def _candidate(self, place: int) -> Candidate:
        action = self.search.encoding.action(self.numbers[place], self.search.view)
        samples = self.samples[place]
        values = tuple(float(each) / samples for each in self.sums[place]) if samples else ()
        return Candidate(action, values, samples, (action,))


def think_simply(view: View, consider: Sequence[Action], seed: int) -> Thought:
    """What lookahead would do, where the board is too large for the search."""
    action = look_ahead(view, Random(seed), 1.5)
    share = 1 / max(len(view.seats), 1)
    values = tuple(share if seat in view.seats else 0.0 for seat in range(len(view.avatars)))
    found = dict.fromkeys([action, *consider])
    return Thought(tuple(Candidate(each, values, 0, (each,)) for each in found), reason="this board is too large")
