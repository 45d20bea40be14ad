"""OpenSpiel plays our games: its own tests, its search, what players may know, and the same deals."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="needs the extra `openspiel`")

from bench.series import play_series
from open_spiel.python.algorithms import ismcts, mcts

import fairplay.rl.openspiel
from fairplay.catalog import GAMES
from fairplay.core import Seat, SetupError, UsageError
from fairplay.match.replay import deal_state
from fairplay.run.engines.pool import Inline
from fairplay.setups import choose_setup
from rl.matches import SETUPS

NAMES = sorted(SETUPS)


def load(game: str, **more: Any) -> Any:
    fields = {**SETUPS[game], **more}
    return pyspiel.load_game(f"fairplay_{game}({','.join(f'{name}={value}' for name, value in fields.items())})")


def deal(game: str, **more: Any) -> Any:
    """A state that was just dealt."""
    state = load(game, **more).new_initial_state()
    state.apply_action(3)
    return state


def play_some(state: Any, turns: int, seed: int = 1) -> Any:
    rng = Random(seed)
    for _ in range(turns):
        if not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("seats", [2, 3])
def test_openspiel_judges_the_games(game: str, seats: int) -> None:
    pyspiel.random_sim_test(load(game, seats=seats), num_sims=2, serialize=True, verbose=False)


def test_a_given_seed_leaves_nothing_to_chance() -> None:
    game = load("fish", seed=3)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert str(game.new_initial_state()) == str(deal("fish"))


def make_mcts(game: Any, simulations: int) -> Any:
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    return mcts.MCTSBot(game, 1.4, simulations, evaluator, random_state=np.random.RandomState(1))


def test_the_search_of_openspiel_plays_a_match_of_fish_and_wins() -> None:
    state = deal("fish")
    bot = make_mcts(state.get_game(), 30)
    while not state.is_terminal():
        state.apply_action(bot.step(state) if state.current_player() == 0 else state.legal_actions()[0])
    assert state.returns() == [1, -1]


@pytest.mark.parametrize("game", ["labyrinth", "trains"])
def test_the_search_for_hidden_information_plays(game: str) -> None:
    state = play_some(deal(game), 4)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(
        game=state.get_game(),
        evaluator=evaluator,
        uct_c=1.4,
        max_simulations=4,
        random_state=np.random.RandomState(1),
    )
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("game", NAMES)
def test_chance_deals_what_the_seed_deals(game: str) -> None:
    state = load(game).new_initial_state()
    assert state.is_chance_node() and len(state.chance_outcomes()) == 1000
    state.apply_action(5)
    expected = deal_state(GAMES[game], state.table.setup, 5, 2)
    assert state.match_state == expected
    assert str(state) == GAMES[game].notation.format_position(expected)


@pytest.mark.parametrize("game", NAMES)
def test_what_a_player_cannot_know_is_chosen_again_and_looks_the_same(game: str) -> None:
    changed = False
    for turns in range(9):
        state = play_some(deal(game, seats=3), turns)
        for player in range(3):
            other = state.resample_from_infostate(player, Random(turns).random)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.current_player() == state.current_player()
            changed |= str(other) != str(state)
            if not other.is_terminal():
                play_some(other, 3)
    hides = state.get_game().get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    assert changed == hides == (game != "fish")


def test_what_others_keep_to_themselves_is_not_told() -> None:
    state = play_some(deal("trains"), 1)
    assert state.list_turns(0) != state.list_turns(1)
    assert state.list_turns(0) not in state.information_state_string(1)
    imagined = state.resample_from_infostate(1, Random(1).random)
    assert state.list_turns(0) not in imagined.information_state_string(0), "nor to a search"


@pytest.mark.parametrize("game", NAMES)
def test_tensors_are_the_arrays_of_all_environments(game: str) -> None:
    state = play_some(deal(game), 3)
    numbers: Any = GAMES[game].parts.numbers
    for player in range(2):
        view = GAMES[game].rules.view(state.match_state, Seat(player))
        encoding = numbers.encoding_of(view)
        expected = np.empty(encoding.shape, np.float32)
        encoding.observe(view, expected)
        assert np.array_equal(np.array(state.observation_tensor(player), np.float32), expected.ravel())
        assert state.information_state_tensor(player) == state.observation_tensor(player)
    assert state.action_to_string(state.legal_actions()[0])


def test_actions_have_names_and_games_parameters() -> None:
    state = deal("fish", seats=2)
    assert state.action_to_string(0, 7) == "1,2"
    assert state.get_game().get_parameters()["rows"] == 4
    with pytest.raises(SetupError, match="Fish is played by 2 to 4 seats"):
        fairplay.rl.openspiel.MatchGame.__subclasses__()[0]({"seats": 9})
    with pytest.raises(UsageError, match="deals: expected at least 1"):
        fairplay.rl.openspiel.MatchGame.__subclasses__()[0]({"deals": 0})


def make_mcts_in_c(game: Any, simulations: int) -> Any:
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    return pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 100, True, 1, False)


def test_the_search_in_c_plays_from_a_view() -> None:
    """By `step_with_policy`.  Its `step` lets go of the interpreter, and any game in Python dies of it."""
    game = load("fish", seed=0)
    state = game.imagine_state(GAMES["fish"].rules.view(deal("fish").match_state, Seat(0)), Random(1))
    assert str(state) == str(deal("fish"))
    _, action = make_mcts_in_c(game, 20).step_with_policy(state)
    assert action in state.legal_actions()


@pytest.mark.parametrize("game", NAMES)
def test_an_imagined_state_shows_the_same_view(game: str) -> None:
    rules = GAMES[game].rules
    view = rules.view(play_some(deal(game), 3).match_state, Seat(1))
    state = load(game, seed=0).imagine_state(view, Random(2))
    assert rules.view(state.match_state, Seat(1)) == view
    assert not state.is_chance_node()


@pytest.mark.parametrize(("game", "bot"), [("fish", "mcts"), ("labyrinth", "ismcts"), ("trains", "ismcts")])
def test_the_example_lets_bots_of_openspiel_play(game: str, bot: str) -> None:
    root = Path(__file__).parent.parent.parent
    program = f"{root / 'examples' / 'openspiel_bot.py'} --bot {bot} --simulations 2 --path {root / 'src'}"
    rival = next(iter(GAMES[game].players.strategies))
    setup = choose_setup(GAMES[game], None, {**SETUPS[game]})
    (result,) = play_series(Inline(), game, setup, (f"cmd:{sys.executable} {program}", rival), [0], seed=1)
    assert not any(result.outcome.faults)


def test_the_interpreter_ends_well() -> None:
    """OpenSpiel frees what was registered when Python is gone already."""
    code = "import fairplay.rl.openspiel, pyspiel; pyspiel.load_game('fairplay_fish').new_initial_state()"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
