"""Players behind an established protocol: what they say is understood here or is their fault."""

from __future__ import annotations

import asyncio

import pytest

from fairplay.core import Fault, FaultKind, Json, Outcome, Seat, SeatInfo
from fairplay.games.fish.state import PlayingAs
from fairplay.match.record import start_match
from fairplay.match.referee import Ask, Tell
from fairplay.run.awaited import play_awaited
from run.peers import FISH, SETUP, Near, remote, spoiling


@pytest.mark.parametrize(
    ("method", "answer", "kind"),
    [
        ("playing-as", "ok", FaultKind.MALFORMED),
        ("setup", [0, "0"], FaultKind.MALFORMED),
        ("setup", [9, 9], FaultKind.ILLEGAL),
        ("setup", [10**6, 0], FaultKind.MALFORMED),
        ("take-turn", False, FaultKind.MALFORMED),
        ("take-turn", Fault(FaultKind.TIMED_OUT, "late"), FaultKind.TIMED_OUT),
        ("playing-with", Fault(FaultKind.GONE), FaultKind.GONE),
    ],
)
def test_whoever_faults_is_hung_up_on_and_the_others_play_on(method: str, answer: Json, kind: FaultKind) -> None:
    bad, good = spoiling(method, answer), Near()
    outcome = asyncio.run(play_awaited(start_match(FISH, SETUP, 5, 2), [remote(bad), remote(good)]))
    assert outcome.faults[0] is not None
    assert (outcome.faults[0].kind, outcome.faults[1]) == (kind, None)
    assert outcome.winners == (1,)
    assert bad.closed
    assert not good.closed
    assert bad.calls[-1] == method


def test_a_malformed_answer_says_where() -> None:
    outcome = asyncio.run(
        play_awaited(start_match(FISH, SETUP, 5, 2), [remote(spoiling("setup", [0, "0"])), remote(Near())])
    )
    assert outcome.faults[0] == Fault(FaultKind.MALFORMED, "Expected int, got str at $[1]")


def test_news_without_a_call_needs_no_answer() -> None:
    peer = Near()
    assert asyncio.run(remote(peer).hear("something the protocol has no word for")) is None
    assert peer.calls == []
    assert asyncio.run(remote(peer).hear(PlayingAs(Seat(0)))) == "void"


def test_the_protocol_has_no_word_for_what_happens_around_a_match() -> None:
    """Nor for a match that goes on: the player is not told what it knows."""
    peer = Near()
    player = remote(peer)

    async def around() -> None:
        player.begin(7, SeatInfo(Seat(0), 2, None), ())
        await player.ready()
        await player.recall(Tell(Seat(0), PlayingAs(Seat(0))), None)
        await player.recall(Ask(Seat(0), None), None)
        player.throw_out(Fault(FaultKind.GONE), stays=True)
        player.end(Outcome((), (), (), "over"))

    asyncio.run(around())
    assert (peer.calls, peer.closed) == ([], 0)
    player.close()
    assert peer.closed == 1
