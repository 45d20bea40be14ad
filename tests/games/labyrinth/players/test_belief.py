"""What a seat concludes about the goals of the others."""

from __future__ import annotations

from random import Random

import pytest

from fairplay.core import Seat, Seen
from fairplay.core.chance import derived
from fairplay.games.labyrinth import rules
from fairplay.games.labyrinth.players.belief import GOING_HOME, GoalBelief, Goals, Guesses, board_before
from fairplay.games.labyrinth.players.strategies import STRATEGIES
from fairplay.games.labyrinth.state import Move, Setup, State
from games.labyrinth.worlds import ANN, BOB

TABLES = [
    (Setup(), 2),
    (Setup("multi-goal"), 2),
    (Setup("multi-goal", goals=2), 3),
    (Setup("multi-goal", rows=5, columns=5), 4),
    (Setup("original"), 2),
    (Setup("original"), 4),
]


def chance_of_target(goals: Goals, state: State, seat: Seat, guesses: Guesses) -> float:
    """How likely the true target of a seat is."""
    target = GOING_HOME if seat in state.homeward else goals.numbers[state.targets[seat]]
    return sum(chance for guess, chance in guesses.items() if guess.target == target) / sum(guesses.values())


@pytest.mark.parametrize(("setup", "seats"), TABLES)
@pytest.mark.parametrize("rival", ["random", "euclid"])
def test_the_true_goal_is_never_ruled_out(setup: Setup, seats: int, rival: str) -> None:
    """LAW: nor in a match in which somebody is removed."""
    for seed in range(3):
        state = rules.start(setup, seats, derived(seed, "deal"))
        strategies = [STRATEGIES[rival](derived(seed, seat)) for seat in range(seats)]
        beliefs = [GoalBelief() for _ in range(seats)]
        for number in range(30):
            seat = state.turn
            if seat is None:
                break
            view = rules.view(state, seat)
            goals, found = beliefs[seat].look(view)
            assert goals.going_home == (seat in state.homeward) or setup.goals is not None
            for other, guesses in found.items():
                if other in state.seats:
                    assert chance_of_target(goals, state, other, guesses) > 0
                    assert 0.99 < sum(guesses.values()) < 1.01
            removed = number == 7 and seats > 2
            action = None if removed else strategies[seat](view)
            for belief in beliefs:
                belief.saw(Seen(number, seat, action))
            state = rules.remove(state, seat) if action is None else rules.apply(state, action)


def test_a_second_look_at_the_same_view_changes_nothing() -> None:
    """LAW: who thinks twice about a view keeps the same in mind as who only looked at it."""
    view, belief = rules.view(rules.start(Setup("original"), 3, derived(1, "deal")), ANN), GoalBelief()
    first = dict(belief.look(view)[1])
    assert belief.look(view)[1] == first


def test_a_goal_that_was_left_is_unlikely_and_one_that_was_entered_may_be_found() -> None:
    """Bob goes somewhere at random: goals that he could have gone to are hardly his."""
    for seed in range(8):
        state = rules.start(Setup(), 2, derived(seed, "deal"))
        belief = GoalBelief()
        belief.look(rules.view(state, ANN))
        first = STRATEGIES["random"](derived(seed, 1))(rules.view(state, ANN))
        belief.saw(Seen(0, ANN, first))
        state = rules.apply(state, first)
        moves = [action for action in rules.legal_actions(rules.view(state, BOB)) if isinstance(action, Move)]
        open_spots = {move.to for move in moves}
        move = moves[seed * 7 % len(moves)]
        belief.saw(Seen(1, BOB, move))
        state = rules.apply(state, move)
        if state.turn != ANN:
            continue
        view = rules.view(state, ANN)
        goals, guesses = belief.look(view)
        chances: dict[int, float] = {}
        for guess, chance in guesses[BOB].items():
            chances[guess.target] = chances.get(guess.target, 0.0) + chance
        possible = [number for number in chances if number != GOING_HOME and chances[number] > 1e-6]
        left = [chances[number] for number in possible if goals.all[number] in open_spots]
        others = [chances[number] for number in possible if goals.all[number] not in open_spots]
        if left and others:
            assert max(left) < min(others)
        entered = goals.numbers.get(move.to) in goals.unknown(0) and move.to != view.homes[BOB]
        assert (chances[GOING_HOME] > 0.001) == entered


def test_memory_follows_from_what_was_shown_whenever_it_looks() -> None:
    """One that looks at every turn of its own, and one that looks once, saw the same."""
    state = rules.start(Setup("multi-goal"), 2, derived(4, "deal"))
    strategies = [STRATEGIES["euclid"](Random(seat)) for seat in range(2)]
    often, once = GoalBelief(), GoalBelief()
    for number in range(9):
        assert state.turn is not None
        view = rules.view(state, state.turn)
        if state.turn == BOB:
            often.look(view)
        action = strategies[state.turn](view)
        often.saw(Seen(number, state.turn, action))
        once.saw(Seen(number, state.turn, action))
        state = rules.apply(state, action)
    view = rules.view(state, BOB)
    first, second = often.look(view)[1][ANN], once.look(view)[1][ANN]
    assert max(first, key=first.__getitem__).target == max(second, key=second.__getitem__).target


def test_a_move_can_be_taken_back() -> None:
    for seed in range(6):
        state = rules.start(Setup("original" if seed % 2 else "plain"), 2, derived(seed, "deal"))
        actions = rules.legal_actions(rules.view(state, ANN))
        move = actions[-1 - seed * 5]
        assert isinstance(move, Move)
        assert board_before(rules.apply(state, move).board, move) == state.board


def test_one_that_comes_late_guesses_evenly() -> None:
    """Without having seen anything, everything is as likely, and going home too."""
    state = rules.start(Setup(), 2, derived(1, "deal"))
    for _ in range(2):
        assert state.turn is not None
        state = rules.apply(state, rules.legal_actions(rules.view(state, state.turn))[1])
    guesses = GoalBelief().look(rules.view(state, ANN))[1][BOB]
    assert {round(chance, 6) for guess, chance in guesses.items() if guess.target != GOING_HOME} == {
        round(next(iter(guesses.values())), 6)
    }
    assert any(guess.target == GOING_HOME for guess in guesses)
