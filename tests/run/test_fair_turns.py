"""Programs that work on others' time, or on others' account: they stand still, and nobody pays for what they do.

The numbers are those of the list of abuses that a referee must survive (115 to 119).
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any

import pytest

from fairplay.core import FaultKind, House, Seat
from fairplay.match.replay import deal_state, start_match
from fairplay.run.awaited import LocalPlayer, play_awaited
from fairplay.run.inline import play_inline
from fairplay.run.isolation.command import Command
from fairplay.run.isolation.process_tree import measure_cpu, read_states
from fairplay.run.isolation.program import Program
from fairplay.run.isolation.sandbox import ProgramLimits

from .programs import FISH, SMALL, Bots, command_line, confine, one_processor, played

MIB = 1 << 20

SPINNING = """
import threading
def spin():
    while True: pass

def misbehave(message):
    if asked == 1 and threading.active_count() == 1:
        for _ in range({threads}): threading.Thread(target=spin, daemon=True).start()
"""

FORTY = """
def misbehave(message):
    if asked != 1: return
    for _ in range(40):
        if os.fork(): continue
        try: os.setsid()
        except OSError: pass
        while True: pass
"""

HONEST = """
def misbehave(message):
    end = time.process_time() + 0.05
    while message["type"] == "ask" and time.process_time() < end: pass
"""


def processes_of(program: Command) -> list[int]:
    wanted = program.arguments[-1].encode()
    found = (int(one.name) for one in Path("/proc").iterdir() if wanted in command_line(one))
    return [process for process in found if b"bwrap" not in command_line(Path(f"/proc/{process}"))]


def until(true: Callable[[], bool], seconds: float = 60.0) -> bool:
    """Does it become true, within a time that no machine is too slow for?"""
    end = monotonic() + seconds
    while not true():
        if monotonic() > end:
            return False
        sleep(0.005)
    return True


def house(deed: Callable[[], object]) -> House:
    """A house player that does something while it is awaited, and takes a legal action."""

    def choose(view: Any) -> Any:
        deed()
        return FISH.rules.legal_actions(view)[0]

    return House(choose)


# -- 115: works on others' time ----------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 40])
def test_115_a_program_stands_still_while_others_are_awaited(bots: Bots, confined: str, threads: int) -> None:
    bot = bots(SPINNING.format(threads=threads))
    seen: list[bool] = []

    def look() -> None:
        still = until(lambda: bool(found := processes_of(bot)) and read_states(found) <= {b"T", b"Z", b"X"})
        before = measure_cpu(processes_of(bot))
        sleep(0.05)
        seen.append(still and measure_cpu(processes_of(bot)) == before)

    result = played(bot, others=[house(look)])
    assert result.outcome.faults == (None, None)
    assert seen and all(seen)


def test_115_also_while_a_program_is_awaited(bots: Bots, confined: str) -> None:
    bot, over, stood = bots(SPINNING.format(threads=2)), Event(), Event()
    rival = Program(FISH, bots("def choose(message):\n    time.sleep(0.5)\n    return message['legal'][0]\n"), 60.0)

    def look() -> None:
        while not over.is_set() and not stood.is_set():
            found = processes_of(bot)
            if found and read_states(found) <= {b"T"}:
                stood.set()
            sleep(0.01)

    watching = Thread(target=look)
    watching.start()
    try:
        result = played(bot, others=[rival])
    finally:
        over.set()
        watching.join()
    assert result.outcome.faults == (None, None)
    assert stood.is_set()


def test_115_also_while_a_remote_player_is_awaited(bots: Bots, confined: str) -> None:
    bot, seen = bots(SPINNING.format(threads=2)), list[bool]()
    program = Program(FISH, bot, 60.0)

    class Remote:
        async def choose(self, view: Any) -> Any:
            end = monotonic() + 60
            while not (found := processes_of(bot)) or not read_states(found) <= {b"T"}:
                if monotonic() > end:
                    break
                await asyncio.sleep(0.005)
            seen.append(monotonic() < end)
            return FISH.rules.legal_actions(view)[0]

        async def hear(self, news: object) -> None: ...
        async def recall(self, order: Any, reply: Any) -> None: ...
        def close(self) -> None: ...

    local = LocalPlayer(program)
    try:
        outcome = asyncio.run(play_awaited(start_match(FISH, SMALL, 1, 2), [local, Remote()]))
    finally:
        program.close()
    assert outcome.faults == (None, None)
    assert seen and all(seen)


# -- 116: 40 sessions --------------------------------------------------------------------------


@pytest.mark.parametrize("ponder", [False, True])
def test_116_forty_sessions_throw_nobody_out(bots: Bots, monkeypatch: pytest.MonkeyPatch, ponder: bool) -> None:
    """All share one processor; the rival needs 0.05 s of it for an answer, and may take a second."""
    confine("sandbox", monkeypatch)
    with one_processor():
        rival = Program(FISH, bots(HONEST), 1.0)
        result = played(bots(FORTY), others=[rival], ponder=ponder)
    assert result.outcome.faults == (None, None)


IN_A_CHILD = """
def misbehave(message):
    if not os.fork():
        try: {call}; print("DONE", file=sys.stderr, flush=True)
        except OSError as error: print(error, file=sys.stderr, flush=True)
        os._exit(0)
    os.wait()
"""


@pytest.mark.parametrize("call", ["os.setsid()", "os.setpgid(0, 0)", "os.kill(0, signal.SIGCONT)"])
def test_119_nobody_leaves_its_group_or_wakes_others(bots: Bots, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    confine("sandbox", monkeypatch)
    deed = f"    if not os.fork():\n        try: {call}; print('DONE', file=sys.stderr, flush=True)\n"
    deed += (
        "        except OSError as error: print(type(error).__name__, file=sys.stderr, flush=True)\n        os._exit(0)"
    )
    result = played(bots(f"def misbehave(message):\n{deed}\n    os.wait()\n"))
    assert result.outcome.faults == (None, None)
    assert result.usage.stderr
    assert "DONE" not in result.usage.stderr


# -- 117: time is charged fairly ---------------------------------------------------------------


CROWD = "[threading.Thread(target=spin).start() for _ in range(60)]; spin()"


@pytest.mark.parametrize("deed", ["time.sleep(600)", "spin()", CROWD], ids=["sleeper", "spinner", "crowd"])
def test_117_who_takes_too_long_is_out(bots: Bots, confined: str, deed: str) -> None:
    """One that sleeps, one that works, and one whose threads keep each other waiting for their only processor."""
    text = (
        f"import threading\ndef spin():\n    while True: pass\n\ndef misbehave(message):\n    if asked == 1: {deed}\n"
    )
    with one_processor():
        result = played(bots(text), patience=0.4)
    fault = result.outcome.faults[0]
    assert fault is not None and fault.kind is FaultKind.TIMED_OUT, fault
    assert result.usage.slowest >= 0.4 or result.usage.replies == 0


@contextmanager
def busy_processor(others: int) -> Iterator[None]:
    """One processor for what is started in this block, on which so many strangers work, each in its session."""
    spin = [sys.executable, "-S", "-c", "print(flush=True)\nwhile True: pass"]
    with one_processor():
        started = [subprocess.Popen(spin, start_new_session=True, stdout=subprocess.PIPE) for _ in range(others)]
    try:
        for each in started:
            assert each.stdout is not None
            assert each.stdout.readline() == b"\n"
        yield
    finally:
        for each in started:
            each.kill()
            each.communicate()


def test_an_honest_bot_on_a_busy_machine_is_not_out(bots: Bots, confined: str) -> None:
    """It works for 0.05 s, has a second, and by the clock takes longer."""
    with one_processor():
        program = Program(FISH, bots(HONEST), 1.0)
        program.greet()
    begun = monotonic()
    with busy_processor(40):
        try:
            program.choose(FISH.rules.view(deal_state(FISH, SMALL, 1, 2), Seat(0)))
            first = program.slowest
        finally:
            program.close()
    assert program.fault is None
    assert first < 1.0 < monotonic() - begun


# -- 118: memory -------------------------------------------------------------------------------

HOARDING = """
import threading
def hoard():
    kept = []
    while True:
        try: kept.append(b"x" * 1000000)
        except MemoryError: time.sleep(0.01)  # what it has, it keeps: a busy machine may look at it late

def misbehave(message):
    if {when}: threading.Thread(target=hoard, daemon=True).start()
    {then}
"""

MEMORY = ProgramLimits(memory=100 * MIB, parting=120.0)


@pytest.mark.parametrize("ponder", [False, True])
def test_118_memory_that_is_filled_while_a_house_player_thinks(bots: Bots, confined: str, ponder: bool) -> None:
    """It goes on while the house player thinks, or as soon as it is asked again; either way it is soon ended."""
    bot = bots(HOARDING.format(when="asked == 1", then="time.sleep(0.3 if asked == 2 else 0)"))
    ended: list[bool] = []

    def wait() -> None:
        if ponder:
            ended.append(until(lambda: not processes_of(bot)))

    result = played(bot, MEMORY, others=[house(wait)], ponder=ponder)
    fault = result.outcome.faults[0]
    assert fault is not None and fault.kind is FaultKind.EXCEEDED and "memory" in fault.detail, fault
    assert all(ended)


def test_118_memory_that_is_filled_after_the_end(bots: Bots, confined: str) -> None:
    """It has two minutes to end by itself, and would never do so."""
    bot = bots(HOARDING.format(when="message['type'] == 'bye'", then="message['type'] == 'bye' and time.sleep(600)"))
    player = Program(FISH, bot, 60.0, MEMORY)
    outcome = play_inline(start_match(FISH, SMALL, 1, 2), [player, house(lambda: None)])
    player.bye(outcome)
    assert player.child is not None
    assert player.child.exceeded is not None and "memory" in player.child.exceeded
