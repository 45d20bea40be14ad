"""Programs for tests: small bots that behave, but for what a test makes them do, and a match to do it in."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any, NamedTuple

import pytest

from fairplay.catalog import GAMES
from fairplay.core import House, Outcome, Player
from fairplay.core.chance import derived
from fairplay.games.fish.state import Setup
from fairplay.match.players import house_strategy
from fairplay.match.replay import start_match
from fairplay.run.inline import play_inline
from fairplay.run.isolation.command import Command, parse_command
from fairplay.run.isolation.program import Program, Usage, end_programs
from fairplay.run.isolation.sandbox import FoundLevel, ProgramLimits, find_level

FISH = GAMES["fish"]
SMALL = Setup(rows=4, columns=4, fish=2)

BOT = """
import json, os, signal, socket, subprocess, sys, time

def say(**message):
    print(json.dumps(message), flush=True)

def hello():
    say(type="hello", version=1, name="bot", games=["fish", "labyrinth", "trains"], legal=True)

def misbehave(message):
    pass

def choose(message):
    return message["legal"][0]

{changed}

hello()
asked = 0
for line in sys.stdin:
    message = json.loads(line)
    asked += message["type"] == "ask"
    misbehave(message)
    if message["type"] == "tell":
        say(type="heard", id=message["id"])
    elif message["type"] == "ask":
        say(type="answer", id=message["id"], action=choose(message))
    elif message["type"] == "bye":
        break
"""

ESCAPE = """
def escape():
    if os.fork(): return
    os.setsid()
    if os.fork(): os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(600)
    os._exit(0)
"""
"""What leaves a process behind that is nobody's child, and that no gentle signal ends."""


class Bots:
    """Writes bots into a folder of their own each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.count = 0

    def __call__(self, changed: str = "", text: str | None = None) -> Command:
        """A bot with some functions replaced, or with another text altogether."""
        self.count += 1
        home = self.folder / f"bot-{self.count}"
        home.mkdir()
        path = home / "bot.py"
        path.write_text(BOT.format(changed=changed) if text is None else text)
        return parse_command(f"{sys.executable} -S -E {path}")


@contextmanager
def one_processor() -> Iterator[int]:
    """What is started in this block has one processor, which is given: the last one that this process may use."""
    all_of_them = os.sched_getaffinity(0)
    processor = max(all_of_them)
    os.sched_setaffinity(0, {processor})
    try:
        yield processor
    finally:
        os.sched_setaffinity(0, all_of_them)


class Played(NamedTuple):
    outcome: Outcome
    usage: Usage
    seconds: float


def played(
    program: Command,
    limits: ProgramLimits | None = None,
    *,
    patience: float = 60.0,
    others: Sequence[Player] | None = None,
    game: str = "fish",
    setup: Any = SMALL,
    ponder: bool = False,
) -> Played:
    """A match of this program in seat 0 against a house player, or against `others`."""
    rivals = list(others or [House(house_strategy(GAMES[game], "random", derived(1, "rival")))])
    started = monotonic()
    player = Program(GAMES[game], program, patience, limits)
    players: list[Player] = [player, *rivals]
    outcome = play_inline(start_match(GAMES[game], setup, 1, len(players)), players, ponder=ponder)
    usage = end_programs(players, outcome)[0]
    assert usage is not None
    return Played(outcome, usage, monotonic() - started)


def alive(program: Command) -> list[str]:
    """The command lines of processes that still run this program, after some time to vanish."""
    wanted = program.arguments[-1].encode()
    until = monotonic() + 120  # a machine takes its time to bury a thousand processes
    while True:
        found = [line for line in map(command_line, Path("/proc").iterdir()) if wanted in line]
        if not found or monotonic() > until:
            return [line.decode() for line in found]
        sleep(0.02)


def command_line(entry: Path) -> bytes:
    try:
        return (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
    except OSError:
        return b""


def need(there: object, what: str) -> None:
    """Skip where something is missing on this machine, but never where the tests must be complete."""
    if not there:
        assert not os.environ.get("CI"), f"{what} is missing, and with CI set no test may be skipped"
        pytest.skip(f"{what} is missing")


def without_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairplay.run.isolation.program.find_level", lambda: FoundLevel("process", "a test says so"))


def confine(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run programs in a sandbox, or with limits alone."""
    if kind == "limits":
        without_sandbox(monkeypatch)
    else:
        need(find_level().level == "sandboxed", "a working bubblewrap")
