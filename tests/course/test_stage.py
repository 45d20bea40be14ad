"""Knock-outs for the harness: who hears what, and who is out."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from fairplay.catalog import GAMES
from fairplay.core import ContestBegan, ContestEnded, Fault, FaultKind, House
from fairplay.core.chance import derived
from fairplay.course.stage import InlineStage, describe_fault
from fairplay.match.players import MisbehavingPlayer, house_strategy

NIM = GAMES["nim"]


def deal(seats: int) -> Any:
    return NIM.rules.start(NIM.variants["standard"], seats, Random(4))


class Listener(House):
    """Plays the first legal action and remembers what it hears."""

    def __init__(self) -> None:
        super().__init__(house_strategy(NIM, "random", derived(5)))
        self.heard: list[object] = []

    def hear(self, news: object) -> None:
        self.heard.append(news)


def test_everybody_hears_the_beginning_first_and_the_end_last() -> None:
    players = [Listener() for _ in range(7)]
    standing = InlineStage(NIM).play_knockout(players, deal, range(2, 4))
    assert len(standing.winners) == 1
    assert standing.faults == (None,) * 7
    for number, player in enumerate(players):
        assert player.heard[0] == ContestBegan()
        assert player.heard[-1] == ContestEnded(number in standing.winners)
        assert player.heard.count(ContestBegan()) == 1


@pytest.mark.parametrize("call", range(3))
def test_whoever_faults_hears_nothing_more_and_cannot_win(call: int) -> None:
    listeners = [Listener() for _ in range(4)]
    players: list[Any] = [MisbehavingPlayer(listeners[0], FaultKind.GONE, news=call), *listeners[1:]]
    standing = InlineStage(NIM).play_knockout(players, deal, range(2, 4))
    assert standing.faults[0] is not None
    assert 0 not in standing.winners
    assert len(listeners[0].heard) == call
    assert players[0].told == call + 1


def test_a_winner_that_fails_at_the_very_end_is_none() -> None:
    alone = Listener()
    standing = InlineStage(NIM).play_knockout([MisbehavingPlayer(alone, FaultKind.CRASHED, news=1)], deal, range(2, 4))
    assert standing.winners == ()
    assert standing.faults[0] is not None


def test_a_contest_of_nobody() -> None:
    assert InlineStage(NIM).play_knockout([], deal, range(2, 4)) == ((), ())


def test_the_reason_of_each_fault_is_reported() -> None:
    reasons: list[str] = []
    players: list[Any] = [Listener() for _ in range(4)]
    players[1] = MisbehavingPlayer(Listener(), FaultKind.GONE, news=0)
    players[2] = MisbehavingPlayer(Listener(), FaultKind.CRASHED, question=0)
    InlineStage(NIM, reasons.append).play_knockout(players, deal, range(2, 4))
    assert reasons[0] == "player 2 of 4 is removed: gone: this player misbehaves on purpose"
    assert reasons[1].startswith("the player in seat 2 of 3 is removed: crashed: RuntimeError")
    assert len(reasons) == 2


def test_a_reason_is_one_line_that_moves_no_cursor() -> None:
    fault = Fault(FaultKind.MALFORMED, "a\n b\x1b[2J\u202ec")
    assert describe_fault("ann", fault) == "ann is removed: malformed: a b\\x1b[2J\\u202ec"
    assert describe_fault("ann", Fault(FaultKind.GONE)) == "ann is removed: gone"
