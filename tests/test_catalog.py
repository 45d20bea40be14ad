"""The catalog, and the promise that a fourth game is one folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairplay.catalog import GAMES
from fairplay.cli import root
from kit import kit


def test_games_are_the_folders() -> None:
    assert "fish" in GAMES
    assert len(GAMES) == len(list(GAMES))
    assert all(GAMES[name].name == name for name in GAMES)
    with pytest.raises(KeyError):
        GAMES["chess"]


def test_a_game_without_a_kit_fails_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError, match="the game chess has no kit"):
        kit("chess")


def test_a_fourth_game_needs_one_folder_and_no_edit_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nim lies in the tests; everything the command line offers works for it at once."""
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    assert "nim" in runner.invoke(root, ["games"]).output
    result = runner.invoke(root, ["play", "nim", "perfect", "random", "--seed", "3", "--json"])
    assert result.exit_code == 0
    record = json.loads(result.output)["matches"][0]["record"]
    assert runner.invoke(root, ["replay", record, "--verify"]).exit_code == 0
    assert "takes" in runner.invoke(root, ["replay", record]).output
    assert runner.invoke(root, ["replay", record, "--svg", "nim.svg"]).exit_code == 0
    assert (tmp_path / "nim.svg").read_text().startswith("<svg")
    assert (
        runner.invoke(root, ["tournament", "run", "nim", "perfect", "random", "--games", "2", "--jobs", "1"]).exit_code
        == 0
    )
