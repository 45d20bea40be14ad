"""Chance after the deal in environments, data sets and OpenSpiel."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="needs the extra `rl`")
pytest.importorskip("pettingzoo", reason="needs the extra `rl`")

from gymnasium.utils.env_checker import check_env

import fairplay
from fairplay.core import Seat, UsageError
from fairplay.core.game import let_chance_fall
from fairplay.match.replay import deal_state
from fairplay.rl import MatchEnv, ParallelMatchEnv, SeatEnv, VectorMatches

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it imports a game of its own in a way that it warns of
    from pettingzoo.test import api_test, parallel_api_test, seed_test

pytestmark = [
    pytest.mark.usefixtures("pig"),
    # PettingZoo has a list of the environments of its own that may have dictionaries as observations.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
]


@pytest.fixture
def match(pig: Any) -> Iterator[Any]:
    """A match of two house players, to be played once more."""
    yield fairplay.play("pig", ["careful", "random"], seed=21)


def numbers_of(match: Any) -> list[tuple[Any, int]]:
    """The turns of a match and the numbers of their actions."""
    game = match.game.game
    encoding = game.parts.numbers.encoding_of(match.start.state)
    return [(turn, encoding.number(turn.action, game.rules.view(turn.before, turn.seat))) for turn in match.turns]


# -- environments ------------------------------------------------------------------------------


def test_the_environment_by_turns_plays_chance_as_the_referee_does(match: Any) -> None:
    env = MatchEnv("pig", seats=2)
    env.reset(seed=21)
    for turn, number in numbers_of(match):
        assert env._state == turn.before
        assert env.agent_selection == f"seat_{turn.seat}"
        env.step(number)
    assert env._state == match.events[-1].after
    won = [env.rewards[f"seat_{seat}"] for seat in range(2)]
    assert (won[0] > won[1]) is (match.outcome.ranking[0] == (0,))


def test_the_environment_of_a_seat_plays_chance_as_the_referee_does(match: Any) -> None:
    env = SeatEnv("pig", "careful", seats=2, seat=1)
    env.reset(seed=21)
    for turn, number in numbers_of(match):
        if turn.seat == 1:
            _, reward, terminated, _, _ = env.step(number)
    assert terminated and (reward == 1) == (match.outcome.ranking[0] == (1,))


def test_copies_go_on_with_the_same_chance() -> None:
    env = MatchEnv("pig", seats=3)
    env.reset(seed=3)
    env.step(0)
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for _ in range(6):
        states = {each._state for each in (env, *others)}
        assert len(states) == 1
        for each in (env, *others):
            each.step(0)


def test_matches_without_a_seed_differ_in_their_chance() -> None:
    env, seen = MatchEnv("pig", seats=2), set()
    env.reset(seed=1)
    for _ in range(12):
        env.reset()
        for _ in range(4):
            env.step(0)
        seen.add(env._state)
    assert len(seen) > 3


def test_pettingzoo_and_gymnasium_judge_it() -> None:
    api_test(MatchEnv("pig", seats=3), num_cycles=60)
    seed_test(partial(MatchEnv, "pig", seats=2), num_cycles=30)
    parallel_api_test(ParallelMatchEnv("pig", seats=2), num_cycles=60)
    check_env(SeatEnv("pig", "random", seats=2), skip_render_check=True)


def test_many_matches_at_once_need_a_kernel() -> None:
    with pytest.raises(UsageError, match="pig"):
        VectorMatches("pig", 4)


# -- OpenSpiel ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pyspiel(pig: Any) -> Any:
    found = pytest.importorskip("pyspiel", reason="needs the extra `openspiel`")
    from fairplay.rl import openspiel

    openspiel._register_games()
    return found


def test_openspiel_judges_it_with_chance_nodes(pyspiel: Any) -> None:
    for parameters in ("seats=2", "seats=3,seed=4"):
        game = pyspiel.load_game(f"fairplay_pig({parameters})")
        assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
        pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


def test_a_die_is_a_chance_node_with_the_weights_of_the_rule_book(pyspiel: Any) -> None:
    state = pyspiel.load_game("fairplay_pig(seats=2,seed=4)").new_initial_state()
    assert state.is_chance_node()
    assert dict(state.chance_outcomes()) == pytest.approx({0: 3 / 6, 1: 2 / 6, 2: 1 / 6})
    assert state.action_to_string(1) == '{"came":"bonus","seat":0,"points":1}'
    state.apply_action(1)
    state.apply_action(0)
    assert state.current_player() == 0
    state.apply_action(0)
    assert state.is_chance_node() and [number for number, _ in state.chance_outcomes()] == [*range(6)]
    state.apply_action(5)
    assert state.current_player() == 0 and state.match_state.sum == 6
    assert [*state.match_state.bonuses] == [1, 0]


def test_what_is_secret_of_chance_is_not_told(pyspiel: Any) -> None:
    state = pyspiel.load_game("fairplay_pig(seats=2,seed=4)").new_initial_state()
    for action in (2, 1, 0, 4):
        state.apply_action(action)
    assert state.list_turns(0) == state.list_turns(1)
    assert '"face":5' in state.list_turns(1) and '"points":null' in state.list_turns(1)
    for player in range(2):
        other = state.resample_from_infostate(player, Random(1).random)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.current_player() == state.current_player()
        while not other.is_terminal():
            other.apply_action(other.legal_actions()[-1])
        assert sum(other.returns()) == 0


def test_expectation_over_chance_is_what_it_should_be(pyspiel: Any) -> None:
    """With a goal of one, whoever holds a sum wins: the first to roll does, but for a one."""
    state = pyspiel.load_game("fairplay_pig(seats=2,seed=4,goal=1)").new_initial_state()
    for action in (0, 0, 0):
        state.apply_action(action)

    def value(node: Any) -> float:
        if node.is_terminal():
            return float(node.returns()[0])
        if node.is_chance_node():
            return sum((share * value(node.child(number)) for number, share in node.chance_outcomes()), 0.0)
        return 1.0 if node.current_player() == 0 else -1.0

    assert value(state) == pytest.approx(5 / 6 - 1 / 6)


def test_the_search_of_openspiel_averages_over_chance(pyspiel: Any) -> None:
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game("fairplay_pig(seats=2,seed=4)")
    state = game.new_initial_state()
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 1.4, 20, evaluator, random_state=np.random.RandomState(1))
    for _ in range(2):
        state.apply_action(0)
    assert bot.step(state) in state.legal_actions()


def test_searches_in_python_let_chance_fall_with_dice_of_their_own(pig: Any) -> None:
    state = deal_state(pig, pig.variants["standard"], 1, 2)
    ends = {let_chance_fall(pig, state, Random(seed)) for seed in range(300)}
    assert len(ends) == 9, "three bonuses for each of two seats"
    assert all(pig.rules.chance(end) is None and pig.rules.to_move(end) == Seat(0) for end in ends)
