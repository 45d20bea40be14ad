"""`fairplay ladder`: the levels of a game are measured, and a level that is weaker than the one below is named."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from click.testing import Result

from fairplay.catalog import GAMES
from fairplay.cli.authors.ladder import find_inversions
from fairplay.core.game import Rung
from fairplay.report.json_output.catalog import MeasuredLevel

Fairplay = Callable[..., Result]


def climb(monkeypatch: pytest.MonkeyPatch, *specs: str) -> None:
    """Give Nim these levels, weakest first as its author thinks."""
    rungs = tuple(Rung(number, spec) for number, spec in enumerate(specs, 1))
    monkeypatch.setitem(vars(GAMES["nim"].players), "ladder", {"standard": rungs})


def test_levels_in_their_order_are_measured(fairplay: Fairplay, monkeypatch: pytest.MonkeyPatch) -> None:
    climb(monkeypatch, "random", "perfect")
    result = fairplay("ladder", "nim", "--games", "30", "--seed", "1")
    assert result.exit_code == 0, result.output
    first, second, verdict = result.output.splitlines()
    assert first.startswith("  2  level-2  ") and first.endswith("  perfect")
    assert second.startswith("  1  level-1  ") and second.endswith("  random")
    assert verdict == "The levels of nim/standard are not in the wrong order (60 matches, seed 1)."


def test_a_level_that_is_weaker_than_the_one_below_is_named(
    fairplay: Fairplay, monkeypatch: pytest.MonkeyPatch
) -> None:
    climb(monkeypatch, "perfect", "random")
    result = fairplay("ladder", "nim", "--games", "30", "--seed", "1")
    assert result.exit_code == 1
    assert "  random  weaker than the level below\n" in result.output
    assert "are in the wrong order: level-2 (60 matches, seed 1)." in result.output
    found = json.loads(fairplay("ladder", "nim", "--games", "30", "--seed", "1", "--json").output)
    assert found["schema"] == "fairplay.ladder/1" and found["inverted"] == ["level-2"]
    assert [level["spec"] for level in found["levels"]] == ["perfect", "random"]


def test_levels_that_cannot_be_told_apart_are_named(fairplay: Fairplay, monkeypatch: pytest.MonkeyPatch) -> None:
    climb(monkeypatch, "random", "random")
    result = fairplay("ladder", "nim", "--games", "2", "--seed", "1")
    assert result.exit_code == 0
    assert "Not told apart: level-2 and level-1; play more --games to be surer.\n" in result.output


def test_a_level_is_in_the_wrong_place_beyond_doubt_only() -> None:
    def level(number: int, low: float | None, high: float | None) -> MeasuredLevel:
        return MeasuredLevel(number, f"level-{number}", "it", 1500.0, low, high)

    assert find_inversions([level(1, 1500, 1600), level(2, 1400, 1499)]) == ("level-2",)
    assert find_inversions([level(1, 1500, 1600), level(2, 1400, 1501), level(3, None, None)]) == ()


def test_a_game_without_levels_is_refused(fairplay: Fairplay, monkeypatch: pytest.MonkeyPatch) -> None:
    climb(monkeypatch)
    result = fairplay("ladder", "nim")
    assert result.exit_code == 2
    assert "nim has no levels for this variant; its house players are random, perfect, search" in result.output
    climb(monkeypatch, "random")
    result = fairplay("ladder", "nim")
    assert result.exit_code == 2
    assert "it takes two to compare them" in result.output
