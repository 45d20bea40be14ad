"""Players of the native protocol behind a peer in this process: what they are sent, and what is made of their words."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from fairplay.contest.contest import Contest, Entrant
from fairplay.core import Fault, FaultKind, House
from fairplay.core.chance import derived, derived_seed
from fairplay.core.established import KnockoutResult
from fairplay.match.driver import describe_seat
from fairplay.match.players import house_strategy
from fairplay.match.protocol import Hello
from fairplay.match.replay import start_match
from fairplay.run import inline
from fairplay.run.awaited import play_awaited
from fairplay.run.client_conversation import ClientConversation
from fairplay.run.engines.pool import Pool
from fairplay.run.hosting import Hosting, hold_contest
from fairplay.run.native_player import NativePlayer
from run.knock_outs import Guest, hold_knock_out

from .programs import FISH, SMALL

SPEC = "minimax:depth=1"


class Near:
    """A peer in this process: a player of ours, whose replies can be spoilt."""

    def __init__(self, spoil: Callable[[dict[str, Any], bytes], bytes | Fault] = lambda message, reply: reply) -> None:
        self.visitor = ClientConversation(
            FISH, lambda chance, info: House(house_strategy(FISH, SPEC, derived(1))), "me"
        )
        self.spoil = spoil
        self.heard: list[dict[str, Any]] = []
        self.closed = 0

    def say(self, lines: bytes) -> None:
        for line in lines.splitlines():
            self.heard.append(json.loads(line))

    async def exchange(self, lines: bytes, patience: float) -> bytes | Fault:
        assert patience == 3.0
        assert not self.closed, "nobody is asked after being hung up on"
        self.say(lines)
        for line in lines.splitlines():
            reply = self.visitor.reply(line)
        return self.spoil(self.heard[-1], reply)

    async def ready(self) -> None: ...

    def set_recap(self, recap: object) -> None: ...

    def close(self, *, stays: bool = False) -> None:
        self.closed += 1

    @property
    def may_return(self) -> bool:
        return not self.closed

    @property
    def kinds(self) -> str:
        """The first letters of all that it was sent; O for over."""
        return "".join("O" if message["type"] == "over" else message["type"][0] for message in self.heard)


def native(peer: Near) -> NativePlayer:
    return NativePlayer(FISH, peer, Hello(1, "me", ("fish",)), 3.0)


def seated(*peers: Near) -> list[NativePlayer]:
    players = [native(peer) for peer in peers]
    for number, player in enumerate(players):
        player.begin(number, describe_seat(FISH, None, number), ())
    return players


def spoiling(kind: str, reply: bytes | Fault) -> Near:
    return Near(lambda message, right: reply if message["type"] == kind else right)


def test_a_native_match_is_the_match_inline() -> None:
    outcome = asyncio.run(play_awaited(start_match(FISH, SMALL, 5, 2), seated(Near(), Near())))
    assert outcome == inline.play_inline(
        start_match(FISH, SMALL, 5, 2), [House(house_strategy(FISH, SPEC, derived(1)))] * 2
    )


@pytest.mark.parametrize(
    ("kind", "reply", "fault"),
    [
        ("tell", b"nonsense", FaultKind.MALFORMED),
        ("tell", b'{"type":"heard","id":7}', FaultKind.MALFORMED),
        ("ask", b'{"type":"heard","id":3}', FaultKind.MALFORMED),
        ("ask", b'{"type":"answer","id":3,"action":{"do":"place","at":[99,99]}}', FaultKind.ILLEGAL),
        ("ask", Fault(FaultKind.TIMED_OUT, "late"), FaultKind.TIMED_OUT),
        ("tell", Fault(FaultKind.GONE), FaultKind.GONE),
    ],
)
def test_whoever_faults_is_told_why_and_hung_up_on(kind: str, reply: bytes | Fault, fault: FaultKind) -> None:
    bad, good = spoiling(kind, reply), Near()
    standing = asyncio.run(hold_knock_out(FISH, SMALL, 5, [Guest("x", native(peer)) for peer in (bad, good)]))
    assert standing is not None
    found = standing.faults[0]
    assert found is not None
    assert (found.kind, standing.faults[1]) == (fault, None)
    assert bad.heard[-1] == {"type": "out", "kind": fault, "detail": found.detail}
    assert bad.kinds.count("o") == bad.closed == 1
    assert not good.closed


def over_message(number: int, standing: KnockoutResult) -> dict[str, Any]:
    """What this player is told last."""
    others = len(standing.winners) - 1
    is_shared = number in standing.winners and others
    return {"type": "over", "won": number in standing.winners} | ({"shared": others} if is_shared else {})


def test_a_tie_for_the_first_place_is_told() -> None:
    """Two players that choose alike swap seats on the same deal, so that each does as well as the other."""
    peers = [Near(), Near()]
    entrants = tuple(Entrant(f"p{number}", "connection:native") for number in range(2))
    setup = msgspec.Raw(msgspec.json.encode(SMALL))
    contest = Contest("fish", entrants, "round-robin", {"games": 1}, setup, 1, 3.0)
    standing = asyncio.run(hold_contest(FISH, contest, dict(enumerate(map(native, peers))), Hosting(Pool(1))))
    assert standing is not None and standing.winners == (0, 1)
    assert [peer.heard[-1] for peer in peers] == [{"type": "over", "won": True, "shared": 1}] * 2


def test_a_tournament_is_told_match_by_match() -> None:
    peers = [Near(), spoiling("ask", b"nonsense"), Near(), Near(), Near()]
    standing = asyncio.run(
        hold_knock_out(FISH, SMALL, 3, [Guest(f"p{n}", native(peer)) for n, peer in enumerate(peers)])
    )
    assert standing is not None
    assert [fault is not None for fault in standing.faults] == [False, True, False, False, False]
    for number, peer in enumerate(peers):
        kinds = peer.kinds
        if number == 1:
            assert kinds == "wttao"
            continue
        assert kinds.endswith("bO")
        assert kinds.count("w") == kinds.count("b") >= 1
        assert peer.heard[-1] == over_message(number, standing)
    first = derived_seed(3, "deal", 0)
    assert peers[0].heard[0]["chance"] == derived(first, "player", 0).getrandbits(53)


def test_a_match_without_a_word_still_begins_and_ends() -> None:
    peer = Near()
    [player] = seated(peer)
    outcome = asyncio.run(play_awaited(start_match(FISH, SMALL, 5, 2), seated(Near(), Near())))
    player.end(outcome)
    assert peer.kinds == "wb"
    player.close()
    assert (peer.kinds, peer.closed) == ("wb", 1)
