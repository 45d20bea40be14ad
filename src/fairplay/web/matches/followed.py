"""A match that another server plays on the same store: shown here as far as the store knows it."""

import asyncio
from collections.abc import Sequence
from time import monotonic

import msgspec
import structlog

from fairplay.catalog import GAMES
from fairplay.core import AnyEvent, FairplayError, Seat
from fairplay.match.record import read_record
from fairplay.match.replay import deal_state, replay_record
from fairplay.store.web.tables import WebTable, WebTables
from fairplay.web.http.endpoints import BusyError
from fairplay.web.matches.tables import TableDefinition
from fairplay.web.watching.feed import Feed, Situation, Watcher
from fairplay.web.watching.timeline import Moment, Presence, Timeline, Viewer

LOG = structlog.get_logger("fairplay.web")

ELSEWHERE = "Another server plays this match. You can watch it here."

FOLLOW_INTERVAL = 0.5
"""Seconds between two looks at the matches of other servers that somebody watches here."""

MAX_FOLLOWED = 100
"""Matches of other servers that are shown at a time."""

FORGET_AFTER = 30.0
"""Seconds without a watcher or a visitor after which a match is followed no longer."""


class FollowedMatch:
    """A match whose moments come out of the store."""

    def __init__(self, table: WebTable, tables: WebTables) -> None:
        self.id, self.game = table.id, GAMES[table.game]
        self.definition = msgspec.json.decode(table.definition, type=TableDefinition)
        setup, names = msgspec.json.decode(self.definition.setup, type=self.game.setup), self.definition.names
        start = deal_state(self.game, setup, self.definition.seed, len(names))
        self.timeline = Timeline(self.game, names, start)
        self.feed = Feed(self)
        self.is_over = False
        self._tables, self._lines = tables, 0
        self._visited = monotonic()
        self._lock = asyncio.Lock()

    def situation(self) -> Situation:
        """How the match stands, as far as that can be known from here."""
        seats = ("",) * len(self.timeline.names)
        return Presence("playing", None, seats, (), "", ELSEWHERE, self.feed.onlookers), None

    def moment(self, number: int, viewer: Viewer) -> Moment:
        """A moment as a viewer may see it."""
        return self.timeline.moment(number, viewer)

    def add_watcher(self, watcher: Watcher, seat: Seat | None = None, known: int | None = None) -> None:
        """Join the watchers; whoever has a seat takes it where the match is played."""
        self.feed.join(watcher, known)

    def remove_watcher(self, watcher: Watcher, seat: Seat | None = None) -> None:
        """Leave the watchers."""
        self.feed.leave(watcher)

    def visit(self) -> None:
        """Somebody looks at it."""
        self._visited = monotonic()

    @property
    def is_forgotten(self) -> bool:
        """Has nobody looked at it for some time?"""
        return not self.feed.watchers and monotonic() > self._visited + FORGET_AFTER

    async def refresh(self) -> None:
        """Show what has happened since the last time; raises FairplayError if the store or the record fails."""
        async with self._lock:
            table = await asyncio.to_thread(self._tables.get, self.id)
            self.definition = msgspec.json.decode(table.definition, type=TableDefinition)
            self.is_over = table.finished is not None
            lines = await asyncio.to_thread(self._tables.lines, self.id)
            if len(lines) > max(1, self._lines):
                self._lines = len(lines)
                for event in (await asyncio.to_thread(self._replay, lines))[self.timeline.last :]:
                    self.timeline.add(event)
                    self.feed.publish()

    def _replay(self, lines: Sequence[bytes]) -> list[AnyEvent]:
        return list(replay_record(self.game, read_record(lines)))


class FollowedMatches:
    """The matches of other servers that somebody watches here."""

    def __init__(self, tables: WebTables) -> None:
        self._tables = tables
        self._matches: dict[str, FollowedMatch] = {}

    def get(self, id: str) -> FollowedMatch | None:
        """The match `id`, if it is followed."""
        return self._matches.get(id)

    async def follow(self, table: WebTable) -> FollowedMatch:
        """The match of another server, from now on; raises BusyError if too many are followed."""
        if table.id not in self._matches and len(self._matches) >= MAX_FOLLOWED:
            raise BusyError("Many matches of other servers are being watched here. Try again in a moment.")
        match = self._matches.setdefault(table.id, FollowedMatch(table, self._tables))
        await match.refresh()
        return match

    def forget(self, id: str) -> None:
        """Follow a match no longer; its watchers come back for what there is now."""
        followed = self._matches.pop(id, None)
        if followed is not None:
            followed.feed.watchers.drop()

    async def run(self) -> None:
        """Show what other servers do, until this is cancelled."""
        while True:
            await asyncio.sleep(FOLLOW_INTERVAL)
            for match in tuple(self._matches.values()):
                try:
                    await match.refresh()
                except (FairplayError, msgspec.MsgspecError) as error:
                    LOG.error("a match of another server cannot be shown", table=match.id, reason=str(error))
                    match.is_over = True
                if match.is_over or match.is_forgotten:
                    self.forget(match.id)
