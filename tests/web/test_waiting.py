"""A table whose people do not come."""

from __future__ import annotations

import asyncio

import pytest

from fairplay.catalog import GAMES
from fairplay.web.matches import live
from fairplay.web.matches.live import LiveMatch
from fairplay.web.matches.tables import SeatRequest, TableRequest, build_table


def test_a_table_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MAX_WAIT", 0.05)
    game = GAMES["labyrinth"]
    wanted = TableRequest(game="labyrinth", seats=(SeatRequest("friend"),) * 2, clock=1, pace=0)
    definition, _ = build_table(game, game.quick, wanted)

    async def play() -> LiveMatch:
        match = LiveMatch("a", game, definition, len, patience=0)
        assert match.status == "waiting"
        await match.play()
        return match

    assert asyncio.run(play()).status == "over"
