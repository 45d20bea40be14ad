"""What belongs to a program, and what it therefore sees."""

from __future__ import annotations

from pathlib import Path

from fairplay.run.isolation.mounts import own_paths


def test_a_program_brings_its_own_files_and_no_others(tmp_path: Path) -> None:
    home, work = tmp_path / "bots" / "mine", tmp_path / "work"
    for folder in (home, work):
        folder.mkdir(parents=True)
    bot, beside = home / "bot", work / "bot"
    for file in (bot, beside):
        file.write_text("")
    shown = {*own_paths([str(bot), "--flag", "7"], work)}
    assert shown == {str(home)}
    assert {*own_paths([str(bot), "", ".", "..", "/", str(work)], work)} == {str(home)}, "nor do its arguments show it"
    assert {*own_paths([str(beside)], work)} == {str(beside)}, "the working folder holds what is not the program's"
    assert {*own_paths([str(work / "missing")], work)} == set()
    assert {*own_paths(["/usr/bin/env", "bot"], work)} == {str(beside)}


def test_an_interpreter_brings_what_is_installed_with_it(tmp_path: Path) -> None:
    base = tmp_path / "python"
    (base / "bin").mkdir(parents=True)
    (base / "bin" / "python3.99").write_text("")
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    link = tmp_path / "venv" / "bin" / "python"
    link.symlink_to(base / "bin" / "python3.99")
    assert {str(base), str(tmp_path / "venv")} <= {*own_paths([str(link)], Path("/"))}


def test_a_link_that_points_at_itself_ends(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert [*own_paths([str(loop)], Path("/"))] == []
