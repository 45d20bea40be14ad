"""Tournaments out of Python, and their tables."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

import fairplay as fp
from fairplay.api import tournaments
from fairplay.cli import root

FISH = fp.load("fish", rows=4, columns=5)


def first(view: Any) -> Any:
    return FISH.legal_actions(view)[0]


def test_functions_and_house_players_meet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table = fp.tournament(FISH, ["random", first, "greedy"], games=2, seed=1)
    rows = {row["player"]: row for row in table.rows()}
    assert rows.keys() == {"random", "first", "greedy"} == {*table.players} and rows["first"]["level"] == "trusted"
    assert len(table.matches) == table.tables.matches == 12 == sum(row["wins"] + row["ties"] for row in rows.values())
    assert table.matches[3].levels.count("trusted") == table.matches[3].players.count("first")
    assert len(table.matches[:2]) == len([*table.matches[:2]]) == 2
    assert table.players[0] in repr(table) and "first" in str(table) and "<table" in table._repr_html_()
    assert rows["first"]["rating_low"] < rows["first"]["rating"] < rows["first"]["rating_high"]
    assert not [*tmp_path.iterdir()]
    with table.to_csv("table.csv").open(encoding="utf-8") as lines:
        assert [row["player"] for row in csv.DictReader(lines)] == [*table.players]


def test_a_table_says_why_players_were_removed(tmp_path: Path) -> None:
    table = fp.tournament(FISH, {"good": "random", "bad": lambda view: 7.5}, games=2, seed=1)
    (row,) = (row for row in table.rows() if row["player"] == "bad")
    assert (row["faults"], row["fault_reasons"]) == (4, "4 x malformed: expected Place or Move, got float")
    assert [(group.player, group.count) for group in table.faults] == [("bad", 4)]
    assert "expected Place or Move" in str(table) and "got float" in table.to_csv(tmp_path / "t.csv").read_text("utf-8")


def test_a_tournament_is_the_one_of_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table = fp.tournament("fish", ["random", "greedy"], games=2, seed=1, db="mine.db")
    players, deals = ["random", "greedy"], ["--games", "2", "--seed", "1"]
    words = ["tournament", "run", "fish", *players, *deals, "--db", "mine.db", "--jobs", "1", "--json"]
    played = CliRunner().invoke(root, words)
    assert played.exit_code == 0, played.output
    shown = json.loads(played.stdout)
    assert [row["player"] for row in shown["tables"]["standings"]] == [*table.players]
    for number, match in enumerate(table.matches):
        assert match == fp.replay(f"1/{number}", db="mine.db") == fp.replay(f"2/{number}", db="mine.db")


def test_rows_become_a_frame_where_pandas_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    table = fp.tournament(FISH, ["random", "greedy"], seed=1)
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert table.frame() == table.rows()
    pandas = ModuleType("pandas")
    pandas.DataFrame = lambda rows: ("frame", rows)  # type: ignore[attr-defined]  # a stand-in
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    assert table.frame() == ("frame", table.rows())


class Terminal(io.StringIO):
    """Standard error where it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("terminal", "seconds", "shown"), [(True, 0.0, True), (True, 3600.0, False), (False, 0.0, False)]
)
def test_a_bar_comes_on_a_terminal_once_it_takes_long(
    terminal: bool, seconds: float, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", said)
    monkeypatch.setattr(tournaments, "QUIET_SECONDS", seconds)
    fp.tournament(FISH, ["random", "greedy"], seed=1)
    assert ("playing fish" in said.getvalue()) == shown


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(fp.UsageError, match="jobs: functions and classes play in this process alone"):
        fp.tournament(FISH, ["random", first], jobs=2)
    with pytest.raises(fp.UsageError, match="jobs: expected at least 1"):
        fp.tournament(FISH, ["random", "greedy"], jobs=0)
    with pytest.raises(fp.UsageError, match="the format round-robin has no option 'rounds'"):
        fp.tournament(FISH, ["random", "greedy"], rounds=3)
    with pytest.raises(fp.UsageError, match="a ladder has no end of its own"):
        fp.tournament(FISH, ["random", "greedy"], format="ladder")
    with pytest.raises(fp.UsageError, match="matches: expected at least 1"):
        fp.tournament(FISH, ["random", "greedy"], matches=0)
    assert len(fp.tournament(FISH, ["random", "greedy"], format="ladder", matches=3, seed=1).matches) == 3
