"""`make soak`, or `PYTHONPATH=tests python -m tests.soak`: many matches at a time for long, some players faulty.

The server is a process of its own and is measured from outside; the players come from other processes.  Exits with 1
where memory grows, something is left behind, a result is missing, or a player ends otherwise than it must.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import cycle
from pathlib import Path
from queue import Queue
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic, sleep
from typing import Any

import msgspec

from fairplay.run.isolation import process_tree as tree

from .verdict import MIB, Check, Sample, kept, nothing_left, received, steady
from .words import Began, Census, FromServer, Invitation, Seen, State, Terms, write

CLIENTS = 3
"""Processes that the players are spread over."""

STEADY = 600.0
"""Seconds below which a soak says nothing about memory: the first matches take theirs."""

LAST = 900.0
"""Seconds for the last matches to end."""

PAGE = os.sysconf("SC_PAGE_SIZE")
TESTS = Path(__file__).parent.parent


class Hall:
    """The server and the clients, and what they have said so far."""

    def __init__(self, terms: Terms, stack: ExitStack) -> None:
        self.server = stack.enter_context(process("server", terms))
        self.clients = [stack.enter_context(process("clients", terms)) for _ in range(CLIENTS)]
        self.begun: list[tuple[int, int]] = []
        self.seen: Counter[str] = Counter()
        self.complaints: list[str] = []
        self.replies: Queue[Any] = Queue()
        self.ears = [Thread(target=self.hear_server)]
        self.ears += [Thread(target=self.hear_client, args=[client]) for client in self.clients]
        for ear in self.ears:
            ear.start()

    @property
    def processes(self) -> list[subprocess.Popen[bytes]]:
        return [self.server, *self.clients]

    def hear_server(self) -> None:
        """Pass invitations on to the clients by turns, and note everything else."""
        decoder = msgspec.json.Decoder(FromServer)
        invited = cycle(self.clients)
        assert self.server.stdout is not None
        for line in self.server.stdout:
            match decoder.decode(line):
                case Invitation() as invitation:
                    write(next(invited).stdin, invitation)
                case Began(contest, number):
                    self.begun.append((contest, number))
                case reply:
                    self.replies.put(reply)
        self.replies.put(None)

    def hear_client(self, client: subprocess.Popen[bytes]) -> None:
        decoder = msgspec.json.Decoder(Seen)
        assert client.stdout is not None
        for line in client.stdout:
            seen = decoder.decode(line)
            self.seen[seen.who] += 1
            if seen.complaint:
                self.complaints.append(f"{seen.who}: {seen.complaint}")

    def ask(self, word: str, patience: float = 60.0) -> Any:
        """What the server says to this word."""
        write(self.server.stdin, word)
        reply = self.replies.get(timeout=patience)
        assert reply is not None, "the server has ended"
        return reply

    def sample(self, started: float) -> Sample:
        pid = self.server.pid
        home = Path("/proc", str(pid))
        resident = int((home / "statm").read_text().split()[1]) * PAGE
        files, threads = (len([*(home / name).iterdir()]) for name in ("fd", "task"))
        cpu, children = tree.measure_usage([pid]).cpu, len(tree.list_tree(pid)) - 1
        return Sample(monotonic() - started, resident, cpu, files, threads, children)

    def close(self) -> None:
        """Let everybody go home."""
        for one in reversed(self.processes):
            assert one.stdin is not None
            one.stdin.close()
        for ear in self.ears:
            ear.join()


@contextmanager
def process(name: str, terms: Terms) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", f"tests.soak.{name}", msgspec.json.encode(terms).decode()]
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}  # where the kits of the games look for their own
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment, cwd=TESTS.parent) as running:
        try:
            yield running
        except BaseException:
            running.kill()
            raise


def soak(terms: Terms, seconds: float) -> list[Check]:
    """Run it, saying every minute how it stands."""
    samples: list[Sample] = []
    census: Census | None = None
    print(HEADER, flush=True)
    with ExitStack() as stack:
        hall = Hall(terms, stack)
        first: State = hall.ask("look")
        before = hall.sample(monotonic())
        hall.ask("go")
        started = monotonic()
        for _ in ticks(seconds):
            samples.append(hall.sample(started))
            passed, minute = samples[-1].seconds, samples[-2].seconds // 60 if len(samples) > 1 else 0
            if census is None and passed > seconds / 6:
                census = hall.ask("count")
            if passed // 60 > minute:
                print(line(samples[-1], hall.ask("look")), flush=True)
        more = hall.ask("count").more_than(census)
        last: State = hall.ask("stop", LAST)
        after = hall.sample(started)
        print(line(after, last), flush=True)
        strays = mentioning(terms.folder, [one.pid for one in hall.processes])
        hall.close()
    checks = [*nothing_left(before, after, (first.tasks, last.tasks), strays)]
    checks += kept(Path(terms.folder, "soak.db"), last.contests, hall.begun)
    checks += received(hall.seen, hall.complaints)
    checks.append(Check("the server does not fail", f"{len(last.failures)} failures", last.failures))
    codes = [f"exit code {one.returncode}" for one in hall.processes if one.returncode]
    checks.append(Check("all processes end by themselves", f"{len(hall.processes)}", codes))
    if seconds >= STEADY:
        checks.append(steady(samples, seconds))
        print(f"Objects of which the server had more than after a sixth of the time: {more}")
    return checks


def ticks(seconds: float) -> Iterator[None]:
    """Every so often until the time is over, with a bar on a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    started = monotonic()
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("soaking", total=seconds)
        while (passed := monotonic() - started) < seconds:
            sleep(min(seconds / 60, 10.0, seconds - passed))
            bar.update(task, completed=monotonic() - started)
            yield


HEADER = " time    begun   stored running    MiB CPU s  files threads children  tasks  faults"


def line(sample: Sample, state: State) -> str:
    minutes, seconds = divmod(round(sample.seconds), 60)
    faults = ", ".join(f"{kind} {many:,}" for kind, many in state.faults.items())
    return (
        f"{minutes:2}:{seconds:02} {state.begun:8,} {state.stored:8,} {state.running:7,} {sample.resident / MIB:6.1f} "
        f"{sample.cpu:5.0f} {sample.files:6,} {sample.threads:7} {sample.children:8} {state.tasks:6,}  {faults}"
    )


def mentioning(folder: str, ours: list[int]) -> list[str]:
    """The command lines of processes that name this folder, but for our own."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) not in (*ours, os.getpid()):
            with suppress(OSError):
                if folder.encode() in (command := (entry / "cmdline").read_bytes()):
                    found.append(command.replace(b"\0", b" ").decode("utf-8", "replace"))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--matches", type=int, default=1_000, help="at a time")
    parser.add_argument("--faulty", type=float, default=0.01, help="share of the players")
    parser.add_argument("--thinking", type=float, default=2.0, help="seconds of a good player, on average")
    parser.add_argument("--patience", type=float, default=20.0, help="seconds for an answer")
    parser.add_argument("--programs", type=int, default=3, help="matches of programs at a time")
    parser.add_argument("--pause", type=float, default=4.0, help="seconds between the beginnings of two of those")
    chosen = vars(parser.parse_args())
    with TemporaryDirectory(prefix="fairplay-soak-") as folder:
        checks = soak(Terms(folder, **{name: chosen[name] for name in TERMS}), chosen["minutes"] * 60)
    print(*checks, sep="\n")
    return 1 if any(check.wrong for check in checks) else 0


TERMS = ("matches", "faulty", "thinking", "patience", "programs", "pause")

if __name__ == "__main__":
    sys.exit(main())
