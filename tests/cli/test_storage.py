"""Where commands keep what is played: in a store, in files as well, or nowhere."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import pytest
from click.testing import Result

from cli.processes import FAIRPLAY, PIPES, ended, joining, serving
from fairplay.store import open_store

Fairplay = Callable[..., Result]

SMALL = ("--setup", '{"rows": 4, "columns": 4}')
PLAY = ("play", "fish", "random", "greedy", *SMALL, "--seed", "7")
RUN = ("tournament", "run", "fish", "random", "greedy", *SMALL, "--seed", "7", "--games", "2", "--jobs", "1")


@pytest.fixture(autouse=True)
def _no_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAIRPLAY_DB", raising=False)


def start(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([*FAIRPLAY, *arguments], cwd=folder, **PIPES)


def wait_for(condition: Callable[[], object]) -> None:
    deadline = monotonic() + 60
    while not condition():
        assert monotonic() < deadline
        sleep(0.01)


# -- kept --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("arguments", "matches"), [((*PLAY, "--games", "3"), 3), (RUN, 4)], ids=["play", "tournament"])
def test_every_match_is_kept_and_replays(fairplay: Fairplay, arguments: tuple[str, ...], matches: int) -> None:
    assert fairplay(*arguments).exit_code == 0
    for number in range(matches):
        for name in (f"1/{number}", f"fairplay.db#1/{number}"):
            result = fairplay("replay", name, "--verify")
            assert (result.exit_code, result.output[:12]) == (0, "consistent: ")
    missing = fairplay("replay", f"1/{matches}")
    assert missing.exit_code == 1
    assert f"tournament 1 has no match {matches}" in missing.output


@pytest.mark.parametrize("protocol", ["established", "native"])
def test_every_match_of_a_server_is_kept_and_replays(fairplay: Fairplay, tmp_path: Path, protocol: str) -> None:
    server, where = serving(tmp_path, "fish", "--most", "2", "--least", "2", "--protocol", protocol)
    options = ["--player", "random", "--protocol", protocol]
    players = [joining(tmp_path, "fish", where, "--name", name, *options) for name in ("ann", "bob")]
    assert [ended(process)[0] for process in (*players, server)] == [0, 0, 0]
    assert fairplay("replay", "fairplay.db#1/0", "--verify").exit_code == 0
    (contest,) = json.loads(fairplay("tournament", "list", "--json").output)["tournaments"]
    assert contest["format"] == "knock-out"
    assert sorted(contest["players"]) == ["ann", "bob"]
    assert {path.name for path in tmp_path.iterdir()} <= {"fairplay.db", "fairplay.db-server-1", "fairplay.db.key"}


def test_a_series_is_a_contest_like_any_other(fairplay: Fairplay) -> None:
    fairplay(*PLAY, "--games", "2")
    assert "series" in fairplay("tournament", "list").output
    assert json.loads(fairplay("tournament", "show", "1", "--json").output)["tables"]["matches"] == 2
    assert "2 matches" in fairplay("tournament", "resume", "1").output
    assert "2 matches" in fairplay("tournament", "export", "1", "series.fairplay").output
    assert fairplay("tournament", "import", "series.fairplay", "--db", "other.db").exit_code == 0
    assert fairplay("replay", "other.db#1/1", "--verify").exit_code == 0


def test_a_variable_names_the_store(fairplay: Fairplay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRPLAY_DB", "mine.db")
    text = fairplay(*PLAY).output
    assert "Record: mine.db#1/0" in text
    assert "replay 1/0 " in text
    assert fairplay("replay", "1/0", "--verify").exit_code == 0
    assert "series" in fairplay("tournament", "list").output
    assert not (tmp_path / "fairplay.db").exists()


def test_an_option_comes_before_the_variable(
    fairplay: Fairplay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRPLAY_DB", "mine.db")
    text = fairplay(*PLAY, "--db", "other.db").output
    assert "replay other.db#1/0 " in text, "the hint names a store that is not the default one"
    assert fairplay("replay", "other.db#1/0", "--verify").exit_code == 0
    assert not (tmp_path / "mine.db").exists()


def test_files_are_written_as_well(fairplay: Fairplay, tmp_path: Path) -> None:
    for command, matches in ((PLAY, 1), (RUN, 4)):
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        assert fairplay(*command, "--out", "out", "--db", f"{matches}.db").exit_code == 0
        with open_store(tmp_path / f"{matches}.db") as store:
            written = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
            assert written == {f"match-{number + 1:04}.jsonl": store.record(1, number) for number in range(matches)}


def test_a_file_comes_before_a_match_of_the_same_name(fairplay: Fairplay, tmp_path: Path) -> None:
    fairplay(*PLAY, "--no-store", "--out", "1")
    (tmp_path / "1" / "match-0001.jsonl").rename(tmp_path / "1" / "0")
    assert fairplay("replay", "1/0", "--verify").exit_code == 0


def test_a_match_of_a_store_that_is_not_there(fairplay: Fairplay) -> None:
    result = fairplay("replay", "1/0")
    assert result.exit_code == 2
    assert "there is no file fairplay.db; name the store with --db, or set FAIRPLAY_DB" in result.output


def test_one_player_twice(fairplay: Fairplay) -> None:
    (match,) = json.loads(fairplay("play", "fish", "random", "random", *SMALL, "--seed", "1", "--json").output)[
        "matches"
    ]
    assert match["players"] == ["random", "random-2"]
    assert match["record"] == "fairplay.db#1/0"
    assert fairplay("replay", "1/0", "--verify").exit_code == 0


# -- not kept ----------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [PLAY, RUN], ids=["play", "tournament"])
def test_nothing_is_left_behind(
    fairplay: Fairplay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    result = fairplay(*command, "--no-store")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "replay" not in result.output
    assert json.loads(fairplay(*command, "--no-store", "--json").output).get("id") is None
    assert [*tmp_path.rglob("*")] == [temporary]


def test_nothing_is_left_behind_by_a_command_that_is_stopped(tmp_path: Path) -> None:
    temporary, began = tmp_path / "temporary", tmp_path / "began"
    temporary.mkdir()
    (tmp_path / "bot.py").write_text(
        f"def choose(view):\n    open({str(began)!r}, 'w').close()\n    while True: pass\n"
    )
    arguments = ["play", "fish", "bot.py", "random", "--no-store", "--patience", "600", "--trust"]
    environment = {**os.environ, "TMPDIR": str(temporary)}
    process = subprocess.Popen([*FAIRPLAY, *arguments], cwd=tmp_path, env=environment, **PIPES)
    wait_for(began.exists)
    assert [*temporary.iterdir()] != []
    process.send_signal(signal.SIGTERM)
    code, _, err = ended(process)
    assert (code, "Traceback" in err) == (128 + signal.SIGTERM, False)
    assert [*temporary.iterdir()] == []


def test_a_server_leaves_nothing_behind(tmp_path: Path) -> None:
    server, where = serving(tmp_path, "fish", "--most", "2", "--least", "2", "--no-store")
    players = [joining(tmp_path, "fish", where, "--name", name, "--player", "random") for name in ("ann", "bob")]
    assert [ended(process)[0] for process in (*players, server)] == [0, 0, 0]
    assert [*tmp_path.iterdir()] == []


def test_a_store_that_nothing_is_kept_in_is_a_mistake(fairplay: Fairplay, tmp_path: Path) -> None:
    result = fairplay(*PLAY, "--no-store", "--db", "x.db", "--out", "out")
    assert result.exit_code == 2
    assert "--no-store: nothing would be kept in the store of --db" in result.output
    assert [*tmp_path.iterdir()] == []


# -- where nothing can be written --------------------------------------------------------------

UNWRITABLE = ["file/inside.db", "folder", "text.db", "/proc/self/fairplay.db", "sqlite:////proc/fairplay.db"]


@pytest.fixture
def unwritable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "text.db").write_text("not a database, though it is long enough to be looked at\n" * 10)


@pytest.mark.parametrize("db", UNWRITABLE)
@pytest.mark.usefixtures("unwritable")
def test_a_match_is_played_though_nothing_can_be_kept(fairplay: Fairplay, tmp_path: Path, db: str) -> None:
    before = sorted(tmp_path.rglob("*"))
    result = fairplay(*PLAY, "--db", db)
    assert result.exit_code == 0
    assert result.stderr.startswith("Warning: nothing will be kept: ")
    assert result.stderr.count("\n") == 1
    assert " won (" in result.stdout and "replay" not in result.stdout
    (match,) = json.loads(fairplay(*PLAY, "--db", db, "--json").stdout)["matches"]
    assert match["record"] is None
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("db", UNWRITABLE[:2])
@pytest.mark.usefixtures("unwritable")
def test_a_tournament_is_played_though_nothing_can_be_kept(fairplay: Fairplay, db: str) -> None:
    result = fairplay(*RUN, "--db", db, "--out", "out", "--report", "page.html")
    assert result.exit_code == 0
    assert result.stderr.startswith("Warning: nothing will be kept: ")
    assert "4 matches, seed 7; nothing was kept." in result.stdout
    assert fairplay("replay", "out/match-0004.jsonl", "--verify").exit_code == 0


def test_a_server_plays_though_nothing_can_be_kept(tmp_path: Path) -> None:
    server, where = serving(tmp_path, "fish", "--most", "2", "--least", "2", "--db", "/proc/self/fairplay.db")
    players = [joining(tmp_path, "fish", where, "--name", name, "--player", "random") for name in ("ann", "bob")]
    assert [ended(player)[0] for player in players] == [0, 0]
    code, _, err = ended(server)
    assert code == 0
    assert err.startswith("Warning: nothing will be kept: ") and "Traceback" not in err
    assert [*tmp_path.iterdir()] == []


def test_a_match_is_played_though_the_disk_is_full(tmp_path: Path) -> None:
    wrapper = shutil.which("bwrap")
    if wrapper is None:
        assert not os.environ.get("CI"), "bubblewrap is missing, and with CI set no test may be skipped"
        pytest.skip("bubblewrap is missing: no disk was filled")
    disk = tmp_path / "disk"
    disk.mkdir()
    full = [wrapper, "--dev-bind", "/", "/", "--size", str(2**14), "--tmpfs", str(disk)]
    code, out, err = ended(subprocess.Popen([*full, *FAIRPLAY, *PLAY, "--db", f"{disk}/x.db"], cwd=tmp_path, **PIPES))
    assert (code, " won (" in out) == (0, True)
    assert err.startswith("Warning: nothing will be kept: ") and "full" in err and err.count("\n") == 1


def test_a_contest_is_played_though_its_store_has_failed_since_it_was_opened(
    fairplay: Fairplay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server opens its store long before there is a contest to keep."""
    from fairplay.core import StoreError
    from fairplay.store.store import Store

    create, failed = Store.create, list[str]()

    def fail_once(self: Store, *arguments: object, **options: object) -> int:
        if not failed:
            failed.append(self.place)
            raise StoreError("the disk of fairplay.db is full; free some space and resume")
        return create(self, *arguments, **options)  # type: ignore[arg-type]  # passed on as they are

    monkeypatch.setattr(Store, "create", fail_once)
    result = fairplay(*PLAY)
    assert failed == ["fairplay.db"]
    assert (result.exit_code, " won (" in result.stdout) == (0, True)
    assert (
        result.stderr == "Warning: nothing will be kept: the disk of fairplay.db is full; free some space and resume\n"
    )


# -- at once -----------------------------------------------------------------------------------


def test_commands_on_one_store_wait_for_each_other(fairplay: Fairplay, tmp_path: Path) -> None:
    """All of them also make the tables, which are not there yet."""
    processes = [start(tmp_path, *PLAY, "--games", "3", "--json") for _ in range(4)]
    told = [ended(process) for process in processes]
    assert [(code, err) for code, _, err in told] == [(0, "")] * 4
    listed = json.loads(fairplay("tournament", "list", "--json").output)["tournaments"]
    assert [(each["matches"], each["finished"] is not None) for each in listed] == [(3, True)] * 4
    records = [match["record"] for _, out, _ in told for match in json.loads(out)["matches"]]
    assert len(set(records)) == 12
    for record in records:
        assert fairplay("replay", record, "--verify").exit_code == 0


def has_open(process: subprocess.Popen[bytes], name: str) -> bool:
    with suppress(OSError):  # what it has just closed
        return any(entry.readlink().name == name for entry in Path(f"/proc/{process.pid}/fd").iterdir())
    return False


def test_a_command_waits_while_another_writes(fairplay: Fairplay, tmp_path: Path) -> None:
    fairplay(*PLAY)
    writer = sqlite3.connect(tmp_path / "fairplay.db", isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    process = start(tmp_path, *PLAY)
    wait_for(lambda: has_open(process, "fairplay.db"))
    assert process.poll() is None
    writer.execute("COMMIT")
    writer.close()
    code, _, err = ended(process)
    assert (code, err) == (0, "")
    assert fairplay("replay", "2/0", "--verify").exit_code == 0
