"""Players in this process, and how a referee's orders are carried out with them: fastest, nothing between."""

import pickle
import signal
import sys
import threading
from _thread import interrupt_main
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from random import Random
from time import monotonic
from types import FrameType
from typing import Any, TypeVar

from fairplay.core import AnyGame, Fault, FaultKind, Misbehaved, Outcome, Player, SeatInfo, Seen, UsageError
from fairplay.match.calls import call_player
from fairplay.match.driver import Audience, Observer, Witnesses, describe_seat, drive
from fairplay.match.referee import AnyOrder, Ask, Orders
from fairplay.match.replay import Script
from fairplay.run import bots
from fairplay.run.isolation.program import share_turns

T = TypeVar("T")


def play_inline(
    orders: Orders,
    players: Sequence[Player],
    observers: Sequence[Observer] = (),
    past: Script | None = None,
    *,
    ponder: bool = False,
) -> Outcome:
    """Play one match to its end.  An observer that raises is dropped and changes nothing.

    What `past` holds is replied as it was; the players live through it again, so that they know what they knew.
    Programs stand still while others are awaited, unless they may `ponder`.
    """
    chooses = [player.choose for player in players]

    def answer(order: AnyOrder) -> object:
        if isinstance(order, Ask):
            return call_player(chooses[order.seat], order.view)
        return call_player(players[order.seat].hear, order.news)

    turns = None if ponder else share_turns(players)

    def answer_in_turn(order: AnyOrder) -> object:
        with turns or nullcontext():
            return answer(order)

    reply_to = answer if turns is None else answer_in_turn

    def remember(order: AnyOrder) -> object:
        reply = reply_to(order)
        return reply if past is None or past.over else past.reply(order)

    witnesses, audience = Witnesses(players), Audience(observers)
    steps = drive(orders, reply_to if past is None else remember, witnesses.witness)
    while True:
        try:
            event = next(steps)
        except StopIteration as done:
            outcome: Outcome = done.value
            break
        if past is not None:
            past.follow(event)
        audience.show(event)
    for player in witnesses.players.values():
        let_catch_up(player)
    return outcome


def let_catch_up(player: object) -> None:
    """Tell a player what it saw after its last order.  It may fail now: the match is over."""
    if (catch_up := getattr(player, "catch_up", None)) is not None:
        call_player(lambda _: catch_up(), None)


class WithDeadline:
    """A player of this process whose every answer is due within `seconds`.

    On the main thread a call that takes too long is interrupted; elsewhere it cannot be, and is late when it returns.
    """

    def __init__(self, player: Player, seconds: float) -> None:
        self.player, self.seconds = player, seconds
        self.choose: Callable[[Any], object] = partial(call_in_time, player.choose, seconds=seconds)
        self.saw: Callable[[Seen], object] | None = getattr(player, "saw", None)

    def hear(self, news: object) -> object:
        return call_in_time(self.player.hear, news, self.seconds)

    def catch_up(self) -> None:
        """Tell it what it saw after its last order."""
        call_in_time(let_catch_up, self.player, self.seconds)


def call_in_time(call: Callable[[Any], object], argument: object, seconds: float) -> object:
    """The result of the call; raises Misbehaved after `seconds`, in the middle of the call if possible."""
    late = Fault(FaultKind.TIMED_OUT, f"no answer within {seconds:g} s")
    started = monotonic()
    on_main_thread = threading.current_thread() is threading.main_thread()
    try:
        result = ALARM.interrupt(call, argument, seconds, late) if on_main_thread else call(argument)
    except Exception:  # what the alarm has raised may have become anything on its way through the player
        if monotonic() - started > seconds:
            raise Misbehaved(late) from None
        raise
    if monotonic() - started > seconds:
        raise Misbehaved(late)
    return result


class Alarm:
    """The timer of this process.  It is set for one call at a time, and can hit nothing but that call.

    LAW: an alarm that comes late, or when no call is under way, does nothing.  So whatever a player does to the timer,
    or to the depth of its recursion, the next player is not the one who pays.
    """

    def __init__(self) -> None:
        self.fault: Fault | None = None  # of the player whose call is under way
        self.due = 0.0

    def interrupt(self, call: Callable[[Any], object], argument: object, seconds: float, late: Fault) -> object:
        """The result of the call, in the middle of which something is raised after `seconds`, again and again."""
        before = signal.signal(signal.SIGALRM, self._ring)  # every time: a player may have put its own there
        depth = sys.getrecursionlimit()
        self.due = monotonic() + seconds
        try:
            self.fault = late
            signal.setitimer(signal.ITIMER_REAL, min(seconds, _RING_AGAIN), _RING_AGAIN)
            return call(argument)
        finally:
            self.fault = None
            signal.setitimer(signal.ITIMER_REAL, 0)
            if sys.getrecursionlimit() != depth:
                sys.setrecursionlimit(depth)
            if callable(before) and before != self._ring:  # never the default: that would end the process
                signal.signal(signal.SIGALRM, before)

    def _ring(self, signum: int, frame: FrameType | None) -> None:
        """Raise below the call only: in the frame that clears the alarm, nothing may come between."""
        if self.fault is None or frame is None or frame.f_code is Alarm.interrupt.__code__:
            return
        if monotonic() >= self.due:
            _raise_and_ring_again()
        elif sys.getrecursionlimit() > DEEPEST:
            sys.setrecursionlimit(DEEPEST)  # raises RecursionError in a player that is deeper by now


def _raise_and_ring_again() -> None:
    """Raise ValueError while the alarm is due again, at the next call or turn of a loop of whoever catches it.

    A player that goes on in its handlers gets nowhere so, from however deep it comes: each of its frames ends.
    """
    # One step of the interpreter, or the alarm would ring in here: the second of its two calls fails.
    deque(map(interrupt_main, (signal.SIGALRM, _NO_SIGNAL)), maxlen=0)


_NO_SIGNAL: Any = -1

_RING_AGAIN = 0.05
"""Seconds between two looks at a player that thinks."""

DEEPEST = 100_000
"""Calls inside calls that a player may have, whatever limit it sets: to end millions of them takes minutes."""

ALARM = Alarm()


# -- functions and classes of Python -----------------------------------------------------------


class TrustedSeating:
    """How to seat a function or a class in this process."""

    def __init__(self, game: AnyGame, bot: bots.Bot, patience: float | None = None) -> None:
        """Each answer is due within `patience` seconds.  Raises UsageError if that is not a bot."""
        if (flaw := bots.find_flaw(bot)) is not None:
            raise UsageError(flaw)
        self.game, self.bot, self.patience = game, bot, patience

    @property
    def wants_turns(self) -> bool:
        """Is the bot to be told of every turn?"""
        return bots.wants_turns(self.bot)

    def __call__(self, rng: Random, info: SeatInfo | None = None, /) -> Player:
        bots.seed_generators(rng)
        player = bots.make_bot(self.bot, rng, _call_carefully, _copy_value(info or describe_seat(self.game)))
        return player if self.patience is None else WithDeadline(player, self.patience)


def seat_bot_file(game: AnyGame, path: str, name: str = "", patience: float | None = None) -> TrustedSeating:
    """How to seat the function or class `name` of a file; raises UsageError if it cannot be loaded.

    The file is loaded once, and each answer is due within `patience` seconds.
    """
    spec = bots.describe_player(path, name)
    return TrustedSeating(game, bots.find_bot(spec, bots.load_module(spec, path), name), patience)


def _call_carefully(call: Callable[..., object], *arguments: object, **options: object) -> object:
    """Call a bot in this process with copies: whatever it does to what it is shown, the referee's own stays."""
    copies = _copy_value(arguments)
    with bots.undo_mistakes():
        return call(*copies, **options)


def _copy_value(value: T) -> T:
    """Another value that is equal, all the way down."""
    copy: T = pickle.loads(pickle.dumps(value))
    return copy
