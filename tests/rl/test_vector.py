"""Many matches at once: the same as match by match by the rule book, with removals, new deals and two decisions."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="needs the extra `rl`")

from fairplay.core import UsageError
from fairplay.rl import MatchEnv, VectorMatches
from rl.matches import SETUPS, choose_legal

NAMES = sorted(SETUPS)


def make(game: str, count: int, **named: Any) -> VectorMatches:
    return VectorMatches(game, count, SETUPS.get(game), **{"device": "interpreted", **named})


def env_at(matches: VectorMatches, state: Any) -> MatchEnv:
    """The environment of one match, in this state."""
    env = MatchEnv(matches.table.game.name, matches.table.setup, matches.seats, factored=bool(matches.table.factored))
    env.reset(seed=1)
    env._state = state
    env._ask_next()
    return env


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize(("game", "factored"), [*((game, False) for game in (*NAMES, "nim")), ("labyrinth", True)])
def test_every_match_goes_as_by_the_rule_book(game: str, seats: int, factored: bool) -> None:
    """Also where seats are removed, until all matches have ended and been dealt again."""
    matches, rng = make(game, 3, seats=seats, factored=factored), Random(seats)
    observations, infos = matches.reset(seed=1)
    envs = [env_at(matches, state) for state in matches.unpack_states()]
    ends = 0
    for _ in range(400):
        actions = [-1 if rng.random() < 0.02 else choose_legal(mask, rng) for mask in observations["action_mask"]]
        observations, rewards, ended, _, infos = matches.step(np.array(actions))
        for match, (env, action) in enumerate(zip(envs, actions, strict=True)):
            env.step(action)
            removed = {name: -1.0 for name in env.possible_agents if name in env._removed}
            if env.asked is None:
                assert ended[match]
                expected = {**env.rewards, **removed}
                assert rewards[match].tolist() == pytest.approx([expected[name] for name in env.possible_agents])
                envs[match] = env_at(matches, matches.unpack_states()[match])
                ends += 1
                continue
            assert not ended[match] and not rewards[match].any()
            while env.terminations[env.agent_selection]:
                env.step(None)
            assert [f"seat_{seat}" for seat in np.flatnonzero(infos["removed"][match])] == sorted(removed)
        for match, env in enumerate(envs):
            assert env.asked == f"seat_{infos['seat'][match]}"
            for key, seen in env.observe(env.asked).items():
                assert np.array_equal(observations[key][match], seen), key
        if ends >= 4:
            break
    assert ends >= 4


@pytest.mark.parametrize("game", NAMES)
def test_compiled_threads_play_what_the_interpreter_plays(game: str) -> None:
    """In the standard game, whose kernel other tests compile as well."""
    slow, quick = VectorMatches(game, 4, device="interpreted"), VectorMatches(game, 4, threads=2)
    slow.reset(seed=5)
    quick.reset(seed=5)
    for _ in range(60 if game == "fish" else 20):
        assert np.array_equal(slow.sample_actions(), quick.sample_actions())
        one, two = slow.step(slow.sample_actions()), quick.step(quick.sample_actions())
        for key, seen in one[0].items():
            assert np.array_equal(seen, two[0][key])
        assert np.array_equal(one[1], two[1]) and np.array_equal(one[2], two[2])


def test_a_seed_gives_the_same_matches_and_another_one_others() -> None:
    matches = make("fish", 3)
    first = matches.reset(seed=1)[0]["observation"].copy()
    assert len({each.tobytes() for each in first}) == 3
    assert np.array_equal(matches.reset(seed=1)[0]["observation"], first)
    assert not np.array_equal(matches.reset(seed=2)[0]["observation"], first)
    assert not np.array_equal(matches.reset()[0]["observation"], first)


def test_a_new_deal_forgets_who_was_removed() -> None:
    matches = make("fish", 2, seats=3)
    matches.reset(seed=1)
    _, _, _, _, infos = matches.step([-1, 0])
    assert infos["removed"].tolist() == [[1, 0, 0], [0, 0, 0]]
    matches.reset(seed=1)
    _, _, _, _, infos = matches.step([0, 0])
    assert not infos["removed"].any()


def test_the_spaces_fit_what_is_returned() -> None:
    matches = make("fish", 2)
    observations, _ = matches.reset(seed=1)
    assert matches.observation_space.contains(observations)
    assert matches.action_space.contains(np.array([0, 1]))
    assert matches.single_action_space.n == matches.table.encoding.actions


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"count": 0}, "expected at least one match and one thread, not 0 and 1"),
        ({"count": 2, "device": "tpu"}, "device: expected core, cuda or interpreted, not 'tpu'"),
        ({"count": 2, "factored": True}, "fish has no actions that are made in two decisions"),
        ({"count": 2, "factored": True, "device": "cuda"}, "not made in two decisions on a CUDA device"),
    ],
)
def test_what_cannot_be_is_refused_in_words(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        VectorMatches("fish", **given)


def test_two_decisions_are_not_sampled() -> None:
    matches = make("labyrinth", 2, factored=True)
    matches.reset(seed=1)
    with pytest.raises(UsageError, match="factored: choose decisions by the mask"):
        matches.sample_actions()
