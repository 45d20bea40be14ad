"""What isolation costs: bots of ten lines in processes of their own, and in the referee's process.

``python -m bench.isolation 1000`` plays that many matches of two such bots in each way, and a few of bots that import
NumPy and Numba.  Without a number it plays 100.  CPU time counts everything: referee, interpreters, sandboxes.
"""

from __future__ import annotations

import compileall
import ctypes
import os
import resource
import subprocess
import sys
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from bench.measure import Figure
from bench.tournament import contest, numbered
from fairplay.run.engines.pool import Inline
from fairplay.run.isolation.sandbox import find_level

EXAMPLE = Path(__file__).parent.parent / "examples" / "ten_lines.py"

EXTRAS = {
    "nothing": "",
    "NumPy": "import numpy\n",
    "Numba": "import numba\n",
    "Numba, one function": "import numba\n@numba.njit\ndef _twice(n): return 2 * n\n_twice(4)\n",
}
"""What bots import besides the rules, and what they do with it while they are loaded."""

MAX_CPU = 0.050
"""Seconds of CPU time that a bot of ten lines may cost a match."""

FEW = 4


class Cost(NamedTuple):
    """What some matches took, in seconds."""

    cpu: float
    wall: float


def figures(matches: int = 40) -> list[Figure]:
    """How many matches of a bot of ten lines a second of CPU time pays for."""
    with TemporaryDirectory() as folder:
        seconds = cost_of_bot(write_bots(Path(folder), "nothing"), matches)
    name = f"Fish 8x8: processes of a bot of ten lines, {find_level().level}"
    return [
        Figure(name, 1 / seconds, "matches", "the most it may cost", MAX_CPU / seconds, 1.0, f"{1000 * seconds:.1f} ms")
    ]


def write_bots(folder: Path, extra: str) -> tuple[str, str]:
    """Two bots of ten lines, each in a folder of its own."""
    bots = [folder / extra.replace(" ", "-") / name / "bot.py" for name in "ab"]
    for bot in bots:
        bot.parent.mkdir(parents=True)
        bot.write_text(EXTRAS[extra] + EXAMPLE.read_text())
    return str(bots[0]), str(bots[1])


@cache
def compile_modules() -> None:
    """EFFECT: has the modules that bots load compiled, as they are after their first use on most machines."""
    for name in ("fairplay", "msgspec", "numpy", "numba", "llvmlite"):
        found = find_spec(name)
        if found is not None and found.origin is not None:
            compileall.compile_dir(Path(found.origin).parent, quiet=2)


def cost_of_bot(bots: tuple[str, str], matches: int) -> float:
    """Seconds of CPU time that the processes of one bot take in a match, from start to exit."""
    played = contest("fish", bots)
    source = next(numbered(played))
    compile_modules()
    adopt_orphans()
    list(Inline().results(played, source[:1]))  # fills caches
    before = cpu_of_children()
    for result in Inline().results(played, source[1 : matches + 1]):
        assert result.outcome.faults == (None, None), result.outcome
    return (cpu_of_children() - before) / (2 * matches)


def cost_of_tournament(bots: tuple[str, str], matches: int, *options: str) -> Cost:
    """What a tournament takes from the command line, with everything below it."""
    command = [
        str(Path(sys.executable).with_name("fairplay")),
        "tournament",
        "run",
        "fish",
        f"a={bots[0]}",
        f"b={bots[1]}",
    ]
    before, began = cpu_of_children(), perf_counter()
    games = ("--games", str(max(matches // 2, 1)), "--no-store", "--json", *options)
    subprocess.run([*command, *games], check=True, stdout=subprocess.DEVNULL)
    wall = perf_counter() - began
    return Cost(cpu_of_children() - before, wall)


def cpu_of_children() -> float:
    """Seconds of CPU time of all processes below this one that have ended.

    Bubblewrap leaves the first process of a sandbox to whoever adopts it; this process does, so that it is counted.
    """
    adopt_orphans()
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@cache
def adopt_orphans() -> None:
    """EFFECT: processes below this one whose parents have ended become its children."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


PR_SET_CHILD_SUBREAPER = 36


def main(matches: int) -> None:
    """Measure and print everything."""
    found = find_level()
    print(f"level: {found.level} {found.reason}".rstrip())
    with TemporaryDirectory() as folder:
        bots = write_bots(Path(folder), "nothing")
        print(f"a bot of ten lines: {1000 * cost_of_bot(bots, min(matches, 40)):.1f} ms of CPU time a match")
        for extra in ("NumPy", "Numba", "Numba, one function"):
            if find_spec(extra.partition(",")[0].lower()) is None:
                print(f"the same with {extra}: not installed")
                continue
            seconds = cost_of_bot(write_bots(Path(folder), extra), FEW)
            print(f"the same with {extra}: {1000 * seconds:.0f} ms")
        for jobs in ("1", "2"):
            for way, options in (("isolated", ()), ("--trust", ("--trust",))):
                cost = cost_of_tournament(bots, matches, "--jobs", jobs, *options)
                print(f"{matches} matches, --jobs {jobs}, {way}: {cost.cpu:.1f} s of CPU time, {cost.wall:.1f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
