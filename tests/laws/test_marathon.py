"""Random matches by the hundred: what `make marathon` does for longer."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fairplay.catalog import GAMES
from kit import TESTS

MATCHES = 200
OURS = [name for name in GAMES if not (TESTS / "toys" / name).exists()]


@pytest.mark.parametrize("game", OURS)
def test_random_matches_end_and_keep_their_laws(game: str) -> None:
    """In a process of its own: measuring which lines it runs would take longer than playing."""
    command = [sys.executable, "-m", "tests.marathon", "--matches", str(MATCHES), game]
    done = subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{game} ") and f" {MATCHES:,} matches, " in done.stdout
