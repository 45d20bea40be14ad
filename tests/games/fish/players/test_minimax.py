"""The search of Fish 8 is exact, whatever is pruned."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from fairplay.core import Seat
from fairplay.games.fish import rules
from fairplay.games.fish.established.forms import PlayerForm, StateForm, state_from_form
from fairplay.games.fish.players.minimax import best_move, move_values
from fairplay.games.fish.state import Move, Setup, State
from games.fish.reference import search_value
from games.fish.samples import EXAMPLE
from kit import Table, kit, walk

MOVES = [((0, 0), (1, 0)), ((0, 1), (1, 0)), ((0, 1), (1, 1)), ((0, 1), (2, 2)), ((0, 1), (3, 2))]


@pytest.mark.parametrize(
    ("depth", "expected", "choice"), [(1, [2, 2, 2, 2, 2], 0), (2, [4, 2, 3, 6, 4], 3), (3, [5, 2, 7, 8, 8], 3)]
)
def test_8_7_the_example(depth: int, expected: list[int], choice: int) -> None:
    found = move_values(EXAMPLE, Seat(0), depth)
    assert [(move.start, move.target) for move in found] == MOVES
    assert list(found.values()) == expected
    assert best_move(EXAMPLE, Seat(0), depth) == Move(*MOVES[choice])


def test_8_6_depth_zero_takes_the_first_move() -> None:
    assert best_move(EXAMPLE, Seat(0), 0) == Move(*MOVES[0])


def test_8_3_no_answer_without_a_legal_move() -> None:
    stuck = state_from_form(StateForm((PlayerForm("red", 0, ((0, 0),)),), ((1,),)), placing=False)
    assert best_move(stuck, Seat(0), 2) is None


@given(table=kit("fish").tables, seed=st.integers(0, 2**32), turns=st.integers(0, 25), depth=st.integers(1, 2))
@settings(max_examples=40)
def test_8_4_pruning_never_changes_the_choice(table: Table, seed: int, turns: int, depth: int) -> None:
    """The same move as plain recursion over every line, written a second time without any pruning."""
    small = Table(Setup(rows=4, columns=4), table.seats)
    state: State = walk("fish", small, seed, 6 * table.seats + turns).state
    if state.turn is None or state.placing:
        return
    me = state.turn
    spots = state.board.geometry.positions
    tiles = {(r, c): fish for r, row in enumerate(state.rows) for c, fish in enumerate(row) if fish}
    places = [[spots[cell] for cell in cells] for cells in state.penguins]
    best: tuple[int, Move | None] = (-1, None)
    moves = [action for action in rules.legal_actions(rules.view(state, me)) if isinstance(action, Move)]
    for action in sorted(moves, key=lambda move: (move.start, move.target)):
        left = {spot: fish for spot, fish in tiles.items() if spot != action.start}
        moved = [[action.target if spot == action.start else spot for spot in each] for each in places]
        value = tiles[action.start] + search_value(left, moved, me, (me + 1) % len(places), depth - 1)
        assert move_values(state, me, depth)[action] == value
        if value > best[0]:
            best = value, action
    assert best_move(state, me, depth) == best[1]
