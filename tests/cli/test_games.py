"""The list of games: levels with what was measured of them, reference strategies, and what must be installed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from fairplay.catalog import GAMES
from fairplay.cli import games
from fairplay.cli.games import describe_game, show_game
from fairplay.report.json_output.catalog import ListedLevel

Fairplay = Callable[..., Result]

MEASURED: dict[str, Any] = {
    "level": 3,
    "spec": "search:playouts=64",
    "name": "Hard",
    "rating": 1834.4,
    "low": 1790.0,
    "high": 1881.0,
    "milliseconds": 104.2,
    "interpreted": 12000.0,
    "missing": "",
}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_levels_are_listed_with_what_was_measured(capsys: pytest.CaptureFixture[str]) -> None:
    show_game({**describe_game(GAMES["nim"]), "levels": {"standard": [MEASURED]}})
    said = capsys.readouterr().out
    assert "level  name  rating             ms a move  house player\n" in said
    assert "    3  Hard  1834 [1790, 1881]        104  search:playouts=64\n" in said


def test_strategies_are_told_apart_from_those_that_search(fairplay: Fairplay) -> None:
    said = fairplay("games", "nim").output
    assert said.startswith("nim\n") and "fish" not in said
    search, reference = said.index("search, with a budget"), said.index("  reference strategies\n")
    assert search < said.index("search[:playouts=64,slip=0.0,seconds=0.0]") < reference < said.index("random   Any")
    assert "clock" not in said
    assert "  strategies\n" in fairplay("games", "fish").output or "search" in GAMES["fish"].players.strategies


def test_one_game_as_json(fairplay: Fairplay) -> None:
    (game,) = json.loads(fairplay("games", "nim", "--json").output)["games"]
    assert [level["name"] for level in game["levels"]["standard"]] == ["Beginner", "Easy", "Medium", "Hard", "Master"]
    assert list(game["levels"]["standard"][0]) == list(ListedLevel.__struct_fields__)


def test_a_game_that_is_not_there(fairplay: Fairplay) -> None:
    result = fairplay("games", "chess")
    assert result.exit_code == 2 and "there is no game 'chess'" in result.output


def test_what_cannot_be_played_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(games, "find_spec", lambda name: None)
    monkeypatch.setattr("fairplay.run.house_players.has_compiler", lambda: False)
    quick = {**MEASURED, "interpreted": 900.0}
    game = {**describe_game(GAMES["nim"]), "levels": {"standard": [quick, {**MEASURED}]}}
    games.note_missing([game])
    show_game(game)
    said = capsys.readouterr().out
    assert "search:playouts=64\n" in said
    assert "search:playouts=64  needs numba: pip install numba\n" in said
