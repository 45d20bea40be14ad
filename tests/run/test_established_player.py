"""Players behind an established protocol: what they say is understood here or is their fault."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from fairplay.contest.contest import Contest, Entrant
from fairplay.contest.scoreboard import group_faults, tables_of
from fairplay.core import Fault, FaultKind, Json, Outcome, Seat, SeatInfo
from fairplay.games.fish.state import PlayingAs
from fairplay.match.referee import Ask, Tell
from fairplay.match.replay import start_match
from fairplay.run.awaited import play_awaited
from fairplay.run.engines.pool import Pool
from fairplay.run.hosting import Hosting, hold_contest
from fairplay.run.keeping import MemoryKeeper
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


def test_who_is_hung_up_on_has_one_fault_and_is_absent_from_then_on() -> None:
    """In eight matches of a round robin: not eight faults."""
    bad = spoiling("take-turn", False)
    contenders = dict(enumerate(map(remote, (bad, Near(), Near()))))
    entrants = tuple(Entrant(name, "connection:established") for name in ("bad", "ann", "bob"))
    setup = msgspec.Raw(msgspec.json.encode(SETUP))
    contest = Contest("fish", entrants, "round-robin", {"games": 2, "size": 2}, setup, 1, 3.0)
    keeper = MemoryKeeper()
    asyncio.run(hold_contest(FISH, contest, contenders, Hosting(Pool(1), lambda contest, entered: keeper)))
    results = list(keeper.results())
    (group,) = group_faults(contest.names, ((each.number, each.line_up, each.outcome.faults) for each in results))
    assert (group.player, group.kind, group.count, group.absent) == ("bad", FaultKind.MALFORMED, 1, 7)
    tables, _ = tables_of(contest, results, FISH.seats)
    counts = {row.player: (row.matches, row.faults, row.absences) for row in tables.standings}
    assert counts == {"bad": (8, 1, 7), "ann": (8, 0, 0), "bob": (8, 0, 0)}
    assert bad.closed == 1
