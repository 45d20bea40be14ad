"""The player that searches: hidden goals by belief, candidates by ways, and playouts after each candidate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from fairplay.core import KernelSizeError, Seat, Seen
from fairplay.core.chance import derived
from fairplay.core.kernel import Doubles, Integers, Words
from fairplay.core.thinking import Budget, Candidate, Searcher, Thought, think_equal
from fairplay.games.labyrinth.numbers import encoding_of
from fairplay.games.labyrinth.players.belief import GOING_HOME, GoalBelief, Goals, Guesses
from fairplay.games.labyrinth.players.lookahead import look_ahead
from fairplay.games.labyrinth.rules import format_place, imagine, legal_actions
from fairplay.games.labyrinth.state import Action, Move, Variant, View
from fairplay.kernels.code import How, load_functions

SLICE = 256  # playouts between two looks at which candidates fall behind
HARM = 1.5  # of lookahead, which plays if the board is too large


class MazeSearcher(Searcher[View, Action]):
    """A player that plays matches out; one match needs one of its own.

    belief: what it believes about the others' goals; for measurements another one than its own can be handed in.
    """

    def __init__(
        self, rng: Random, budget: Budget, slip: float = 0.0, belief: GoalBelief | None = None, how: How | None = None
    ) -> None:
        super().__init__(rng, budget, slip)
        self.belief, self.how = belief or GoalBelief(), how

    def look(self, view: View, /) -> None:
        self.belief.look(view)

    def saw(self, seen: Seen, /) -> None:
        self.belief.saw(seen)

    def _list_actions(self, view: View) -> Sequence[Action]:
        return legal_actions(view)

    def _choose(self, view: View, seed: int) -> Action:
        return self._run(view, (), seed).best

    def _think(self, view: View, consider: Sequence[Action], seed: int) -> Thought:
        race = self._run(view, consider, seed)
        return Thought(race.candidates(seed), race.work, exact=race.wins, reason=describe_choice(race))

    def _think_simply(self, view: View, consider: Sequence[Action], seed: int, error: KernelSizeError) -> Thought:
        reason = "the board is too large for playouts; this is what lookahead would do"
        actions = [look_ahead(view, Random(seed), HARM), *consider]
        return think_equal(actions, view.seats, len(view.avatars), reason)

    def _run(self, view: View, consider: Sequence[Action], seed: int) -> CandidateRace:
        """Play candidates out until the budget is spent, or the match is won, or one of them is left."""
        space = SearchSpace(*self.belief.look(view), self.how)
        race = CandidateRace(space, consider, self.budget.work if not self.budget.seconds else SLICE)
        if not (race.wins and not consider):
            for size in self.budget.slices(SLICE):
                if not race.run(size, seed):
                    break
        return race


# -- in words ----------------------------------------------------------------------------------


def describe_choice(race: CandidateRace) -> str:
    """Say what the best candidate does, and what the others probably look for."""
    space = race.space
    view = space.view
    if race.wins:
        return "comes home and wins"
    rivals = [describe_guesses(space.goals, seat, space.guesses[seat]) for seat in view.seats[1:]]
    return "; ".join([describe_move(race), *rivals])


def describe_move(race: CandidateRace) -> str:
    """Say whether the best candidate arrives, or how many slides lead to the goal from where it ends."""
    ways, goal = race.ways.get(race.best_number), name_target(race.space.goals, race.space.view.me, None)
    slides = len(race.space.view.board.grid.shifts)
    if not isinstance(race.best, Move):
        return "passes"
    if ways is None:
        return f"goes to {format_place(race.best.to)}"
    if ways < 0:
        return f"arrives at {goal}"
    return f"from {format_place(race.best.to)}, {ways} of {slides} slides open a way to {goal}"


def describe_guesses(goals: Goals, seat: Seat, guesses: Guesses) -> str:
    """Say what a seat most likely looks for."""
    chances: dict[int, float] = {}
    for guess, chance in guesses.items():
        chances[guess.target] = chances.get(guess.target, 0.0) + chance
    number = max(chances, key=lambda each: (chances[each], -each))
    percent = round(100 * chances[number] / sum(chances.values()))
    return f"player {seat + 1} most likely looks for {name_target(goals, seat, number)} ({percent} %)"


def name_target(goals: Goals, seat: Seat, number: int | None) -> str:
    """A goal of a seat, or without a number what I look for, in words."""
    if number == GOING_HOME or (number is None and goals.going_home):
        return f"its home {format_place(goals.view.homes[seat])}"
    target = goals.view.target if number is None else goals.target(seat, number)
    assert target is not None, "a seat that is out is not asked"
    return target if isinstance(target, str) else format_place(target)


# -- candidates -------------------------------------------------------------------------------


MOST_CANDIDATES = 55
MOST_OTHERS = 4  # candidates that do not arrive when others do: to end the match may be wrong

CONFIDENCE = 2.0  # how many standard errors a candidate may fall behind
DOUBT = 0.05  # added to how much few samples differ
LINES = 3  # candidates that are shown with what may follow


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


# -- arrays for compiled code -----------------------------------------------------------------


MOST_RATED = 1024
TURNS: Mapping[Variant, int] = {"plain": 60, "multi-goal": 6, "original": 5}
"""Turns that are played out at most; then the race is judged."""

TRIES = 4
"""Slides that a seat tries in a playout if it cannot arrive."""

CHANCE_UNIT = 1 << 24


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
        from fairplay.games.labyrinth.players import mazes, playouts

        view = goals.view
        homeward = frozenset({view.me}) if goals.going_home else frozenset[Seat]()
        state = replace(imagine(view, derived(0)), homeward=homeward)
        constants = kernel.constants_for(state)
        if not constants["SMALL"]:
            raise KernelSizeError("the search of Labyrinth has room for 64 cells, one more column counted")
        self.view, self.guesses, self.goals = view, guesses, goals
        self.encoding, self.seats = encoding_of(view), len(view.avatars)
        functions = (playouts.expect_line, playouts.play_samples, mazes.rate_moves)
        self.mazes, self.playouts = mazes, playouts
        self.code = load_functions("labyrinth-search", functions, constants, how)
        root, row = np.zeros((2, constants["WORDS"]), np.uint64)
        kernel.pack(state, root)
        variant = view.variant
        dealt = self.seats if variant == "plain" else len(goals.all)
        arrays = (kernel.make_tables(state), root, row, np.zeros(mazes.MAZE_WORDS, np.uint64))
        numbers = (view.me, goals.known, dealt, TURNS[variant], TRIES)
        self.arrays = playouts.Arrays(*arrays, *self._write_guesses(guesses), *numbers)

    def _write_guesses(self, guesses: Mapping[Seat, Guesses]) -> tuple[Integers, Words]:
        """What is believed, as compiled code reads it: chances added up, and guesses as words."""
        import numpy as np

        room, target_at = self.playouts.MOST_GUESSES, self.playouts.TARGET_AT
        chances = np.zeros(self.seats * room, np.int64)
        words = np.zeros(self.seats * room, np.uint64)
        for seat, each in guesses.items():
            total, start = 0, seat * room
            for place, (guess, chance) in enumerate(each.items(), start):
                total += max(1, int(chance * CHANCE_UNIT))
                chances[place], words[place] = total, guess.target << target_at | guess.found
            chances[start + room - 1] = len(each)
        return chances, words

    def rate_moves(self) -> list[RatedMove]:
        """The moves that may be worth playouts, the most promising first."""
        import numpy as np

        actions, rates, ways = np.zeros(MOST_RATED, np.int64), np.zeros(MOST_RATED), np.zeros(MOST_RATED, np.int64)
        rated = self.mazes.RatingArrays(np.array(self._list_threats()), np.zeros(64, np.int64), actions, rates, ways)
        count = self.code.call(self.mazes.rate_moves, self.arrays.tables, self.arrays.root, self.arrays.mazes, rated)
        found = [RatedMove(int(actions[at]), float(rates[at]), int(ways[at])) for at in range(count)]
        return sorted(found, key=lambda move: (-move.rate, move.number))

    def _list_threats(self) -> list[float]:
        """For every seat and goal the chance that it is its target; for me that it will be the next one."""
        goals_each = self.mazes.GOALS_EACH
        threats = [0.0] * (self.seats * goals_each)
        for seat, guesses in self.guesses.items():
            for guess, chance in guesses.items():
                threats[seat * goals_each + guess.target] += chance
        for goal, chance in self.goals.next_targets().items():
            threats[self.view.me * goals_each + goal] += chance
        return threats

    def play_samples(self, numbers: Sequence[int], seed: int, first: int, samples: int) -> tuple[Doubles, Doubles]:
        """Play the match out after each action.

        Returns the sums of the shares of the win, a row for each action, and of the products of mine after each two
        actions, the later one first.
        """
        import numpy as np

        count = len(numbers)
        sums, products = np.zeros(count * self.seats), np.zeros(count * count)
        found = self.playouts.SampleArrays(sums, products, np.zeros(count), np.zeros(self.seats, np.int64))
        actions = np.array(numbers, np.int64)
        self.code.call(self.playouts.play_samples, self.arrays, actions, found, np.uint64(seed), first, samples)
        return sums.reshape(count, self.seats), products.reshape(count, count)

    def expect_line(self, number: int, seed: int) -> list[int]:
        """An action, and what may well follow up to my next turn, if everyone looks for what is most likely."""
        import numpy as np

        likeliest = {
            seat: {max(each, key=lambda guess: (each[guess], guess)): 1.0} for seat, each in self.guesses.items()
        }
        chances, guesses = self._write_guesses(likeliest)
        line = np.zeros(len(self.view.seats) + 1, np.int64)
        line[0] = number
        arrays = self.arrays._replace(chances=chances, guesses=guesses)
        count = self.code.call(self.playouts.expect_line, arrays, line, np.uint64(seed))
        return [int(each) for each in line[:count]]
