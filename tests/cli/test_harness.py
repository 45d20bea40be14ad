"""`fairplay harness` and `fairplay bench`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Fairplay = Callable[..., Result]

BOARD = '{"position": [1, 0], "board": [[1,2,3],[4,0,5],[1,1],[2,3,1]]}'


def test_values_in_value_out(fairplay: Fairplay) -> None:
    result = fairplay("harness", "fish", "xboard", given=BOARD)
    assert (result.exit_code, result.stdout) == (0, "6\n")
    state = '{"players":[],"board":[[1]]}'
    assert fairplay("harness", "fish", "xstate", given=state).stdout == "false\n"


@pytest.mark.parametrize("given", ["", "{", '{"position": [0, 0]}', b"\xff", "[" * 100_000])
def test_12_1_bad_input_says_so_on_standard_error_alone(fairplay: Fairplay, given: str | bytes) -> None:
    result = fairplay("harness", "fish", "xboard", given=given)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr


@pytest.mark.parametrize("arguments", [[], ["45678"]])
def test_no_such_program(fairplay: Fairplay, arguments: list[str]) -> None:
    """All are named, those that play over TCP as well."""
    result = fairplay("harness", "fish", "xfly", *arguments, given="1")
    assert result.exit_code == 2
    there_are = "xboard, xstate, xtree, xstrategy, xref, xserver, xclients"
    assert f"fish has no harness program 'xfly'; it has {there_are}" in result.output
    assert fairplay("harness", "labyrinth", "xfly", given="1").output.count("xserver,") == 1


def test_a_program_over_tcp_needs_a_port(fairplay: Fairplay) -> None:
    result = fairplay("harness", "fish", "xserver", given="1")
    assert result.exit_code == 2
    assert "usage: xserver PORT [IP]" in result.output


def test_folders_of_cases(fairplay: Fairplay, tmp_path: Path) -> None:
    folder = tmp_path / "cases"
    folder.mkdir()
    (folder / "1-in.json").write_text(BOARD)
    (folder / "1-out.json").write_text("6")
    result = fairplay("harness", "fish", "xboard", "--cases", "cases")
    assert (result.exit_code, result.output) == (0, "1 passed, 0 failed\n")
    (folder / "2-in.json").write_text(BOARD)
    (folder / "2-out.json").write_text("7")
    result = fairplay("harness", "fish", "xboard", "--cases", "cases")
    assert result.exit_code == 1
    assert "2-in.json\n  expected 7\n  got      6\n1 passed, 1 failed" in result.output
    report = json.loads(fairplay("harness", "fish", "xboard", "--cases", "cases", "--json").output)
    assert report["differing"] == [{"case": "cases/2-in.json", "expected": 7, "actual": 6}]
    assert fairplay("harness", "fish", "xboard", "--cases", "nowhere").exit_code == 2


def test_bench_needs_a_game_there_is(fairplay: Fairplay) -> None:
    result = fairplay("bench", "chess")
    assert result.exit_code == 2
    assert "there is no game 'chess'" in result.output
