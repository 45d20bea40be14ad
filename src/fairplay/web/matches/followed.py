"""A match that another server plays on the same store: shown here as far as the store knows it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from time import monotonic
from typing import Any, Final

import msgspec

from fairplay.catalog import GAMES
from fairplay.core import Event
from fairplay.match.record import deal_state, read_record, replay_record
from fairplay.store.web.tables import WebTable, WebTables
from fairplay.web.matches.shown import ShownMatch
from fairplay.web.matches.tables import TableDefinition
from fairplay.web.matches.timeline import Presence, Timeline

__all__ = ["FollowedMatch"]

ELSEWHERE: Final = "Another server plays this match. You can watch it here."

FORGET_AFTER: Final = 30.0
"""Seconds without a watcher or a visitor after which a match is followed no longer."""


class FollowedMatch(ShownMatch):
    """A match whose moments come out of the store."""

    def __init__(self, table: WebTable, tables: WebTables) -> None:
        game = GAMES[table.game]
        definition = msgspec.json.decode(table.definition, type=TableDefinition)
        setup = msgspec.json.decode(definition.setup, type=game.setup)
        names = tuple(seat.name for seat in definition.seats)
        start = deal_state(game, setup, definition.seed, len(names))
        super().__init__(table.id, game, definition, Timeline(game, names, start))
        self.is_over = False
        self._tables, self._lines = tables, 0
        self._visited = monotonic()
        self._lock = asyncio.Lock()

    def presence(self) -> Presence:
        """How the match stands, as far as that can be known from here."""
        return Presence("playing", None, ("",) * len(self.timeline.names), (), "", ELSEWHERE)

    def visit(self) -> None:
        """Somebody looks at it."""
        self._visited = monotonic()

    @property
    def is_forgotten(self) -> bool:
        """Has nobody looked at it for some time?"""
        return not len(self.feed) and monotonic() > self._visited + FORGET_AFTER

    async def refresh(self) -> None:
        """Show what has happened since the last time; raises FairplayError where the store or the record fails."""
        async with self._lock:
            table = await asyncio.to_thread(self._tables.get, self.id)
            self.definition = msgspec.json.decode(table.definition, type=TableDefinition)
            self.is_over = table.finished is not None
            lines = await asyncio.to_thread(self._tables.lines, self.id)
            if len(lines) > max(1, self._lines):
                self._lines = len(lines)
                for event in (await asyncio.to_thread(self._replay, lines))[self.timeline.last :]:
                    self.timeline.add(event)
                    self.publish_moment()

    def _replay(self, lines: Sequence[bytes]) -> list[Event[Any, Any]]:
        return list(replay_record(self.game, read_record(lines)))
