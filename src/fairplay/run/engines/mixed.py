"""Matches with awaited players in an event loop, all other matches on another engine at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Thread
from time import perf_counter
from typing import Any, Final, Protocol, Self

import msgspec

from fairplay.contest.contest import Contest, Match, Result
from fairplay.core import AnyGame, Event, Fault, Outcome, Removed, Seat
from fairplay.core.chance import derived
from fairplay.play.packing import packed
from fairplay.play.record import Script, read, recorded
from fairplay.run.awaited import AwaitedPlayer, LocalPlayer, run
from fairplay.run.engines.pool import Engine
from fairplay.run.entrants import seat_entrant
from fairplay.run.isolation.program import farewell
from fairplay.run.keeping import Keeper

__all__ = ["Contender", "MixedEngine"]

GROUP_SECONDS: Final = 0.005
"""How long a turn waits for others to be written together with it."""

THREADS: Final = 64
"""Players of this machine that may think at once at tables with awaited players."""


class Contender(AwaitedPlayer, Protocol):
    """An awaited player that takes part in a whole contest: it is told of each of its matches."""

    def begin(self, chance: int, seat: Seat, lines: Sequence[bytes]) -> None:
        """A match begins; `chance` is a seed of the player's own for it, `lines` is its record, which grows."""
        ...

    async def ready(self) -> None:
        """Wait until it is there, or will not come back any more."""
        ...

    def throw_out(self, fault: Fault, *, stays: bool = False) -> None:
        """It did this, and is hung up on; `stays` says that it may come back for its next match."""
        ...

    def end(self, outcome: Outcome) -> None:
        """The match is over, and the player was not thrown out of it."""
        ...


class MixedEngine:
    """Plays matches with `contenders` (entrants by number) in `loop`, and leaves the others to `inner`.

    ASSUME: `results` is called in another thread than that of the loop.  A contender plays one match at a time.
    """

    def __init__(
        self,
        game: AnyGame,
        contenders: Mapping[int, Contender],
        inner: Engine,
        keeper: Keeper,
        loop: asyncio.AbstractEventLoop,
        watch: Callable[[Match, bytes], object] | None = None,
    ) -> None:
        self.game, self.contenders, self.inner, self.loop = game, contenders, inner, loop
        self.log, self.watch = TurnLog(keeper), watch
        self._begun: dict[int, list[bytes]] = {}
        self.keeper = keeper
        self._finished: SimpleQueue[Result | BaseException] = SimpleQueue()

    def __enter__(self) -> Self:
        self._begun = self.keeper.turns()
        self.threads = ThreadPoolExecutor(THREADS, "player")
        self.inner.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.inner.__exit__(*error)
        self.threads.shutdown(wait=False, cancel_futures=True)

    def stop(self, reason: BaseException) -> None:
        """Let `results` raise `reason`, whatever it is waiting for."""
        self._finished.put(reason)

    def results(self, contest: Contest, matches: Iterable[Match]) -> Iterator[Result]:
        """The results of `matches` as they finish, in any order."""
        wanted = list(matches)
        awaited = [match for match in wanted if not self.contenders.keys().isdisjoint(match.line_up)]
        computed = [match for match in wanted if self.contenders.keys().isdisjoint(match.line_up)]
        playing = asyncio.run_coroutine_threadsafe(self._play_all(contest, awaited), self.loop)
        Thread(target=self._compute, args=(contest, computed), daemon=True).start()
        try:
            for _ in wanted:
                result = self._finished.get()
                if isinstance(result, BaseException):
                    raise result
                yield result
        finally:
            playing.cancel()

    def _compute(self, contest: Contest, matches: Sequence[Match]) -> None:
        try:
            if matches:
                for result in self.inner.results(contest, matches):
                    self._finished.put(result)
        except BaseException as error:  # to be raised where it is waited for
            self._finished.put(error)

    # -- in the event loop ---------------------------------------------------------------------

    async def _play_all(self, contest: Contest, matches: Sequence[Match]) -> None:
        """Play every match as soon as all its contenders are free, those with lower numbers first."""
        waiting, busy = list(matches), set[int]()
        running: dict[asyncio.Task[Result], set[int]] = {}
        try:
            while waiting or running:
                for match in tuple(waiting):
                    needed = {player for player in match.line_up if player in self.contenders}
                    if busy.isdisjoint(needed):
                        waiting.remove(match)
                        running[asyncio.create_task(self._play_match(contest, match))] = needed
                    busy |= needed  # nobody overtakes a match that waits for its players
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    del running[task]
                    self._finished.put(task.result())
                busy = {player for needed in running.values() for player in needed}
        except Exception as error:
            self._finished.put(error)
        finally:
            for task in running:
                task.cancel()

    async def _play_match(self, contest: Contest, match: Match) -> Result:
        return await MatchInPlay(self, contest, match, self._begun.pop(match.number, [])).play()


class MatchInPlay:
    """One match of a mixed engine, from the beginning or from where it was cut off."""

    def __init__(self, engine: MixedEngine, contest: Contest, match: Match, begun: list[bytes]) -> None:
        self.engine, self.contest, self.match = engine, contest, match
        self.lines, self.written = begun, 0
        self.past = Script(engine.game, read(begun)) if begun else None
        self.contenders = {seat: engine.contenders[n] for seat, n in enumerate(match.line_up) if n in engine.contenders}
        self.players: list[AwaitedPlayer] = [
            self.contenders.get(seat) or self._local_player(seat) for seat in range(len(match.line_up))
        ]
        self.stays = contest.format != "knock-out" and contest.options.get("removed", "stay") == "stay"
        self._called = False

    def _local_player(self, seat: int) -> LocalPlayer:
        """A player that needs no connection, made for this match."""
        seating = seat_entrant(self.engine.game, self.match.entrants[seat].spec, self.contest.patience)
        return LocalPlayer(seating(derived(self.match.seed, "player", seat)), self.engine.threads)

    async def play(self) -> Result:
        """Play it to its end."""
        game, match, started = self.engine.game, self.match, perf_counter()
        setup = msgspec.json.decode(self.contest.setup, type=game.setup)
        for seat, contender in self.contenders.items():
            contender.begin(derived(match.seed, "player", seat).getrandbits(53), Seat(seat), self.lines)
        orders = recorded(game, setup, match.seed, tuple(name for name, _ in match.entrants), self._write)
        outcome = None
        try:
            outcome = await run(orders, self.players, [self._throw_out], self.past, self._settle)
        finally:
            local = [player.player for player in self.players if isinstance(player, LocalPlayer)]
            await asyncio.get_running_loop().run_in_executor(self.engine.threads, farewell, local, outcome)
        await self.engine.log.settle()
        for seat, contender in self.contenders.items():
            if outcome.faults[seat] is None:
                contender.end(outcome)
        seconds = perf_counter() - started
        return Result(match.number, match.line_up, match.deal, outcome, packed(self.lines), seconds)

    async def _settle(self) -> None:
        """Nobody is asked before everyone is there, or before what happened is kept."""
        if not self._called:
            self._called = True
            await asyncio.gather(*(contender.ready() for contender in self.contenders.values()))
        await self.engine.log.settle()

    def _write(self, line: bytes) -> None:
        """Take a line of the record; those of the past come again, as they were."""
        number, self.written = self.written, self.written + 1
        if number < len(self.lines):
            return
        self.lines.append(line)
        self.engine.log.add(self.match.number, number, line)
        if self.engine.watch is not None:
            self.engine.watch(self.match, line)

    def _throw_out(self, event: Event[Any, Any]) -> None:
        if isinstance(event, Removed) and event.seat in self.contenders:
            self.contenders[event.seat].throw_out(event.fault, stays=self.stays)


class TurnLog:
    """Keeps lines of running matches, many in one write; `settle` waits until all that were added are safe."""

    def __init__(self, keeper: Keeper) -> None:
        self.keeper = keeper
        self._waiting: list[tuple[int, int, bytes]] = []
        self._added = self._safe = 0  # lines so far
        self._writing: asyncio.Task[None] | None = None

    def add(self, match: int, number: int, line: bytes) -> None:
        if not self.keeper.durable:
            return
        self._waiting.append((match, number, line))
        self._added += 1

    async def settle(self) -> None:
        """EFFECT: what was added before is durable on return; raises StoreError."""
        wanted = self._added
        while self._safe < wanted:
            if self._writing is None:
                self._writing = asyncio.create_task(self._write())
            await asyncio.shield(self._writing)

    async def _write(self) -> None:
        await asyncio.sleep(GROUP_SECONDS)
        turns, self._waiting = self._waiting, []
        try:
            await asyncio.to_thread(self.keeper.add_turns, turns)
            self._safe += len(turns)
        except BaseException:
            self._waiting = turns + self._waiting
            raise
        finally:
            self._writing = None
