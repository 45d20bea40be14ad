"""500 remote matches of Fish at once on this machine: the server's own delay per move, and what a connection costs."""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import selectors
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice, product
from pathlib import Path
from string import ascii_lowercase
from time import perf_counter
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from bench.measure import Figure, show
from fairplay.core import Call, Fault, Json, Outcome, Period
from fairplay.core.chance import derived
from fairplay.games.fish import GAME
from fairplay.games.fish.client import FishClient
from fairplay.games.fish.signup import SETUP, sign_up
from fairplay.games.fish.strategies import random
from fairplay.net.client import read_call, signed_up
from fairplay.net.connection import Connection, scratch
from fairplay.net.server import Desk, Limits, listening
from fairplay.play.record import match
from fairplay.run.remote import Remote, run

__all__ = ["figures"]

MATCHES = 500
SEATS = 4
CLIENTS = 4
"""Processes that the players are spread over."""

SILENT = 1_000
THINKING = 0.5
"""Seconds that an answer takes at most, in the paced run, thinking and network together; on average half of it."""

DELAY_BAR = 0.050
COST_BAR = 50 * 1024
LONGEST = 120.0
"""Seconds after which everything is given up."""

IN_A_BLINK = 0.000_1
"""A wait for events shorter than this found them there already."""


class Watched(selectors.DefaultSelector):
    """Notes since when what it finds may have been there: since it looked last, unless it had to wait."""

    def __init__(self) -> None:
        super().__init__()
        self.looked = self.since = self.before = perf_counter()

    def select(self, timeout: float | None = None) -> Any:
        entered = perf_counter()
        found = super().select(timeout)
        left = perf_counter()
        self.before, self.since = self.since, left if left - entered > IN_A_BLINK else self.looked
        self.looked = left
        return found


class Table:
    """What the players of one match share: since when its last answer may have been there, and the delays so far."""

    def __init__(self, selector: Watched, delays: list[float]) -> None:
        self.selector, self.delays = selector, delays
        self.answered: float | None = None


class Timed:
    """A peer whose every call ends the delay after the answer before."""

    def __init__(self, connection: Connection, table: Table) -> None:
        self.connection, self.table = connection, table

    async def exchange(self, call: Call, patience: float) -> Json | Fault:
        table = self.table
        self.connection.write(call)
        if table.answered is not None:
            table.delays.append(perf_counter() - table.answered)
        answer = await self.connection.value(patience)
        table.answered = table.selector.before  # the round before this one found the answer
        return answer

    def close(self) -> None:
        self.connection.close()


class Measured(NamedTuple):
    """What came out of one run."""

    seconds: float
    delays: list[float]
    outcomes: list[Outcome]
    memory: float  # bytes per connection


def figures() -> list[Figure]:
    """Each measured in a fresh process, so that no run finds memory that another has left."""
    runs = [subprocess.run([*AGAIN, name], check=True, capture_output=True, timeout=2 * LONGEST) for name in MEASURES]
    return [msgspec.json.decode(run.stdout, type=Figure) for run in runs]


def silent_figure() -> Figure:
    cost, seconds = watched(silent_cost)
    note = f"{cost / 1024:.1f} KiB of this process each; accepted in {seconds:.2f} s"
    name = f"remote: {SILENT:,} connections that say nothing"
    return Figure(name, SILENT / seconds, "connections", "50 KiB each", COST_BAR / max(cost, 1.0), 1.0, note)


def delay_figure(how: str, thinking: float, bar: float | None) -> Figure:
    done = watched(lambda selector: played(selector, thinking))
    faults = sum(fault is not None for outcome in done.outcomes for fault in outcome.faults)
    delays = sorted(done.delays)
    half, most = delays[len(delays) // 2], delays[len(delays) * 99 // 100]
    note = f"own delay p50 {half * 1e3:.2f} ms, p99 {most * 1e3:.2f} ms, longest {delays[-1] * 1e3:.1f} ms; "
    note += f"{len(delays):,} calls in {done.seconds:.1f} s, {faults} faults; {done.memory / 1024:.1f} KiB a player"
    name = f"remote: {MATCHES} matches of Fish at once, {how}"
    return Figure(name, len(delays) / done.seconds, "calls", "50 ms at p99", DELAY_BAR / most, bar, note)


MEASURES: dict[str, Callable[[], Figure]] = {
    "silent": silent_figure,
    "paced": lambda: delay_figure("an answer takes 0.25 s on average", THINKING, 1.0),
    "flat-out": lambda: delay_figure("answers come at once", 0.0, None),
}
AGAIN = [sys.executable, "-m", "bench.remote"]


def watched(work: Any) -> Any:
    """Run `work` in an event loop whose waiting is watched, at most so long."""
    selector = Watched()
    loop = asyncio.SelectorEventLoop(selector)
    gc.collect()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        return runner.run(asyncio.wait_for(work(selector), LONGEST))


# -- the server's side -------------------------------------------------------------------------


async def played(selector: Watched, thinking: float) -> Measured:
    sock = listening("127.0.0.1", 0)
    before = resident()
    with client_processes(sock.getsockname()[1], MATCHES * SEATS // CLIENTS, thinking):
        rules = replace(sign_up(SETUP), most=MATCHES * SEATS, periods=(Period(LONGEST, MATCHES * SEATS),))
        guests = await Desk(sock, rules, Limits(unnamed=MATCHES * SEATS, per_address=2 * MATCHES * SEATS)).signed_up()
        memory = (resident() - before) / len(guests)
        delays: list[float] = []
        started = perf_counter()
        runs = []
        for number in range(MATCHES):
            table = Table(selector, delays)
            seated = guests[number * SEATS : (number + 1) * SEATS]
            players = [Remote(GAME, Timed(guest.connection, table), 20.0) for guest in seated]
            runs.append(run(match(GAME, SETUP, number, SEATS), players))
        outcomes = await asyncio.gather(*runs)
        seconds = perf_counter() - started
        for guest in guests:
            guest.connection.close()
        await asyncio.sleep(0.1)
    return Measured(seconds, delays, outcomes, memory)


async def silent_cost(selector: Watched) -> tuple[float, float]:
    """Bytes of this process per connection that never says anything, and the seconds from the first to the last."""
    sock = listening("127.0.0.1", 0)
    desk = Desk(sock, replace(sign_up(SETUP), name_patience=LONGEST), Limits(unnamed=SILENT, per_address=2 * SILENT))
    signing = asyncio.create_task(desk.signed_up())
    await asyncio.sleep(0.1)
    before = resident()
    with client_processes(sock.getsockname()[1], SILENT, 0.0, silent=True, count=1):
        while not desk.strangers:
            await asyncio.sleep(0.01)
        started = perf_counter()
        while len(desk.strangers) < SILENT:
            await asyncio.sleep(0.01)
        seconds, cost = perf_counter() - started, (resident() - before) / SILENT
        signing.cancel()
        await asyncio.gather(signing, return_exceptions=True)
        await asyncio.sleep(0.1)
    return cost, seconds


def resident() -> int:
    """Bytes of memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


# -- the clients' side -------------------------------------------------------------------------


@contextmanager
def client_processes(
    port: int, players: int, thinking: float, *, silent: bool = False, count: int = CLIENTS
) -> Iterator[None]:
    command = [*AGAIN, str(port), str(players), str(thinking), "silent" if silent else ""]
    processes = [subprocess.Popen(command) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


async def all_play(port: int, players: int, thinking: float, *, silent: bool) -> None:
    if silent:
        streams = [await asyncio.open_connection("127.0.0.1", port) for _ in range(players)]
        await asyncio.gather(*(reader.read() for reader, _ in streams), return_exceptions=True)
        return
    names = ("".join(letters) for letters in islice(product(ascii_lowercase, repeat=3), players))
    room = scratch()
    playing = []
    for number, name in enumerate(names):
        connection = await signed_up("127.0.0.1", port, name, room=room)
        playing.append(asyncio.create_task(answer_all(connection, number, thinking)))
    await asyncio.gather(*playing)


async def answer_all(connection: Connection, number: int, thinking: float) -> None:
    rng = derived(number)
    client = FishClient(random(rng))
    while not isinstance(value := await connection.value(None), Fault):
        answer = client.answer(read_call(value))
        if thinking:
            await asyncio.sleep(rng.getrandbits(16) / 65_536 * thinking)
        connection.write(answer)


def main(arguments: list[str]) -> None:
    """Without arguments measure everything; with a name that one; with four be one of the client processes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MATCHES * SEATS + 500
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(wanted, hard)), hard))
    match arguments:
        case [port, players, thinking, silent]:
            playing = all_play(int(port), int(players), float(thinking), silent=bool(silent))
            asyncio.run(asyncio.wait_for(playing, LONGEST))
        case [name]:
            print(msgspec.json.encode(MEASURES[name]()).decode())
        case _:
            show(figures())


if __name__ == "__main__":
    main(sys.argv[1:])
