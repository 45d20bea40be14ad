"""Memo 002: the network, and the law that keeping it up to date equals building it anew."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from fairplay.core.chance import derived
from fairplay.course.memos.m002 import make_game
from fairplay.games.fish import rules
from fairplay.games.fish.established.forms import PlayerForm, StateForm, state_from_form
from fairplay.games.fish.state import Move, Setup, State
from kit import Table, kit, walk

BOARD = ((1, 2, 3), (4, 0, 5), (1, 1), (2, 3, 1))


def state(*penguins: tuple[int, int]) -> State:
    return state_from_form(StateForm((PlayerForm("red", 0, penguins),), BOARD), placing=False)


def test_the_map_has_the_shape_of_the_memo() -> None:
    network = make_game(state())
    assert network.get_map()[1][0] == {
        "NE": [[0, 1]],
        "SE": [[2, 1], [3, 1]],
        "S": [[3, 0]],
        "SW": [[2, 0]],
        "NW": [[0, 0]],
    }
    assert network.get_map()[1][1] == {}
    assert [len(row) for row in network.get_map()] == [3, 3, 3, 3]


def test_edges_to_occupied_tiles_are_pruned() -> None:
    network = make_game(state((2, 1)))
    assert network.get_all_reachable_pos((1, 0)) == [(0, 1), (3, 0), (2, 0), (0, 0)]
    assert network.is_move_valid((1, 0), (0, 1))
    assert not network.is_move_valid((1, 0), (2, 1))
    assert not network.is_move_valid((1, 0), (3, 1))
    assert network.is_move_valid((2, 1), (3, 1))


def test_what_is_handed_out_can_be_changed_without_harm() -> None:
    network = make_game(state())
    network.get_map()[1][0]["NE"].clear()
    network.get_all_reachable_pos((1, 0)).clear()
    assert network.get_map()[1][0]["NE"] == [[0, 1]]
    assert len(network.get_all_reachable_pos((1, 0))) == 6


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ((4, 0), r"\(4, 0\) is outside the board of 4 rows and 3 columns"),
        ((0, -1), "outside the board"),
        ((1, 1), r"\(1, 1\) is a hole"),
        ((2, 2), "is a hole"),
        ("ab", r"expected a position \(row, column\), got 'ab'"),
        ((1,), "expected a position"),
        ((1.0, 0), "expected a position"),
        ((True, 0), "expected a position"),
        ((0, False), "expected a position"),
        (None, "expected a position"),
    ],
)
def test_no_position_no_answer(position: Any, reason: str) -> None:
    network = make_game(state())
    for ask in (
        lambda: network.get_all_reachable_pos(position),
        lambda: network.is_move_valid(position, (0, 0)),
        lambda: network.is_move_valid((0, 0), position),
    ):
        with pytest.raises(ValueError, match=reason):
            ask()


def test_it_is_built_after_all_penguins_are_placed() -> None:
    with pytest.raises(ValueError, match="after all penguins are placed"):
        make_game(rules.start(Setup(), 2, derived(1)))


@pytest.mark.parametrize("garbage", [None, 7, "a state", BOARD], ids=str)
def test_only_a_state_of_fish_has_a_network(garbage: Any) -> None:
    network = make_game(state())
    for build in (make_game, network.update):
        with pytest.raises(ValueError, match="expected a state of Fish"):
            build(garbage)


def refused(later: State) -> str:
    """Why a network does not follow to `later`; asserts that it stays as it was."""
    network = make_game(state((0, 0)))
    before = network.get_map()
    with pytest.raises(ValueError) as caught:
        network.update(later)
    assert network.get_map() == before
    return str(caught.value)


def test_a_state_of_the_placement_phase_is_refused() -> None:
    assert "after all penguins are placed" in refused(replace(state((0, 0)), placing=True))


@pytest.mark.parametrize(
    "rows",
    [
        ((1, 2, 3), (4, 0, 5), (1, 1), (2, 3, 2)),  # other fish
        ((1, 2, 3), (4, 0, 5), (1, 1)),  # other size
        ((2, 2, 2, 2, 2),) * 5,
    ],
)
def test_a_state_of_another_board_is_refused(rows: tuple[tuple[int, ...], ...]) -> None:
    other = state_from_form(StateForm((PlayerForm("red", 0, ((0, 0),)),), rows), placing=False)
    assert "another board" in refused(other)


def test_an_earlier_state_is_refused() -> None:
    """Holes stay holes: a network that forgot a tile does not know where it leads."""
    early = state((0, 0))
    later = rules.apply(early, Move((0, 0), (1, 0)))
    network = make_game(early)
    network.update(later)
    with pytest.raises(ValueError, match=r"an earlier state: \(0, 0\) is a hole by now"):
        network.update(early)
    assert network.get_map() == make_game(later).get_map()


@given(table=kit("fish").tables, seed=st.integers(0, 2**32))
@settings(max_examples=40)
def test_kept_up_to_date_it_equals_one_made_anew_and_touches_only_what_changed(table: Table, seed: int) -> None:
    states = [each for each in walk("fish", table, seed, 200, faults=True).states if not each.placing]
    network = make_game(states[0])
    for before, after in pairwise(states):
        old = network.get_map()
        touched = network.update(after)
        new = network.get_map()
        assert new == make_game(after).get_map()
        assert touched <= affected(before, after)
        for row, column in before.board.geometry.positions:
            assert old[row][column] == new[row][column] or (row, column) in touched


def affected(before: State, after: State) -> set[tuple[int, int]]:
    """The tiles that changed hands, and all positions on a line with them."""
    shape = before.board.geometry
    changed = [cell for cell in range(len(shape.positions)) if status(before, cell) != status(after, cell)]
    lines = [cell for start in changed for ray in shape.rays[start].values() for cell in ray]
    return {shape.positions[cell] for cell in (*changed, *lines)}


def status(state: State, cell: int) -> str:
    if state.free >> cell & 1:
        return "free"
    return "taken" if any(cell in cells for cells in state.penguins) else "hole"


def test_both_ends_of_a_long_board_stay_untouched() -> None:
    """A move in one corner of a large board looks at few of its 625 positions."""
    states = walk("fish", Table(Setup(rows=25, columns=25), 2), 3, 20).states
    moving = [each for each in states if not each.placing]
    network = make_game(moving[0])
    assert all(len(network.update(after)) < 120 for after in moving[1:])
