"""The player that searches; interpreted and with tiny budgets, but for one test."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fairplay.core import House, Seat, Seen, UsageError
from fairplay.core.chance import derived
from fairplay.core.immutable import bits as cells
from fairplay.core.thinking import Budget
from fairplay.games.labyrinth import GAME, kernel, rules
from fairplay.games.labyrinth.goals import locate_target
from fairplay.games.labyrinth.players import mazes
from fairplay.games.labyrinth.players.belief import GoalBelief
from fairplay.games.labyrinth.players.lookahead import ways_in
from fairplay.games.labyrinth.players.search import CandidateRace, MazeSearcher, SearchSpace
from fairplay.games.labyrinth.players.strategies import lookahead, random, search
from fairplay.games.labyrinth.state import Action, Move, Setup, State, Variant, View
from fairplay.kernels.code import How, has_compiler
from fairplay.kernels.specialise import specialise
from fairplay.match.players import house_strategy
from games.labyrinth.worlds import ANN

SMALL = Setup(rows=3, columns=4)
VARIANTS: list[tuple[Setup, int]] = [
    (SMALL, 2),
    (Setup("multi-goal", rows=5, columns=5), 4),
    (Setup("multi-goal", rows=4, columns=6), 6),
    (Setup("original"), 3),
    (Setup(rows=9, columns=9), 2),
]


def searcher(seed: int, playouts: int = 4, slip: float = 0.0, how: How = "interpreted") -> MazeSearcher:
    return MazeSearcher(derived(seed), Budget(playouts), slip, how=how)


def view_of(setup: Setup, seats: int = 2, seed: int = 5) -> View:
    return rules.view(rules.start(setup, seats, derived(seed, "deal")), ANN)


def play_some(setup: Setup, seats: int, player: MazeSearcher, turns: int, *, remove: bool = False) -> list[Action]:
    """What the first seat chooses against random players, one of which is removed."""
    state = rules.start(setup, seats, derived(5, "deal"))
    strategies: list[Any] = [player, *(random(derived(seat)) for seat in range(1, seats))]
    chosen: list[Action] = []
    for number in range(turns):
        seat = state.turn
        if seat is None:
            break
        view = rules.view(state, seat)
        action = None if remove and number == 1 else strategies[seat](view)
        if action is not None:
            assert rules.why_illegal(view, action) is None
        if seat == ANN and action is not None:
            chosen.append(action)
        player.saw(Seen(number, seat, action))
        state = rules.remove(state, seat) if action is None else rules.apply(state, action)
    return chosen


@pytest.mark.parametrize(("setup", "seats"), VARIANTS)
def test_every_variant_size_and_number_of_seats_can_be_played(setup: Setup, seats: int) -> None:
    chosen = play_some(setup, seats, searcher(1), seats + 1, remove=seats > 2)
    assert len(chosen) == 2
    assert play_some(setup, seats, searcher(1), seats + 1, remove=seats > 2) == chosen


@pytest.mark.skipif(not has_compiler(), reason="numba is not installed")
def test_it_chooses_the_same_interpreted_and_compiled() -> None:
    """LAW: the same generator and what was shown give the same thoughts."""
    for seed in range(3):
        view = view_of(SMALL, seed=seed)
        one, other = (searcher(seed, 30, how=how).think(view) for how in ("interpreted", "core"))
        assert one == other


@pytest.mark.parametrize("variant", ["plain", "multi-goal", "original"])
def test_a_thought_has_legal_candidates_whose_values_add_up(variant: Variant) -> None:
    view = view_of(GAME.variants[variant])
    consider = rules.legal_actions(view)[-3:]
    thought = searcher(2, 30).think(view, consider)
    assert {*consider} <= {candidate.action for candidate in thought.candidates}
    assert thought.work == sum(candidate.work for candidate in thought.candidates) >= 20
    assert thought.reason
    for candidate in thought.candidates:
        assert rules.why_illegal(view, candidate.action) is None
        assert candidate.line[0] == candidate.action
        assert candidate.work >= 1
        assert sum(candidate.values) == pytest.approx(1)
    assert len(thought.candidates[0].line) > 1


def test_where_the_board_is_too_large_it_says_what_lookahead_would_do() -> None:
    view = view_of(Setup(rows=9, columns=9))
    consider = rules.legal_actions(view)[:2]
    thought = searcher(2).think(view, consider)
    assert {*consider} <= {candidate.action for candidate in thought.candidates}
    assert all(candidate.values == (0.5, 0.5) for candidate in thought.candidates)
    assert "too large" in thought.reason


def test_the_expected_line_can_be_played() -> None:
    state = rules.start(SMALL, 2, derived(5, "deal"))
    for action in searcher(3, 20).think(rules.view(state, ANN)).candidates[0].line:
        assert state.turn is not None
        assert rules.why_illegal(rules.view(state, state.turn), action) is None
        state = rules.apply(state, action)


def homeward(setup: Setup, seats: int) -> State:
    """A state in which the first seat can come home and win."""
    for seed in range(99):
        state = rules.start(setup, seats, derived(seed, "deal"))
        for number in range(60):
            if state.turn is None:
                break
            view = rules.view(state, state.turn)
            going = lookahead(derived(number))(view)
            after = rules.apply(state, going)
            if after.finisher == ANN:
                return state
            state = after
    raise AssertionError("nobody came home")


@pytest.mark.parametrize("setup", [SMALL, Setup("original")])
def test_it_wins_where_one_move_wins(setup: Setup) -> None:
    state = homeward(setup, 2)
    player = searcher(1, 1)
    thought = player.think(rules.view(state, ANN))
    assert rules.apply(state, thought.action).finisher == ANN
    assert rules.apply(state, player(rules.view(state, ANN))).finisher == ANN
    assert thought.exact
    assert thought.candidates[0].values == (1.0, 0.0)


def test_where_others_are_considered_too_the_win_comes_first() -> None:
    state = homeward(SMALL, 2)
    view = rules.view(state, ANN)
    thought = searcher(1, 30).think(view, rules.legal_actions(view)[:2])
    assert rules.apply(state, thought.action).finisher == ANN


def test_slips_are_random_actions_and_draw_as_much() -> None:
    view = view_of(SMALL)
    always, never = searcher(7, 4, slip=1.0), searcher(7, 4)
    assert len({always(view) for _ in range(12)}) > 6
    drawn = derived(7)
    drawn.getrandbits(53)
    drawn.getrandbits(64)
    never(view)
    assert never.rng.getstate() == drawn.getstate()


def test_wrong_options_are_refused() -> None:
    for options in ({"playouts": 0}, {"slip": 1.5}, {"slip": -0.1}, {"seconds": -1.0}, {"seconds": 1.0}):
        with pytest.raises(ValueError, match=r"expected|clock"):
            search(derived(1), **options)
    with pytest.raises(UsageError, match="slip"):
        house_strategy(GAME, "search:slip=2", derived(1))


def test_it_thinks_as_long_as_the_clock_says() -> None:
    ticks = iter(range(100))
    player = search(derived(1), seconds=2.0, clock=lambda: float(next(ticks)))
    thought = MazeSearcher(player.rng, player.budget, how="interpreted").think(view_of(SMALL))  # type: ignore[attr-defined]  # its own
    assert thought.work > 1


def test_ways_are_those_that_lookahead_counts() -> None:
    """Compiled code asks the same question for all cells at once."""
    for setup in (Setup(), Setup("original")):
        state = rules.start(setup, 2, derived(8, "deal"))
        constants = kernel.constants_for(state)
        functions = specialise(mazes, dict(constants), lambda function: function)
        row = np.zeros(constants["WORDS"], np.uint64)
        kernel.pack(state, row)
        words = np.zeros(mazes.MAZE_WORDS, np.uint64)
        functions["copy_maze"](row, words)
        grid, spot = state.board.grid, locate_target(state.board, state.targets[0])
        aim = mazes.OFF if spot is None else grid.cell(spot)
        functions["count_ways"](kernel.make_tables(state), words, mazes.HERE, aim, int(state.original))
        masks = ways_in(state.board, state.targets[0])
        for cell in cells(grid.everywhere):
            assert functions["ways_of"](words, cell) == sum(mask >> cell & 1 for mask in masks)


def test_all_moves_that_arrive_are_candidates() -> None:
    for seed in range(40):
        view = view_of(Setup(rows=5, columns=5), seed=seed)
        arriving = {move for move in rules.legal_actions(view) if isinstance(move, Move) and move.to == view.target}
        if arriving:
            space = SearchSpace(*GoalBelief().look(view), "interpreted")
            race = CandidateRace(space, (), 999)
            found = {space.encoding.action(number, view) for number in race.numbers}
            assert found <= arriving
            assert {(move.index, move.direction) for move in found if isinstance(move, Move)} == {
                (move.index, move.direction) for move in arriving
            }
            return
    raise AssertionError("nobody could arrive")


def test_a_match_told_by_the_platform_is_followed() -> None:
    """House players are told what happens (`saw`)."""
    player = House(searcher(1))
    assert player.saw is not None
    player.saw(Seen(0, Seat(0), None))
