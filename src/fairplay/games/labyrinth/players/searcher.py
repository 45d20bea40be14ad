"""The player that searches: hidden goals by belief, candidates by ways, and playouts after each candidate."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from fairplay.core import KernelSizeError, Seat, Seen
from fairplay.core.thinking import Budget, Searcher, Thought, think_equal
from fairplay.games.labyrinth.players.belief import GOING_HOME, GoalBelief, Goals, Guesses
from fairplay.games.labyrinth.players.lookahead import look_ahead
from fairplay.games.labyrinth.players.race import CandidateRace
from fairplay.games.labyrinth.players.workspace import SearchSpace
from fairplay.games.labyrinth.rules import format_place, legal_actions
from fairplay.games.labyrinth.state import Action, Move, View
from fairplay.kernels.code import How

__all__ = ["MazeSearcher"]

SLICE: Final = 256  # playouts between two looks at which candidates fall behind
HARM: Final = 1.5  # of lookahead, which plays if the board is too large


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
