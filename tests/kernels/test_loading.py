"""Getting a kernel ready, and what is said where that cannot be done."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fairplay.catalog import GAMES
from fairplay.core import UsageError
from fairplay.core.chance import derived
from fairplay.kernels import loading, loops
from fairplay.kernels.device import load_device_kernel
from fairplay.kernels.loading import load_kernel

NIM = GAMES["nim"]
SETUP = NIM.variants["standard"]
START = NIM.rules.start(SETUP, 2, derived(1, "deal"))


def test_importing_loads_neither_numpy_nor_numba() -> None:
    code = "import sys, fairplay.kernels.loading, fairplay.kernels.device; print({'numba', 'numpy'} & {*sys.modules})"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert ran.stdout == "set()\n"


def test_a_game_without_a_kernel_is_named() -> None:
    with pytest.raises(UsageError, match="the game nim has no kernel"):
        load_kernel(replace(NIM, parts=replace(NIM.parts, kernel=None)), START)


def test_what_is_missing_is_named_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "find_spec", lambda name: None if name == "numba" else name)
    with pytest.raises(UsageError, match=r"kernels need numba, which is missing: pip install numba"):
        load_kernel(NIM, START)
    load_kernel(NIM, START, how="interpreted")  # which does not need it
    monkeypatch.setattr(loading, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match="kernels need numpy and numba, which are missing"):
        load_kernel(NIM, START)


def test_without_a_device_compiler_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairplay.kernels.device.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"need numba-cuda, which is missing: pip install numba-cuda"):
        load_device_kernel(NIM, START)


def test_states_are_packed_with_random_numbers_of_their_own() -> None:
    kernel = load_kernel(NIM, START, setup=SETUP, how="interpreted")
    rows = kernel.pack([START, START], seed=5)
    assert kernel.unpack(rows[0]) == kernel.unpack(rows[1]) == START
    assert rows[0][0] != rows[1][0] and 0 not in rows[:, 0]
    assert (rows == kernel.pack([START, START], seed=5)).all()


@pytest.mark.parametrize("threads", [2, 3, 100])
def test_threads_share_the_matches(threads: int) -> None:
    kernel = load_kernel(NIM, START, setup=SETUP)
    seeds = np.arange(50, dtype=np.uint64)
    rows = [kernel.make_rows(50), kernel.make_rows(50)]
    kernel.run("start_many", rows[0], seeds)
    kernel.run("start_many", rows[1], seeds, threads=threads)
    assert (rows[0] == rows[1]).all() and rows[0].any()


def test_every_loop_is_offered() -> None:
    kernel = load_kernel(NIM, START, how="interpreted")
    assert [*kernel.loops] == [*loops.LOOPS]
    assert all(kernel.loops.values()) and all(kernel.functions.values())


# -- what is compiled is kept ------------------------------------------------------------------

TWO_KERNELS = """
import sys
from fairplay.catalog import GAMES
from fairplay.core.chance import derived
from fairplay.kernels import loops
from fairplay.kernels.loading import load_kernel
import numba
before = numba.config.CACHE_DIR
nim = GAMES["nim"]
state = nim.rules.start(nim.variants["standard"], 2, derived(1, "deal"))
kernel = nim.parts.kernel()
misses = 0
for constants in {constants}:
    kernel.constants_for = lambda state, constants=constants: {{"WORDS": 4, "LARGEST": constants}}
    loaded = load_kernel(nim, state)
    row = loaded.pack([state])[0]
    print(loaded.call("random_action", row), loaded.call("start", row), max(row[1] >> 4 * i & 15 for i in range(3)))
    misses += sum(loaded.functions["start"].stats.cache_misses.values())
assert numba.config.CACHE_DIR == before
print("misses", misses)
"""


def run_kernels(home: Path, *constants: int) -> list[str]:
    """What a process prints that plays Nim with heaps of at most these sizes."""
    environment = {"PYTHONPATH": str(Path(__file__).parent.parent / "toys"), "XDG_CACHE_HOME": str(home)}
    command = [sys.executable, "-W", "error", "-c", TWO_KERNELS.format(constants=constants)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def test_kernels_of_two_processes_do_not_find_each_others_functions(tmp_path: Path) -> None:
    """In each process the same numbers are given to its functions; a third one reads what both have kept."""
    five, one = run_kernels(tmp_path, 5), run_kernels(tmp_path, 1)
    assert (five[-1], one[-1]) == ("misses 1", "misses 1")
    assert five[0] != one[0], "heaps of one match are not heaps of up to five"
    assert run_kernels(tmp_path, 5, 1) == [five[0], one[0], "misses 0"]
    damage_files(tmp_path)
    assert run_kernels(tmp_path, 5) == five, "what cannot be read is compiled again"


def damage_files(home: Path) -> None:
    files = [*home.rglob("*.bin")]
    assert files
    for number, file in enumerate(files):
        file.write_bytes(b"" if number % 2 else file.read_bytes()[:100])
