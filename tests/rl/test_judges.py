"""The field's own judges of environments: PettingZoo's tests, and Gymnasium's checker and vectors."""

from __future__ import annotations

import warnings
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="needs the extra `rl`")
pettingzoo = pytest.importorskip("pettingzoo", reason="needs the extra `rl`")

from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

from fairplay.rl import MatchEnv, ParallelMatchEnv, SeatEnv
from rl.matches import SETUPS

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it imports a game of its own in a way that it warns of
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

GAMES = sorted(SETUPS)

CASES = [(game, 2, False) for game in GAMES] + [("fish", 3, False), ("labyrinth", 3, True), ("nim", 3, False)]
"""Nim is a toy, which somebody else could have written."""

pytestmark = [
    # PettingZoo has a list of the environments of its own that may have dictionaries as observations.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
]


def settings(game: str, seats: int, factored: bool) -> dict[str, Any]:
    return {"game": game, "setup": SETUPS.get(game), "seats": seats, "factored": factored}


@pytest.mark.parametrize(("game", "seats", "factored"), CASES)
def test_pettingzoo_judges_the_environment_by_turns(game: str, seats: int, factored: bool) -> None:
    make = partial(MatchEnv, **settings(game, seats, factored))
    api_test(make(), num_cycles=60)
    seed_test(make, num_cycles=30)


@pytest.mark.parametrize(("game", "seats", "factored"), CASES)
def test_pettingzoo_judges_the_parallel_environment(game: str, seats: int, factored: bool) -> None:
    make = partial(ParallelMatchEnv, **settings(game, seats, factored))
    parallel_api_test(make(), num_cycles=60)
    parallel_seed_test(make, num_cycles=30)


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_judges_the_rendering(game: str) -> None:
    pytest.importorskip("resvg_py", reason="needs the extra `pictures`")
    is_drawing = {"svg": lambda drawn: drawn.startswith("<svg")}
    render_test(partial(MatchEnv, game, SETUPS[game]), custom_tests=is_drawing)


@pytest.mark.parametrize(("game", "seats", "factored"), CASES)
def test_gymnasium_judges_the_environment_of_a_seat(game: str, seats: int, factored: bool) -> None:
    env = gymnasium.make(f"fairplay/{game}_v0", **{**settings(game, seats, factored), "seat": seats - 1})
    check_env(env.unwrapped, skip_render_check=find_spec("resvg_py") is None or seats == 3)


@pytest.mark.parametrize("vector", [SyncVectorEnv, AsyncVectorEnv])
def test_gymnasium_runs_several_at_once(vector: Any) -> None:
    make = partial(SeatEnv, "fish", "greedy", SETUPS["fish"], 3, "random")
    envs = vector([make, make])
    try:
        observations, _ = envs.reset(seed=1)
        for _ in range(12):
            observations, rewards, _, _, _ = envs.step(observations["action_mask"].argmax(axis=1))
        assert np.abs(rewards).max() <= 1
    finally:
        envs.close()


@pytest.mark.parametrize("game", GAMES)
def test_the_ids_are_registered_everywhere(game: str) -> None:
    known = f"fairplay/{game}_v0"
    assert isinstance(gymnasium.make(known).unwrapped, SeatEnv)
    assert isinstance(pettingzoo.make("aec", known), MatchEnv)
    assert isinstance(pettingzoo.make("parallel", known, seats=3), ParallelMatchEnv)
