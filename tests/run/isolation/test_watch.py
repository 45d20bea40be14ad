"""When programs are looked at and stopped, by a clock that a test sets: it is looks that count, not seconds."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from fairplay.run.isolation.watch import FREE_WORK, GRACE, WATCH, Turns, Vigil, Watcher


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class Program:
    """What is watched: a program in these states, which takes so much CPU time a second."""

    def __init__(self, clock: Clock, states: set[bytes], share: float = 0.0) -> None:
        self.clock, self.vigil = clock, Vigil(clock())
        self.states, self.share = states, share
        self.looks, self.stops = [clock()], list[float]()

    def next_look(self) -> float:
        return self.vigil.next_look()

    def look(self, now: float) -> None:
        self.looks.append(now)
        if self.vigil.must_stop(now, now * self.share, lambda: frozenset(self.states)):
            self.vigil.stopped = True
            self.stops.append(now)


class Room:
    """A watcher and the programs of one match, by a clock that goes from one look to the next."""

    def __init__(self) -> None:
        self.clock, self.watcher = Clock(), Watcher()
        self.turns = Turns(self.watcher)
        self.programs: list[Program] = []

    def seat(self, states: str, share: float = 0.0) -> Program:
        program = Program(self.clock, {state.encode() for state in states}, share)
        program.vigil.turns = self.turns
        self.programs.append(program)
        return program

    def go_on(self, seconds: float) -> None:
        until = self.clock.now + seconds
        while self.clock.now < until:
            for program in self.programs:
                if program.next_look() <= self.clock.now:
                    program.look(self.clock.now)
            due = min((program.next_look() for program in self.programs), default=math.inf)
            self.clock.now = min(until, max(due, self.clock.now + 1e-9))


@pytest.fixture
def room() -> Room:
    return Room()


def longest_interval(program: Program) -> float:
    return max(after - before for before, after in pairwise(program.looks))


@pytest.mark.parametrize("states", ["S", "R"])
def test_118_nothing_runs_unwatched(room: Room, states: str) -> None:
    """Whoever is awaited, it, somebody else or nobody: from one look to the next it is never more than `WATCH`."""
    program, idle = room.seat(states), room.seat("S")
    for seconds in (0.001, 0.01, 0.3, 1.0):
        room.go_on(seconds)  # between two orders, and after the last one
        program.vigil.let_go_on(room.clock(), awaited=True)
        room.turns.since = room.clock()
        room.go_on(seconds)
        program.vigil.awaited = False
        room.turns.since = room.clock()
        room.go_on(seconds)
        room.turns.since = None
    assert longest_interval(idle) <= WATCH + 1e-6
    if states == "S":
        assert longest_interval(program) <= WATCH + 1e-6


def test_118_it_is_looked_at_before_it_is_stopped_and_until_it_stands_still(room: Room) -> None:
    program = room.seat("RS")
    room.turns.since = room.clock()
    room.go_on(0.1)
    assert program.stops[0] == program.looks[1] == pytest.approx(100 + GRACE)
    assert program.looks[2:] == program.stops[1:]  # one of its threads still runs: it is stopped again
    assert longest_interval(program) <= GRACE + 1e-6
    program.states = {b"T"}
    room.go_on(GRACE)
    looks = len(program.looks)
    room.go_on(10.0)
    assert len(program.looks) == looks, "it stands still, and nothing about it can change"


def test_115_who_works_on_others_time_is_stopped_until_it_is_asked(room: Room) -> None:
    program = room.seat("R")
    room.turns.since = room.clock()
    room.go_on(GRACE / 2)
    assert not program.stops
    room.go_on(GRACE)
    assert program.vigil.stopped
    assert program.vigil.let_go_on(room.clock(), awaited=True)
    room.go_on(1.0)
    assert not program.vigil.stopped, "it owes an answer"
    program.vigil.awaited = False
    room.turns.since = None
    room.go_on(1.0)
    assert not program.vigil.stopped, "nobody is awaited"


def test_115_who_is_awaited_in_another_match_stops_nobody(room: Room) -> None:
    program, stranger = room.seat("R"), room.seat("R")
    stranger.vigil.turns = Turns(room.watcher)
    room.turns.since = room.clock()
    room.go_on(0.1)
    assert (program.vigil.stopped, stranger.vigil.stopped) == (True, False)


def test_who_only_waits_is_not_stopped(room: Room) -> None:
    """It might wait in `epoll_wait`, and a stop ends that with an error."""
    waiting = room.seat("S", share=FREE_WORK / WATCH / 2)  # and a timer rings now and then
    room.turns.since = room.clock()
    room.go_on(600.0)
    assert not waiting.vigil.stopped


def test_115_who_only_looks_asleep_is_stopped(room: Room) -> None:
    """It knows when it is looked at, and naps just then: its CPU time tells."""
    napper = room.seat("S", share=0.5)
    room.turns.since = room.clock()
    room.go_on(0.1)
    assert len(napper.stops) and napper.stops[0] - 100 <= WATCH


def test_what_it_did_in_its_own_turn_is_not_held_against_it(room: Room) -> None:
    thinker = room.seat("S", share=1.0)
    thinker.vigil.awaited = True
    room.go_on(3.0)
    thinker.vigil.awaited, thinker.share = False, 0.0
    thinker.vigil._worked = 0.0  # at the last look it had taken much less than at the next one
    thinker.share = 0.01
    room.turns.since = room.clock()
    room.go_on(GRACE)
    assert not thinker.stops


def test_the_thread_looks_at_a_program_that_nobody_waits_for() -> None:
    """The real one: it ends when nothing is left to watch."""
    from threading import Event

    watcher, seen = Watcher(), Event()

    class Alone:
        looks = 0

        def next_look(self) -> float:
            return 0.0

        def look(self, now: float) -> None:
            self.looks += 1
            if self.looks == 3:
                seen.set()

    alone = Alone()
    watcher.add(alone)
    assert seen.wait(60)
    thread = watcher._thread
    assert thread is not None
    watcher.discard(alone)
    thread.join(60)
    assert not thread.is_alive()
