"""Learners' environments beside PettingZoo's connect four and chess: by seats, one seat, and many matches at once."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from itertools import count
from random import Random
from typing import Any

from bench.measure import Figure, rates

SINGLE = {"fish": 30_000, "trains": 40_000, "labyrinth": 8_000}
"""Steps per second that are asked of one environment."""

MANY = {"fish": 1_500_000, "trains": 1_000_000, "labyrinth": 300_000}
"""Steps per second that are asked of many matches on one core, observations and masks written."""

MATCHES = 256
"""At once: their arrays stay in the cache of a core."""


def figures() -> list[Figure]:
    if find_spec("pettingzoo") is None:
        return []
    from fairplay.rl import MatchEnv

    found = [Figure(f"PettingZoo {name}", rates(play_seats(make()))[0], "steps") for name, make in yardsticks()]
    for game, bar in SINGLE.items():
        (rate,) = rates(play_seats(MatchEnv(game)))
        found.append(
            Figure(f"{game}: PettingZoo, seat by seat, random play", rate, "steps", note=judge_rate(rate, bar))
        )
    (rate,) = rates(play_seats(MatchEnv("labyrinth", factored=True)))
    found.append(Figure("labyrinth: the same in two decisions", rate, "decisions"))
    for game in SINGLE:
        (rate,) = rates(play_seat(game))
        found.append(Figure(f"{game}: Gymnasium, one seat against random", rate, "steps"))
    for game, bar in MANY.items():
        (rate,) = rates(play_many(game))
        note = judge_rate(rate, bar)
        found.append(Figure(f"{game}: {MATCHES} matches at once on one core, legal play", rate, "steps", note=note))
    return found


def judge_rate(rate: float, bar: int) -> str:
    """Whether a rate is what was asked."""
    return f"{'ok' if rate >= bar else 'BELOW'}: {bar:,} asked"


def yardsticks() -> list[tuple[str, Callable[[], Any]]]:
    """Environments of PettingZoo itself; none where what they need is not installed."""
    if find_spec("chess") is None or find_spec("pygame") is None:
        return []
    return [(name, partial(make_yardstick, f"classic/{name}")) for name in ("connect_four-v3", "chess-v6")]


def make_yardstick(known: str) -> Any:
    """An environment of PettingZoo, which warns of the way in which it imports its own."""
    import pettingzoo

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return pettingzoo.make("aec", known)


def play_seats(env: Any) -> Callable[[], int]:
    """One match of any environment of PettingZoo, at random, by the loop that its documentation shows."""
    seeds, rng = count(), Random(1)

    def work() -> int:
        steps = 0
        env.reset(seed=next(seeds))
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(int(rng.choice(observation["action_mask"].nonzero()[0])))
            steps += 1
            if steps == 2_000:
                break
        return steps

    return work


def play_seat(game: str) -> Callable[[], int]:
    """One match of one seat."""
    from fairplay.rl import SeatEnv

    env, seeds, rng = SeatEnv(game, "random"), count(), Random(1)

    def work() -> int:
        steps, terminated = 0, False
        _, info = env.reset(seed=next(seeds))
        while not terminated and steps < 1_000:
            _, _, terminated, _, info = env.step(int(rng.choice(info["action_mask"].nonzero()[0])))
            steps += 1
        return steps

    return work


def play_many(game: str) -> Callable[[], int]:
    """Steps of many matches; the actions are chosen in the kernel, which takes a tenth of the time."""
    from fairplay.rl import VectorMatches

    matches = VectorMatches(game, MATCHES)
    matches.reset(seed=1)

    def work() -> int:
        for _ in range(10):
            matches.step(matches.sample_actions())
        return 10 * MATCHES

    return work
