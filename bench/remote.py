"""500 remote matches of Fish at once on this machine: the server's own delay per move, and what a connection costs."""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import selectors
import socket
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice, product
from pathlib import Path
from string import ascii_lowercase
from time import perf_counter, process_time
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from bench.measure import Figure, show
from fairplay.core import Fault, FaultKind, Json, Outcome
from fairplay.core.chance import derived
from fairplay.core.established import Call, Period
from fairplay.games.fish import GAME
from fairplay.games.fish.established.client import FishClient
from fairplay.games.fish.established.signup import SETUP, sign_up_terms
from fairplay.games.fish.players.strategies import random
from fairplay.match.replay import start_match
from fairplay.net.admission import SignedUp
from fairplay.net.connection import PeerConnection, read_buffer
from fairplay.net.established import EstablishedPlayer, read_call, sign_up_client
from fairplay.net.sign_up import SignUpLimits, SignUpServer, open_listener
from fairplay.run.awaited import play_awaited

MATCHES = 500
SEATS = 4
CLIENTS = 4
"""Processes that the players are spread over."""

SILENT = 1_000
THINKING = 0.5
"""Seconds that an answer takes at most, in the paced run, thinking and network together; on average half of it."""

DELAY_BAR = 0.050
COST_BAR = 50 * 1024
DEAF = 20
"""Peers that answer beforehand and never read, in the run with such."""

DEAF_NAME = "deaf"
STUCK = 5.0
"""Seconds until they are given up."""

TRIES = 3
"""Runs where the clients need both cores: the best counts, as in all other measures."""

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

    def __init__(self, connection: PeerConnection, table: Table) -> None:
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
    work: float  # seconds of CPU time of the server
    delays: list[float]
    outcomes: list[Outcome]
    memory: float  # bytes per connection
    deaf: int  # peers that never read and were given up


def figures() -> list[Figure]:
    """Each measured in a fresh process, so that no run finds memory that another has left."""
    runs = [subprocess.run([*AGAIN, name], check=True, capture_output=True, timeout=2 * LONGEST) for name in MEASURES]
    return [msgspec.json.decode(run.stdout, type=Figure) for run in runs]


def silent_figure() -> Figure:
    cost, seconds = watched(silent_cost)
    note = f"{cost / 1024:.1f} KiB of this process each; accepted in {seconds:.2f} s"
    name = f"remote: {SILENT:,} connections that say nothing"
    return Figure(name, SILENT / seconds, "connections", "50 KiB each", COST_BAR / max(cost, 1.0), 1.0, note)


def delay_figure(how: str, thinking: float, *, deaf: int = 0, tries: int = 1) -> Figure:
    """The run whose delay at p99 is shortest."""
    figures = [one_delay_figure(how, thinking, deaf) for _ in range(tries)]
    return max(figures, key=lambda figure: figure.ratio or 0.0)


def one_delay_figure(how: str, thinking: float, deaf: int) -> Figure:
    done = watched(lambda selector: played(selector, thinking, deaf))
    assert done.deaf == deaf, "whoever never reads is given up"
    faults = sum(fault is not None for outcome in done.outcomes for fault in outcome.faults)
    delays = sorted(done.delays)
    half, most = delays[len(delays) // 2], delays[len(delays) * 99 // 100]
    note = f"own delay p50 {half * 1e3:.2f} ms, p99 {most * 1e3:.2f} ms, longest {delays[-1] * 1e3:.1f} ms; "
    note += f"{done.work / len(delays) * 1e6:.0f} µs of CPU time a call; "
    note += f"{len(delays):,} calls in {done.seconds:.1f} s, {faults} faults; {done.memory / 1024:.1f} KiB a player"
    name = f"remote: {MATCHES} matches of Fish at once, {how}"
    return Figure(name, len(delays) / done.seconds, "calls", "50 ms at p99", DELAY_BAR / most, 1.0, note)


MEASURES: dict[str, Callable[[], Figure]] = {
    "silent": silent_figure,
    "paced": lambda: delay_figure("an answer takes 0.25 s on average", THINKING),
    "deaf": lambda: delay_figure(f"the same, and {DEAF} peers never read", THINKING, deaf=DEAF),
    "flat-out": lambda: delay_figure("answers come at once", 0.0, tries=TRIES),
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


async def played(selector: Watched, thinking: float, deaf: int) -> Measured:
    sock = open_listener("127.0.0.1", 0)
    before, count = resident(), MATCHES * SEATS + deaf
    with client_processes(sock.getsockname()[1], MATCHES * SEATS // CLIENTS, thinking, deaf=deaf):
        rules = replace(sign_up_terms(SETUP), most=count, periods=(Period(LONGEST, count),))
        guests = await SignUpServer(sock, rules, SignUpLimits(unnamed=count, per_address=2 * count)).collect_players()
        memory = (resident() - before) / len(guests)
        delays: list[float] = []
        started, worked = perf_counter(), process_time()
        stuck = [asyncio.create_task(pestered(guest.connection)) for guest in guests if guest.name == DEAF_NAME]
        hearing = [guest for guest in guests if guest.name != DEAF_NAME]
        outcomes = await asyncio.gather(*matches(hearing, selector, delays))
        seconds, work = perf_counter() - started, process_time() - worked
        given_up = sum(fault.kind is FaultKind.TIMED_OUT for fault in await asyncio.gather(*stuck))
        for guest in guests:
            guest.connection.close()
        await asyncio.sleep(0.1)
    return Measured(seconds, work, delays, outcomes, memory, given_up)


def matches(
    guests: Sequence[SignedUp], selector: Watched, delays: list[float]
) -> Iterator[Coroutine[Any, Any, Outcome]]:
    """All matches, SEATS guests each."""
    for number in range(MATCHES):
        table = Table(selector, delays)
        seated = guests[number * SEATS : (number + 1) * SEATS]
        players = [EstablishedPlayer(GAME, Timed(guest.connection, table), 20.0) for guest in seated]
        yield play_awaited(start_match(GAME, SETUP, number, SEATS), players)


async def pestered(connection: PeerConnection) -> Fault:
    """Call somebody who has answered everything beforehand, until so much waits to be sent that it is given up."""
    while not isinstance(answer := await connection.exchange(Call("take-turn", ["x" * 5_000]), STUCK), Fault):
        pass
    connection.close()
    return answer


async def silent_cost(selector: Watched) -> tuple[float, float]:
    """Bytes of this process per connection that never says anything, and the seconds from the first to the last."""
    sock = open_listener("127.0.0.1", 0)
    desk = SignUpServer(
        sock, replace(sign_up_terms(SETUP), name_patience=LONGEST), SignUpLimits(unnamed=SILENT, per_address=2 * SILENT)
    )
    signing = asyncio.create_task(desk.collect_players())
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
    port: int, players: int, thinking: float, *, silent: bool = False, count: int = CLIENTS, deaf: int = 0
) -> Iterator[None]:
    commands = [[*AGAIN, str(port), str(players), str(thinking), "silent" if silent else ""]] * count
    if deaf:
        commands.append([*AGAIN, str(port), str(deaf), "0", "deaf"])
    processes = [subprocess.Popen(command) for command in commands]
    try:
        yield
    finally:
        for process in processes:
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


async def all_play(port: int, players: int, thinking: float, how: str) -> None:
    if how == "deaf":
        await asyncio.gather(*(never_read(port) for _ in range(players)))
        return
    if how == "silent":
        streams = [await asyncio.open_connection("127.0.0.1", port) for _ in range(players)]
        await asyncio.gather(*(reader.read() for reader, _ in streams), return_exceptions=True)
        return
    names = ("".join(letters) for letters in islice(product(ascii_lowercase, repeat=3), players))
    room = read_buffer()
    playing = []
    for number, name in enumerate(names):
        connection = await sign_up_client("127.0.0.1", port, name, room=room)
        playing.append(asyncio.create_task(answer_all(connection, number, thinking)))
    await asyncio.gather(*playing)


async def never_read(port: int) -> None:
    loop, sock = asyncio.get_running_loop(), socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    sock.setblocking(False)
    await loop.sock_connect(sock, ("127.0.0.1", port))
    with suppress(ConnectionError):
        await loop.sock_sendall(sock, b'"%b"' % DEAF_NAME.encode() + b'"void"' * 1_000_000)


async def answer_all(connection: PeerConnection, number: int, thinking: float) -> None:
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
    wanted = MATCHES * SEATS + DEAF + 500
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(wanted, hard)), hard))
    match arguments:
        case [port, players, thinking, how]:
            playing = all_play(int(port), int(players), float(thinking), how)
            asyncio.run(asyncio.wait_for(playing, LONGEST))
        case [name]:
            print(msgspec.json.encode(MEASURES[name]()).decode())
        case _:
            show(figures())


if __name__ == "__main__":
    main(sys.argv[1:])
