"""`fairplay new-game`: what it writes, and what it refuses to write over."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairplay.cli import root
from file_games import undo_taking


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str, code: int = 0) -> str:
    done = CliRunner().invoke(root, words)
    assert done.exit_code == code, done.output
    return done.output


def test_a_folder_is_written_and_what_to_run_next_is_said(work: Path) -> None:
    said = run("new-game", "my_game")
    names = ["my_game.py", "pyproject.toml", "test_my_game.py"]
    assert sorted(path.name for path in (work / "my_game").iterdir()) == names
    assert all(f"my_game/{name} " in said for name in names)
    assert "play my_game/my_game.py random random" in said and "python -m pytest my_game" in said
    assert "NAME" not in said and not any("NAME" in path.read_text() for path in (work / "my_game").iterdir())


def test_nothing_is_written_over(work: Path) -> None:
    (work / "empty").mkdir()
    (work / "file").write_text("mine")
    (work / "link").symlink_to("nowhere")
    for name in ("empty", "file", "link"):
        assert f"Error: {name} is there already, and nothing is written over" in run("new-game", name, code=2)
    assert [*(work / "empty").iterdir()] == [] and (work / "file").read_text() == "mine"
    assert not (work / "nowhere").exists()


@pytest.mark.parametrize(
    ("name", "why"),
    {
        "My": "'My' cannot be a module",
        "two-words": "'two-words' cannot be a module",
        "../up": "cannot be a module",
        "class": "'class' cannot be a module",
        "fish": "there is a game 'fish' already",
        "nim": "there is a game 'nim' already",
        "random": "there is a module 'random' already",
        "msgspec": "there is a module 'msgspec' already",
    }.items(),
)
def test_a_name_that_could_not_be_found_again_is_refused(work: Path, name: str, why: str) -> None:
    assert why in run("new-game", name, code=2)
    assert [*work.iterdir()] == []


def test_the_package_offers_the_game_under_its_name(work: Path) -> None:
    run("new-game", "mine")
    project = tomllib.loads((work / "mine" / "pyproject.toml").read_text())
    assert project["project"]["entry-points"]["fairplay.games"] == {"mine": "mine"}
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"] == ["mine.py"]


def test_what_is_written_is_typed_and_in_good_style(work: Path) -> None:
    """An author who checks types and style begins without a remark."""
    run("new-game", "mine")
    settings = Path(__file__).parents[2] / "pyproject.toml"
    for command in (["check"], ["format", "--check"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--config", str(settings), "--no-cache", "mine"]
        done = subprocess.run(ruff, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


def test_the_game_is_short_and_has_the_five_functions(work: Path) -> None:
    run("new-game", "mine")
    text = (work / "mine" / "mine.py").read_text()
    assert len(text.splitlines()) < 60
    assert re.findall(r"^def (\w+)", text, re.MULTILINE) == ["start", "to_move", "legal_actions", "apply", "scores"]


def test_what_is_written_is_played_at_once_and_its_tests_pass() -> None:
    run("new-game", "mine")
    with undo_taking():
        assert "won (" in run("play", "mine/mine.py", "random", "random")
        assert "whoever takes the last one wins" in run("games", "mine/mine.py")
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "mine"], capture_output=True, text=True)
    assert "2 passed" in done.stdout, done.stdout
