"""What is done to many matches at once, seen match by match."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fairplay.catalog import GAMES
from fairplay.core.chance import derived
from fairplay.core.kernel import OVER
from fairplay.kernels.loading import LoadedKernel, MatchArrays, load_kernel
from fairplay.kernels.loops import reward_seats

COUNT = 12


@pytest.fixture(scope="module")
def kernel() -> LoadedKernel:
    """Nim of three seats."""
    nim = GAMES["nim"]
    setup = nim.variants["standard"]
    return load_kernel(nim, nim.rules.start(setup, 3, derived(1, "deal")), setup=setup, how="interpreted")


def begin(kernel: LoadedKernel) -> MatchArrays:
    arrays = kernel.make_arrays(COUNT)
    kernel.run("start_many", arrays.rows, np.arange(COUNT, dtype=np.uint64))
    kernel.run("show_many", *arrays.shown)
    return arrays


def check_shown(kernel: LoadedKernel, arrays: MatchArrays) -> None:
    """What is shown of every match is what its mover sees and may do."""
    rules, encoding = GAMES["nim"].rules, kernel.encoding
    for match, row in enumerate(arrays.rows):
        state = kernel.unpack(row)
        assert arrays.movers[match] == rules.to_move(state)
        view = rules.view(state, arrays.movers[match])
        observation = np.zeros(encoding.shape, np.float32)
        encoding.observe(view, observation)
        assert (arrays.observations[match] == observation).all()
        assert [*np.flatnonzero(arrays.masks[match])] == encoding.legal_numbers(view)


def test_an_environment_plays_many_matches_to_their_ends_and_deals_again(kernel: LoadedKernel) -> None:
    arrays, ends = begin(kernel), 0
    for _ in range(40):
        kernel.run("choose_many", arrays.rows, arrays.actions)
        kernel.run("advance_many", *arrays)
        check_shown(kernel, arrays)
        ended = arrays.ended == 1
        ends += ended.sum()
        assert not arrays.rewards[~ended].any() and not arrays.removed.any()
        assert (np.sort(arrays.rewards[ended]) == [-0.5, -0.5, 1]).all(), "one wins, and the others share the rest"
        assert (arrays.points[ended].argmax(1) == arrays.rewards[ended].argmax(1)).all()
    assert ends > COUNT


@pytest.mark.parametrize("wrong", [-1, 15, 10**9, -(2**63)])
def test_whoever_does_what_is_forbidden_is_removed_and_the_others_play_on(kernel: LoadedKernel, wrong: int) -> None:
    arrays = begin(kernel)
    arrays.actions[:] = wrong
    kernel.run("advance_many", *arrays)
    check_shown(kernel, arrays)
    assert (arrays.removed == [1, 0, 0]).all() and (arrays.movers == 1).all() and not arrays.ended.any()
    kernel.run("advance_many", *arrays)
    kernel.run("advance_many", *arrays)
    assert arrays.removed.all() and arrays.ended.all() and (arrays.rewards == -1).all()
    kernel.run("choose_many", arrays.rows, arrays.actions)
    kernel.run("advance_many", *arrays)
    assert not arrays.removed.any() and not arrays.ended.any() and not arrays.rewards.any()


@pytest.mark.parametrize(
    ("points", "removed", "rewards"),
    [
        ([3, 1], [0, 0], [1, -1]),
        ([2, 2], [0, 0], [0, 0]),
        ([5, 5, 1], [0, 0, 0], [0.5, 0.5, -1]),
        ([5, 4, 3, -9], [0, 0, 0, 1], [1, 1 / 3, -1 / 3, -1]),
        ([5, -9, 3, -9], [0, 1, 0, 1], [1, -1, 1 / 3, -1]),
        ([-9, -9], [1, 1], [-1, -1]),
        ([4], [0], [0]),
    ],
)
def test_rewards_come_from_ranks(points: list[int], removed: list[int], rewards: list[float]) -> None:
    found: Any = np.zeros(len(points))
    reward_seats(np.array(points), np.array(removed), found)
    assert found == pytest.approx(rewards)


def test_matches_are_played_to_their_ends_all_at_once(kernel: LoadedKernel) -> None:
    arrays = begin(kernel)
    turns = np.zeros(COUNT, np.int64)
    kernel.run("playout_many", arrays.rows, turns, arrays.points)
    kernel.run("to_move_many", arrays.rows, arrays.movers)
    assert (arrays.movers == OVER).all() and (turns > 0).all() and (arrays.points.sum(1) == 1).all()
    kernel.run("choose_many", arrays.rows, arrays.actions)
    assert (arrays.actions == -1).all()


def test_some_seats_are_removed_and_others_not(kernel: LoadedKernel) -> None:
    arrays = begin(kernel)
    seats = np.arange(COUNT) % 4 - 1
    kernel.run("remove_many", arrays.rows, seats)
    for seat, row in zip(seats, arrays.rows, strict=True):
        assert {0, 1, 2} - {*kernel.unpack(row).seats} == ({seat} if seat >= 0 else set())
