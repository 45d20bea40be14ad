"""What commands print."""

from __future__ import annotations

import sys
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

import pytest

from fairplay.cli.output import Pace, log_progress, print_json, program_name, track_progress


def test_the_program_is_called_as_it_was_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("shutil.which", lambda name: None)
    program = tmp_path / "bin" / "fairplay"
    program.parent.mkdir()
    program.touch()
    monkeypatch.setattr(sys, "argv", [str(program)])
    assert program_name() == "bin/fairplay"
    monkeypatch.setattr(sys, "argv", ["-c"])
    assert program_name() == "fairplay"
    monkeypatch.setattr("shutil.which", lambda name: "/usr/bin/fairplay")
    monkeypatch.setattr(sys, "argv", [str(program)])
    assert program_name() == "fairplay"


def test_json_is_laid_out_for_people_too(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"a": (1, None)})
    assert capsys.readouterr().out == '{\n  "a": [\n    1,\n    null\n  ]\n}\n'


def test_a_bar_is_shown_on_a_terminal_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with track_progress([1, 2], 2, "playing", quiet=False) as items:
        assert [*items] == [1, 2]
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    for quiet in (True, False):
        with track_progress([1, 2], 2, "playing", quiet=quiet) as items:
            assert [*items] == [1, 2]
        assert ("playing" in capsys.readouterr().err) == (not quiet)


def measure(total: int | None, specs: list[str], seconds: list[float], *, quiet: bool = False) -> str:
    """What is said of a run whose matches end at these times."""
    clock = iter([100.0, *(100.0 + each for each in seconds)])  # the first one starts slowly, and does not count
    heard = StringIO()
    with redirect_stderr(heard):
        pace = Pace(total, specs, quiet=quiet, clock=lambda: next(clock))
        for _ in (None, *seconds):
            pace.note_match()
    return heard.getvalue()


def test_a_long_run_says_once_how_long_it_will_take() -> None:
    said = measure(1_000, ["bot.py", "greedy"], [1.0, 2.0, 4.0, 5.0])
    assert said.startswith("1000 matches take about 22 minutes; with --trust")
    assert said.count("\n") == 1
    assert "--trust" not in measure(1_000, ["cmd:./bot", "trusted:bot.py"], [4.0])
    assert "4 hours" in measure(3_600, ["greedy"], [4.0])
    assert "100 seconds" in measure(20, ["greedy"], [5.0])


def test_of_a_short_run_nothing_is_said() -> None:
    assert measure(10, ["bot.py"], [4.0, 8.0]) == ""
    assert measure(None, ["bot.py"], [4.0, 8.0]) == "", "a ladder has no end"
    assert measure(1_000, ["bot.py"], [4.0], quiet=True) == ""


def test_off_a_terminal_progress_is_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    now = iter([0.0, 1.0, 6.0, 6.0, 7.0, 12.0])
    assert list(log_progress("abcd", 4, "playing", lambda: next(now))) == [*"abcd"]
    assert capsys.readouterr().err == "playing: 2 of 4\n"
