"""The page as a server in a process of its own, which notes when turns and the answers of house players came."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import TypeAlias

import msgspec
from msgspec import Struct

from bench.webclients import send_request
from fairplay.cli.serve import open_page_socket
from fairplay.store import open_store
from fairplay.web.app import build_app
from fairplay.web.house.pool import HousePool, Payer
from fairplay.web.house.worker import AnyQuestion, HouseReply
from fairplay.web.http.limits import Settings
from fairplay.web.http.serving import build_server
from fairplay.web.watching.feed import Feed, Situation

TIMEOUT = 60.0
"""Seconds after which a server that was told to stop is given up."""

OPEN_FILES = 2_500
"""Enough for 1,000 watchers, with both ends in one process."""

TOKEN = "the owner of the benchmark"

Turns: TypeAlias = dict[tuple[str, int], float]
"""When each moment of each match came, on the monotonic clock."""


class Answer(Struct, frozen=True, array_like=True):
    """A question to a house player, answered or given up."""

    player: str
    address: str  # whose table it was
    asked: float  # when, on the monotonic clock
    seconds: float  # until the answer was there
    cpu: float  # seconds of them in which the player thought


class Notes(Struct, frozen=True):
    """What a server tells when it stops."""

    turns: list[tuple[str, int, float]]
    answers: list[Answer]


class ServerProcess:
    """A server in a process of its own."""

    def __init__(self, db: Path, cpu: float) -> None:
        self.process = subprocess.Popen([*COMMAND, str(db), str(cpu)], stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())
        self.answers: list[Answer] = []  # of house players, once it has stopped

    async def ready(self) -> None:
        """Wait until it answers: it listens once all matches are resumed."""
        while True:
            with suppress(ConnectionError):
                await send_request(self.port, "/health")
                return
            await asyncio.sleep(0.01)

    def cpu(self) -> float:
        """Seconds of CPU time so far, without those of the processes that it started."""
        return read_cpu(self.process.pid)

    def cpu_of_all(self) -> float:
        """Seconds of CPU time so far, with those of the processes that it started."""
        return sum(map(read_cpu, list_tree(self.process.pid)))

    def memory(self) -> int:
        """Bytes that are resident."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> Turns:
        """Stop it; returns the time of every turn there was."""
        self.process.send_signal(signal.SIGTERM)
        said, _ = self.process.communicate(timeout=TIMEOUT)
        notes = msgspec.json.decode(said, type=Notes)
        self.answers = notes.answers
        return {(id, number): time for id, number, time in notes.turns}


def read_cpu(process: int) -> float:
    """Seconds of CPU time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def list_tree(process: int) -> list[int]:
    """A process and all that descend from it."""
    threads = Path(f"/proc/{process}/task").glob("*/children")  # of each thread, what it started
    children = [int(child) for thread in threads for child in thread.read_text().split()]
    return [process, *(each for child in children for each in list_tree(child))]


@asynccontextmanager
async def start_server(db: Path, cpu: float = 1e9) -> AsyncIterator[ServerProcess]:
    server = ServerProcess(db, cpu)
    try:
        await server.ready()
        yield server
    finally:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()


def serve(db: str, cpu: float) -> None:
    """Be the server, without limits for one address, since all clients share one; note all turns and answers.

    cpu: seconds of CPU time a minute for the house players; the one limit that an attack meets here too.
    """
    turns, answers = note_turns(), note_answers()
    signal.signal(signal.SIGTERM, lambda *_: None)  # it comes again when the server has stopped
    sock = open_page_socket("127.0.0.1", 0)
    print(sock.getsockname()[1], flush=True)
    settings = Settings(rate=1e9, burst=1e9, tables=1e9, cpu=cpu, connections=10**6, matches=10_000, token=TOKEN)
    with open_store(db) as store:
        build_server(build_app(settings, store), settings).run(sockets=[sock])
    notes = Notes([(id, number, time) for (id, number), time in turns.items()], answers)
    print(msgspec.json.encode(notes).decode())


def note_turns() -> Turns:
    """When each turn comes, from now on."""
    turns: Turns = {}
    publish_moment = Feed._publish_moment

    def publish_and_note(self: Feed, number: int, situation: Situation) -> None:
        turns[self._match.id, number] = monotonic()
        publish_moment(self, number, situation)

    Feed._publish_moment = publish_and_note  # type: ignore[method-assign]  # in this process alone
    return turns


def note_answers() -> list[Answer]:
    """All that house players answer, from now on."""
    answers: list[Answer] = []
    choose = HousePool.choose

    async def choose_and_note(
        self: HousePool, question: AnyQuestion, payer: Payer, on_slow: Callable[[bool], object]
    ) -> HouseReply:
        asked, cpu = monotonic(), 0.0
        try:
            reply = await choose(self, question, payer, on_slow)
            cpu = reply.cpu
            return reply
        finally:  # of one that is still waiting when the server stops, too
            answers.append(Answer(question.player, payer.address or "", asked, monotonic() - asked, cpu))

    HousePool.choose = choose_and_note  # type: ignore[method-assign]  # in this process alone
    return answers


COMMAND = [sys.executable, "-m", "bench.webserver"]


def allow_sockets() -> None:
    """As many open files as the benchmarks need, if the system lets us."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(OPEN_FILES, hard)), hard))


if __name__ == "__main__":
    allow_sockets()
    serve(sys.argv[1], float(sys.argv[2]))
