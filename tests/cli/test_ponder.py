"""`--ponder`: programs may think on others' time, and whoever reads a table is told so."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from fairplay.contest.planning import PONDER_MARK
from fairplay.run.engines import worker
from fairplay.run.inline import play_inline

Fairplay = Callable[..., Result]

SMALL = ("--setup", '{"rows": 4, "columns": 4, "fish": 2}')


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Of every match, whether its programs were allowed to ponder."""
    seen: list[bool] = []
    play = play_inline

    def note(*arguments: Any, ponder: bool, **more: Any) -> Any:
        seen.append(ponder)
        return play(*arguments, ponder=ponder, **more)

    monkeypatch.setattr(worker, "play_inline", note)
    return seen


@pytest.mark.parametrize("ponder", [False, True])
def test_a_match(fairplay: Fairplay, asked: list[bool], ponder: bool) -> None:
    options = ["--ponder"] if ponder else []
    said = fairplay("play", "fish", "greedy", "random", *SMALL, *options)
    assert (PONDER_MARK in said.output) is ponder
    document = json.loads(fairplay("play", "fish", "greedy", "random", *SMALL, *options, "--json").stdout)
    assert [match["ponder"] for match in document["matches"]] == [ponder]
    assert asked == [ponder, ponder]


@pytest.mark.parametrize("ponder", [False, True])
def test_a_tournament_that_is_cut_off_goes_on_as_it_began(
    fairplay: Fairplay, asked: list[bool], monkeypatch: pytest.MonkeyPatch, ponder: bool
) -> None:
    options = ["--ponder"] if ponder else []
    run = ("tournament", "run", "fish", "greedy", "random", *SMALL, "--games", "2", "--jobs", "1")
    with monkeypatch.context() as patched:
        patched.setattr("fairplay.run.competition.FLUSH_AFTER", 1)
        play, played = worker.__dict__["play_inline"], list[int]()

        def stop_at_the_third(*arguments: Any, **more: Any) -> Any:
            played.append(1)
            if len(played) == 3:
                raise KeyboardInterrupt
            return play(*arguments, **more)

        patched.setattr(worker, "play_inline", stop_at_the_third)
        assert fairplay(*run, *options).exit_code != 0
    resumed = fairplay("tournament", "resume", "1", "--jobs", "1")
    assert resumed.exit_code == 0, resumed.output
    assert (PONDER_MARK in resumed.output) is ponder
    assert asked == [ponder] * 4
    assert json.loads(fairplay("tournament", "show", "1", "--json").stdout)["ponder"] is ponder


def test_a_file_that_says_so(fairplay: Fairplay, asked: list[bool], tmp_path: Path) -> None:
    plan = 'game = "fish"\nplayers = ["greedy", "random"]\noptions = { games = 1 }\nsetup = { rows = 4, columns = 4 }\n'
    (tmp_path / "with.toml").write_text(plan + "ponder = true\n")
    (tmp_path / "without.toml").write_text(plan)
    for name, options, expected in (("with", (), True), ("without", (), False), ("without", ("--ponder",), True)):
        asked.clear()
        result = fairplay("tournament", "run", str(tmp_path / f"{name}.toml"), "--jobs", "1", *options)
        assert result.exit_code == 0, result.output
        assert set(asked) == {expected}


def test_from_python(asked: list[bool]) -> None:
    import fairplay

    game = fairplay.load("fish", rows=4, columns=4)
    fairplay.play(game, ["greedy", "random"], ponder=True)
    fairplay.play(game, ["greedy", "random"])
    assert asked == [True, False]
