"""Matches with awaited players in an event loop, all other matches on another engine at the same time."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from random import Random
from threading import Event as ThreadEvent, Thread
from time import perf_counter
from typing import Any, Self

import msgspec
from msgspec import Struct

from fairplay.contest.contest import Contest, Effort, Hidden, Kinds, Match, Result, broken_result
from fairplay.core import AnyEvent, AnyGame, EngineError, Outcome, Removed, RuleBookError, Seat, SeatInfo
from fairplay.match.driver import describe_seat
from fairplay.match.packing import packed
from fairplay.match.record import Isolation, worth_telling
from fairplay.run.awaited import AbsentPlayer, AwaitedMatch, AwaitedPlayer, Contender, LineLog, LocalPlayer
from fairplay.run.engines.pool import Engine
from fairplay.run.engines.worker import Meter, measure_effort, meter_players
from fairplay.run.entrants import describe_house_players, hide_entrants, levels_of, seat_entrant
from fairplay.run.keeping import Keeper

THREADS = 64
"""Players of this machine that may think at once in matches with awaited players."""


class MatchContext(Struct, frozen=True):
    """What all matches of a contest share."""

    game: AnyGame
    contest: Contest
    contenders: Mapping[int, Contender]  # entrants by number
    threads: Executor  # where local players think
    keeper: Keeper
    log: LineLog[int] | None  # None: nothing outlives this process
    watch: Callable[[Match, bytes], object] | None = None
    hidden: Hidden = Hidden()  # from local players
    kinds: Kinds = Kinds()


def lets_stay(contest: Contest) -> bool:
    """May a player that was thrown out of a match play the next one?"""
    return contest.format != "knock-out" and contest.options.get("removed", "stay") == "stay"


class MixedMatch:
    """A match of a contest; local players think in threads."""

    def __init__(self, context: MatchContext, match: Match, begun: list[bytes]) -> None:
        """`begun` are the lines of its record so far; raises RecordError."""
        self.context, self.match = context, match
        watch = None if context.watch is None else partial(context.watch, match)
        self.played = AwaitedMatch(context.game, match.number, context.log, begun, watch)
        numbers = enumerate(match.line_up)
        awaited = {seat: context.contenders[number] for seat, number in numbers if number in context.contenders}
        self.contenders = {seat: player for seat, player in awaited.items() if not player.is_out}
        self._absent = awaited.keys() - self.contenders.keys()
        self._all_ready = False
        self._removed: set[int] = set()
        self._waits: dict[int, Effort] = {}  # how long remote players took
        self._meters: dict[int, Meter | None] = {}  # of local ones

    async def play(self) -> Result:
        """Play it to its end, unless the rule book fails.  EFFECT: when it returns, all of its lines are safe."""
        try:
            return await self._play_to_end()
        except RuleBookError as error:
            await self.played.settle()
            broken = broken_result(self.match, error)
            self._dismiss(broken.outcome)
            return broken

    def _dismiss(self, outcome: Outcome) -> None:
        """Tell the contenders that were not thrown out how it ended."""
        for seat, contender in self.contenders.items():
            if seat not in self._removed:
                contender.end(outcome)

    async def _play_to_end(self) -> Result:
        started, match, game = perf_counter(), self.match, self.context.game
        loop, threads = asyncio.get_running_loop(), self.context.threads
        setup = msgspec.json.decode(self.context.contest.setup, type=game.setup)
        for seat, contender in self.contenders.items():
            contender.begin(Random(match.chances[seat]).getrandbits(53), self._info(setup, seat), self.played.lines)
        await loop.run_in_executor(threads, self.context.keeper.start, match.number)
        local = await loop.run_in_executor(threads, self._seat_local_players, setup)
        seated: dict[int, AwaitedPlayer] = {**dict.fromkeys(self._absent, AbsentPlayer()), **self.contenders, **local}
        players = [seated[seat] for seat in range(len(match.line_up))]
        names, chosen = tuple(name for name, _ in match.entrants), self.context.contest.seed_chosen
        outcome = None
        try:
            levels = self._levels(local)
            orders = self.played.build_orders(
                setup,
                match.seed,
                names,
                seed_chosen=chosen,
                levels=levels,
                house=describe_house_players(game, match),
                ponder=self.context.contest.ponder,
            )
            ponder = self.context.contest.ponder
            outcome = await self.played.play(
                orders, players, [self._throw_out], self._settle, self._note_wait, ponder=ponder
            )
        finally:
            if outcome is None:
                for player in local.values():
                    player.interrupt()
            await asyncio.gather(*(loop.run_in_executor(threads, player.end, outcome) for player in local.values()))
        await self.played.settle()
        self._dismiss(outcome)
        seconds = perf_counter() - started
        told = worth_telling(levels)
        efforts = tuple(self._effort(seat, local) for seat in range(len(match.line_up)))
        return Result(
            match.number, match.line_up, match.deal, outcome, packed(self.played.lines), seconds, told, efforts
        )

    def _note_wait(self, seat: Seat, seconds: float) -> None:
        if seat in self.contenders:
            self._waits[seat] = self._waits.get(seat, Effort(0, 0.0, "wall")) + Effort(1, seconds)

    def _effort(self, seat: int, local: Mapping[int, LocalPlayer]) -> Effort | None:
        """By the clock for a remote player: nobody sees how much it works."""
        if seat not in local:
            return self._waits.get(seat)
        return measure_effort(local[seat].player, self._meters.get(seat))

    def _info(self, setup: Any, seat: int) -> SeatInfo:
        return describe_seat(self.context.game, setup, seat, len(self.match.line_up))

    def _levels(self, local: Mapping[int, LocalPlayer]) -> tuple[Isolation, ...]:
        """By seat; a match that goes on has those that it began with."""
        players = [local[seat].player if seat in local else None for seat in range(len(self.match.line_up))]
        return levels_of(self.match.entrants, players, self.context.contest.require)

    def _seat_local_players(self, setup: Any) -> dict[int, LocalPlayer]:
        """Those that need no connection, made for this match, by seat.  EFFECT: may start programs."""
        game, match, contest = self.context.game, self.match, self.context.contest
        hidden = hide_entrants(contest, self.context.hidden)
        seated: dict[int, LocalPlayer] = {}
        for seat, entrant in enumerate(match.entrants):
            if seat not in self.contenders and seat not in self._absent:
                seating = seat_entrant(game, entrant.spec, contest.patience, hidden, self.context.kinds)
                player = seating(Random(match.chances[seat]), self._info(setup, seat))
                seated[seat] = LocalPlayer(player, self.context.threads)
                (self._meters[seat],) = meter_players([player])
        return seated

    async def _settle(self) -> None:
        """Nobody is asked before everyone who is still in the match is there, and what happened is safe."""
        if not self._all_ready:
            self._all_ready = True
            present = [player for seat, player in self.contenders.items() if seat not in self._removed]
            await asyncio.gather(*(player.ready() for player in present))
        await self.played.settle()

    def _throw_out(self, event: AnyEvent) -> None:
        if isinstance(event, Removed) and event.seat in self.contenders:
            self._removed.add(event.seat)
            self.contenders[event.seat].throw_out(event.fault, stays=lets_stay(self.context.contest))


class MixedEngine:
    """Plays matches with `contenders` (entrants by number) in `loop`, and leaves the others to `inner`.

    ASSUME: it is used in another thread than that of the loop.  A contender plays one match at a time.
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
        self.game, self.contenders, self.inner, self.keeper = game, contenders, inner, keeper
        self.loop, self.watch, self.hidden, self.kinds = loop, watch, inner.hidden, inner.kinds
        self._begun: dict[int, list[bytes]] = {}
        self._finished: SimpleQueue[Result | BaseException] = SimpleQueue()
        self._computing: Thread | None = None
        self._closed = False

    def __enter__(self) -> Self:
        self._begun = self.keeper.turns()
        self._log = LineLog(self.keeper.add_turns) if self.keeper.durable else None
        self._threads = ThreadPoolExecutor(THREADS, "player")
        self.inner.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._closed = True
        self.inner.__exit__(*error)
        if self._computing is not None:
            self._computing.join()
        if self._log is not None:
            self._log.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def stop(self, reason: BaseException) -> None:
        """Let `results` raise `reason`, whatever it is waiting for; may be called from any thread."""
        self._finished.put(reason)

    def results(self, contest: Contest, matches: Iterable[Match]) -> Iterator[Result]:
        """The results of `matches` as they finish, in any order."""
        wanted = list(matches)
        awaited = [match for match in wanted if self._contenders_of(match)]
        computed = [match for match in wanted if not self._contenders_of(match)]
        playing = LoopTask(self.loop, self._play_all(contest, awaited))
        self._computing = Thread(target=self._compute, args=(contest, computed), name="inner-engine", daemon=True)
        self._computing.start()
        try:
            for _ in wanted:
                result = self._finished.get()
                if isinstance(result, BaseException):
                    raise result
                yield result
            self._computing.join()  # the inner engine serves one thread at a time
        finally:
            playing.stop()

    def _contenders_of(self, match: Match) -> list[int]:
        return [player for player in match.line_up if player in self.contenders]

    def _compute(self, contest: Contest, matches: Sequence[Match]) -> None:
        try:
            for result in self.inner.results(contest, matches) if matches else ():
                self._finished.put(result)
                if self._closed:
                    return
        except BaseException as error:  # to be raised where it is waited for
            self._finished.put(error)

    async def _play_all(self, contest: Contest, matches: Sequence[Match]) -> None:
        """Play every match as soon as it is the next one of all its contenders."""
        context = MatchContext(
            self.game,
            contest,
            self.contenders,
            self._threads,
            self.keeper,
            self._log,
            self.watch,
            self.hidden,
            self.kinds,
        )
        queues: dict[int, deque[Match]] = {number: deque() for number in self.contenders}
        for match in matches:
            for player in self._contenders_of(match):
                queues[player].append(match)

        def is_next(match: Match) -> bool:
            return all(queues[player][0] is match for player in self._contenders_of(match))

        async def play(match: Match) -> None:
            self._finished.put(await MixedMatch(context, match, self._begun.pop(match.number, [])).play())
            players = self._contenders_of(match)
            for player in players:
                queues[player].popleft()
            start([queues[player][0] for player in players if queues[player]])

        def start(candidates: Iterable[Match]) -> None:
            for match in {match.number: match for match in candidates if is_next(match)}.values():
                group.create_task(play(match))

        try:
            async with asyncio.TaskGroup() as group:
                start(queue[0] for queue in queues.values() if queue)
        except BaseExceptionGroup as failed:
            self._finished.put(failed.exceptions[0])


class LoopTask:
    """A coroutine at work in the event loop of another thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, None]) -> None:
        self._loop, self._over = loop, ThreadEvent()
        self._task: asyncio.Task[None] | None = None
        try:
            loop.call_soon_threadsafe(self._start, work)
        except RuntimeError:  # the loop is closed
            work.close()
            raise EngineError("the contest was stopped") from None

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._task = self._loop.create_task(work)
        self._task.add_done_callback(lambda _: self._over.set())

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def stop(self) -> None:
        """Cancel it, and wait until it has ended, with everything that it does then."""
        if not self._over.is_set():
            with suppress(RuntimeError):  # the loop is closed, and nothing goes on in it
                self._loop.call_soon_threadsafe(self._cancel)
                self._over.wait()
