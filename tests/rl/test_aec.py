"""Environments for all seats: turns, removals in the middle, rewards, deals, secrecy, copies."""

from __future__ import annotations

import copy
import pickle
from random import Random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="needs the extra `rl`")

import fairplay
from fairplay.catalog import GAMES
from fairplay.core import Seat, SetupError, UsageError
from fairplay.core.match import share_rewards
from fairplay.rl import MatchEnv, ParallelMatchEnv
from rl.matches import SETUPS, choose_legal, play_out

NAMES = sorted(SETUPS)


def make(game: str, seats: int = 2, **named: Any) -> MatchEnv:
    return MatchEnv(game, SETUPS[game], seats, **named)


# -- turns and rewards -------------------------------------------------------------------------


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_rewards_follow_the_rank_and_add_up_to_nothing(game: str, seats: int) -> None:
    got = play_out(make(game, seats), seed=seats)
    assert sum(got.values()) == pytest.approx(0)
    assert all(-1 <= reward <= 1 for reward in got.values())


def test_equal_seats_share_what_their_places_are_worth() -> None:
    assert share_rewards({Seat(0): (5,), Seat(1): (5,)}, 2) == [0, 0]
    assert share_rewards({Seat(0): (5, 2), Seat(1): (5, 3)}, 2) == [-1, 1]
    assert share_rewards({Seat(0): (1,), Seat(2): (9,), Seat(3): (1,)}, 4) == pytest.approx([0, -1, 1, 0])
    assert share_rewards({Seat(2): (4,)}, 3) == [-0.5, -0.5, 1]


@pytest.mark.parametrize("game", NAMES)
def test_only_the_seat_on_turn_has_legal_actions(game: str) -> None:
    env = make(game, 3)
    env.reset(seed=1)
    for seat in env.agent_iter(9):
        masks = {name: env.observe(name)["action_mask"].sum() for name in env.agents}
        assert [name for name, legal in masks.items() if legal] == [seat]
        env.step(choose_legal(env.observe(seat)["action_mask"], Random(1)))


# -- removals ----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("number", [-1, 10**9, "illegal"])
@pytest.mark.parametrize("seats", [3, 4])
def test_an_illegal_number_removes_its_seat_and_the_others_play_on(game: str, number: Any, seats: int) -> None:
    env, rng = make(game, seats), Random(seats)
    env.reset(seed=5)
    for _ in range(seats + 1):
        env.step(choose_legal(env.last()[0]["action_mask"], rng))
    culprit, mask = env.agent_selection, env.last()[0]["action_mask"]
    env.step(int(mask.argmin()) if number == "illegal" else number)

    assert env.agent_selection == culprit, "who is removed steps at once"
    observation, reward, terminated, truncated, info = env.last()
    assert (reward, terminated, truncated) == (-1, True, False)
    assert info["fault"].startswith("illegal: ")
    assert not observation["action_mask"].any()
    assert [name for name, ended in env.terminations.items() if ended] == [culprit]
    assert not any(info for name, info in env.infos.items() if name != culprit)
    assert env.rewards == {name: -1.0 if name == culprit else 0.0 for name in env.agents}

    env.step(None)
    assert culprit not in env.agents and len(env.agents) == seats - 1
    assert env.agent_selection != culprit and not any(env.terminations.values())
    got = dict.fromkeys(env.agents, 0.0)
    for seat in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        got[seat] += reward
        env.step(None if terminated else choose_legal(observation["action_mask"], rng))
    assert sum(got.values()) == pytest.approx(1), "the others share what the removed seat lost"
    assert env.agents == []


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_ends_well_however_many_seats_are_removed(game: str, seats: int) -> None:
    env, rng = make(game, seats), Random(1)
    for removed in range(1, seats + 1):
        faulty = {f"seat_{seat}" for seat in range(removed)}

        def answer(seat: str, mask: Any, faulty: set[str] = faulty) -> int:
            return -1 if seat in faulty else choose_legal(mask, rng)

        got = play_out(env, 3, answer)
        assert env.agents == []
        assert {name for name, reward in got.items() if reward == -1} >= faulty
        left = [got[name] for name in env.possible_agents if name not in faulty]
        assert not left or max(left) <= 1
        if len(left) == 1:
            assert left == [1], "who is left alone has won"
        if removed == 1:
            assert sum(got.values()) == pytest.approx(0)


def test_the_fault_says_what_was_wrong_and_the_rules_remove_the_seat() -> None:
    env = make("fish", 3)
    env.reset(seed=2)
    env.step(0)
    env.step(0)
    assert env.last()[4]["fault"] == "illegal: 0,0: (0,0) is not a free tile"
    assert env.observe("seat_2")["observation"][:, :, 5 + 3 + 3 :].max(axis=(0, 1)).tolist() == [0, 0, 1, 1]


def test_a_seat_on_turn_must_answer_with_a_number() -> None:
    env = make("fish")
    env.reset(seed=1)
    for wrong in (None, "draw", 1.0, [3]):
        with pytest.raises(UsageError, match="it is the turn of seat_0: expected the number of an action, not"):
            env.step(wrong)  # type: ignore[arg-type]  # that is what is wrong
    env.step(-1)
    with pytest.raises(ValueError, match="the only valid action is None"):
        env.step(3)


def test_a_new_match_forgets_who_was_removed() -> None:
    env = make("trains", 3)
    env.reset(seed=1)
    env.step(-1)
    env.reset(seed=1)
    assert env.agents == env.possible_agents and not any(env.terminations.values())
    assert env.agent_selection == "seat_0" and env.observe("seat_0")["action_mask"].any()
    assert play_out(env, 1) == play_out(make("trains", 3), 1)


# -- deals -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", NAMES)
def test_the_seed_deals_what_a_match_with_that_seed_deals(game: str) -> None:
    env = make(game)
    match = fairplay.play(fairplay.load(game, **SETUPS[game]), ["random", "random"], seed=11)
    env.reset(seed=11)
    numbers: Any = GAMES[game].parts.numbers
    for turn in match.turns:
        assert env.agent_selection == f"seat_{turn.seat}"
        view = GAMES[game].rules.view(turn.before, turn.seat)
        encoding = numbers.encoding_of(view)
        expected = np.empty(encoding.shape, np.float32)
        encoding.observe(view, expected)
        assert np.array_equal(env.last()[0]["observation"], expected), "and a seat sees its view, nothing else"
        env.step(encoding.number(turn.action, view))
    assert all(env.terminations.values())
    best = max(env.rewards.values())
    assert {seat for seat, reward in env.rewards.items() if reward == best} == {
        f"seat_{seat}" for seat in match.outcome.winners
    }


def test_matches_without_a_seed_follow_from_the_last_one() -> None:
    one, other = make("fish"), make("fish")
    one.reset(seed=4)
    other.reset(seed=4)
    first = one.state()
    for _ in range(2):
        one.reset()
        other.reset()
        assert np.array_equal(one.state(), other.state())
        assert not np.array_equal(one.state(), first)


def test_options_choose_the_setup_of_one_match() -> None:
    env = make("fish")
    env.reset(seed=1, options={"setup": {**SETUPS["fish"], "fish": 3}, "seats": 2, "unknown": 1})
    assert env.observe("seat_0")["observation"][:, :, 2].all()
    env.reset(seed=1)
    assert not env.observe("seat_0")["observation"][:, :, 2].all()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"seats": 3}, "seats: this environment has 2; make another one for 3"),
        ({"setup": {"rows": 5, "columns": 5}}, "make another environment for it"),
        ({"setup": "original"}, "make another environment for it"),
        ({"setup": 5}, "setup: expected fields by name, a variant or a setup of fish, not 5"),
        ({"setup": {"fish": 9}}, "fish"),
    ],
)
def test_options_that_would_change_the_spaces_are_refused(options: dict[str, Any], reason: str) -> None:
    env = make("fish")
    env.reset(seed=1)
    before = env.state()
    with pytest.raises((UsageError, SetupError), match=reason):
        env.reset(seed=2, options=options)
    assert np.array_equal(env.state(), before), "the match goes on"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"game": "fish", "seats": 9}, "Fish is played by 2 to 4 seats"),
        ({"game": "fish", "render_mode": "films"}, "render_mode: expected one of ansi, svg, rgb_array, not 'films'"),
        ({"game": "fish", "factored": True}, "fish has no actions that are made in two decisions"),
        ({"game": "trains", "setup": {"offered": 20, "kept": 10}}, "have no numbers"),
    ],
)
def test_what_cannot_be_is_refused_in_words(given: dict[str, Any], reason: str) -> None:
    with pytest.raises((UsageError, SetupError), match=reason):
        MatchEnv(**given)


# -- copies and pictures -----------------------------------------------------------------------


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_in_the_middle_of_a_match_plays_on_by_itself(game: str, duplicate: Any) -> None:
    env = make(game, 3, factored=game == "labyrinth")
    duplicate(env).reset(seed=1)
    env.reset(seed=1)
    env.step(-1)
    for _ in range(4):
        observation, _, terminated, _, _ = env.last()
        env.step(None if terminated else int(observation["action_mask"].nonzero()[0][-1]))
    other = duplicate(env)
    for each in env, other:
        each.step(int(each.last()[0]["action_mask"].nonzero()[0][-1]))
    assert env.agent_selection == other.agent_selection
    assert np.array_equal(env.state(), other.state())
    assert np.array_equal(env.last()[0]["action_mask"], other.last()[0]["action_mask"])
    env.step(-1)
    assert not any(other.terminations.values())


@pytest.mark.parametrize("game", NAMES)
def test_a_match_is_rendered_as_text_and_as_a_drawing(game: str) -> None:
    env = make(game, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == GAMES[game].words.board(env.table.deal(env.table.setup, 1))
    drawn = make(game, render_mode="svg")
    drawn.reset(seed=1)
    assert drawn.render().startswith("<svg")


def test_pixels_need_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairplay.rl.rendering.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install pillow resvg_py"):
        make("fish", render_mode="rgb_array")


# -- two decisions -----------------------------------------------------------------------------


def test_two_decisions_make_one_action() -> None:
    whole, parts = make("labyrinth"), make("labyrinth", factored=True)
    whole.reset(seed=3)
    parts.reset(seed=3)
    rng, encoding = Random(1), whole.table.encoding
    for _ in range(8):
        seat = whole.agent_selection
        number = choose_legal(whole.last()[0]["action_mask"], rng)
        first, cell = encoding.split(number)  # type: ignore[attr-defined]  # Labyrinth has it
        seen = parts.last()[0]
        assert seen["action_mask"][first] and not seen["first_decision"].any()
        parts.step(first)
        if first:
            seen = parts.last()[0]
            assert parts.agent_selection == seat
            assert seen["first_decision"].nonzero()[0].tolist() == [first]
            assert seen["action_mask"][cell]
            parts.step(cell)
        whole.step(number)
        assert np.array_equal(whole.state(), parts.state())


@pytest.mark.parametrize("later", [False, True])
def test_either_decision_may_be_illegal(later: bool) -> None:
    env = make("labyrinth", 3, factored=True)
    env.reset(seed=1)
    if later:
        env.step(int(env.last()[0]["action_mask"].nonzero()[0][-1]))
    env.step(int(env.last()[0]["action_mask"].argmin()) if later else -1)
    assert env.last()[1:3] == (-1, True)
    assert "is not among the legal decisions" in env.last()[4]["fault"]


# -- all seats at once -------------------------------------------------------------------------


@pytest.mark.parametrize("game", NAMES)
def test_all_seats_at_once_play_the_same_match(game: str) -> None:
    turns, parallel = make(game, 3), ParallelMatchEnv(game, SETUPS[game], 3)
    turns.reset(seed=9)
    observations, infos = parallel.reset(seed=9)
    rng = Random(1)
    while parallel.agents:
        seat = turns.agent_selection
        assert infos[seat]["active_agent"] == seat
        number = choose_legal(observations[seat]["action_mask"], rng)
        turns.step(number)
        observations, rewards, terminations, _, infos = parallel.step(
            {**dict.fromkeys(parallel.agents, 0), seat: number}
        )
        assert rewards == turns.rewards
    assert terminations == turns.terminations
    with pytest.raises(UsageError, match=r"the match is over: call reset\(\)"):
        parallel.step({})


def test_a_seat_is_removed_while_all_step_at_once() -> None:
    env = ParallelMatchEnv("fish", SETUPS["fish"], 3)
    env.reset(seed=1)
    with pytest.raises(UsageError, match="it is the turn of seat_0"):
        env.step({"seat_1": 0})
    observations, rewards, terminations, _, infos = env.step({"seat_0": -1, "seat_1": 0, "seat_2": 0})
    assert rewards == {"seat_0": -1, "seat_1": 0, "seat_2": 0}
    assert terminations == {"seat_0": True, "seat_1": False, "seat_2": False}
    assert "fault" in infos["seat_0"] and "fault" not in infos["seat_1"]
    assert env.agents == ["seat_1", "seat_2"]
    assert observations["seat_1"]["action_mask"].any()
