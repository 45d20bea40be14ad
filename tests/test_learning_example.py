"""The example that learns Fish: it learns, and what it writes is a bot that plays as it learned to."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairplay as fp

EXAMPLES = Path(__file__).parent.parent / "examples"
FISH = fp.load("fish")


@cache
def load_examples() -> tuple[Any, Any]:
    """The two modules of the example, which lie in no package."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        return import_module("learn_fish"), import_module("learned_fish")
    finally:
        sys.path.remove(str(EXAMPLES))


def learn_briefly(folder: Path) -> str:
    """Train with 640 matches, in a process that leaves the other cores alone; return what was printed but the times."""
    arguments = ["--matches", "640", "--games", "10", "--out", "my_fish.py", "--curve", "curve.svg"]
    done = subprocess.run(
        [sys.executable, EXAMPLES / "learn_fish.py", *arguments],
        cwd=folder,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return re.sub(r"\d+ s:", "", done.stdout)


def test_it_learns_from_nothing(tmp_path: Path) -> None:
    """After 640 matches it beats players that choose at random; the seed fixes everything."""
    printed = learn_briefly(tmp_path)
    written = (tmp_path / "my_fish.py").read_bytes()
    assert "   640 matches, " in printed and "of 20 matches on other deals; written to my_fish.py" in printed
    assert "<polyline" in (tmp_path / "curve.svg").read_text("utf-8")
    table = fp.tournament(FISH, {"mine": tmp_path / "my_fish.py", "random": "random"}, games=10, seed=1, trust=True)
    assert sum("mine" in match.winners for match in table.matches) >= 16, "of 20"
    assert learn_briefly(tmp_path) == printed
    assert (tmp_path / "my_fish.py").read_bytes() == written


def test_a_bot_file_plays_by_what_the_kernel_says(tmp_path: Path) -> None:
    """The file that is written has the same weights, and sees on the rule book what was learned on the kernel."""
    learn, learned = load_examples()
    learn.write_bot(learned.WEIGHTS, tmp_path / "my_fish.py", "a test")
    assert (tmp_path / "my_fish.py").read_text("utf-8").endswith('""")  # a test\n')
    match = fp.play(FISH, {"mine": tmp_path / "my_fish.py", "random": "random"}, seed=3)
    assert match.outcome.faults == (None, None)
    kernel = learn.load_fish()
    for position, turn in zip(match.positions, match.turns, strict=False):
        if turn.seat == 0:
            _, actions, seen = learn.try_moves(kernel, kernel.pack([position.state]), np.array([0]))
            worth = learned.lead(seen) + learned.foresee(learned.WEIGHTS, learned.look(seen))[0]
            chosen = actions == kernel.encoding.number(turn.action, position.view())
            assert worth[chosen] == pytest.approx(worth.max(), abs=0.01)


def test_the_trained_player_beats_greedy() -> None:
    _, learned = load_examples()
    table = fp.tournament(FISH, {"learned": learned.choose, "greedy": "greedy"}, games=10, seed=11)
    assert sum("learned" in match.winners for match in table.matches) >= 14, "of 20"


@pytest.mark.parametrize("choice", [{"rows": 5, "columns": 5}, {"variant": "original"}])
def test_on_other_boards_it_does_what_greedy_does(choice: dict[str, Any]) -> None:
    _, learned = load_examples()
    game = fp.load("fish", **choice)
    actions = [
        [turn.action for turn in fp.play(game, {"first": first, "minimax": "minimax"}, seed=1).turns]
        for first in (learned.choose, "greedy")
    ]
    assert actions[0] == actions[1]


def test_the_example_is_short() -> None:
    assert len((EXAMPLES / "learn_fish.py").read_text("utf-8").splitlines()) <= 250
    assert (EXAMPLES / "learned_fish.py").stat().st_size < 300_000
