"""Matches with awaited players in an event loop, all other matches on another engine at the same time."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any, Self

from fairplay.contest.contest import Contest, Match, Result
from fairplay.core import AnyGame, EngineError
from fairplay.run.awaited import Contender
from fairplay.run.engines.mixed_match import MatchContext, MixedMatch
from fairplay.run.engines.pool import Engine
from fairplay.run.engines.turn_log import TurnLog
from fairplay.run.keeping import Keeper

THREADS = 64
"""Players of this machine that may think at once in matches with awaited players."""


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
        self._log = TurnLog(self.keeper)
        self._threads = ThreadPoolExecutor(THREADS, "player")
        self.inner.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._closed = True
        self.inner.__exit__(*error)
        if self._computing is not None:
            self._computing.join()
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
            self.game, contest, self.contenders, self._threads, self._log, self.watch, self.hidden, self.kinds
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
        self._loop, self._over = loop, Event()
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
