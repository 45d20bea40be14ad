"""All matches of the web server: those that are running, kept in the store line by line, and those that are over."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import msgspec
import structlog
from msgspec import Struct

from fairplay.catalog import GAMES
from fairplay.core import AbsentError, FairplayError, Outcome, Seat, StoreError
from fairplay.play.record import read_record
from fairplay.store.store import Store
from fairplay.store.web.tables import WebTable
from fairplay.web.bounded import BoundedDict
from fairplay.web.http.errors import BusyError
from fairplay.web.matches.live import LiveMatch
from fairplay.web.matches.tables import TableDefinition, new_id
from fairplay.web.matches.timeline import Timeline, build_timeline

__all__ = ["MatchRegistry", "MatchSummary"]

FLUSH_INTERVAL: Final = 0.2
"""Seconds between two writes of record lines."""

RETRY_INTERVAL: Final = 5.0
"""Seconds until a store that failed is asked again to keep a finished match."""

CACHED_TIMELINES: Final = 64
"""Finished matches that are kept in memory."""

TOURNAMENT_MATCH: Final = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")
"""The id of a match of a tournament: TOURNAMENT-NUMBER, neither larger than a store can hold."""

LOG = structlog.get_logger("fairplay.web")


class MatchSummary(Struct, frozen=True):
    """How a match at a table ended, as it is kept in the store."""

    names: tuple[str, ...]
    winners: tuple[int, ...]  # seats
    scores: tuple[int | None, ...]  # by seat, the first number of each
    ending: str
    moments: int


def summarize_match(timeline: Timeline, outcome: Outcome) -> MatchSummary:
    """The summary of a finished match."""
    scores = tuple(None if score is None else score[0] for score in outcome.scores)
    return MatchSummary(timeline.names, outcome.winners, scores, outcome.ending, timeline.last)


class MatchRegistry:
    """Running and finished matches of the web server."""

    def __init__(self, store: Store, limit: int, patience: float) -> None:
        """Up to `limit` matches run at once; `patience` is how long a person may be away, in seconds."""
        self.store, self.limit, self.patience = store, limit, patience
        self.running: dict[str, LiveMatch] = {}
        self.finished_count = 0
        self._dropped_before = 0  # watchers of matches that are over
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._lines: list[tuple[str, int, bytes]] = []  # not yet written
        self._writing = asyncio.Lock()
        self._timelines: BoundedDict[str, Timeline] = BoundedDict(CACHED_TIMELINES)
        self._writer: asyncio.Task[None] | None = None

    # -- figures -------------------------------------------------------------------------------

    @property
    def dropped_watchers(self) -> int:
        """Watchers that were dropped because they lagged, since the start."""
        return self._dropped_before + sum(match.feed.dropped for match in self.running.values())

    @property
    def unwritten_lines(self) -> int:
        """Record lines that are not in the store yet."""
        return len(self._lines)

    @property
    def moments_in_memory(self) -> int:
        """Moments of running matches."""
        return sum(match.timeline.last + 1 for match in self.running.values())

    # -- starting and stopping -----------------------------------------------------------------

    async def start(self) -> None:
        """Resume every match that was running when the server stopped."""
        self._writer = asyncio.create_task(self._flush_regularly())
        for table in await asyncio.to_thread(self.store.tables.newest, running=True, limit=self.limit):
            try:
                lines = await asyncio.to_thread(self.store.tables.lines, table.id)
                self._run_match(self._restore_match(table, lines))
            except (FairplayError, KeyError, msgspec.MsgspecError) as error:
                LOG.error("a match cannot be resumed", table=table.id, reason=str(error))

    def _restore_match(self, table: WebTable, lines: list[bytes]) -> LiveMatch:
        definition = msgspec.json.decode(table.definition, type=TableDefinition)
        write = self._line_writer(table.id)
        return LiveMatch(table.id, GAMES[table.game], definition, write, lines, patience=self.patience)

    async def stop(self) -> None:
        """Stop every match where it is; what has happened is kept."""
        for task in (*self._tasks.values(), self._writer):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
        for match in self.running.values():
            match.feed.end()
        try:
            await self.flush()
        except StoreError as error:
            LOG.error("the last record lines were lost", lines=self.unwritten_lines, reason=str(error))

    # -- matches -------------------------------------------------------------------------------

    async def open_table(self, game: str, definition: TableDefinition) -> LiveMatch:
        """Open a table and start its match; raises BusyError if too many are running."""
        if len(self.running) >= self.limit:
            raise BusyError(f"{self.limit} matches are running here already. Come back when one is over.")
        id = new_id()
        match = LiveMatch(id, GAMES[game], definition, self._line_writer(id), patience=self.patience)
        self.running[id] = match  # before anything is awaited, so that the limit holds
        try:
            await asyncio.to_thread(self.store.tables.open, id, game, msgspec.json.encode(definition))
        except BaseException:
            del self.running[id]
            raise
        self._run_match(match)
        return match

    def _run_match(self, match: LiveMatch) -> None:
        self.running[match.id] = match
        self._tasks[match.id] = asyncio.create_task(self._play_match(match), name=f"match {match.id}")

    async def _play_match(self, match: LiveMatch) -> None:
        try:
            summary = msgspec.json.encode(summarize_match(match.timeline, await match.play()))
            while not await self._close_table(match, summary):
                await asyncio.sleep(RETRY_INTERVAL)
            self._timelines[match.id] = match.timeline
            self.finished_count += 1
        except Exception:
            LOG.exception("a match broke off", table=match.id)
        self._dropped_before += match.feed.dropped
        del self.running[match.id], self._tasks[match.id]
        match.feed.end()  # not earlier: watchers who are told of the end ask for the finished match

    async def _close_table(self, match: LiveMatch, summary: bytes) -> bool:
        """Keep a finished match; False if the store is away, or full."""
        try:
            await self.flush()
            await asyncio.to_thread(self.store.tables.close, match.id, summary)
        except AbsentError:
            raise
        except StoreError as error:
            LOG.error("a finished match is waiting for the store", table=match.id, reason=str(error))
            return False
        return True

    async def claim_seat(self, match: LiveMatch, invitation: str) -> tuple[Seat, str] | None:
        """The seat of an invitation and a key to it; None if the invitation is not valid, or not any more."""
        claimed = match.claim_seat(invitation)
        if claimed is not None:
            await asyncio.to_thread(self.store.tables.change, match.id, msgspec.json.encode(match.definition))
        return claimed

    async def find_timeline(self, id: str) -> Timeline:
        """The timeline of a finished match; raises StoreError if there is none, RecordError if it is damaged."""
        if id not in self._timelines:
            self._timelines[id] = await asyncio.to_thread(self._read_timeline, id)
        self._timelines.move_to_end(id)
        return self._timelines[id]

    async def has_open_tournament(self, id: str) -> bool:
        """Is this a match of a tournament that is not finished?  Other matches of it share its deal."""
        found = TOURNAMENT_MATCH.fullmatch(id)
        if found is None:
            return False
        return (await asyncio.to_thread(self.store.summary, int(found[1]))).finished is None

    def read_record(self, id: str) -> bytes:
        """The record of a finished match, of a table or of a tournament; raises StoreError if there is none."""
        if found := TOURNAMENT_MATCH.fullmatch(id):
            return self.store.record(int(found[1]), int(found[2]))
        if self.store.tables.get(id).finished is None:
            raise AbsentError("this match is not over")
        return b"".join(self.store.tables.lines(id))

    def _read_timeline(self, id: str) -> Timeline:
        record = read_record(self.read_record(id).splitlines(keepends=True))
        return build_timeline(GAMES[record.header.game], record)

    # -- writing -------------------------------------------------------------------------------

    def _line_writer(self, id: str) -> Callable[[bytes], None]:
        """Takes the lines of one record."""
        count = 0

        def write(line: bytes) -> None:
            nonlocal count
            self._lines.append((id, count, line))
            count += 1

        return write

    async def _flush_regularly(self) -> None:
        while True:
            await asyncio.sleep(FLUSH_INTERVAL)
            try:
                await self.flush()
            except StoreError as error:
                LOG.error("record lines are waiting for the store", reason=str(error))

    async def flush(self) -> None:
        """Write the lines that are waiting; if the store fails, they go on waiting."""
        async with self._writing:
            if lines := self._lines:
                self._lines = []
                try:
                    await asyncio.to_thread(self.store.tables.add_lines, lines)
                except BaseException:
                    self._lines = lines + self._lines
                    raise
