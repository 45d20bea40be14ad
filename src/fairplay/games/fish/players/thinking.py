"""How a seat thinks: two of them deeper and deeper, more of them in a tree, and on its own where nobody else gets."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from msgspec.structs import replace

from fairplay.core.immutable import bits, mask
from fairplay.core.kernel import Doubles, Integers
from fairplay.core.thinking import Budget, Candidate, Thought
from fairplay.games.fish.kernel import constants_for, make_tables, pack, row as layout
from fairplay.games.fish.numbers import make_encoding
from fairplay.games.fish.players import max_n, memory
from fairplay.games.fish.players.alpha_beta import BEST, CHOSEN, COUNT, INDEX, advance, begin, trace_line
from fairplay.games.fish.players.max_n import DOUBT, follow_tree, grow_tree, plant_tree, share_win
from fairplay.games.fish.players.memory import CONSIDERED, DEEPEST, FRAME, PLY, SURE
from fairplay.games.fish.players.solo import solve_alone, solve_child
from fairplay.games.fish.players.territory import UNIT
from fairplay.games.fish.rules import legal_actions, remaining_seats
from fairplay.games.fish.state import Action, State, View
from fairplay.kernels.code import How, load_functions

R = TypeVar("R")

LONGEST_LINE = 12

ROOM = 1 << 20
"""The most nodes of a tree; with a limit of time, there is room for this many."""


# -- on one board ------------------------------------------------------------------------------------

SOLO_NODES = 300
"""For each region that a seat has to itself, inside the search."""

SEARCHED = (advance, begin, follow_tree, grow_tree, plant_tree, solve_alone, solve_child, trace_line)

SLICES: dict[How, int] = {"core": 16_384, "interpreted": 16}
"""Nodes between two looks at the clock."""


class SearchSpace:
    """All that is needed to think about positions on one board; arrays and compiled functions."""

    def __init__(self, state: State, how: How | None = None, net: bool = True) -> None:
        geometry, seats = state.board.geometry, len(state.penguins)
        constants = dict(constants_for(state))
        self.has_net = net and seats == 2 and constants["MASK_WORDS"] == 1
        constants["NET"] = int(self.has_net)
        self.board, self.seats, self.encoding = state.board, seats, make_encoding(geometry, seats)
        self.most = max(len(geometry.positions), layout.LANES * layout.RAYS * max(geometry.rows, geometry.columns))
        self.arrays = memory.Arrays(
            tables=make_tables(state),
            rows=np.zeros((memory.ROWS, constants["WORDS"]), np.uint64),
            frames=np.zeros((memory.ROWS, FRAME + 2 * self.most), np.int64),
            keys=np.zeros(memory.TABLE + memory.MEMO, np.uint64),
            entries=np.zeros((memory.TABLE + memory.MEMO, memory.ENTRY), np.int64),
            control=np.zeros(memory.CONTROL, np.int64),
            worths=np.zeros(seats, np.int64),
            history=np.zeros(self.encoding.actions, np.int64),
        )
        self.frames, self.control, self.worths = self.arrays.frames, self.arrays.control, self.arrays.worths
        self.tree: max_n.Tree | None = None
        self.functions = load_functions("fish-search", SEARCHED, constants, how)
        self.slice = SLICES[self.functions.how]

    def suits(self, state: State) -> bool:
        """Is this made for positions like this?"""
        return len(state.penguins) == self.seats and state.board == self.board

    def lay_out(self, state: State) -> None:
        """Take a position in, and forget everything about others."""
        pack(state, self.arrays.rows[0])
        age = self.control[memory.AGE] + 1
        self.control[:] = 0
        self.control[memory.AGE], self.control[memory.REDUCE], self.control[memory.SOLO] = age, 1, SOLO_NODES
        self.arrays.history[:] = 0
        self.arrays.keys[memory.MEMO_AT :] = 0

    @property
    def nodes(self) -> int:
        """How many positions were made since a position was laid out."""
        return int(self.control[memory.NODES])

    def make_tree(self, nodes: int) -> max_n.Tree:
        """Room for a tree; the one of before if that is as large."""
        room = nodes + 2 * self.most + 1
        if self.tree is None or len(self.tree.nodes) != room:
            self.tree = max_n.Tree(np.zeros((room, max_n.NODE), np.int32), np.zeros((room, self.seats)), np.zeros(room))
        return self.tree

    def call(self, function: Callable[..., R], *arguments: object) -> R:
        """Call a compiled function with the arrays that they all work on."""
        return self.functions.call(function, self.arrays, *arguments)


# -- deeper and deeper ---------------------------------------------------------------------------------


def think_deeper(space: SearchSpace, view: View, consider: Sequence[Action], budget: Budget) -> Thought:
    """Search deeper and deeper until the budget is spent or the outcome is certain."""
    search, left = Deepening(space, view, consider), 0
    search.begin()
    while not search.depth:  # one turn is the least, whatever it takes
        left -= search.advance(space.slice)
    for work in budget.slices(space.slice):
        left += work
        while left > 0 and not search.complete:
            left -= search.advance(left)
        if search.complete:
            break
    search.use_part()
    return search.make_thought()


class Deepening:
    """Iterative deepening from the position that is laid out."""

    def __init__(self, space: SearchSpace, view: View, consider: Sequence[Action]) -> None:
        self.space, self.view = space, view
        self.considered = number_actions(space, view, list(dict.fromkeys(consider)))
        self.order = number_actions(space, view, legal_actions(view))
        self.values: dict[int, int] = {}
        self.depth, self.exact = 0, False

    @property
    def complete(self) -> bool:
        """Would no deeper search find more?"""
        return self.exact or self.depth == DEEPEST

    def begin(self) -> None:
        """Begin a search that is one turn deeper, with the best moves first, then those that are considered."""
        space, wide = self.space, len(self.order)
        if self.values:
            self.order.sort(key=lambda number: -self.values[number])
            first = [self.order[0], *(number for number in self.considered if number != self.order[0])]
            self.order = first + [number for number in self.order if number not in first]
            wide = len(first)
        space.frames[0, FRAME : FRAME + len(self.order)] = self.order
        space.frames[0, COUNT], space.control[CONSIDERED] = len(self.order), wide
        space.call(begin, self.depth + 1)

    def advance(self, limit: int) -> int:
        """Search on; once a depth is complete, begin the next one.  Returns the nodes that were made."""
        done: int = self.space.call(advance, limit)
        if self.space.control[PLY] < 0:
            self.depth += 1
            self.exact = bool(self.space.control[SURE])
            self.take_values(len(self.order))
            if not self.complete:
                self.begin()
        return done

    def take_values(self, count: int) -> None:
        """Note the values of the first moves; the others were not searched, and rank behind the best as before."""
        frame, promises = self.space.frames[0], FRAME + self.space.most
        best = int(frame[BEST])
        for index, number in enumerate(self.order):
            value = int(frame[promises + index]) if index < count else self.values[number]
            wide = index < self.space.control[CONSIDERED]
            self.values[number] = value if wide or number == frame[CHOSEN] else min(value, best - 1)

    def use_part(self) -> None:
        """Use a search that was not completed if all moves that must have a value got one."""
        done = int(self.space.frames[0, INDEX])
        if self.space.control[PLY] >= 0 and done >= self.space.control[CONSIDERED]:
            self.take_values(done)

    def make_thought(self) -> Thought:
        ranked = sorted(self.order, key=lambda number: -self.values[number])
        chosen = [ranked[0], *(number for number in ranked[1:] if number in self.considered)]
        candidates = tuple(self.make_candidate(number) for number in chosen)
        return Thought(candidates, self.space.nodes, self.depth, self.exact)

    def make_candidate(self, number: int) -> Candidate:
        """An action with what is expected after it."""
        space, me = self.space, self.view.me
        line = np.zeros(LONGEST_LINE, np.int64)
        count = space.call(trace_line, number, line)
        worths = space.worths.astype(float)
        missing = self.values[number] - (2 * worths[me] - worths.sum())  # the line may end before the search did
        rivals = [seat for seat in remaining_seats(self.view.state) if seat != me]
        worths[me] += missing / (1 + len(rivals))
        for seat in rivals:
            worths[seat] -= missing / 2
        return make_candidate(space, self.view, line[:count], worths, self.exact)


# -- alone -------------------------------------------------------------------------------------------


def think_alone(space: SearchSpace, view: View, consider: Sequence[Action], budget: Budget) -> Thought | None:
    """Find the most that can still be collected, if no tile is left that others can reach; None otherwise."""
    limit = space.slice if budget.seconds else budget.work
    number = int(space.call(solve_alone, limit))
    if number < 0:
        return None
    thought = solve_actions(space, view, [number, *number_actions(space, view, consider)], limit)
    for rounds, _ in enumerate(budget.slices(space.slice) if budget.seconds else ()):
        if thought.exact or rounds == 0:
            continue
        limit = space.slice * (1 + rounds)
        number = int(space.call(solve_alone, limit))
        thought = solve_actions(space, view, [number, *number_actions(space, view, consider)], limit)
    return thought


def solve_actions(space: SearchSpace, view: View, numbers: Sequence[int], limit: int) -> Thought:
    """What actions are worth to a seat that has its tiles to itself."""
    found = []
    exact = True
    for number in dict.fromkeys(numbers):
        space.call(solve_child, number, limit)
        exact &= bool(space.control[SURE])
        worths = space.worths.astype(float)
        found.append((worths[view.me], make_candidate(space, view, [number], worths, bool(space.control[SURE]))))
    found.sort(key=lambda each: -each[0])
    return Thought(tuple(candidate for _, candidate in found), space.nodes, exact=exact)


# -- in a tree -----------------------------------------------------------------------------------------


def think_in_tree(space: SearchSpace, view: View, consider: Sequence[Action], budget: Budget) -> Thought:
    """Grow a tree in which every seat wants the most for itself until the budget is spent."""
    considered = list(dict.fromkeys(number_actions(space, view, consider)))
    order = considered + [each for each in number_actions(space, view, legal_actions(view)) if each not in considered]
    tree = space.make_tree(ROOM if budget.seconds else min(ROOM, budget.work))
    space.frames[1, : len(order)], space.frames[0, FRAME] = order, len(order)
    space.control[CONSIDERED] = len(considered)
    space.call(plant_tree, tree)
    left = -space.nodes
    for work in budget.slices(space.slice):
        left += work
        done = int(space.call(grow_tree, tree, left)) if left > 0 else 0
        left -= done
        if left > 0:  # there is no room for more
            break
    return read_tree(space, tree, view, considered)


def read_tree(space: SearchSpace, tree: max_n.Tree, view: View, considered: Sequence[int]) -> Thought:
    """The child of the root that was visited most, and those that had to be considered."""
    nodes, sums = tree.nodes, tree.sums
    first, count = int(nodes[0, max_n.FIRST]), int(nodes[0, max_n.CHILDREN])
    means = sums[first : first + count] / (1 + nodes[first : first + count, max_n.VISITS])[:, None]
    ranked = sorted(range(count), key=lambda each: (-nodes[first + each, max_n.VISITS], -means[each, view.me]))
    chosen = [ranked[0], *(each for each in ranked[1:] if nodes[first + each, max_n.ACTION] in considered)]
    candidates = []
    for each in chosen:
        line = np.zeros(LONGEST_LINE, np.int64)
        length = space.call(follow_tree, tree, first + each, line)
        candidate = make_candidate(space, view, line[:length], space.worths.astype(float), exact=False)
        values = tuple(float(value) for value in means[each])
        candidates.append(replace(candidate, values=values, work=int(nodes[first + each, max_n.VISITS])))
    return Thought(tuple(candidates), space.nodes)


# -- in words of the game --------------------------------------------------------------------------------


def number_actions(space: SearchSpace, view: View, actions: Sequence[Action]) -> list[int]:
    return [space.encoding.number(action, view) for action in actions]


def make_candidate(
    space: SearchSpace, view: View, line: Integers | Sequence[int], worths: Doubles, exact: bool
) -> Candidate:
    """An action, the line that begins with it, and what all seats can expect."""
    state = view.state
    actions = tuple(space.encoding.action(int(number), view) for number in line)
    left = sum(state.board.fish[cell] for cell in bits(state.free))
    shares = np.zeros(len(worths))
    share_win(worths, mask(state.out), 0.0 if exact else UNIT * (1 + DOUBT * left), shares)
    points = tuple(float(worth // UNIT if exact else worth / UNIT) for worth in worths)
    return Candidate(actions[0], tuple(map(float, shares)), 0, actions, points)
