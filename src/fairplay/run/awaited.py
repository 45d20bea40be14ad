"""Play a match with players that are awaited: at the far end of a wire, in a browser, or in a thread.

Each line of its record is kept before anyone is asked or told anything else, so that it can go on after any crash.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Hashable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from threading import Lock
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar, Unpack

from fairplay import game_files
from fairplay.core import AnyGame, House, Json, Outcome, Player, Removed, Seat, SeatInfo, Seen, faults
from fairplay.match.calls import call_player
from fairplay.match.driver import Audience, Observer, Witnesses, drive
from fairplay.match.record import Facts, read_record
from fairplay.match.referee import Ask, Orders
from fairplay.match.replay import Script, record_match
from fairplay.run.inline import let_catch_up
from fairplay.run.isolation.program import Program, end_programs, share_turns
from fairplay.store import TakenOverError

MatchId = TypeVar("MatchId", bound=Hashable)
"""What a log calls a match: its number in a contest, or the id of its table."""

Settle = Callable[[], Awaitable[None]]
"""Waits until everything that happened so far is kept: nobody is shown what could still be lost."""


class AwaitedPlayer(Protocol):
    """A player that may take its time.  It never raises: what it did wrong is its reply.

    One that has a method `saw` keeps what happens (`Seen`) for its next order; it does not wait.
    """

    async def choose(self, view: Any, /) -> Any: ...
    async def hear(self, news: object, /) -> Json | faults.Fault: ...

    async def recall(self, order: Any, reply: Any, /) -> None:
        """This order and reply lie in the past: the match goes on where it was cut off."""
        ...

    def close(self) -> None:
        """It was removed, and is hung up on."""
        ...


class Contender(AwaitedPlayer, Protocol):
    """An awaited player that takes part in a whole contest: it is told of each of its matches."""

    def begin(self, chance: int, info: SeatInfo, lines: Sequence[bytes]) -> None:
        """A match begins; `chance` is a seed of the player's own for it, `lines` is its record, which grows."""
        ...

    async def ready(self) -> None:
        """Wait until it is there, or will not come back any more."""
        ...

    def throw_out(self, fault: faults.Fault, *, stays: bool = False) -> None:
        """It did this, and is hung up on; `stays` says that it may come back for its next match."""
        ...

    def end(self, outcome: Outcome) -> None:
        """The match is over, and the player was not thrown out of it."""
        ...

    @property
    def is_out(self) -> bool:
        """Was it thrown out, so that it cannot come back?"""
        ...


class AbsentPlayer:
    """Stands for a contender that is out: it is gone at its first order."""

    async def choose(self, view: Any) -> faults.Fault:
        return faults.ABSENCE

    async def hear(self, news: object) -> faults.Fault:
        return faults.ABSENCE

    async def recall(self, order: Any, reply: Any) -> None: ...
    def close(self) -> None: ...


class LocalPlayer:
    """A player of this process at a table with others that are awaited; it thinks in a thread."""

    def __init__(self, player: Player, threads: Executor | None = None) -> None:
        self.player, self.threads = player, threads
        self._lock = Lock()  # a call that nobody waits for any more may still be under way

    @property
    def saw(self) -> Callable[[Seen], object] | None:
        """The player's own: it keeps what happened in mind, and does not wait."""
        found: Callable[[Seen], object] | None = getattr(self.player, "saw", None)
        return found

    async def choose(self, view: Any) -> Any:
        return await self._call(self.player.choose, view)

    async def hear(self, news: object) -> faults.Fault | None:
        if isinstance(self.player, House):
            return None  # it needs no news
        reply = await self._call(self.player.hear, news)
        return reply if isinstance(reply, faults.Fault) else None

    async def recall(self, order: Any, reply: Any) -> None:
        """Live through it again: it may remember, and its generator must stand where it stood."""
        await (self.choose(order.view) if isinstance(order, Ask) else self.hear(order.news))

    async def _call(self, call: Callable[[Any], Any], argument: Any) -> Any:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.threads, self._call_here, call, argument)

    def _call_here(self, call: Callable[[Any], Any], argument: Any) -> Any:
        with self._lock:
            return call_player(call, argument)

    def close(self) -> None:
        """It has no connection to close."""

    def interrupt(self) -> None:
        """Cut a call short that nobody waits for any more, if that can be done; ASSUME `end` is called next."""
        if isinstance(self.player, Program):
            self.player.kill()

    def end(self, outcome: Outcome | None) -> None:
        """Let a program go, with the outcome if there is one; waits for a call that is under way."""
        with self._lock:
            end_programs([self.player], outcome)
            if outcome is not None:
                let_catch_up(self.player)


async def play_awaited(
    orders: Orders,
    players: Sequence[AwaitedPlayer],
    observers: Sequence[Observer] = (),
    past: Script | None = None,
    settle: Settle | None = None,
    note_wait: Callable[[Seat, float], object] | None = None,
    *,
    ponder: bool = False,
) -> Outcome:
    """Play one match to its end; a player that is removed is hung up on at once (section 6.3 of each rule book).

    What `past` holds is replied as it was.  `settle` is awaited before anyone is asked or told something new.
    `note_wait` is given the seconds of every answer.  Programs stand still while others are awaited, unless they may
    `ponder`.
    """
    turns = None if ponder else share_turns(each.player for each in players if isinstance(each, LocalPlayer))

    async def answer(order: Any) -> Any:
        player = players[order.seat]
        if past is not None and not past.over:
            reply = past.reply(order)
            await player.recall(order, reply)
            return reply
        if settle is not None:
            await settle()
        if type(order) is not Ask:
            return await player.hear(order.news)
        started = monotonic()
        reply = await player.choose(order.view)
        if note_wait is not None:
            note_wait(order.seat, monotonic() - started)
        return reply

    steps, audience = drive(orders, answer, Witnesses(players).witness), Audience(observers)
    reply: Any = None
    while True:
        try:
            step = steps.send(reply)
        except StopIteration as done:
            outcome: Outcome = done.value
            return outcome
        if asyncio.iscoroutine(step):
            with turns or nullcontext():
                reply = await step
            continue
        reply = None
        if past is not None:
            past.follow(step)
        audience.show(step)
        if isinstance(step, Removed):
            players[step.seat].close()


class LineLog(Generic[MatchId]):
    """Lines of running matches on their way into the store; those that come during one write share the next."""

    def __init__(
        self,
        write: Callable[[list[tuple[MatchId, int, bytes]]], Collection[MatchId] | None],
        *,
        interval: float = 0.0,
        wait_out: Callable[[faults.StoreError], Awaitable[None]] | None = None,
    ) -> None:
        """`write` keeps lines; it is called in a thread, and returns the matches that another server has by now.

        interval: seconds between the beginnings of two writes, at least.
        wait_out: waits before a store that failed is asked again; None: whoever waits for a line gets the error.
        """
        self._write, self._interval, self._wait_out = write, interval, wait_out
        self._waiting: list[tuple[MatchId, int, bytes]] = []
        self._newest: dict[MatchId, int] = {}  # by match, how many lines in all there were with its newest one
        self._added = self._kept = 0
        self._lost: set[MatchId] = set()
        self._due = 0.0  # when the next write may begin
        self._thread = ThreadPoolExecutor(1, "line-log")
        self._writing: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()

    def __len__(self) -> int:
        """How many lines are not safe yet."""
        return self._added - self._kept

    def add(self, match: MatchId, number: int, line: bytes) -> None:
        """Take a line, with its number from 0."""
        self._waiting.append((match, number, line))
        self._added += 1
        self._newest[match] = self._added

    def forget(self, match: MatchId) -> None:
        """No more lines of this match will come, and nobody waits for any."""
        self._newest.pop(match, None)
        self._lost.discard(match)

    async def settle(self, match: MatchId) -> None:
        """Wait until all lines of a match are safe; raises StoreError, TakenOverError if another server has it."""
        while self._newest.get(match, 0) > self._kept:
            if self._writing is None:
                self._writing = asyncio.create_task(self._write_soon(), name="write lines")
            await asyncio.shield(self._writing)
        if match in self._lost:
            raise TakenOverError(f"match {match} belongs to another server")

    async def _write_soon(self) -> None:
        try:
            while True:
                await asyncio.sleep(self._due - monotonic())
                try:
                    return await self.flush()
                except faults.StoreError as error:
                    if self._wait_out is None:
                        raise
                    await self._wait_out(error)
        finally:
            self._writing = None

    async def flush(self) -> None:
        """Write the lines that are waiting; if the store fails, they go on waiting; raises StoreError."""
        async with self._lock:
            self._due = monotonic() + self._interval
            lines, added = self._waiting, self._added
            self._waiting = []
            try:
                loop = asyncio.get_running_loop()
                lost = await loop.run_in_executor(self._thread, self._write, lines) if lines else None
            except BaseException:
                self._waiting = lines + self._waiting
                raise
            self._lost.update(lost or ())
            self._kept = added

    async def end(self) -> None:
        """Write what is waiting, once; raises StoreError."""
        if self._writing is not None:
            self._writing.cancel()
        await self.flush()

    def close(self) -> None:
        """Wait for the write that is under way; there will be no other."""
        self._thread.shutdown(wait=True, cancel_futures=True)


class AwaitedMatch(Generic[MatchId]):
    """One match with awaited players, from its beginning or from where it was cut off."""

    def __init__(
        self,
        game: AnyGame,
        id: MatchId,
        log: LineLog[MatchId] | None = None,
        lines: Sequence[bytes] = (),
        watch: Callable[[bytes], object] | None = None,
    ) -> None:
        """`lines` are those of its record so far; raises RecordError.  Without a log, nothing outlives this process.

        `watch` is shown every new line until it raises: somebody who watches cannot change a match.
        """
        self.game, self.id, self.lines, self._watch = game, id, [*lines], watch
        self.begun = read_record(lines) if lines else None
        self._past = None if self.begun is None else Script(game, self.begun)
        self._log, self._written = log, 0  # lines, those of the past among them

    def build_orders(self, setup: Any, seed: int, names: tuple[str, ...], **facts: Unpack[Facts]) -> Orders:
        """The orders of its referee, recorded as they are carried out; `facts`: what else the record says."""
        begun = None if self.begun is None else self.begun.header
        facts.setdefault("rule_book", game_files.hash_of(self.game.name))
        return record_match(self.game, setup, seed, names, self._write, begun=begun, **facts)

    async def play(
        self,
        orders: Orders,
        players: Sequence[AwaitedPlayer],
        observers: Sequence[Observer] = (),
        settle: Settle | None = None,
        note_wait: Callable[[Seat, float], object] | None = None,
        *,
        ponder: bool = False,
    ) -> Outcome:
        """Play it to its end, as `play_awaited` does; `settle` is awaited in the place of ours."""
        return await play_awaited(
            orders, players, observers, self._past, settle or self.settle, note_wait, ponder=ponder
        )

    async def settle(self) -> None:
        """Wait until all of its lines are safe; raises StoreError."""
        if self._log is not None:
            await self._log.settle(self.id)

    def _write(self, line: bytes) -> None:
        """Take a line of the record.  Those of the past come again, and must be as they were; raises RecordError."""
        number, self._written = self._written, self._written + 1
        if number < len(self.lines):
            if self.lines[number] != line:
                raise faults.RecordError(f"match {self.id} does not go on from line {number + 1} of what was kept")
            return
        self.lines.append(line)
        if self._log is not None:
            self._log.add(self.id, number, line)
        if self._watch is not None:
            try:
                self._watch(line)
            except Exception:
                self._watch = None
