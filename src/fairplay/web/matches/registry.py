"""All matches of the web server: those that run, kept in the store line by line, and those that are over."""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import msgspec
import structlog
from msgspec import Struct

from fairplay.catalog import GAMES
from fairplay.core import AbsentError, FairplayError, Outcome, Seat, StoreError
from fairplay.play.record import read
from fairplay.store.store import Store
from fairplay.store.tables import Table
from fairplay.web.matches.live import PATIENCE, LiveMatch
from fairplay.web.matches.tables import Definition, new_id
from fairplay.web.matches.timeline import Film, filmed

__all__ = ["BusyError", "Hall", "Summary"]

FLUSH_EVERY: Final = 0.2
"""Seconds between two writes of record lines."""

ASK_AGAIN: Final = 5.0
"""Seconds after which a store that failed is asked again to keep a match that is over."""

FILMS: Final = 64
"""Finished matches that are kept ready to look at."""

CONTEST_MATCH: Final = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")
"""The name of a match of a tournament; no number is larger than a store can hold."""

LOG = structlog.get_logger("fairplay.web")


class BusyError(FairplayError):
    """The server runs as many matches as it is willing to."""


class Summary(Struct, frozen=True):
    """How a match at a table ended."""

    names: tuple[str, ...]
    winners: tuple[int, ...]  # seats
    scores: tuple[int | None, ...]  # by seat, the first number of each
    ending: str
    moments: int

    @staticmethod
    def of(film: Film, outcome: Outcome) -> Summary:
        scores = tuple(None if score is None else score[0] for score in outcome.scores)
        return Summary(film.names, outcome.winners, scores, outcome.ending, film.last)


class Hall:
    """Opens tables, plays what is on them, remembers what was played."""

    def __init__(self, store: Store, most: int = 500, patience: float = PATIENCE) -> None:
        self.store, self.most, self.patience = store, most, patience
        self.live: dict[str, LiveMatch] = {}
        self.finished = 0
        self.watchers = 0  # sockets that are open
        self._dropped = 0
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._lines: list[tuple[str, int, bytes]] = []  # not yet written
        self._writing = asyncio.Lock()
        self._films: OrderedDict[str, Film] = OrderedDict()
        self._writer: asyncio.Task[None] | None = None

    # -- numbers -------------------------------------------------------------------------------

    @property
    def dropped(self) -> int:
        """Watchers that were dropped for lagging, since the start."""
        return self._dropped + sum(match.feed.lost for match in self.live.values())

    @property
    def waiting(self) -> int:
        """Record lines that are not in the store yet."""
        return len(self._lines)

    @property
    def moments(self) -> int:
        """Moments of running matches that are kept in memory."""
        return sum(match.film.last + 1 for match in self.live.values())

    # -- opening and closing the house ---------------------------------------------------------

    async def open(self) -> None:
        """Go on with every match that was running when the server stopped."""
        self._writer = asyncio.create_task(self._write_on())
        for table in await asyncio.to_thread(self.store.tables, running=True, limit=self.most):
            try:
                lines = await asyncio.to_thread(self.store.lines, table.id)
                self._start(self._restored(table, lines))
            except (FairplayError, KeyError, msgspec.MsgspecError) as error:
                LOG.error("a match cannot go on", table=table.id, reason=str(error))

    def _restored(self, table: Table, lines: list[bytes]) -> LiveMatch:
        definition = msgspec.json.decode(table.definition, type=Definition)
        return LiveMatch(table.id, GAMES[table.game], definition, self._keeper(table.id), lines, self.patience)

    async def close(self) -> None:
        """Stop every match where it is; what has happened is kept."""
        for task in (*self._tasks.values(), self._writer):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
        for match in self.live.values():
            match.feed.end()
        try:
            await self.flush()
        except StoreError as error:
            LOG.error("the last record lines could not be kept", lines=self.waiting, reason=str(error))

    # -- matches -------------------------------------------------------------------------------

    async def begin(self, game: str, definition: Definition) -> LiveMatch:
        """Open a table and play on it; raises BusyError where there are too many."""
        if len(self.live) >= self.most:
            raise BusyError(f"{self.most} matches are running here already; come back when one is over")
        id = new_id()
        match = LiveMatch(id, GAMES[game], definition, self._keeper(id), patience=self.patience)
        self.live[id] = match  # before the first pause, so that the limit holds
        try:
            await asyncio.to_thread(self.store.open_table, id, game, msgspec.json.encode(definition))
        except BaseException:
            del self.live[id]
            raise
        self._start(match)
        return match

    def _start(self, match: LiveMatch) -> None:
        self.live[match.id] = match
        self._tasks[match.id] = asyncio.create_task(self._played(match), name=f"match {match.id}")

    async def _played(self, match: LiveMatch) -> None:
        try:
            summary = msgspec.json.encode(Summary.of(match.film, await match.play()))
            while not await self._closed(match, summary):
                await asyncio.sleep(ASK_AGAIN)
            self._keep_film(match.id, match.film)
            self.finished += 1
        except Exception:
            LOG.exception("a match broke off", table=match.id)
        self._dropped += match.feed.lost
        del self.live[match.id], self._tasks[match.id]
        match.feed.end()  # not before: whoever is told the end comes back for the whole match

    async def _closed(self, match: LiveMatch, summary: bytes) -> bool:
        """Keep a match that is over; False where the store is away, or has no room."""
        try:
            await self.flush()
            await asyncio.to_thread(self.store.close_table, match.id, summary)
        except AbsentError:
            raise
        except StoreError as error:
            LOG.error("a match that is over waits for the store", table=match.id, reason=str(error))
            return False
        return True

    async def claim(self, match: LiveMatch, invitation: str) -> tuple[Seat, str] | None:
        """The seat of an invitation, and its key; None where it invites nobody, or nobody any more."""
        claimed = match.claim(invitation)
        if claimed is None:
            return None
        await asyncio.to_thread(self.store.change_table, match.id, msgspec.json.encode(match.definition))
        return claimed

    async def film(self, id: str) -> Film:
        """The film of a match that is over; raises StoreError where there is none, RecordError where it is damaged."""
        if id in self._films:
            self._films.move_to_end(id)
            return self._films[id]
        film = await asyncio.to_thread(self._read_film, id)
        self._keep_film(id, film)
        return film

    async def contested(self, id: str) -> bool:
        """Is this a match of a tournament that is not over?  Other matches of it share its deal."""
        found = CONTEST_MATCH.fullmatch(id)
        if found is None:
            return False
        return (await asyncio.to_thread(self.store.summary, int(found[1]))).finished is None

    def record(self, id: str) -> bytes:
        """The record of a match that is over: of a table, or of a tournament as ``TOURNAMENT-NUMBER``."""
        if found := CONTEST_MATCH.fullmatch(id):
            return self.store.record(int(found[1]), int(found[2]))
        if self.store.table(id).finished is None:
            raise AbsentError("this match is not over")
        return b"".join(self.store.lines(id))

    def _read_film(self, id: str) -> Film:
        record = read(self.record(id).splitlines(keepends=True))
        return filmed(GAMES[record.header.game], record)

    def _keep_film(self, id: str, film: Film) -> None:
        self._films[id] = film
        while len(self._films) > FILMS:
            self._films.popitem(last=False)

    # -- writing -------------------------------------------------------------------------------

    def _keeper(self, id: str) -> Callable[[bytes], None]:
        """Takes the lines of one record."""
        count = 0

        def keep(line: bytes) -> None:
            nonlocal count
            self._lines.append((id, count, line))
            count += 1

        return keep

    async def _write_on(self) -> None:
        while True:
            await asyncio.sleep(FLUSH_EVERY)
            try:
                await self.flush()
            except StoreError as error:
                LOG.error("record lines are waiting for the store", reason=str(error))

    async def flush(self) -> None:
        """Write what is waiting; where the store fails it waits on."""
        async with self._writing:
            if lines := self._lines:
                self._lines = []
                try:
                    await asyncio.to_thread(self.store.add_lines, lines)
                except BaseException:
                    self._lines = lines + self._lines
                    raise
