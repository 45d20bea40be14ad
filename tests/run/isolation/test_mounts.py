"""What belongs to a program, and what it therefore sees."""

from __future__ import annotations

import gzip
import sqlite3
from pathlib import Path

import pytest
from msgspec.structs import replace

from fairplay.contest.contest import Hidden
from fairplay.run.isolation import mounts
from fairplay.run.isolation.mounts import (
    Cover,
    HiddenFiles,
    cover_folders,
    folder_paths,
    holds_matches,
    is_shown,
    outermost_paths,
    own_paths,
)


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
    fill(work, "fairplay-owner-x.html", "third.fairplay", "logs/match-0001-seat-0-ann.log")
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


# -- what is in use ----------------------------------------------------------------------------


def test_124_a_folder_that_is_written_to_is_never_shown_at_once(tmp_path: Path) -> None:
    home = fill(tmp_path / "mine", "bot.py", "data/deep/a.bin", "data/b.bin")
    words, work = [str(home / "bot.py")], Path("/")
    assert shown(words, work) == {str(home)}
    one_by_one = {str(home / name) for name in ("bot.py", "data/b.bin", "data/deep/a.bin")}
    (tmp_path / "way").symlink_to(home / "data")
    for name in ("mine/data/deep/contest.store", "way/deep/contest.store"):
        hidden = Hidden(files=(str(tmp_path / name),))
        assert shown(words, work, hidden=hidden) == one_by_one, "there is no such file yet"
    for name in ("mine/data/deep", "way/deep", "mine/data/deep/made/later"):
        assert shown(words, work, hidden=Hidden(folders=(str(tmp_path / name),))) == one_by_one


@pytest.mark.parametrize("place", ["mine/data", "way"])
def test_124_what_a_store_in_use_keeps_beside_it_is_hidden_by_its_name(tmp_path: Path, place: str) -> None:
    home = fill(tmp_path / "mine", "bot.py", "data/t.txt", "data/contest", "data/contest-wal", "data/contest-lease-1")
    fill(home, "data/contestant", "data/contest-notes/t.txt")
    (tmp_path / "way").symlink_to(home / "data")
    found = shown([str(home / "bot.py")], Path("/"), hidden=Hidden(files=(str(tmp_path / place / "contest"),)))
    assert found == {str(home / name) for name in ("bot.py", "data/contestant", "data/t.txt")}


def test_123_a_file_in_use_is_hidden_under_its_other_names(tmp_path: Path) -> None:
    home = fill(tmp_path / "mine", "bot.py", "data/t.txt")
    kept = fill(tmp_path / "kept", "contest", "contest-wal", "organiser", "report")
    hidden = Hidden(files=tuple(str(kept / name) for name in ("contest", "organiser", "report")))
    for number, file in enumerate(sorted(kept.iterdir())):
        (home / f"hard{number}").hardlink_to(file)
        (home / f"soft{number}").symlink_to(file)
    words = [str(home / "bot.py"), str(home / "hard0"), str(home / "soft1"), str(kept), str(tmp_path / "link")]
    (tmp_path / "link").symlink_to(kept)
    assert shown(words, Path("/"), hidden=hidden) == {str(home / name) for name in ("bot.py", "data")}


def test_123_a_folder_among_the_arguments_is_looked_through(tmp_path: Path) -> None:
    home = fill(tmp_path / "mine", "bot.py")
    data = fill(tmp_path / "tables", "a.bin", "fairplay.db", "deep/b.bin")
    assert shown([str(home / "bot.py"), str(data)], Path("/")) == {str(home), str(data / "a.bin"), str(data / "deep")}


def test_84_a_link_to_a_rivals_file_by_another_name_is_left_out(tmp_path: Path) -> None:
    mine, rival = fill(tmp_path / "mine", "bot.py", "t.txt"), fill(tmp_path / "rival", "bot.py")
    (mine / "hard.txt").hardlink_to(rival / "bot.py")
    assert shown([str(mine / "bot.py")], Path("/"), mine / "bot.py", rival / "bot.py") == {
        str(mine / name) for name in ("bot.py", "t.txt")
    }


def test_a_program_in_the_folder_bin_of_somebodys_home_brings_itself_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = fill(tmp_path / "ann", "bin/bot", "diary.txt")
    assert shown([str(home / "bin" / "bot")], Path("/")) == {str(home)}
    monkeypatch.setattr(mounts, "COMMON", frozenset((home,)))
    assert shown([str(home / "bin" / "bot")], Path("/")) == {str(home / "bin" / "bot")}


def test_123_what_lies_among_installed_files_is_covered(tmp_path: Path) -> None:
    tree = fill(tmp_path / "tree", "bin/bot", "share/t.txt", "share/contest-wal", "share/rival/bot", "lib/x.so")
    (tree / "share" / "link").symlink_to("contest-wal")
    words = [str(tree / "bin" / "bot")]
    rival = str(tree / "share" / "rival" / "bot")
    files = HiddenFiles(
        Hidden(files=(str(tree / "share" / "contest"),), entrants=(rival,)), Path("/"), map(Path, words)
    )
    share, folder = cover_folders([*own_paths(words, files)], files)
    assert share == Cover(
        folder=str(tree / "share"),
        shown=tuple(str(tree / "share" / name) for name in ("rival", "t.txt")),
        links=(("contest-wal", str(tree / "share" / "link")),),
    )
    assert folder == Cover(str(tree / "share" / "rival"), (), ())


def test_123_files_are_known_by_what_they_begin_with(tmp_path: Path) -> None:
    kinds = {
        "database": b"SQLite format 3\0",
        "log": b"\x37\x7f\x06\x82\0\x2d\xe2\x18",
        "other-log": b"\x37\x7f\x06\x83\0\x2d\xe2\x18",
        "journal": b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7\0\0",
        "record": b'{"fairplay":1}',
        "export": gzip.compress(b'{"tournament":2}'),
        "packed-record": gzip.compress(b'{"fairplay":1}'),
        "index": 2 * (b"\x18\xe2\x2d\0" + bytes(44)),
        "other-index": 2 * (b"\0\x2d\xe2\x18" + bytes(44)),
    }
    for name, content in kinds.items():
        (tmp_path / name).write_bytes(content)
        assert holds_matches(tmp_path / name), name
    harmless = {
        "text": b"SQLite",
        "numbers": b"\x18\xe2\x2d\0" + bytes(range(96)),
        "packed": gzip.compress(b"{}"),
        "cut": b"\x1f\x8b",
        "empty": b"",
    }
    for name, content in harmless.items():
        (tmp_path / name).write_bytes(content)
        assert not holds_matches(tmp_path / name), name
