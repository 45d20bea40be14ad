"""When programs are looked at and stopped, by a clock that a test sets: it is looks that count, not seconds."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from fairplay.run.isolation.timing import FREE_WORK, GRACE, WATCH, ProgramWatcher, Turns, Vigil


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class Program:
    """What is watched: a program that takes so much CPU time a second, unless it stands still."""

    def __init__(self, clock: Clock, share: float) -> None:
        self.clock, self.vigil = clock, Vigil(clock())
        self.share, self.worked, self.seen = share, 0.0, clock()
        self.states = frozenset({b"S", b"T"})
        self.processes = iter([frozenset({1})])  # at each look; the last ones stay
        self.alive = frozenset[int]()
        self.looks, self.measured, self.stops = [clock()], [clock()], list[float]()

    def next_look(self) -> float:
        return self.vigil.next_look()

    def look(self, now: float) -> None:
        self.looks.append(now)
        if not self.vigil.stopped:
            self.worked += (now - self.seen) * self.share
        self.seen = now
        self.alive = next(self.processes, self.alive)
        stop = self.vigil.must_stop(now, self.worked, self.alive, lambda: self.states)
        if self.vigil.must_measure(now, stop=stop):
            self.measured.append(now)
        if stop:
            self.vigil.stopped = True
            self.stops.append(now)


class Room:
    """The programs of one match, by a clock that goes from one look to the next."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.turns = Turns(ProgramWatcher())
        self.programs: list[Program] = []

    def seat(self, share: float) -> Program:
        program = Program(self.clock, share)
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


def longest_interval(moments: list[float]) -> float:
    return max(after - before for before, after in pairwise(moments))


def test_118_nothing_runs_unwatched(room: Room) -> None:
    """Whoever is awaited, it, somebody else or nobody: it is never longer than `WATCH` until it is measured again."""
    program = room.seat(0.0)
    for seconds in (0.001, 0.003, 0.01, 0.06, 0.3, 1.0):
        room.go_on(seconds)  # between two orders, and after the last one
        program.vigil.let_go_on(room.clock(), awaited=True)
        room.turns.since = room.clock()
        room.go_on(seconds)
        program.vigil.awaited = False
        room.turns.since = room.clock()
        room.go_on(seconds)
        room.turns.since = None
    assert longest_interval(program.measured) <= WATCH + 1e-6


def test_118_it_is_measured_before_it_is_stopped(room: Room) -> None:
    program = room.seat(1.0)
    room.turns.since = room.clock()
    room.go_on(0.1)
    assert program.stops
    assert program.stops == program.measured[1:]


def test_it_is_stopped_again_until_it_stands_still(room: Room) -> None:
    program = room.seat(1.0)
    room.turns.since = room.clock()
    room.go_on(0.1)
    assert len(program.stops) > 10, "one of its threads still waits, and is not stopped"
    assert longest_interval(program.stops) <= GRACE + 1e-6
    program.states = frozenset({b"T", b"Z"})
    room.go_on(GRACE)
    looks = len(program.looks)
    room.go_on(10.0)
    assert len(program.looks) == looks, "it stands still, and nothing about it can change"


@pytest.mark.parametrize("share", [0.03, 0.5, 1.0, 8.0])
def test_115_who_works_on_others_time_is_stopped_until_it_is_asked(room: Room, share: float) -> None:
    """On a part of a processor, or on eight."""
    program = room.seat(share)
    room.turns.since = room.clock()
    room.go_on(GRACE)
    assert not program.stops
    room.go_on(2 * WATCH)
    assert program.vigil.stopped
    assert program.vigil.let_go_on(room.clock(), awaited=True)
    room.go_on(1.0)
    assert not program.vigil.stopped, "it owes an answer"
    program.vigil.awaited = False
    room.turns.since = None
    room.go_on(1.0)
    assert not program.vigil.stopped, "nobody is awaited"


def test_115_a_whole_processor_is_given_back_after_two_looks(room: Room) -> None:
    program = room.seat(1.0)
    room.turns.since = room.clock()
    room.go_on(0.1)
    assert program.stops[0] == pytest.approx(100 + 2 * GRACE)


def test_115_who_is_awaited_in_another_match_stops_nobody(room: Room) -> None:
    program, stranger = room.seat(1.0), room.seat(1.0)
    stranger.vigil.turns = Turns(ProgramWatcher())
    room.turns.since = room.clock()
    room.go_on(0.1)
    assert (program.vigil.stopped, stranger.vigil.stopped) == (True, False)


def test_115_work_that_is_handed_from_process_to_process_is_seen(room: Room) -> None:
    """Each of them ends before it has worked for long, and nobody knows any more what it took."""
    relay = room.seat(0.0)
    relay.processes = iter(frozenset({1, number}) for number in range(2, 100))
    room.turns.since = room.clock()
    room.go_on(WATCH)
    assert relay.vigil.stopped


def test_who_had_others_work_for_it_in_its_own_turn_is_not_stopped(room: Room) -> None:
    done = room.seat(0.0)
    done.processes = iter([frozenset({1, 2, 3}), frozenset({1, 4}), frozenset({1})])
    done.vigil.awaited = True
    room.go_on(1.5 * WATCH)
    done.vigil.awaited = False
    room.turns.since = room.clock()
    room.go_on(1.0)
    assert not done.stops


def test_who_only_waits_is_not_stopped(room: Room) -> None:
    """It might wait in `epoll_wait`, and a stop makes that fail."""
    waiting = room.seat(FREE_WORK / WATCH / 2)  # a timer rings now and then
    room.turns.since = room.clock()
    room.go_on(600.0)
    assert not waiting.stops


def test_what_it_did_in_its_own_turn_is_not_held_against_it(room: Room) -> None:
    thinker = room.seat(1.0)
    thinker.vigil.awaited = True
    room.go_on(3.02)
    thinker.vigil.awaited = False
    room.turns.since = room.clock()
    thinker.worked, thinker.share = thinker.worked + 0.02, 0.0  # since the last look
    room.go_on(1.0)
    assert not thinker.stops


def test_the_thread_looks_at_a_program_that_nobody_waits_for() -> None:
    """The real one: it ends when nothing is left to watch."""
    from threading import Event

    watcher, seen = ProgramWatcher(), Event()

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
