"""Players in this process: whatever they do becomes a fault, whatever observers do changes nothing."""

from __future__ import annotations

import signal
import sys
import threading
import time
from typing import Any

import pytest

from fairplay.catalog import GAMES
from fairplay.core import Fault, FaultKind, House, Misbehaved, Player
from fairplay.core.chance import derived
from fairplay.match.calls import call_player
from fairplay.match.players import house_strategy
from fairplay.match.replay import start_match
from fairplay.run.inline import ALARM, WithDeadline, play_inline

# An alarm may ring inside a callback of the garbage collector, where nothing can be raised; it rings again.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

NIM = GAMES["nim"]
SETUP = NIM.variants["standard"]


def good(seat: int = 0) -> Any:
    return House(house_strategy(NIM, "random", derived(1, seat)))


class Broken:
    """Raises what it was given."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def choose(self, view: Any) -> Any:
        raise self.error

    def hear(self, news: object) -> None:
        """Listens well."""


class UnprintableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("not even this works")


@pytest.mark.parametrize(
    "error",
    [ValueError("no idea"), SystemExit(0), MemoryError(), RecursionError(), UnprintableError(), GeneratorExit()],
)
def test_whatever_a_player_raises_is_a_crash(error: BaseException) -> None:
    outcome = play_inline(start_match(NIM, SETUP, 1, 2), [Broken(error), good(1)])
    fault = outcome.faults[0]
    assert fault is not None
    assert fault.kind is FaultKind.CRASHED
    assert type(error).__name__ in fault.detail
    assert outcome.winners == (1,)


def test_the_last_words_name_the_line_that_raised() -> None:
    def deep(view: Any) -> Any:
        return dict[str, int]()["the missing key"]

    fault = call_player(deep, None)
    assert isinstance(fault, Fault)
    assert "the missing key" in fault.detail
    assert "test_inline.py" in fault.detail
    assert "in deep" in fault.detail
    assert "/" not in fault.detail.replace("\n", "")
    assert "inline.py:" not in fault.detail.replace("test_inline.py:", "")


def test_the_person_at_the_keyboard_can_always_stop_it() -> None:
    with pytest.raises(KeyboardInterrupt):
        play_inline(start_match(NIM, SETUP, 1, 2), [Broken(KeyboardInterrupt()), good(1)])


def test_a_reported_fault_is_taken_as_it_is() -> None:
    outcome = play_inline(start_match(NIM, SETUP, 1, 2), [Broken(Misbehaved(Fault(FaultKind.GONE, "left"))), good(1)])
    assert outcome.faults[0] == Fault(FaultKind.GONE, "left")


def test_what_hear_returns_means_nothing() -> None:
    class Chatty:
        choose = staticmethod(house_strategy(NIM, "random", derived(1, 0)))

        def hear(self, news: object) -> Any:
            return "thank you"

    assert play_inline(start_match(NIM, SETUP, 1, 2), [Chatty(), good(1)]).faults == (None, None)


def test_an_observer_that_fails_is_dropped_and_the_others_see_everything() -> None:
    seen: list[Any] = []
    failures = 0

    def failing(event: Any) -> None:
        nonlocal failures
        failures += 1
        raise RuntimeError

    with_observers = play_inline(start_match(NIM, SETUP, 1, 2), [good(0), good(1)], [failing, seen.append])
    assert failures == 1
    assert len(seen) > 2
    assert with_observers == play_inline(start_match(NIM, SETUP, 1, 2), [good(0), good(1)])


# -- patience ----------------------------------------------------------------------------------


class Slow(Broken):
    def __init__(self, where: str, *, stubborn: bool = False) -> None:
        self.where, self.stubborn = where, stubborn
        self.good = good()

    def dawdle(self) -> None:
        swallowed = 0
        while True:
            try:
                time.sleep(0.01)
            except Misbehaved:
                swallowed += 1
                if not self.stubborn or swallowed > 2:
                    raise

    def choose(self, view: Any) -> Any:
        return self.dawdle() if self.where == "choose" else self.good.choose(view)

    def hear(self, news: object) -> None:
        if self.where == "hear":
            self.dawdle()


@pytest.mark.parametrize("where", ["choose", "hear"])
@pytest.mark.parametrize("stubborn", [False, True])
def test_a_player_that_never_answers_is_interrupted(where: str, stubborn: bool) -> None:
    outcome = play_inline(start_match(NIM, SETUP, 1, 2), [WithDeadline(Slow(where, stubborn=stubborn), 0.05), good(1)])
    assert outcome.faults[0] == Fault(FaultKind.TIMED_OUT, "no answer within 0.05 s")
    assert outcome.winners == (1,)


def test_a_quick_player_is_left_alone() -> None:
    assert play_inline(start_match(NIM, SETUP, 1, 2), [WithDeadline(good(0), 5), WithDeadline(good(1), 5)]).faults == (
        None,
        None,
    )


def test_off_the_main_thread_lateness_is_noticed_when_the_answer_comes() -> None:
    results: list[Any] = []

    class Late(Broken):
        def choose(self, view: Any) -> Any:
            time.sleep(0.05)
            return good().choose(view)

    players = [WithDeadline(Late(ValueError()), 0.01), WithDeadline(good(1), 5)]
    thread = threading.Thread(target=lambda: results.append(play_inline(start_match(NIM, SETUP, 1, 2), players)))
    thread.start()
    thread.join()
    assert results[0].faults[0] == Fault(FaultKind.TIMED_OUT, "no answer within 0.01 s")
    assert results[0].faults[1] is None


class Ringing(Broken):
    """A good player that an alarm hits in every call, though nobody waits for it in vain."""

    def __init__(self, seat: int) -> None:
        self.good = good(seat)

    def choose(self, view: Any) -> Any:
        signal.raise_signal(signal.SIGALRM)
        return self.good.choose(view)

    def hear(self, news: object) -> None:
        signal.raise_signal(signal.SIGALRM)


def test_an_alarm_hits_nobody_before_the_time_or_without_one() -> None:
    players: list[Player] = [WithDeadline(Ringing(0), 60), Ringing(1)]
    before = signal.signal(signal.SIGALRM, ALARM._ring)  # as it is where nobody else has set a handler
    try:
        assert play_inline(start_match(NIM, SETUP, 1, 2), players).faults == (None, None)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_player_that_sets_the_timer_for_the_next_one_hits_nobody() -> None:
    class Trap(Ringing):
        def choose(self, view: Any) -> Any:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            return self.good.choose(view)

    players = [WithDeadline(Trap(0), 60), WithDeadline(Ringing(1), 60)]
    assert play_inline(start_match(NIM, SETUP, 1, 2), players).faults == (None, None)


def test_while_an_alarm_is_cleared_it_does_not_ring() -> None:
    late = Fault(FaultKind.TIMED_OUT, "late")

    def ring(argument: Any) -> None:
        ALARM.due = 0.0
        ALARM._ring(signal.SIGALRM, sys._getframe(1))  # as if it came just before or after the call
        with pytest.raises(ValueError, match="signal number"):
            ALARM._ring(signal.SIGALRM, sys._getframe())

    with pytest.raises(ValueError, match="signal number"):
        ALARM.interrupt(ring, None, 60, late)
    assert ALARM.fault is None
    ALARM._ring(signal.SIGALRM, sys._getframe())


def test_the_handler_of_the_program_around_us_comes_back() -> None:
    def theirs(number: int, frame: object) -> None: ...

    before = signal.signal(signal.SIGALRM, theirs)
    try:
        ALARM.interrupt(lambda argument: None, None, 60, Fault(FaultKind.TIMED_OUT, ""))
        assert signal.getsignal(signal.SIGALRM) is theirs
    finally:
        signal.signal(signal.SIGALRM, before)


class Endless(Broken):
    """Calls itself."""

    def __init__(self) -> None: ...


class Plain(Endless):
    def choose(self, view: Any) -> Any:
        return self.choose(view)


class Deep(Endless):
    def choose(self, view: Any) -> Any:
        sys.setrecursionlimit(10**9)
        return self.choose(view)


class Stubborn(Endless):
    def choose(self, view: Any) -> Any:
        try:
            return self.choose(view)
        finally:
            self.choose(view)


class Deaf(Endless):
    def choose(self, view: Any) -> Any:
        while True:
            try:
                self.choose(view)
            except BaseException:
                self.choose(view)


@pytest.mark.parametrize(
    ("bot", "kind", "seconds"),
    [
        (Plain, FaultKind.CRASHED, 60),
        (Deep, FaultKind.CRASHED, 60),
        (Stubborn, FaultKind.TIMED_OUT, 0.1),
        (Deaf, FaultKind.TIMED_OUT, 0.1),
    ],
)
def test_endless_recursion_ends_in_every_run_and_costs_nobody_else(
    bot: Any, kind: FaultKind, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    # An interruption that falls into a destructor is noted there; the next one stops the player.
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    limit = sys.getrecursionlimit()
    for _ in range(2):
        players = [WithDeadline(bot(), seconds), WithDeadline(good(1), 60)]
        outcome = play_inline(start_match(NIM, SETUP, 1, 2), players)
        assert outcome.faults[0] is not None and outcome.faults[1] is None
        assert outcome.faults[0].kind is kind
        assert len(outcome.faults[0].detail) < 2_001
        assert sys.getrecursionlimit() == limit
