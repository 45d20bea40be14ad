"""Each game of the examples, which is one file: it keeps all laws, and is played, rated, analysed and learnt."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairplay.cli import root
from file_games import undo_taking

EXAMPLES = Path(__file__).parent.parent / "examples"
GAMES = ("connect_four", "liars_dice", "sealed_bids")


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    with undo_taking():
        yield tmp_path


def run(*words: str) -> str:
    done = CliRunner().invoke(root, words)
    assert done.exit_code == 0, done.output
    return done.output


def file_of(game: str) -> str:
    return str(EXAMPLES / f"{game}.py")


def test_the_smallest_one_has_fifty_lines() -> None:
    assert len(Path(file_of("connect_four")).read_text().splitlines()) <= 55


@pytest.mark.parametrize("game", GAMES)
def test_it_keeps_all_laws(game: str) -> None:
    """In a process of its own: in this one, our own kits are looked for."""
    command = [sys.executable, "-P", "-c", "from fairplay.cli import main; main()", "laws", file_of(game)]
    done = subprocess.run([*command, "--seed", "1"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and f"{game} keeps " in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("game", GAMES)
def test_it_is_played_rated_and_analysed(game: str) -> None:
    said = run("tournament", "run", file_of(game), "random", "quick=search:playouts=20", "--games", "2", "--seed", "1")
    assert "rating" in said and "random" in said
    run("play", file_of(game), "search:playouts=20", "random", "--seed", "1")
    assert run("replay", "2/0", "--game", file_of(game), "--verify").startswith("consistent")
    assert "search" in run("analyse", "2/0", "--game", file_of(game), "--by", "search:playouts=10")


@pytest.mark.parametrize("game", GAMES)
def test_it_is_learnt_in_a_gymnasium_environment(game: str) -> None:
    checker = pytest.importorskip("gymnasium.utils.env_checker")
    from fairplay.rl import SeatEnv

    env = SeatEnv(file_of(game))
    checker.check_env(env, skip_render_check=True)
    observation, info = env.reset(seed=1)
    over = False
    while not over:
        observation, _, over, _, info = env.step(int(info["action_mask"].argmax()))
        assert observation in env.observation_space
