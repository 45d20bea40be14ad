"""What commands print."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fairplay.cli.output import print_json, program_name, track_progress


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
