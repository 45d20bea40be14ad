"""What the players of a command can find of its store: nothing, whatever the store is called and wherever it lies.

The player walks through everything that its sandbox shows and looks for the secret of its contest, in all files.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import pytest
from click.testing import Result

from cli.processes import FAIRPLAY, PIPES, ended, joining
from fairplay import load, play, tournament
from fairplay.api.contests import derive_secret
from fairplay.run.engines.worker import cached_seating
from run.programs import confine

Fairplay = Callable[..., Result]

SECRET = "5ec2e7" + "0123456789abcdef" + "0123456789"
SMALL = ("--setup", '{"rows": 3, "columns": 3}', "--patience", "60", "--secret", SECRET, "--json")

FIRST = "from fairplay.games.fish.rules import legal_actions\ndef choose(view):\n    return legal_actions(view)[0]\n"

PROJECT = str(Path(__file__).parents[2])

WALK = (
    f"PROJECT = {PROJECT!r}  # it may lie in /tmp, and tests hold such bytes"
    """
import os, sys

NEEDLES = [b"5ec2e7" + b"0123456789abcdef" + b"0123456789", b'"fairplay":' + b'"key"', b"SQLite" + b" format 3"]

def look_around(label):
    seen = set()
    for place, folders, files in [*os.walk("/tmp"), *os.walk(os.getcwd())]:
        if (place + "/").startswith(PROJECT + "/"):
            continue
        for name in files:
            path = os.path.join(place, name)
            try:
                with open(path, "rb") as file:
                    content = file.read()
            except OSError:
                continue
            seen.add(path)
            if any(needle in content for needle in NEEDLES):
                print("FOUND", label, repr(path), file=sys.stderr)
    print("LOOKED", label, len(seen), os.path.basename(__file__) in map(os.path.basename, seen), file=sys.stderr)
"""
)

BOT = (
    WALK
    + """
from fairplay.games.fish.rules import legal_actions

class Walker:
    def __init__(self): self.asked = 0
    def choose(self, view):
        self.asked += 1
        if self.asked < 3: look_around(f"in a bot, question {self.asked}")
        return legal_actions(view)[0]
"""
)

PROGRAM = (
    WALK
    + """
import json
print(json.dumps(dict(type="hello", version=1, name="bot", games=["fish"], legal=True)), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "tell":
        print(json.dumps(dict(type="heard", id=message["id"])), flush=True)
    if message["type"] == "ask":
        look_around("in a program")
        print(json.dumps(dict(type="answer", id=message["id"], action=message["legal"][0])), flush=True)
"""
)


@pytest.fixture(autouse=True)
def sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    confine("sandbox", monkeypatch)


def write(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


def look(fairplay: Fairplay, *arguments: str) -> list[str]:
    """What the players of a match found; each of them looked, and saw at least its own file."""
    cached_seating.cache_clear()  # as in a new process
    result = fairplay("play", "fish", "bots/walk.py", "cmd:python3 -S bots/walker/walk.py", *arguments, *SMALL)
    assert result.exit_code == 0, result.output
    (match,) = json.loads(result.stdout)["matches"]
    assert match["faults"] == [None, None]
    said = [line for each in match["programs"] for line in each["stderr"].splitlines()]
    looked = [line.split() for line in said if line.startswith("LOOKED")]
    assert len(looked) >= 3
    assert {words[-1] for words in looked} == {"True"}
    return [line for line in said if line.startswith("FOUND")]


@pytest.fixture
def walkers(fairplay: Fairplay) -> None:
    """A bot file and a program, each in a folder with something in it that is its own."""
    write({"bots/walk.py": BOT, "bots/data/t.txt": "a table", "bots/sub/deep/t.txt": "another"})
    write({"bots/walker/walk.py": PROGRAM, "bots/walker/own.txt": "more"})


NAMES = (
    "contest.store",
    "x.py",
    "x.pyc",
    "libx.so",
    "data.bin",
    "store",
    "two words",
    "line\nfeed",
    "x.store-wal",
    "a",
)


@pytest.mark.usefixtures("walkers")
@pytest.mark.parametrize(("folder", "name"), [*zip(cycle(["bots", "bots/sub/deep", "bots/walker"]), NAMES)])
def test_123_a_store_in_a_bots_folder_is_not_shown(fairplay: Fairplay, folder: str, name: str) -> None:
    for _ in range(2):  # when it is new, and when it is there
        assert look(fairplay, "--db", f"{folder}/{name}") == []


@pytest.mark.usefixtures("walkers")
def test_123_nor_by_any_link(fairplay: Fairplay) -> None:
    Path("kept").mkdir()
    assert look(fairplay, "--db", "kept/contest.store") == []
    for place in ("bots", "bots/walker", "bots/sub/deep"):
        os.link("kept/contest.store", f"{place}/hard.txt")
        os.link("kept/contest.store.key", f"{place}/key.txt")
        Path(place, "soft.txt").symlink_to(Path("kept/contest.store").absolute())
        Path(place, "folder").symlink_to(Path("kept").absolute())
    assert look(fairplay, "--db", "kept/contest.store") == []
    result = fairplay("play", "fish", "cmd:python3 -S bots/walker/walk.py bots/soft.txt kept", "greedy", *SMALL)
    assert "FOUND" not in result.stdout
    assert "LOOKED" in result.stdout


@pytest.mark.usefixtures("walkers")
@pytest.mark.parametrize("opened", ["{here}/way/contest.store", "way/../way/contest.store", "link.store"])
def test_124_a_store_that_is_opened_under_another_path_is_not_shown(fairplay: Fairplay, opened: str) -> None:
    Path("way").symlink_to("bots/walker")
    Path("link.store").symlink_to("bots/sub/real.store")
    for _ in range(2):
        assert look(fairplay, "--db", opened.format(here=Path.cwd())) == []


@pytest.mark.usefixtures("walkers")
def test_124_nor_by_url(fairplay: Fairplay) -> None:
    assert look(fairplay, "--db", f"sqlite:///{Path.cwd()}/bots/by-url") == []
    assert look(fairplay, "--db", "sqlite:///bots/walker/by-url") == []


@pytest.mark.usefixtures("walkers")
def test_125_a_key_or_what_else_is_written_is_not_shown(fairplay: Fairplay) -> None:
    kept = ("--key", "bots/walker/organiser", "--out", "bots/sub", "--logs", "bots/walker")
    assert look(fairplay, "--no-store", *kept) == []
    for each in [*Path("bots/sub").glob("match*"), *Path("bots/walker").glob("match*")]:
        each.rename(each.with_name(f"old-{each.name}.txt"))
    assert look(fairplay, "--no-store", *kept) == []


def test_125_a_plan_with_the_secret_is_not_shown(fairplay: Fairplay) -> None:
    plan = 'game = "fish"\nplayers = ["walk.py", "greedy"]\nsetup = { rows = 3, columns = 3 }\npatience = 60\n'
    write({"bots/walk.py": BOT, "bots/plan.toml": f'{plan}secret = "{SECRET}"\noptions = {{ games = 1 }}\n'})
    result = fairplay("tournament", "run", "bots/plan.toml", "--logs", "logs", "--jobs", "1")
    assert result.exit_code == 0, result.output
    logs = [path.read_text() for path in Path("logs").iterdir()]
    assert len(logs) == 2
    assert all("LOOKED" in each and "FOUND" not in each for each in logs)


@pytest.mark.usefixtures("walkers")
def test_125_a_tournament_of_workers_hides_its_store_too(fairplay: Fairplay) -> None:
    arguments = ("bots/walk.py", "cmd:python3 -S bots/walker/walk.py", *SMALL, "--games", "3", "--jobs", "2")
    write({"bots/sub/report": SECRET, "bots/walker/table": SECRET})  # of an earlier run
    written = ("--logs", "logs", "--report", "bots/sub/report", "--csv", "bots/walker/table")
    stored = ("--db", "bots/sub/contest.store", *written)
    result = fairplay("tournament", "run", "fish", *arguments, *stored)
    assert result.exit_code == 0, result.output
    logs = [path.read_text() for path in Path("logs").iterdir()]
    assert len(logs) == 12
    assert all("LOOKED" in each and "FOUND" not in each for each in logs)


NATIVE = ("--protocol", "native")

FOUND = 'print("FOUND", label, repr(path), file=sys.stderr)'


@pytest.mark.filterwarnings("ignore:Port 8787 is already in use")  # another cluster of this machine
def test_124_nor_on_a_cluster(fairplay: Fairplay) -> None:
    """Workers of a cluster are told which files are in use; a bot that finds something crashes."""
    pytest.importorskip("distributed")
    write({"bots/walk.py": BOT.replace(FOUND, "raise ValueError(path)"), "bots/table": SECRET})
    arguments = ("bots/walk.py", "greedy", *SMALL, "--games", "1", "--on", "dask", "--jobs", "1", "--strict")
    result = fairplay("tournament", "run", "fish", *arguments, "--db", "bots/x.py", "--csv", "bots/table")
    assert result.exit_code == 0, result.output


def test_124_nor_beside_players_from_a_network(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "walk.py").write_text(BOT.replace(FOUND, "raise ValueError(path)"))
    (tmp_path / "bots" / "table").write_text(SECRET)
    kept = ("--db", "bots/x.py", "--csv", "bots/table")
    arguments = ("bots/walk.py", "--port", "0", "--most", "1", "--games", "1", *SMALL, *kept)
    with subprocess.Popen([*FAIRPLAY, "tournament", "serve", "fish", *arguments], cwd=tmp_path, **PIPES) as server:
        assert server.stderr is not None
        port = server.stderr.readline().decode().split()[-1]
        player = joining(tmp_path, "fish", f"127.0.0.1:{port}", "--name", "ann", "--player", "random", *NATIVE)
        assert ended(player)[0] == 0
        out, errors = server.communicate()
    assert server.returncode == 0, errors
    assert {row["player"]: row["faults"] for row in json.loads(out)["tables"]["standings"]} == {
        "bots/walk.py": 0,
        "ann": 0,
    }


def test_124_nor_from_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    secret = derive_secret(5)
    bot = BOT.replace('"5ec2e7" + b"0123456789abcdef" + b"0123456789"', f'"{secret[:9]}" + b"{secret[9:]}"')
    write({"bots/walk.py": bot.replace(FOUND, "raise ValueError(path)"), "bots/match": secret})
    game = load("fish", rows=3, columns=3)
    for _ in range(2):
        cached_seating.cache_clear()
        match = play(game, ["bots/walk.py", "greedy"], seed=5, patience=60, db="bots/x.py", save="bots/match")
        assert match.outcome.faults == (None, None)
    cached_seating.cache_clear()
    table = tournament(game, ["bots/walk.py", "greedy"], games=1, seed=5, patience=60, db="bots/y.py", progress=False)
    assert {row.faults for row in table.tables.standings} == {0}


@pytest.mark.usefixtures("walkers")
def test_123_other_stores_are_not_shown_under_any_name(fairplay: Fairplay) -> None:
    """Also those that are open elsewhere, and what lies beside them for as long."""
    other = sqlite3.connect("bots/walker/t.py")
    other.execute("pragma journal_mode=wal")
    other.execute("create table t (x)")
    other.execute("insert into t values (?)", [SECRET])
    other.commit()
    journal = sqlite3.connect("bots/sub/journal.so")
    journal.execute("create table t (x)")
    journal.commit()
    journal.execute("insert into t values (?)", [SECRET])
    assert sorted(path.name for path in Path("bots/walker").glob("t.py*")) == ["t.py", "t.py-shm", "t.py-wal"]
    for each in ("bots/walker/t.py-wal", "bots/walker/t.py-shm", "bots/sub/journal.so-journal"):
        assert Path(each).exists()
        os.link(each, f"bots/data/{Path(each).name.replace('-', '_')}.txt")
    assert look(fairplay) == []
    other.close()
    journal.close()


def test_125_a_store_in_a_bots_folder_is_said_in_one_sentence(fairplay: Fairplay) -> None:
    write({"bots/bot.py": FIRST})
    result = fairplay("play", "fish", "bots/bot.py", "greedy", *SMALL, "--db", "bots/deep.store")
    notes = [line for line in result.stderr.splitlines() if line.startswith("Note: ")]
    sentence = (
        "Note: bots/deep.store and bots/deep.store.key lie in the folder of bots/bot.py, where only the sandbox keeps "
        "bots from reading them; name a file elsewhere with --db."
    )
    assert notes == [sentence]
    result = fairplay("play", "fish", "bots/bot.py", "greedy", *SMALL, "--db", "contest.store")
    assert "Note: " not in result.stderr
    result = fairplay("play", "fish", "bots/bot.py", "greedy", *SMALL, "--db", "c.store", "--key", "bots/k", "--trust")
    assert "Note: bots/k lies in the folder of bots/bot.py, where nothing keeps bots from reading it; name a" in (
        result.stderr
    )
    result = fairplay("play", "fish", "random", "greedy", "--db", "bots/deep.store")
    assert "Note: " not in result.stderr
