"""A short soak with many faulty players (abuse 60); ``make soak`` goes on where this stops, and looks at memory too."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from .verdict import MIB, Sample, all_stored, nothing_left, steady

ROOT = Path(__file__).parent.parent.parent
SHORT = {"minutes": 0.1, "matches": 40, "faulty": 0.5, "thinking": 0.03, "patience": 20, "pause": 0.2}


@pytest.mark.timeout(300)
def test_60_nothing_is_left_and_all_is_stored() -> None:
    options = [word for name, value in SHORT.items() for word in (f"--{name}", str(value))]
    command = [sys.executable, "-m", "tests.soak", *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("\nok ") == 11, done.stdout


def sample(minute: float, mebibytes: float = 100.0, files: int = 9, children: int = 0) -> Sample:
    return Sample(60 * minute, int(mebibytes * MIB), 0.0, files, 4, children)


@pytest.mark.parametrize(("growth", "holds"), [(0.0, True), (7.0, True), (9.0, False)])
def test_memory_that_grows_is_noticed(growth: float, holds: bool) -> None:
    sizes = [50.0] * 10 + [100.0] * 30 + [100.0 + growth] * 21  # by minute
    samples = [sample(minute, size) for minute, size in enumerate(sizes)]
    assert bool(steady(samples, 3600).wrong) is not holds


def test_whatever_is_left_is_noticed() -> None:
    files, tasks, processes = nothing_left(sample(0), sample(1, files=10, children=2), (1, 3), ["bot.py"])
    assert tasks.wrong == ["2 more"]
    assert files.wrong == ["1 more"]
    assert processes.wrong == ["2 children of the server", "bot.py"]
    assert not any(check.wrong for check in nothing_left(sample(0), sample(1), (1, 1), []))


def test_a_match_that_is_lost_or_there_twice_is_noticed() -> None:
    begun = Counter([(1, 0), (1, 1)])
    assert not all_stored(begun, begun).wrong
    assert all_stored(Counter([(1, 0)]), begun).wrong == ["match 1 of contest 1 was lost"]
    assert all_stored(begun + Counter([(1, 1)]), begun).wrong
    assert all_stored(Counter(), Counter()).wrong == ["there were none"]
