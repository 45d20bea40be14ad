"""`python -m tests.fuzz [--runs N] [TARGET ...]`: so many inputs to every target, guided by coverage (atheris).

Where atheris is missing it says so, and the inputs are damaged seeds, not guided by anything.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from random import Random
from time import process_time

RUNS = 100_000
"""Inputs to each target."""

LONGEST, SECONDS, MEBIBYTES = 4_096, 10, 1_024
"""Of one input: bytes at most, time and memory that it may take."""

MISSING = """
*** atheris is NOT installed here (pip install atheris; it has packages for Linux on x86-64). ***
*** The inputs are damaged real values, and nothing looks at what they reach.                          ***
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="all of them, unless some are named")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"inputs to each target ({RUNS:,})")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.child:
        guided(chosen.targets[0], chosen.runs)
    return all_of(chosen.targets, chosen.runs)


def all_of(names: list[str], runs: int) -> int:
    """Try each target, and say how it went."""
    from .targets import TARGETS

    with_atheris = find_spec("atheris") is not None
    print("atheris, guided by coverage" if with_atheris else MISSING)
    failed = []
    for name in names or TARGETS:
        if TARGETS[name] and not (in_a_child(name, runs) if with_atheris else unguided(name, runs)):
            failed.append(name)
        print(f"{name:18} {runs:,} inputs: {'FAILED' if name in failed else 'nothing but our own errors'}", flush=True)
    return 1 if failed else 0


def unguided(name: str, runs: int) -> bool:
    from .damage import damaged
    from .targets import TARGETS

    target, seeds = TARGETS[name], TARGETS[name].seeds()
    for seed in range(runs):
        data, started = damaged(seeds, Random(seed)), process_time()
        try:
            target.run(data)
        except Exception as error:
            print(f"{name}: {data!r}: {error!r}")
            return False
        if process_time() - started > SECONDS:
            print(f"{name}: {data!r}: slower than {SECONDS} s")
            return False
    return True


def in_a_child(name: str, runs: int) -> bool:
    """libFuzzer ends the process that it runs in."""
    command = [sys.executable, "-m", "tests.fuzz", "--child", "--runs", str(runs), name]
    done = subprocess.run(command, check=False, capture_output=True, text=True, errors="replace")
    if done.returncode:
        print("\n".join([*done.stdout.splitlines()[-30:], *done.stderr.splitlines()[-30:]]))
    return done.returncode == 0


def guided(name: str, runs: int) -> None:
    """EFFECT: ends this process."""
    import atheris

    with atheris.instrument_imports(include=["fairplay", "tests.fuzz.targets"]):
        from .damage import TOKENS, damaged
        from .targets import TARGETS

    target = TARGETS[name]
    with tempfile.TemporaryDirectory() as folder:
        corpus, words = Path(folder, "corpus"), Path(folder, "words")
        corpus.mkdir()
        for number, seed in enumerate(target.seeds()):
            (corpus / str(number)).write_bytes(seed)
        words.write_text("".join(map(quoted, TOKENS)))
        limits = [
            f"-runs={runs}",
            f"-max_len={LONGEST}",
            f"-timeout={SECONDS}",
            f"-rss_limit_mb={MEBIBYTES}",
            "-seed=1",
        ]
        files = [f"-dict={words}", f"-artifact_prefix={tempfile.gettempdir()}/", str(corpus)]

        def mutated(data: bytes, longest: int, seed: int) -> bytes:
            """By turns as libFuzzer likes it, and in ways that leave it JSON."""
            return damaged([data], Random(seed))[:longest] if data and seed % 2 else atheris.Mutate(data, longest)

        atheris.Setup([sys.argv[0], *limits, *files], lambda data: target.run(data) and None, custom_mutator=mutated)
        atheris.Fuzz()


def quoted(token: bytes) -> str:
    """A line of libFuzzer's dictionary."""
    return '"' + "".join(f"\\x{byte:02x}" for byte in token[:60]) + '"\n'


if __name__ == "__main__":
    sys.exit(main())
