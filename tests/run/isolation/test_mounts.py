"""What belongs to a program, and what it therefore sees."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from msgspec.structs import replace

from fairplay.contest.contest import Hidden
from fairplay.run.isolation import mounts
from fairplay.run.isolation.hidden import HiddenFiles
from fairplay.run.isolation.mounts import folder_paths, is_shown, outermost_paths, own_paths


def fill(folder: Path, *names: str) -> Path:
    """`folder` with these files in it, which hold nothing of ours."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")
    return folder


def shown(words: list[str], work: Path, *rivals: Path, hidden: Hidden = Hidden()) -> set[str]:
    files = HiddenFiles(replace(hidden, entrants=tuple(map(str, rivals))), work, [work / word for word in words])
    return {*outermost_paths(own_paths(words, files))}


def test_a_program_brings_its_own_files_and_no_others(tmp_path: Path) -> None:
    home, work = fill(tmp_path / "bots" / "mine", "bot"), fill(tmp_path / "work", "bot")
    bot, beside = home / "bot", work / "bot"
    assert shown([str(bot), "--flag", "7"], work) == {str(home)}
    assert shown([str(bot), "", ".", "..", "/", str(work)], work) == {str(home)}, "nor do its arguments show it"
    assert shown([str(beside)], work) == {str(beside)}, "one by one: later matches leave their records there"
    assert shown([str(work / "missing")], work) == set()
    assert shown(["/usr/bin/env", "bot"], work) == {str(beside)}


def test_what_lies_beside_a_bot_is_shown_but_not_what_is_private(tmp_path: Path) -> None:
    work = fill(tmp_path, "bot.py", "helper.py", "data/weights.bin", "pack/__init__.py", "notes.jsonl")
    fill(work, "fairplay.db", "fairplay.db-wal", "old.sqlite", "ann.key", "cert.pem", ".env", ".git/config")
    fill(work, "fairplay-owner-x.html", "third.fairplay", "match-0001.stderr-0.txt", "logs/match-0001-seat-0-ann.log")
    (work / "records").mkdir()
    (work / "records" / "match-0001.jsonl").write_text('{"fairplay":1,"game":"fish"}\n')
    with sqlite3.connect(work / "games.store") as store:
        store.execute("create table t (x)")
    store.close()
    names = ("bot.py", "helper.py", "data", "pack", "notes.jsonl")
    assert shown(["/usr/bin/env", "bot.py"], work) == {str(work / name) for name in names}


def test_one_private_file_does_not_hide_its_folder(tmp_path: Path) -> None:
    home = fill(tmp_path / "mine", "bot.py", "data/a.bin", "data/.hidden", "data/deep/b.bin")
    assert shown([str(home / "bot.py")], Path("/")) == {
        str(home / name) for name in ("bot.py", "data/a.bin", "data/deep")
    }


def test_an_empty_folder_is_not_shown(tmp_path: Path) -> None:
    """It may be the one that records are written to."""
    work = fill(tmp_path, "bot.py")
    (work / "records").mkdir()
    assert shown(["/usr/bin/env", "bot.py"], work) == {str(work / "bot.py")}


def test_entrants_that_share_a_folder_see_their_own_files_alone(tmp_path: Path) -> None:
    work = fill(tmp_path, "mine.py", "yours.py", "helper.py")
    assert shown(["/usr/bin/env", "mine.py"], work, work / "mine.py", work / "yours.py") == {str(work / "mine.py")}
    assert len(shown(["/usr/bin/env", "mine.py"], work, work / "mine.py")) == 3, "one of them twice is no other"


def test_the_folder_of_a_rival_is_left_out(tmp_path: Path) -> None:
    work = fill(tmp_path, "mine.py", "helper.py", "rival/bot.py", "rival/weights.bin")
    files = (work / "mine.py", work / "rival" / "bot.py")
    assert shown(["/usr/bin/env", "mine.py"], work, *files) == {str(work / "mine.py"), str(work / "helper.py")}
    assert shown([str(files[1])], work, *files) == {str(work / "rival")}


def test_links_lead_to_nothing_that_is_not_shown(tmp_path: Path) -> None:
    fill(tmp_path, "secret.txt")
    home = fill(tmp_path / "mine", "bot.py", "v2/weights.bin", "fairplay.db")
    (home / "out").symlink_to(tmp_path / "secret.txt")
    (home / "store").symlink_to(home / "fairplay.db")
    (home / "weights").symlink_to(home / "v2" / "weights.bin")
    assert shown([str(home / "bot.py")], home) == {str(home / name) for name in ("bot.py", "v2", "weights")}


def test_a_home_is_not_a_bots_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mounts, "COMMON", frozenset((tmp_path,)))
    work = fill(tmp_path, "bot.py", "diary.txt")
    assert shown(["/usr/bin/env", "bot.py"], work) == {str(work / "bot.py")}


@pytest.mark.parametrize("limit", ["MAX_ENTRIES", "MAX_SHOWN"])
def test_a_folder_with_too_much_in_it_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(mounts, limit, 3)
    work = fill(tmp_path, "bot.py", *(f"{number}.txt" for number in range(4)))
    assert folder_paths(work, HiddenFiles(Hidden(), work)) == []


def test_what_is_shown_can_be_asked(tmp_path: Path) -> None:
    assert is_shown(tmp_path / "a" / "b", [str(tmp_path / "a")])
    assert is_shown(Path("/usr/bin/env"), [])
    assert not is_shown(tmp_path, [str(tmp_path / "a")])


def test_an_interpreter_brings_what_is_installed_with_it(tmp_path: Path) -> None:
    base = fill(tmp_path / "python", "bin/python3.99")
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    link = tmp_path / "venv" / "bin" / "python"
    link.symlink_to(base / "bin" / "python3.99")
    assert {str(base), str(tmp_path / "venv")} <= shown([str(link)], Path("/"))


def test_a_link_that_points_at_itself_ends(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert shown([str(loop)], Path("/")) == set()
