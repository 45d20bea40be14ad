"""Orders carried out by players who may take their time: what they say is understood here or is their fault."""

from __future__ import annotations

import asyncio
from typing import Any

from fairplay.core import FaultKind, House
from fairplay.core.chance import derived
from fairplay.match.players import house_strategy
from fairplay.match.replay import record_match, start_match
from fairplay.run import inline
from fairplay.run.awaited import LocalPlayer, play_awaited
from run.peers import FISH, SETUP, SPEC, Near, remote


def test_a_remote_match_is_the_match_inline() -> None:
    ours, theirs = list[bytes](), list[bytes]()
    names = ("a", "b", "c")
    near = play_awaited(record_match(FISH, SETUP, 5, names, ours.append), [remote(Near()) for _ in names])
    here = [House(house_strategy(FISH, SPEC, derived(1))) for _ in names]
    assert asyncio.run(near) == inline.play_inline(record_match(FISH, SETUP, 5, names, theirs.append), here)
    assert ours == theirs


def test_an_observer_that_raises_is_dropped() -> None:
    seen: list[Any] = []

    def failing(event: Any) -> None:
        seen.append(event)
        raise RuntimeError

    outcome = asyncio.run(play_awaited(start_match(FISH, SETUP, 5, 2), [remote(Near()), remote(Near())], [failing]))
    assert len(seen) == 1
    assert outcome.faults == (None, None)


def test_players_of_the_house_sit_among_remote_ones() -> None:
    players: list[Any] = [remote(Near()), LocalPlayer(House(house_strategy(FISH, SPEC, derived(1))))]
    outcome = asyncio.run(play_awaited(start_match(FISH, SETUP, 5, 2), players))
    assert outcome == inline.play_inline(
        start_match(FISH, SETUP, 5, 2), [House(house_strategy(FISH, SPEC, derived(1)))] * 2
    )


def test_a_house_player_that_crashes_is_out() -> None:
    players: list[Any] = [LocalPlayer(House(lambda view: 1 // 0)), remote(Near())]
    outcome = asyncio.run(play_awaited(start_match(FISH, SETUP, 5, 2), players))
    assert outcome.faults[0] is not None
    assert outcome.faults[0].kind is FaultKind.CRASHED
