"""All matches of the web server: those that it plays, those that another server plays, and those that are over."""

import asyncio
import re
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from random import Random
from time import monotonic
from typing import TypeAlias

import msgspec
import structlog

from fairplay.catalog import GAMES
from fairplay.contest.contest import OPEN_FORMATS, Entrant, Hidden
from fairplay.core import AbsentError, AnyGame, FairplayError, Outcome, Player, RuleBookError, SeatInfo, StoreError
from fairplay.game_files import explain_difference
from fairplay.match.packing import describe_proof, match_name
from fairplay.match.record import SIGNED, Isolation, read_record
from fairplay.run.awaited import LineLog
from fairplay.run.entrants import levels_of, seat_entrant
from fairplay.store import TakenOverError
from fairplay.store.keys import Keys
from fairplay.store.leases import GRACE
from fairplay.store.store import Store
from fairplay.store.web.tables import TableLine, WebTable, WebTables, plan_tables
from fairplay.web.house.pool import HousePool, Payer
from fairplay.web.house.worker import HouseQuestion, HouseReply
from fairplay.web.http.endpoints import BusyError, as_sentence
from fairplay.web.http.limits import BoundedDict
from fairplay.web.matches.followed import FollowedMatch, FollowedMatches
from fairplay.web.matches.live import LiveMatch
from fairplay.web.matches.tables import TableDefinition, change_table, new_id, read_summary, summarize_match
from fairplay.web.watching.timeline import Timeline, build_timeline

GROUP_INTERVAL = 0.02
"""Seconds between two transactions, at least: how long a line waits for others to share its transaction."""

LOG_RETRY_INTERVAL = 0.5
"""Seconds until a store that failed is asked again to keep lines."""

RETRY_INTERVAL = 5.0
"""Seconds until a store that failed is asked again to keep a finished match."""

TAKE_OVER_INTERVAL = 2.0
"""Seconds between two looks for matches that no server plays any more."""

LINGER = 600.0
MAX_ENDED = 200
"""Seconds that people stay together after the end of a match, and matches of which they do."""

ADDRESS_SHARE = 0.2
ADDRESS_MATCHES = 10
"""The share of all matches that one address may have running, and how many it may have in any case."""

CACHED_TIMELINES = 64
"""Finished matches that are kept in memory."""

TOURNAMENT_MATCH = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")
"""The id of a match of a tournament: TOURNAMENT-NUMBER, neither larger than a store can hold."""

LOG = structlog.get_logger("fairplay.web")


RunningMatch: TypeAlias = LiveMatch | FollowedMatch
"""A match that is not over, whichever server plays it."""


async def wait_for_store(error: StoreError) -> None:
    """Wait before a store that failed is asked again to keep lines."""
    LOG.error("record lines are waiting for the store", reason=str(error))
    await asyncio.sleep(LOG_RETRY_INTERVAL)


class MatchRegistry:
    """Running and finished matches of the web server."""

    def __init__(self, store: Store, pool: HousePool, limit: int, patience: float, keys: Keys | None = None) -> None:
        """Up to `limit` matches run at once; `patience` is how long a person may be away, in seconds.

        Without keys, matches are not signed.
        """
        self.store, self.pool, self.limit, self.patience, self.keys = store, pool, limit, patience, keys
        self.hidden = Hidden()  # from bots that the owner seats
        self.running: dict[str, LiveMatch] = {}
        self.finished_count = 0
        self._payers: dict[str, Payer] = {}  # of tables that are running or being opened
        self._followed = FollowedMatches(store.tables)
        self._ended: dict[str, tuple[float, LiveMatch]] = {}  # when; people may still be there, for a rematch
        self._broken: set[str] = set()  # tables that cannot be resumed
        self._dropped_before = 0  # watchers of matches that are over
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._server: int | None = None  # our number, once we have one
        self._log = LineLog(self._add_lines, interval=GROUP_INTERVAL, wait_out=wait_for_store)
        self._timelines: BoundedDict[str, Timeline] = BoundedDict(CACHED_TIMELINES)
        self._work: list[asyncio.Task[None]] = []  # that is never finished
        self._lease = ExitStack()
        self._keeping = asyncio.Lock()

    # -- figures -------------------------------------------------------------------------------

    @property
    def dropped_watchers(self) -> int:
        """Watchers that were dropped because they lagged, since the start."""
        return self._dropped_before + sum(match.feed.watchers.dropped for match in self.running.values())

    @property
    def unwritten_lines(self) -> int:
        """Record lines that are not in the store yet."""
        return len(self._log)

    @property
    def moments_in_memory(self) -> int:
        """Moments of running matches."""
        return sum(match.timeline.last + 1 for match in self.running.values())

    # -- starting and stopping -----------------------------------------------------------------

    async def start(self) -> None:
        """Become a server of the store, and resume every match that no other server plays."""
        self._server = await asyncio.to_thread(self._lease.enter_context, self.store.servers.run())
        await self._take_over(GRACE)
        loops = (self._take_over_regularly(), self._followed.run())
        self._work = [asyncio.create_task(loop) for loop in loops]

    async def stop(self) -> None:
        """Stop every match where it is; what has happened is kept, and other servers may go on with it."""
        for task in (*self._tasks.values(), *self._work):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        for match in (*self.running.values(), *(match for _, match in self._ended.values())):
            match.feed.watchers.end()
        try:
            await self._log.end()
        except StoreError as error:
            LOG.error("the last record lines were lost", lines=self.unwritten_lines, reason=str(error))
        with suppress(StoreError):  # then other servers find out by themselves that we are gone
            await asyncio.to_thread(self._lease.close)
        await asyncio.to_thread(self._log.close)
        await self.pool.stop()

    # -- matches that no server plays ----------------------------------------------------------

    async def _take_over_regularly(self) -> None:
        while True:
            await asyncio.sleep(TAKE_OVER_INTERVAL)
            self._release_ended(monotonic() - LINGER)
            try:
                await self._take_over()
            except StoreError as error:
                LOG.error("the store cannot say which matches nobody plays", reason=str(error))

    async def _take_over(self, grace: float = 0.0) -> None:
        """Resume the matches of servers that are gone; `grace`: seconds that a database may need to notice it."""
        room = self.limit - len(self._payers)
        tables = await asyncio.to_thread(self.store.tables.unfinished_elsewhere, self._server)
        alive: dict[int | None, bool] = {None: False}
        for table in tables:
            if table.server not in alive:
                alive[table.server] = await asyncio.to_thread(self._is_running, table.server, grace)
            is_ours = table.id in self._payers  # it was taken from us, and we have not noticed yet
            if not alive[table.server] and not is_ours and table.id not in self._broken and room > 0:
                room -= 1
                await self._resume_match(table)
        for server, running in alive.items():
            if server is not None and not running:
                await asyncio.to_thread(self.store.servers.forget, server)

    def _is_running(self, server: int | None, grace: float) -> bool:
        return server is not None and self.store.servers.is_running(server, grace)

    async def _resume_match(self, table: WebTable) -> None:
        assert self._server is not None
        if not await asyncio.to_thread(self.store.tables.claim, table.id, table.server, self._server):
            return  # another server was quicker
        try:
            there = await asyncio.to_thread(self.store.tables.get, table.id)
            lines = await asyncio.to_thread(self.store.tables.lines, table.id)
            definition = msgspec.json.decode(there.definition, type=TableDefinition)
            self._payers[table.id] = Payer(table=table.id)
            self._run_match(self._build_match(table.id, table.game, definition, lines))
        except (FairplayError, KeyError, msgspec.MsgspecError) as error:
            self._broken.add(table.id)
            self._payers.pop(table.id, None)
            LOG.error("a match cannot be resumed", table=table.id, reason=str(error))

    # -- matches of other servers --------------------------------------------------------------

    async def find_shown(self, id: str) -> RunningMatch | None:
        """The match `id` if it is not over, whichever server plays it; raises StoreError if there is no such match."""
        if id in self.running or TOURNAMENT_MATCH.fullmatch(id):
            return self.running.get(id)
        followed = self._followed.get(id)
        if followed is None:
            table = await asyncio.to_thread(self.store.tables.get, id)
            if table.finished is not None or not self.is_played_elsewhere(table):
                return self.running.get(id)
            followed = await self._followed.follow(table)
        followed.visit()
        return None if followed.is_over else followed

    async def resolve(self, id: str) -> str:
        """The id of the table at which the match CONTEST-NUMBER was played, or else `id` itself."""
        found = TOURNAMENT_MATCH.fullmatch(id)
        if found is None or int(found[1]) >= 2**31:
            return id
        return await asyncio.to_thread(self.store.tables.find, int(found[1]), int(found[2])) or id

    def is_played_elsewhere(self, table: WebTable) -> bool:
        """Does a table that is not finished belong to another server?"""
        return table.server not in (None, self._server)

    # -- matches -------------------------------------------------------------------------------

    async def open_table(
        self, game: str, definition: TableDefinition, address: str | None = None, id: str | None = None
    ) -> LiveMatch:
        """Open a table and start its match; raises BusyError if too many are running.

        address: who opened it, and pays for its house players; None: somebody without limits.
        """
        self._check_room(address)
        id = id or new_id()
        self._payers[id] = Payer() if address is None else Payer(address, id)  # before anything is awaited
        try:
            match = self._build_match(id, game, definition)
            await asyncio.to_thread(self._keep_new_table, id, game, definition)
        except BaseException:
            del self._payers[id]
            raise
        self._run_match(match)
        return match

    def _keep_new_table(self, id: str, game: str, definition: TableDefinition) -> None:
        encoded = msgspec.json.encode(definition)
        contest = plan_tables(game, definition.setup, {"clock": definition.clock, "pace": definition.pace})
        self.store.tables.open(id, game, encoded, self._server, players=definition.names, contest=contest)

    def _check_room(self, address: str | None) -> None:
        """Raises BusyError if no further match may be started, by anyone or by this address."""
        if len(self._payers) >= self.limit:
            raise BusyError(f"{self.limit} matches are running here already. Come back when one is over.")
        if address is None:
            return
        most = max(ADDRESS_MATCHES, round(self.limit * ADDRESS_SHARE))
        if sum(payer.address == address for payer in self._payers.values()) >= most:
            raise BusyError(f"{most} of your matches are running already. Come back when one is over.")

    def _build_match(self, id: str, game: str, definition: TableDefinition, lines: Sequence[bytes] = ()) -> LiveMatch:
        backing = TableBacking(id, self.store.tables, self._server, self.pool, self._payers[id], self.hidden)
        return LiveMatch(id, GAMES[game], definition, backing, lines, patience=self.patience, log=self._log)

    def _add_lines(self, lines: list[TableLine]) -> set[str]:
        return self.store.tables.add_lines(lines, self._server)

    def _run_match(self, match: LiveMatch) -> None:
        self.running[match.id] = match
        self._followed.forget(match.id)
        self._tasks[match.id] = asyncio.create_task(self._play_match(match), name=f"match {match.id}")

    async def _play_match(self, match: LiveMatch) -> None:
        try:
            outcome = await self._play_out(match)
            summary = msgspec.json.encode(summarize_match(match.timeline, outcome, match.table.stop_reason))
            while not await self._close_table(match, outcome, summary):
                await asyncio.sleep(RETRY_INTERVAL)
            match.conclude(outcome)
            if not match.table.is_discarded:
                self._timelines[match.id] = match.timeline
                self.finished_count += 1
        except TakenOverError:
            LOG.warning("another server has taken a match over", table=match.id)
            match.feed.watchers.drop()  # watchers come back, and are shown what that server does
        except Exception:
            LOG.exception("a match broke off", table=match.id)
        self._dropped_before += match.feed.watchers.dropped
        del self.running[match.id], self._tasks[match.id], self._payers[match.id]
        self._log.forget(match.id)
        self._end_match(match)

    async def _play_out(self, match: LiveMatch) -> Outcome | None:
        """Play a match to its end; None: it was broken off, by people or because the rule book fails."""
        try:
            return await match.play()
        except RuleBookError as error:
            failed = error.locate(match=match.id, seed=match.definition.seed)
            LOG.exception("a rule book failed, and a match was broken off", table=match.id, reason=str(failed))
            match.table.stop_reason = as_sentence(str(failed))
            return None

    def _end_match(self, match: LiveMatch) -> None:
        """Let watchers go; people stay for a rematch."""
        match.feed.watchers.release_many()
        if not match.definition.has_people or match.table.is_discarded or match.table.status == "playing":
            match.feed.watchers.end()
            return
        self._ended[match.id] = monotonic(), match
        if len(self._ended) > MAX_ENDED:
            self._release_ended(next(iter(self._ended.values()))[0])

    def _release_ended(self, until: float) -> None:
        """Let people go whose match ended no later than that."""
        for id in [id for id, (ended, _) in self._ended.items() if ended <= until]:
            self._ended.pop(id)[1].feed.watchers.end()

    def find_ended(self, id: str) -> LiveMatch | None:
        """A match that ended a short while ago, and that people may still be at."""
        return self._ended[id][1] if id in self._ended else None

    async def _close_table(self, match: LiveMatch, outcome: Outcome | None, summary: bytes) -> bool:
        """Keep a match that has ended, unless nobody played it; False if the store is away, or full."""
        try:
            await self._log.settle(match.id)
            if match.table.is_discarded:
                await asyncio.to_thread(self.store.tables.discard, match.id, self._server)
                return True
            if outcome is not None:
                await self._sign_match(match)
            await asyncio.to_thread(
                self.store.tables.close, match.id, summary, self._server, broken=match.table.stop_reason
            )
            lines = await asyncio.to_thread(self.store.tables.lines, match.id)
            match.timeline.proof = describe_proof(lines, self.own_keys)
        except (AbsentError, TakenOverError):
            raise
        except StoreError as error:
            LOG.error("a finished match is waiting for the store", table=match.id, reason=str(error))
            return False
        return True

    async def _sign_match(self, match: LiveMatch) -> None:
        """Write a signature behind the outcome, unless it is there already."""
        lines = await asyncio.to_thread(self.store.tables.lines, match.id)
        if self.keys is not None and not lines[-1].startswith(SIGNED):
            name = await asyncio.to_thread(self._name_match, match.id)
            self._log.add(match.id, len(lines), self.keys.signer.sign_lines(lines, name))
            await self._log.settle(match.id)

    def _name_match(self, id: str) -> str:
        """What the match at a table is called in its signature."""
        table = self.store.tables.get(id)
        return match_name(self.store.summary(table.contest).fingerprint, table.number)

    @property
    def own_keys(self) -> tuple[str, ...]:
        """The public keys of this server."""
        return () if self.keys is None else self.keys.public

    async def keep_table(self, match: LiveMatch) -> None:
        """Keep what has changed about the table of a match; raises StoreError."""
        async with self._keeping:  # or an older definition might come last
            await self.keep_definition(match.id, match.definition)

    async def keep_definition(self, id: str, definition: TableDefinition) -> None:
        """Keep what has changed about a table, running or ended; raises StoreError."""
        await asyncio.to_thread(change_table, self.store.tables, id, definition, self._server)

    async def find_timeline(self, id: str) -> Timeline:
        """The timeline of a finished match; raises StoreError if there is none, RecordError if it is damaged."""
        if id not in self._timelines:
            self._timelines[id] = await asyncio.to_thread(self._read_timeline, id)
        self._timelines.move_to_end(id)
        return self._timelines[id]

    async def find_definition(self, id: str) -> TableDefinition | None:
        """What defines the table of a match, running or finished; None for a match of a tournament."""
        if TOURNAMENT_MATCH.fullmatch(id):
            return None
        table = await asyncio.to_thread(self.store.tables.get, id)
        return msgspec.json.decode(table.definition, type=TableDefinition)

    async def has_open_tournament(self, id: str) -> bool:
        """Is this a match of a tournament that is not finished?  Other matches of it share its deal."""
        found = TOURNAMENT_MATCH.fullmatch(id)
        if found is None:
            return False
        summary = await asyncio.to_thread(self.store.summary, int(found[1]))
        return summary.finished is None and summary.format not in OPEN_FORMATS

    def read_record(self, id: str) -> bytes:
        """The record of a finished match, of a table or of a tournament; raises StoreError if there is none."""
        if found := TOURNAMENT_MATCH.fullmatch(id):
            return self.store.record(int(found[1]), int(found[2]))
        if self.store.tables.get(id).finished is None:
            raise AbsentError("this match is not over")
        return b"".join(self.store.tables.lines(id))

    def _read_timeline(self, id: str) -> Timeline:
        lines = self.read_record(id).splitlines(keepends=True)
        record = read_record(lines)
        game = record.header.game
        if game not in GAMES:
            raise AbsentError(f"this match is one of {game}, a game that is not on this server")
        timeline = build_timeline(GAMES[game], record)
        if record.outcome is None and not TOURNAMENT_MATCH.fullmatch(id):
            timeline.cut_off = read_summary(self.store.tables.get(id)).cut_off
        other = bool(explain_difference(game, record.header.rule_book))
        timeline.proof = describe_proof(lines, self.own_keys, other_rules=other)
        return timeline


class TableBacking:
    """What one match gets from the server: its table is kept, and its house players think."""

    def __init__(
        self, id: str, tables: WebTables, server: int | None, pool: HousePool, payer: Payer, hidden: Hidden = Hidden()
    ) -> None:
        """`server`: our number.  `hidden`: from bots."""
        self.payer = payer
        self._id, self._tables, self._server, self._pool, self._hidden = id, tables, server, pool, hidden

    async def begin(self, definition: TableDefinition) -> None:
        """The line-up is known: the table is a fixture now."""
        await asyncio.to_thread(self._tables.begin, self._id, definition.line_up, definition.seed, self._server)

    async def keep(self, definition: TableDefinition) -> None:
        """Replace what the store has of the table."""
        await asyncio.to_thread(change_table, self._tables, self._id, definition, self._server)

    def start_bot(self, game: AnyGame, spec: str, chance: int, info: SeatInfo) -> tuple[Player, Isolation]:
        """Start a bot file that the owner has seated, and say how far it is isolated; raises FairplayError."""
        player = seat_entrant(game, spec, game.patience, self._hidden)(Random(chance), info)
        (level,) = levels_of([Entrant("bot", spec)], [player])
        return player, level

    async def think(self, question: HouseQuestion, on_slow: Callable[[bool], object]) -> HouseReply:
        """What a house player does."""
        return await self._pool.choose(question, self.payer, on_slow)
