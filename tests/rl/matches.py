"""Small matches of every game, for all tests of environments."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairplay.rl import MatchEnv

SETUPS: dict[str, dict[str, Any]] = {
    "fish": {"rows": 4, "columns": 5},
    "trains": {"map": "tiny", "rails": 12, "deck_size": 40},
    "labyrinth": {"rows": 5, "columns": 5, "rounds": 6},
}
"""Setups whose matches are short."""


def choose_legal(mask: NDArray[np.int8], rng: Random) -> int:
    """One of the legal numbers."""
    return int(rng.choice(np.flatnonzero(mask).tolist()))


def play_out(
    env: MatchEnv, seed: int, answer: Callable[[str, NDArray[np.int8]], int] | None = None
) -> dict[str, float]:
    """Play a match to its end by `agent_iter` and `last`; what each seat got in all.

    answer: is given the seat and the mask; by default, it is legal.
    """
    rng, got = Random(seed), dict.fromkeys(env.possible_agents, 0.0)
    env.reset(seed=seed)
    for seat in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        got[seat] += reward
        if terminated:
            env.step(None)
            continue
        mask = observation["action_mask"]
        env.step(choose_legal(mask, rng) if answer is None else answer(seat, mask))
    return got
