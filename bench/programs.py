"""Programs beside players in this process: moves per second through pipes, and what starting one costs."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.measure import Figure
from fairplay.core import House, Player
from fairplay.games.fish import GAME
from fairplay.games.fish.rules import legal_actions
from fairplay.games.fish.state import Setup
from fairplay.match.replay import start_match
from fairplay.run.inline import play_inline
from fairplay.run.isolation.command import Command, parse_command
from fairplay.run.isolation.program import Program, end_programs
from fairplay.run.isolation.sandbox import find_level

EXAMPLES = Path(__file__).parent.parent / "examples"
SETUP = Setup()
BAR = 12_000
"""Moves a second through pipes."""

MATCHES = 3
REPEATS = 40
"""Many short runs: where other work is on the machine, one of them finds both cores free."""

STARTS = 20


def figures() -> list[Figure]:
    """Fish 8x8 between two bots that take a legal action and do nothing else."""
    where = "in a sandbox" if find_level().level == "sandboxed" else "with limits alone"
    inline = best(lambda: [House(first), House(first)])
    found = [Figure("Fish 8x8, 2 seats: first legal action, in this process", inline, "moves", note=NOTE)]
    with tempfile.TemporaryDirectory() as folder:
        for language, program in trivial_bots(Path(folder)):
            rate = best(partial(pair, program))
            bar = BAR / inline if language == "C" else None  # the other language is slow by itself
            name = f"Fish 8x8, 2 seats: two programs in {language}, {where}"
            found.append(Figure(name, rate, "moves", "in this process", rate / inline, bar, NOTE))
            found.append(Figure(f"a program in {language}: start, hello, end", starts(program), "programs", note=NOTE))
    return found


NOTE = "seconds of the clock"


def pair(program: Command) -> list[Player]:
    return [started(program), started(program)]


def first(view: Any) -> Any:
    return legal_actions(view)[0]


def trivial_bots(folder: Path) -> list[tuple[str, Command]]:
    """The example in Python, and in C where there is a compiler."""
    bots = [("Python", parse_command(f"{sys.executable} -S {EXAMPLES / 'native_bot.py'}"))]
    if compiler := shutil.which("cc"):
        built = folder / "native_bot"
        subprocess.run([compiler, "-O2", "-o", str(built), str(EXAMPLES / "native_bot.c")], check=True, timeout=60)
        bots.append(("C", parse_command(str(built))))
    return bots


def started(program: Command) -> Program:
    player = Program(GAME, program, GAME.patience)
    player.greet()
    return player


def best(players: Callable[[], list[Player]]) -> float:
    """Moves per second of the clock while matches run, without starting and ending; the best of some repeats."""
    return max(rate(players) for _ in range(REPEATS))


def rate(players: Callable[[], list[Player]]) -> float:
    moves, seconds = 0, 0.0
    for seed in range(MATCHES):
        seated, seen = players(), list[Any]()
        began = perf_counter()
        outcome = play_inline(start_match(GAME, SETUP, seed, len(seated)), seated, (seen.append,))
        seconds += perf_counter() - began
        moves += len(seen)
        end_programs(seated, outcome)
        assert outcome.faults == (None,) * len(seated), outcome.faults
    return moves / seconds


def starts(program: Command) -> float:
    """Programs per second that can be started, greeted and ended, one after the other."""
    began = perf_counter()
    for _ in range(STARTS):
        started(program).close()
    return STARTS / (perf_counter() - began)
