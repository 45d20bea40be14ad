"""The catalog, and the promise that a fourth game needs no edit elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import fairplay.games
from fairplay.catalog import GAMES, Catalog, check_game, find_flaws, find_game
from fairplay.cli import root
from fairplay.core import HousePlayers, UsageError
from kit import TESTS, kit


def test_games_are_the_folders_and_what_is_installed() -> None:
    assert {"fish", "nim"} <= {*GAMES}
    assert [*GAMES] == sorted(GAMES)
    assert len(GAMES) == len(list(GAMES)) == len(GAMES.values()) == len(GAMES.items())
    assert all(GAMES[name].name == name for name in GAMES)
    with pytest.raises(KeyError):
        GAMES["chess"]
    with pytest.raises(UsageError, match=f"there is no game 'chess'; there are: {', '.join(GAMES)}"):
        find_game("chess")


def test_a_game_without_a_kit_fails_by_name() -> None:
    with pytest.raises(AssertionError, match="the game chess has no kit"):
        kit("chess")


def test_a_fourth_game_needs_no_edit_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nim lies in the tests; everything the command line offers works for it at once."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    runner = CliRunner()
    assert "nim" in runner.invoke(root, ["games"]).output
    result = runner.invoke(root, ["play", "nim", "perfect", "random", "--seed", "3", "--json"])
    assert result.exit_code == 0
    record = json.loads(result.output)["matches"][0]["record"]
    assert runner.invoke(root, ["replay", record, "--verify"]).exit_code == 0
    assert "took" in runner.invoke(root, ["replay", record]).output
    assert runner.invoke(root, ["replay", record, "--svg", "nim.svg"]).exit_code == 0
    assert (tmp_path / "nim.svg").read_text().startswith("<svg")
    assert (
        runner.invoke(root, ["tournament", "run", "nim", "perfect", "random", "--games", "2", "--jobs", "1"]).exit_code
        == 0
    )


# -- installed packages (tests/test_installed_games.py installs real ones) ---------------------


def offer(folder: Path, package: str, points: str) -> None:
    """Metadata of a package, as pip writes it."""
    metadata = folder / f"{package}-1.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(f"[fairplay.games]\n{points}\n")


def test_of_two_packages_with_one_game_the_first_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    offer(tmp_path, "another-nim", "nim = another_nim:GAME")
    monkeypatch.syspath_prepend(tmp_path)
    catalog = Catalog()
    assert [*catalog] == [*GAMES]
    assert catalog.installed["nim"].value == "another_nim:GAME"
    why = "the package another-nim has a game of that name"
    assert caplog.messages == [f"Warning: The game 'nim' of the package fairplay-nim is left out: {why}."]


@pytest.mark.parametrize("name", ["Nim", "../nim", "two words", "9men", "n" * 41])
def test_a_name_that_cannot_stand_in_an_address_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    offer(tmp_path, "odd", f"{name} = nim:GAME")
    monkeypatch.syspath_prepend(tmp_path)
    catalog = Catalog()
    assert name in [*catalog]
    assert name not in catalog, "it was asked for"
    assert name not in [*catalog]
    assert "the name of a game has lower-case letters" in catalog.warnings[0]


def test_where_the_modules_of_a_game_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert GAMES.folders("fish") == (f"{fairplay.games.__path__[0]}/fish",)
    assert GAMES.folders("nim") == (str(TESTS / "toys" / "nim"),)
    with pytest.raises(KeyError):
        GAMES.folders("chess")
    (tmp_path / "one_file.py").write_text(
        "from dataclasses import replace\nimport nim\nGAME = replace(nim.GAME, name='one')"
    )
    (tmp_path / "linked.py").symlink_to(tmp_path / "one_file.py")
    offer(tmp_path, "single", "one = linked:GAME")
    monkeypatch.syspath_prepend(tmp_path)
    assert Catalog().folders("one") == (str(tmp_path / "linked.py"), str(tmp_path / "one_file.py"))


# -- what a game lacks -------------------------------------------------------------------------


def test_the_parts_of_every_game_have_all_functions() -> None:
    assert {name: find_flaws(game) for name, game in GAMES.items()} == {name: [] for name in GAMES}


@pytest.mark.parametrize(
    ("part", "function"),
    [
        ("rules", "remove"),
        ("rules", "scores"),
        ("codec", "view_to_json"),
        ("words", "facts"),
        ("notation", "parse_action"),
    ],
)
def test_a_function_that_is_missing_is_named_when_the_game_is_loaded(
    part: str, function: str, faulty_games: None
) -> None:
    import faulty

    with pytest.raises(TypeError, match=f"its {part} have no function '{function}'"):
        check_game("faulty_missing", faulty.without(part, function))


def test_a_function_with_other_parameters_is_named_too(faulty_games: None) -> None:
    from dataclasses import replace

    import nim
    from faulty import FaultyRules

    def apply(state: Any) -> Any:
        return state

    wrong: Any = FaultyRules(apply=apply, legal_actions=5)
    strategies: Any = {"random": 7}
    with pytest.raises(TypeError) as refused:
        check_game("nim", replace(nim.GAME, rules=wrong, players=HousePlayers(strategies)))
    assert str(refused.value) == (
        "its rules have no function 'legal_actions'; 'apply' of its rules cannot be called as apply(state, action); "
        "the house player 'random' is no function"
    )
