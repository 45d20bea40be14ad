"""A process in which house players think."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.core import Fault, FaultKind
from fairplay.match.players import house_strategy
from fairplay.match.replay import deal_state
from fairplay.web.house.worker import HouseQuestion, ThinkingProcess


@pytest.fixture
def process() -> Iterator[ThinkingProcess]:
    made = ThinkingProcess(niceness=1)
    yield made
    made.close()


def question(game: str = "fish", player: str = "random", seed: int = 5) -> HouseQuestion:
    """What the first player of a new match is asked."""
    state = deal_state(GAMES[game], GAMES[game].quick, 3, 2)
    mover = GAMES[game].rules.to_move(state)
    assert mover is not None
    return HouseQuestion(game, player, Random(seed), GAMES[game].rules.view(state, mover))


@pytest.mark.parametrize("game", ["fish", "trains", "labyrinth"])
def test_it_chooses_what_the_strategy_would_choose_here(process: ThinkingProcess, game: str) -> None:
    for player in GAMES[game].players.strategies:
        if player != "cheat":
            asked = question(game, player)
            reply = process.ask(asked, 600)
            assert reply.action == house_strategy(GAMES[game], player, Random(5))(asked.view)
            assert reply.cpu >= 0


def test_a_process_that_was_killed_is_replaced(process: ThinkingProcess) -> None:
    first = process.ask(question(), 600)
    assert process._process is not None and process._process.pid is not None
    os.kill(process._process.pid, signal.SIGKILL)
    assert process.ask(question(), 600).action == first.action


def test_a_house_player_that_fails_has_a_fault(process: ThinkingProcess) -> None:
    wrong = HouseQuestion("fish", "random", Random(1), "no view at all")
    reply = process.ask(wrong, 600)
    assert isinstance(reply.action, Fault) and reply.action.kind is FaultKind.CRASHED


def test_one_that_takes_too_long_is_stopped(process: ThinkingProcess) -> None:
    process.ask(question(), 600)
    late = process.ask(question("labyrinth", "lookahead"), 0.0)
    assert isinstance(late.action, Fault) and late.action.kind is FaultKind.TIMED_OUT
    assert process._process is None, "it is killed"
    assert not isinstance(process.ask(question(), 600).action, Fault)


def test_nothing_is_started_once_it_is_closed(process: ThinkingProcess) -> None:
    process.ask(question(), 600)
    process.close()
    reply = process.ask(question(), 600)
    assert isinstance(reply.action, Fault) and process._process is None


def test_chance_falls_as_if_one_process_had_answered_everything(process: ThinkingProcess) -> None:
    asked, rng = question(), Random(5)
    strategy = house_strategy(GAMES["fish"], "random", rng)
    expected = [strategy(asked.view) for _ in range(5)]
    replies = []
    for _ in range(3):
        reply = process.ask(asked, 600)
        assert reply.rng is not None
        replies.append(reply.action)
        asked = replace(asked, rng=reply.rng)
    again = process.ask(replace(question(), past=(asked.view,) * 4, again=True), 600)
    assert [*replies, again.action] == [*expected[:3], expected[4]]
    assert again.rng is not None and again.rng.getstate() == rng.getstate()
