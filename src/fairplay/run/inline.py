"""Carry a referee's orders out with players in this process: fastest, nothing between."""

from __future__ import annotations

import signal
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

from fairplay.core import Fault, FaultKind, Misbehaved, Outcome, Player
from fairplay.play.driver import drive
from fairplay.play.record import Script
from fairplay.play.referee import Ask, Orders

__all__ = ["Audience", "Observer", "WithDeadline", "call_player", "describe_crash", "play_inline"]

Observer = Callable[[Any], object]
"""Is shown every event of a match."""


def play_inline(
    orders: Orders, players: Sequence[Player], observers: Sequence[Observer] = (), past: Script | None = None
) -> Outcome:
    """Play one match to its end.  An observer that raises is dropped and changes nothing.

    What `past` holds is replied as it was; the players live through it again, so that they know what they knew.
    """
    chooses = [player.choose for player in players]

    def answer(order: Any) -> Any:
        if type(order) is Ask:
            return call_player(chooses[order.seat], order.view)
        return call_player(players[order.seat].hear, order.news)

    def remember(order: Any) -> Any:
        if past is None or past.over:
            return answer(order)
        answer(order)
        return past.reply(order)

    steps, audience = drive(orders, answer if past is None else remember), Audience(observers)
    while True:
        try:
            audience.show(next(steps))
        except StopIteration as done:
            outcome: Outcome = done.value
            return outcome


class Audience:
    """Those who are shown every event; one that raises is shown no more."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self.observers = list(observers)

    def show(self, event: Any) -> None:
        for observer in tuple(self.observers):
            if isinstance(call_player(observer, event), Fault):
                self.observers.remove(observer)


def call_player(call: Callable[[Any], Any], argument: Any) -> Any:
    """The result of the call, or the fault of a player that raised."""
    try:
        return call(argument)
    except Misbehaved as misbehaved:
        return misbehaved.fault
    except KeyboardInterrupt:
        raise
    except BaseException as crash:  # a player may raise anything at all, SystemExit too
        return Fault.of(FaultKind.CRASHED, describe_crash(crash))


def describe_crash(crash: BaseException) -> str:
    """The error and the player's own innermost lines, without folders: a record is the same on every machine."""
    frames = [frame for frame in traceback.extract_tb(crash.__traceback__) if Path(frame.filename).parent != OURS]
    lines = [f"{Path(frame.filename).name}:{frame.lineno} in {frame.name}: {frame.line}" for frame in frames[-3:]]
    try:
        message = "".join(traceback.format_exception_only(crash)).strip()
    except BaseException:  # even describing the exception may raise: its __str__ is the player's code
        message = type(crash).__name__
    return "\n".join([message, *reversed(lines)])


OURS = Path(__file__).parent


class WithDeadline:
    """A player of this process whose every answer is due within `seconds`.

    On the main thread a call that takes too long is interrupted; elsewhere it cannot be, and is late when it returns.
    """

    def __init__(self, player: Player, seconds: float) -> None:
        self.player, self.seconds = player, seconds

    def choose(self, view: Any) -> Any:
        with enforce_deadline(self.seconds):
            return self.player.choose(view)

    def hear(self, news: object) -> object:
        with enforce_deadline(self.seconds):
            return self.player.hear(news)


@contextmanager
def enforce_deadline(seconds: float) -> Iterator[None]:
    """Raise Misbehaved when the block takes longer than `seconds`, in its midst where that can be done."""
    late = Misbehaved(Fault(FaultKind.TIMED_OUT, f"no answer within {seconds:g} s"))
    started = monotonic()
    if threading.current_thread() is threading.main_thread():
        with raise_alarm(seconds, late):
            yield
    else:
        yield
    if monotonic() - started > seconds:
        raise late


@contextmanager
def raise_alarm(seconds: float, error: Exception) -> Iterator[None]:
    """Raise `error` in the block after `seconds`, again and again: a player may swallow it."""

    armed = True

    def interrupt(signum: int, frame: object) -> None:
        if armed:
            raise error

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, 0.1)
        try:
            yield
        finally:
            armed = False  # so that an alarm between here and the next line but one hits nobody
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
