"""Games whose player that searches is a toy, which thinks at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairplay.catalog import built_in_games
from toy_thinker import TOYS, record_toys


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line sees the games with the toy."""
    for name in built_in_games():
        monkeypatch.setattr(f"fairplay.games.{name}.GAME", TOYS[name])


@pytest.fixture
def toy_record(toys: None, tmp_path: Path) -> Path:
    """A match of the toy against a random player."""
    path = tmp_path / "toy.jsonl"
    path.write_bytes(b"".join(record_toys(TOYS["fish"], "search", "random")))
    return path
