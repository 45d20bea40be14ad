"""How two seats think: deeper and deeper by alpha-beta, or each on its own once nobody can get in the other's way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from fairplay.games.fish.players.alpha_beta import BEST, CHOSEN, COUNT, INDEX
from fairplay.games.fish.players.desk import Desk
from fairplay.games.fish.players.memory import CONSIDERED, DEEPEST, FRAME, PLY, SURE
from fairplay.games.fish.players.shares import share_win
from fairplay.games.fish.players.territory import UNIT
from fairplay.games.fish.rules import legal_actions, remaining_seats
from fairplay.games.fish.state import Action, View
from fairplay.parts.thinking import Budget, Candidate, Thought

__all__ = ["think_alone", "think_deeper"]

SLICE: Final = 16_384
"""Nodes between two looks at the clock."""

LONGEST_LINE: Final = 12


def think_deeper(desk: Desk, view: View, consider: Sequence[Action], budget: Budget) -> Thought:
    """Search deeper and deeper until the budget is spent or the outcome is certain."""
    search, left = Deepening(desk, view, consider), 0
    search.begin()
    while not search.depth:  # one turn is the least, whatever it takes
        left -= search.advance(SLICE)
    for work in budget.slices(SLICE):
        left += work
        while left > 0 and not search.complete:
            left -= search.advance(left)
        if search.complete:
            break
    search.use_part()
    return search.make_thought()


class Deepening:
    """Iterative deepening from the position that is laid out."""

    def __init__(self, desk: Desk, view: View, consider: Sequence[Action]) -> None:
        self.desk, self.view = desk, view
        number = desk.encoding.number
        self.considered = [number(action, view) for action in dict.fromkeys(consider)]
        self.order = [number(action, view) for action in legal_actions(view)]
        self.values: dict[int, int] = {}
        self.depth, self.exact = 0, False

    @property
    def complete(self) -> bool:
        """Would no deeper search find more?"""
        return self.exact or self.depth == (DEEPEST if len(remaining_seats(self.view.state)) <= 2 else 1)

    def begin(self) -> None:
        """Begin a search that is one turn deeper, with the best moves first, then those that are considered."""
        desk, wide = self.desk, len(self.order)
        if self.values:
            self.order.sort(key=lambda number: -self.values[number])
            first = [self.order[0], *(number for number in self.considered if number != self.order[0])]
            self.order = first + [number for number in self.order if number not in first]
            wide = len(first)
        desk.frames[0, FRAME : FRAME + len(self.order)] = self.order
        desk.frames[0, COUNT], desk.control[CONSIDERED] = len(self.order), wide
        desk.call("begin", self.depth + 1)

    def advance(self, limit: int) -> int:
        """Search on; once a depth is complete, begin the next one.  Returns the nodes that were made."""
        done: int = self.desk.call("advance", self.desk.history, limit)
        if self.desk.control[PLY] < 0:
            self.depth += 1
            self.exact = bool(self.desk.control[SURE])
            self.take_values(len(self.order))
            if not self.complete:
                self.begin()
        return done

    def take_values(self, count: int) -> None:
        """Note the values of the first moves; the others were not searched, and rank behind the best as before."""
        frame, promises = self.desk.frames[0], FRAME + self.desk.most
        best = int(frame[BEST])
        for index, number in enumerate(self.order):
            value = int(frame[promises + index]) if index < count else self.values[number]
            wide = index < self.desk.control[CONSIDERED]
            self.values[number] = value if wide or number == frame[CHOSEN] else min(value, best - 1)

    def use_part(self) -> None:
        """Use a search that was not completed where all moves that must have a value got one."""
        done = int(self.desk.frames[0, INDEX])
        if self.desk.control[PLY] >= 0 and done >= self.desk.control[CONSIDERED]:
            self.take_values(done)

    def make_thought(self) -> Thought:
        """What was found."""
        ranked = sorted(self.order, key=lambda number: -self.values[number])
        chosen = [ranked[0], *(number for number in ranked[1:] if number in self.considered)]
        candidates = tuple(self.make_candidate(number) for number in chosen)
        return Thought(candidates, self.desk.nodes, self.depth, self.exact)

    def make_candidate(self, number: int) -> Candidate:
        """An action with what is expected after it."""
        desk, me = self.desk, self.view.me
        line = np.zeros(LONGEST_LINE, np.int64)
        count = desk.call("trace_line", number, line)
        worths = [float(worth) for worth in desk.worths]
        missing = self.values[number] - (2 * worths[me] - sum(worths))  # the line may end before the search did
        rivals = [seat for seat in remaining_seats(self.view.state) if seat != me]
        worths[me] += missing / (1 + len(rivals))
        for seat in rivals:
            worths[seat] -= missing / 2
        return make_candidate(desk, self.view, [int(each) for each in line[:count]], worths, self.exact)


# -- alone -------------------------------------------------------------------------------------------


def think_alone(desk: Desk, view: View, consider: Sequence[Action], budget: Budget) -> Thought | None:
    """Find the most that can still be collected, where no tile is left that two seats can reach; None elsewhere."""
    limit = budget.work
    number = int(desk.call("solve_alone", 0, SLICE if budget.seconds else limit))
    if number < 0:
        return None
    if budget.seconds:
        for rounds, _ in enumerate(budget.slices(SLICE), 1):
            limit = SLICE * rounds
            if desk.control[SURE]:
                break
            number = int(desk.call("solve_alone", 0, limit + 1))
    numbers = dict.fromkeys([number, *(desk.encoding.number(action, view) for action in consider)])
    found = [solve_action(desk, view, each, limit) for each in numbers]
    found.sort(key=lambda each: -each[0])
    exact = all(certain for _, certain, _ in found)
    return Thought(tuple(candidate for _, _, candidate in found), desk.nodes, exact=exact)


def solve_action(desk: Desk, view: View, number: int, limit: int) -> tuple[int, bool, Candidate]:
    """What an action is worth where no tile is left that two seats can reach, and whether that is certain."""
    desk.call("solve_child", number, limit)
    exact = bool(desk.control[SURE])
    worths = [float(worth) for worth in desk.worths]
    return int(desk.worths[view.me]), exact, make_candidate(desk, view, [number], worths, exact)


def make_candidate(desk: Desk, view: View, line: Sequence[int], worths: Sequence[float], exact: bool) -> Candidate:
    """An action, the line that begins with it, and what all seats can expect."""
    actions = tuple(desk.encoding.action(number, view) for number in line)
    points = tuple(worth // UNIT if exact else worth / UNIT for worth in worths)
    return Candidate(actions[0], share_win(view.state, worths, exact), 0, actions, points)
