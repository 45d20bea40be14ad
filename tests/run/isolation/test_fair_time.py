"""What a reply is charged, with clocks and readings that a test sets: no processor is needed to be slow."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fairplay.run.isolation.process_tree import TreeWork
from fairplay.run.isolation.timing import MOST, QUICK, Charge, ReplyTime

LIMIT = 1.0

Program = Callable[[float], TreeWork]
"""What a program has done after so many seconds."""


def wait_for(program: Program, *, processors: int = 1, until: float = 1e9) -> tuple[float, float]:
    """How long it is waited for, and what it is charged for that."""
    now = 0.0
    time = ReplyTime(LIMIT, now, lambda: Charge(lambda: program(now), processors))
    while not time.is_up(now) and now < until:
        now += max(time.pause(now), 1e-6)
        time.look()
    return now, time.charged(now)


def sleeper(now: float) -> TreeWork:
    return TreeWork(0.0, {1: 0.0})


def spinner(now: float) -> TreeWork:
    return TreeWork(now, {1: 0.0})


def squabblers(now: float) -> TreeWork:
    """60 threads that keep each other from the only processor."""
    return TreeWork(now, dict.fromkeys(range(60), now * 59 / 60))


def honest(now: float) -> TreeWork:
    """It would work all the time, and gets a tenth of the processor."""
    return TreeWork(now / 10, {1: now * 9 / 10})


def starved(now: float) -> TreeWork:
    return TreeWork(0.0, {1: now})


def blind(now: float) -> TreeWork:
    """The kernel does not tell how long it was ready."""
    return TreeWork(now / 10, {})


@pytest.mark.parametrize("program", [sleeper, spinner, squabblers, blind])
def test_117_waiting_for_nobody_else_is_charged_in_full(program: Program) -> None:
    waited, charged = wait_for(program)
    assert waited == pytest.approx(LIMIT, abs=0.01)
    assert charged == pytest.approx(LIMIT, abs=0.01)


def test_what_the_machine_runs_instead_is_not_charged() -> None:
    assert wait_for(honest, until=0.5)[1] == pytest.approx(0.05, abs=0.01)
    assert wait_for(honest)[0] == pytest.approx(MOST * LIMIT, abs=0.2)


def test_in_the_end_the_clock_decides() -> None:
    waited, charged = wait_for(starved)
    assert waited == pytest.approx(MOST * LIMIT)
    assert charged < LIMIT


def test_117_threads_share_the_processors_that_there_are() -> None:
    """60 threads on four processors, which nobody else wants."""

    def crowd(now: float) -> TreeWork:
        return TreeWork(4 * now, dict.fromkeys(range(60), now * 56 / 60))

    assert wait_for(crowd, processors=4)[0] == pytest.approx(LIMIT, abs=0.01)


def test_117_delays_of_two_threads_do_not_add_up() -> None:
    def two(now: float) -> TreeWork:
        return TreeWork(0.0, {1: now / 2, 2: now / 2})

    assert wait_for(two, until=0.8)[1] == pytest.approx(0.4, abs=0.01)


def test_what_a_thread_stood_before_it_was_asked_does_not_count() -> None:
    assert wait_for(lambda now: TreeWork(0.0, {1: 50.0}))[0] == pytest.approx(LIMIT, abs=0.01)


def test_a_thread_that_ends_is_remembered_and_a_new_one_counts() -> None:
    """A delay stays known when its thread has ended; that of one that was started meanwhile begins at nothing."""

    def ends(now: float) -> TreeWork:
        return TreeWork(0.0, {1: 0.0, 2: now} if now < 0.4 else {1: 0.0})

    def starts(now: float) -> TreeWork:
        return TreeWork(0.0, {1: 0.0} if now < 0.4 else {1: 0.0, 2: now - 0.4})

    assert wait_for(ends, until=0.8)[1] == pytest.approx(0.4, abs=0.1)
    assert wait_for(starts, until=0.8)[1] == pytest.approx(0.4, abs=0.1)


def test_117_a_process_that_ends_takes_no_charge_with_it() -> None:
    """Its CPU time vanishes from the tree; what was seen of it stays."""

    def vanishing(now: float) -> TreeWork:
        return TreeWork(now if now < 0.5 else 0.0, {1: now})

    assert wait_for(vanishing, until=0.9)[1] == pytest.approx(0.5, abs=0.1)


def test_a_quick_reply_is_charged_by_the_clock_and_costs_no_look() -> None:
    def refuse() -> Charge:
        raise AssertionError("it was looked at")

    time = ReplyTime(LIMIT, 5.0, refuse)
    assert time.pause(5.0) == QUICK
    assert time.charged(5.001) == pytest.approx(0.001)
