"""The key file: made once, read by its owner alone, renewed without forgetting."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fairplay.contest.contest import Hidden
from fairplay.core import StoreError
from fairplay.run.isolation.mounts import HiddenFiles, folder_paths
from fairplay.store.keys import load_keys, make_keys, open_keys, renew_keys


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "fairplay.db.key"


def test_a_key_is_made_once_and_nobody_else_may_read_it(path: Path) -> None:
    assert load_keys(path) is None
    made = open_keys(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert open_keys(path).signer.public == made.signer.public
    assert made.public == (made.signer.public,)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_the_mode_does_not_depend_on_the_umask(path: Path) -> None:
    before = os.umask(0)
    try:
        open_keys(path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


SCRIPT = """
import sys
from pathlib import Path
from fairplay.store.keys import open_keys
sys.stdin.readline()
print(open_keys(Path(sys.argv[1])).signer.public)
"""


def test_processes_that_start_at_once_use_one_key(path: Path) -> None:
    command = [sys.executable, "-c", SCRIPT, str(path)]
    started = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = {process.communicate(timeout=300)[0].strip() for process in started}
    found = load_keys(path)
    assert found is not None and said == {found.signer.public}
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_new_key_remembers_the_old_ones(path: Path) -> None:
    first = renew_keys(path)
    second, third = renew_keys(path), renew_keys(path)
    assert third.public == (third.signer.public, second.signer.public, first.signer.public)
    assert len({*third.public}) == 3
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text().count('"secret"') == 1


def test_no_key_is_forgotten_when_several_are_made_at_once(path: Path) -> None:
    first = open_keys(path).signer.public
    with ThreadPoolExecutor(4) as threads:
        made = [each.signer.public for each in threads.map(lambda _: renew_keys(path), range(8))]
    found = load_keys(path)
    assert found is not None
    assert len(found.public) == 9
    assert {first, *made} <= {*found.public}


@pytest.mark.parametrize("name", ["fairplay.db.key", "referee", "weights.bin", "notes.txt"])
def test_no_sandbox_shows_a_key_whatever_its_name_is(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "bot"
    folder.mkdir()
    open_keys(folder / name)
    (folder / "bot.py").write_text("")
    (folder / "helper.py").write_text("")
    shown = folder_paths(folder, HiddenFiles(Hidden(), tmp_path))
    assert str(folder / "helper.py") in shown
    assert not any(Path(path) in (folder, folder / name) for path in shown)


def test_a_link_to_a_key_stays_a_link(path: Path, tmp_path: Path) -> None:
    open_keys(path)
    link = tmp_path / "link.key"
    link.symlink_to(path)
    renewed = renew_keys(link)
    assert link.is_symlink() and open_keys(path).public == renewed.public


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is damaged, or not a key file"),
        (b"hello", "is damaged, or not a key file"),
        (b"\xff\xfe", "is damaged, or not a key file"),
        (b"[" * 100_000, "is damaged, or not a key file"),
        (b'{"fairplay":"key","version":1,"secret":"00"}', "is damaged, or not a key file"),
        (b'{"fairplay":"key","version":9,"secret":"%b"}' % (b"0" * 64), "is a key file of a newer version"),
    ],
)
def test_a_damaged_key_is_explained_and_left_alone(path: Path, content: bytes, reason: str) -> None:
    path.write_bytes(content)
    path.chmod(0o600)
    for use in (load_keys, open_keys, renew_keys):
        with pytest.raises(StoreError, match=reason):
            use(path)
    assert path.read_bytes() == content


def test_a_key_that_others_can_read_is_refused(path: Path) -> None:
    open_keys(path)
    path.chmod(0o640)
    with pytest.raises(StoreError, match=r"can be read by others; if it is still a secret: chmod 600"):
        load_keys(path)


def test_a_folder_is_no_key(path: Path) -> None:
    path.mkdir()
    with pytest.raises(StoreError, match="cannot be read: Is a directory"):
        open_keys(path)


def test_a_key_that_cannot_be_written_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StoreError, match="cannot be written: No such file or directory"):
        make_keys(tmp_path / "gone" / "fairplay.db.key")

    def refuse(*arguments: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(StoreError, match="cannot be written: Operation not permitted"):
        open_keys(tmp_path / "fairplay.db.key")
    assert list(tmp_path.iterdir()) == []
