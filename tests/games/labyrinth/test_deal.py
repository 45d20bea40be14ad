"""Where matches start: settings, chance, given states."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from fairplay.core import SetupError
from fairplay.core.chance import derived
from fairplay.games.labyrinth.board import Slide
from fairplay.games.labyrinth.deal import ORIGINAL_HOMES, TREASURES
from fairplay.games.labyrinth.rules import start
from fairplay.games.labyrinth.state import COLORS, Maze, Setup
from fairplay.games.labyrinth.tiles import CONNECTORS, OPEN_SIDES, PAIRS, ROTATIONS, Connector

from .worlds import STATE_T, STATE_T0, form, open_board, player


@given(seed=st.integers(0, 2**32), seats=st.integers(2, 6))
def test_a_dealt_match_keeps_all_the_constraints(seed: int, seats: int) -> None:
    """Labyrinth 1.3, 1.8, 2.3, 2.4."""
    state = start(Setup("multi-goal"), seats, derived(seed))
    grid = state.board.grid
    assert (grid.rows, grid.columns) == (7, 7)
    assert len(set(state.board.gems)) == 50
    assert set(state.board.gems) <= set(PAIRS)
    assert len(set(state.homes)) == seats
    assert state.avatars == state.homes
    assert set(state.homes) <= set(grid.fixed)
    assert sorted([*state.targets, *state.queue]) == grid.fixed
    assert all(target != home for target, home in zip(state.targets, state.homes, strict=True))
    assert state.colors == COLORS[:seats]
    assert state.last is None
    assert state.turn == 0


def test_settings_choose_size_goals_and_limit() -> None:
    """Labyrinth 13.1."""
    state = start(Setup("multi-goal", rows=4, columns=9, goals=3, rounds=7), 2, derived(1))
    assert (state.board.grid.rows, state.board.grid.columns) == (4, 9)
    assert len(state.queue) == 3
    assert state.limit == 7
    assert start(Setup(), 2, derived(1)).queue == ()
    assert len(start(Setup("multi-goal"), 3, derived(1)).queue) == 6


def test_up_to_nine_seats_may_be_allowed() -> None:
    """Labyrinth 13.1."""
    assert start(Setup(most=9), 9, derived(1)).colors == COLORS
    assert len(start(Setup(fewest=3), 3, derived(1)).homes) == 3


def test_the_largest_board_uses_every_pair_of_gems() -> None:
    """Labyrinth 13.1: 5,150 tiles and the spare one."""
    state = start(Setup(rows=50, columns=103), 2, derived(1))
    assert set(state.board.gems) == set(PAIRS)


@pytest.mark.parametrize(
    ("setup", "seats", "reason"),
    [
        (Setup(), 1, "2 to 6 seats, not 1"),
        (Setup(), 7, "2 to 6 seats, not 7"),
        (Setup(fewest=3), 2, "3 to 6 seats, not 2"),
        (Setup(fewest=4), 4, "most must be at least 7, not 6"),
        (Setup(rows=2, columns=3), 2, "room for 1 of 2 homes"),
        (Setup(rows=52, columns=100), 2, "at most 5150 tiles"),
        (Setup(goals=1), 2, "choose the variant multi-goal"),
        (Setup("multi-goal", goals=8), 2, "7 positions are left"),
        (Setup("original", rows=9), 2, "only rounds can be chosen"),
        (Setup("original"), 5, "2 to 4 seats, not 5"),
        (Setup("original", given=form(STATE_T0)), 2, "always dealt"),
        (Setup(given=form(STATE_T0), rows=3), 2, "leave out rows, columns, goals and board"),
        (Setup(given=form(STATE_T)), 2, "choose the variant multi-goal"),
        (Setup(given=form(STATE_T0)), 3, "2 players, too few for 3"),
        (Setup(given=form(STATE_T0)), 1, "2 to 6 seats"),
        (Setup(board=Maze(("┼┼┼┼",), "┼")), 2, "two rows or more"),
        (Setup(board=Maze(("┼┼┼┼", "┼┼┼"), "┼")), 2, "all of one length"),
        (Setup(rows=6, board=Maze(("┼┼┼┼", "┼┼┼┼"), "┼")), 2, "leave out rows and columns"),
        (Setup(board=Maze(("┼┼┼", "┼┼┼"), "┼")), 2, "room for 1 of 2 homes"),
        (Setup("original", board=Maze(("┼┼┼┼", "┼┼┼┼"), "┼")), 2, "only rounds can be chosen"),
        (Setup(given=form(STATE_T0), board=Maze(("┼┼┼┼", "┼┼┼┼"), "┼")), 2, "leave out rows, columns, goals and board"),
    ],
)
def test_what_cannot_be_dealt_says_why(setup: Setup, seats: int, reason: str) -> None:
    with pytest.raises(SetupError, match=reason):
        start(setup, seats, derived(1))


@given(seed=st.integers(0, 2**32))
def test_on_a_drawn_board_everything_else_is_dealt(seed: int) -> None:
    """Labyrinth 2.3."""
    maze = Maze(("│─┐└┌", "┘┬├┴┤", "┼│─┐└", "┌┘┬├┴"), "┤")
    state = start(Setup("multi-goal", board=maze), 3, derived(seed))
    assert ["".join(CONNECTORS[tile] for tile in row) for row in state.board.tiles] == list(maze.tiles)
    assert CONNECTORS[state.board.spare] == "┤"
    assert len(set(state.board.gems)) == 21
    assert set(state.board.gems) <= set(PAIRS)
    assert sorted([*state.targets, *state.queue]) == state.board.grid.fixed == [(1, 1), (1, 3), (3, 1), (3, 3)]
    assert set(state.homes) < set(state.board.grid.fixed)


def test_a_given_state_starts_as_it_is() -> None:
    """Labyrinth 2.2: and nobody is going home yet, whatever the positions."""
    state = start(Setup("multi-goal", given=form(STATE_T), rounds=9), 2, derived(1))
    assert state.avatars == ((2, 4), (2, 1))
    assert state.homes == ((1, 1), (1, 3))
    assert state.targets == ((1, 3), (1, 1))
    assert state.queue == ((1, 3), (1, 1))
    assert state.colors == ("red", "blue")
    assert state.last == Slide(0, "LEFT")
    assert state.limit == 9
    at_goal = open_board([player((1, 1), (1, 1), "red", (1, 1)), player((3, 3), (3, 3), "blue", (3, 3))])
    assert start(Setup(given=form(at_goal)), 2, derived(1)).homeward == frozenset()


def test_surplus_entries_of_a_given_state_are_dropped() -> None:
    """Labyrinth 12.3."""
    players = [player((1, 1), (1, 1), color, (3, 3)) for color in ("red", "blue", "green")]
    assert start(Setup(given=form(open_board(players))), 2, derived(1)).colors == ("red", "blue")


@given(seed=st.integers(0, 2**32), seats=st.integers(2, 4))
def test_the_original_board_has_the_tiles_of_the_published_game(seed: int, seats: int) -> None:
    """Labyrinth 13.2 to 13.4."""
    state = start(Setup("original"), seats, derived(seed))
    board = state.board
    rows = ["".join(CONNECTORS[board.tile((row, column))] for column in (0, 2, 4, 6)) for row in (0, 2, 4, 6)]
    assert rows == ["┌┬┬┐", "├├┬┤", "├┴┤┤", "└┴┴┘"]
    fixed = set(board.grid.fixed)
    tiles = [(board.tile(spot), board.pairs[spot[0]][spot[1]]) for spot in spots() if spot not in fixed]
    loose = [*tiles, (board.spare, board.gems[-1])]
    shapes: tuple[Connector, ...] = ("│", "└", "┴")
    shape = {lying: name for name in shapes for lying, _ in ROTATIONS[OPEN_SIDES[name]]}
    assert Counter(shape[tile] for tile, _ in loose) == {"│": 13, "└": 15, "┴": 6}
    treasures = [(gem, gem) for gem in TREASURES]
    on_forks = [board.pairs[row][column] for row, column in sorted(fixed) if board.tile((row, column)).bit_count() == 3]
    assert on_forks == treasures[:12]
    assert {gems for tile, gems in loose if shape[tile] == "└"} >= set(treasures[12:18])
    assert {gems for tile, gems in loose if shape[tile] == "┴"} == set(treasures[18:])
    assert len(set(board.gems)) == 50
    assert sum(first != second for first, second in board.gems) == 26
    assert state.homes == ORIGINAL_HOMES[:seats]
    piles = [[target, *pile] for target, pile in zip(state.targets, state.piles, strict=True)]
    assert {len(pile) for pile in piles} == {24 // seats}
    assert sorted(gem for pile in piles for gem in pile) == list(TREASURES)


def spots() -> list[tuple[int, int]]:
    return [(row, column) for row in range(7) for column in range(7)]


def test_loose_tiles_lie_every_way() -> None:
    """Labyrinth 13.4: a rotation for each."""
    lying = Counter(start(Setup("original"), 2, derived(seed)).board.tile((0, 1)) for seed in range(300))
    assert len(lying) == 10
