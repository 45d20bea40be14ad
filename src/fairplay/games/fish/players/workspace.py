"""Where the search of Fish works on one board: arrays and compiled functions."""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from fairplay.games.fish.kernel import constants_for, make_tables, pack
from fairplay.games.fish.kernel import row as layout
from fairplay.games.fish.numbers import make_encoding
from fairplay.games.fish.players import max_n
from fairplay.games.fish.players.alpha_beta import advance, begin, trace_line
from fairplay.games.fish.players.max_n import follow_tree, grow_tree, plant_tree
from fairplay.games.fish.players.memory import (
    AGE,
    CONTROL,
    ENTRY,
    FRAME,
    MEMO,
    MEMO_AT,
    NODES,
    REDUCE,
    ROWS,
    SOLO,
    TABLE,
)
from fairplay.games.fish.players.solo import solve_alone, solve_child
from fairplay.games.fish.state import State
from fairplay.kernels.code import How, load_functions

R = TypeVar("R")

SOLO_NODES = 300
"""For each region that a seat has to itself, inside the search."""

SEARCHED = (advance, begin, follow_tree, grow_tree, plant_tree, solve_alone, solve_child, trace_line)

SLICES: dict[How, int] = {"core": 16_384, "interpreted": 16}
"""Nodes between two looks at the clock."""


class SearchSpace:
    """All that is needed to think about positions on one board; what each array holds is written in `memory`."""

    def __init__(self, state: State, how: How | None = None, net: bool = True) -> None:
        geometry, seats = state.board.geometry, len(state.penguins)
        constants = dict(constants_for(state))
        self.has_net = net and seats == 2 and constants["MASK_WORDS"] == 1
        constants["NET"] = int(self.has_net)
        self.board, self.seats, self.encoding = state.board, seats, make_encoding(geometry, seats)
        self.most = max(len(geometry.positions), layout.LANES * layout.RAYS * max(geometry.rows, geometry.columns))
        self.tables = make_tables(state)
        self.rows = np.zeros((ROWS, constants["WORDS"]), np.uint64)
        self.frames = np.zeros((ROWS, FRAME + 2 * self.most), np.int64)
        self.keys = np.zeros(TABLE + MEMO, np.uint64)
        self.entries = np.zeros((TABLE + MEMO, ENTRY), np.int64)
        self.control = np.zeros(CONTROL, np.int64)
        self.worths = np.zeros(seats, np.int64)
        self.history = np.zeros(self.encoding.actions, np.int64)
        self.tree: tuple[NDArray[Any], ...] = ()
        self.functions = load_functions("fish-search", SEARCHED, constants, how)
        self.slice = SLICES[self.functions.how]

    def suits(self, state: State) -> bool:
        """Is this made for positions like this?"""
        return len(state.penguins) == self.seats and state.board == self.board

    def lay_out(self, state: State) -> None:
        """Take a position in, and forget everything about others."""
        pack(state, self.rows[0])
        age = self.control[AGE] + 1
        self.control[:] = 0
        self.control[AGE], self.control[REDUCE], self.control[SOLO] = age, 1, SOLO_NODES
        self.history[:] = 0
        self.keys[MEMO_AT:] = 0

    @property
    def nodes(self) -> int:
        """How many positions were made since a position was laid out."""
        return int(self.control[NODES])

    def make_tree(self, nodes: int) -> None:
        """Make room for a tree, if there is not enough yet."""
        room = nodes + 2 * self.most + 1
        if not self.tree or len(self.tree[0]) != room:
            self.tree = np.zeros((room, max_n.NODE), np.int32), np.zeros((room, self.seats)), np.zeros(room)

    def call(self, function: Callable[..., R], *arguments: Any) -> R:
        """Call a compiled function with the arrays that they all work on."""
        arrays = (self.tables, self.rows, self.frames, self.keys, self.entries, self.control, self.worths)
        return self.functions.call(function, *arrays, *arguments)
