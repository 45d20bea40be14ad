"""How far bots are kept from everything else, as their authors and the people who run them see it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from fairplay.run.isolation.sandbox import FoundLevel, find_level
from run.programs import confine

Fairplay = Callable[..., Result]

FIRST = "from fairplay.games.fish.rules import legal_actions\ndef choose(view):\n    return legal_actions(view)[0]\n"
SMALL = ("--setup", '{"rows": 3, "columns": 3}')


def write(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


def run_program(*arguments: str) -> subprocess.CompletedProcess[str]:
    """`fairplay` as a process of its own, for what may happen to a process."""
    words = [sys.executable, "-c", "from fairplay.cli import main; main()", *arguments]
    return subprocess.run(words, capture_output=True, text=True, timeout=300)


def match_of(result: Result) -> dict[str, object]:
    assert result.exit_code == 0, result.output
    found: dict[str, object] = json.loads(result.stdout)["matches"][0]
    return found


# -- an author's loop --------------------------------------------------------------------------


def test_a_bot_sees_what_lies_beside_it_also_in_the_working_folder(
    fairplay: Fairplay, monkeypatch: pytest.MonkeyPatch
) -> None:
    confine("sandbox", monkeypatch)
    write(
        {
            "bot.py": "import helper, os\nfrom pack import more\n"
            "found = *sorted(os.listdir()), open('data/t.txt').read()\n"
            "def choose(view):\n    print(*found)\n    return helper.pick(view)\n",
            "helper.py": FIRST.replace("choose", "pick"),
            "pack/__init__.py": "",
            "pack/more.py": "",
            "data/t.txt": "a table",
            "my.key": "a secret",
            ".env": "a secret",
        }
    )
    for _ in range(2):  # the second time there is a store
        kept = ("--out", "records", "--logs", "records")
        match = match_of(fairplay("play", "fish", "bot.py", "greedy", *SMALL, *kept, "--json"))
        assert match["faults"] == [None, None]
        shown = match["programs"][0]["stderr"].splitlines()[0]  # type: ignore[index]  # JSON of a known form
        assert shown == "bot.py data helper.py pack a table"
        Path("records").rename("kept")
        Path("kept/match-0001.jsonl").rename("old.jsonl")
        Path("kept/match-0001-seat-0-bot.py.log").unlink()


HELPERS = ("queue", "struct", "inspect", "json")

USES_HELPERS = """
import inspect, queue, struct
class Bot:
    def __init__(self, setup): pass
    def saw(self, turn): pass
    def hear(self, news): pass
    def choose(self, view):
        import json
        raise ValueError([each.HELPER for each in (inspect, json, queue, struct)])
"""
"""Fairplay imports modules of these names itself: for a bot that is told of setup and turns, and in every worker."""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_module_beside_a_bot_may_be_called_like_one_of_python(
    fairplay: Fairplay, monkeypatch: pytest.MonkeyPatch, jobs: str
) -> None:
    confine("sandbox", monkeypatch)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    write({f"{name}.py": f"HELPER = '{name}'\n" for name in HELPERS})
    write({"bot.py": USES_HELPERS})
    done = fairplay("tournament", "run", "fish", "bot.py", "greedy", *SMALL, "--games", "1", "--jobs", jobs, "--json")
    assert done.exit_code == 0, done.output
    assert "ValueError: ['inspect', 'json', 'queue', 'struct']" in done.stdout


def test_bots_that_share_a_folder_are_told_to_part(fairplay: Fairplay, monkeypatch: pytest.MonkeyPatch) -> None:
    confine("sandbox", monkeypatch)
    write({"mine.py": "import helper\n" + FIRST, "yours.py": FIRST, "helper.py": ""})
    result = fairplay("play", "fish", "mine.py", "yours.py", *SMALL)
    assert result.exit_code == 2
    assert "No module named 'helper'" in result.stderr
    assert "put each bot into a folder of its own" in result.stderr
    assert fairplay("play", "fish", "mine.py", "mine.py", *SMALL).exit_code == 0
    write({"my/bot.py": "import helper\n" + FIRST, "my/helper.py": "", "your/bot.py": FIRST})
    assert fairplay("tournament", "run", "fish", "my/bot.py", "your/bot.py", *SMALL, "--games", "1").exit_code == 0


def test_a_rivals_file_cannot_be_read(fairplay: Fairplay, monkeypatch: pytest.MonkeyPatch) -> None:
    confine("sandbox", monkeypatch)
    spy = "def choose(view):\n    raise ValueError(open('your/bot.py').read())\n"
    write({"my/bot.py": spy, "your/bot.py": FIRST})
    match = match_of(fairplay("play", "fish", "my/bot.py", "your/bot.py", *SMALL, "--json"))
    assert "FileNotFoundError" in str(match["faults"])


@pytest.mark.parametrize("options", [(), ("--trust",)])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def choose(view)\n    return 1\n", "SyntaxError"),
        ("import nosuchmodule\n", "No module named 'nosuchmodule'"),
        ("x = 1\ny = x / 0\n", "ZeroDivisionError: division by zero (line 2)"),
        ("x = 1\n", "no function 'choose' in the file; it has no functions"),
        ("import sys\nsys.exit()\n", "SystemExit"),
    ],
)
def test_a_broken_file_ends_the_command_with_one_sentence(
    fairplay: Fairplay, text: str, words: str, options: tuple[str, ...]
) -> None:
    write({"bot.py": text})
    for command in (("play", "fish"), ("tournament", "run", "fish")):
        result = fairplay(*command, "bot.py", "greedy", *options)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("Error: bot.py: ")
        assert words in result.stderr
        assert len(result.stderr.splitlines()) == 1
        assert not Path("fairplay.db").exists()


@pytest.mark.parametrize("call", ["breakpoint()", "input('?')", "import pdb; pdb.set_trace()"])
def test_there_is_no_terminal_but_a_way_to_get_one(fairplay: Fairplay, call: str) -> None:
    write({"bot.py": f"def choose(view):\n    {call}\n"})
    assert "to debug it: fairplay play --trust" in str(match_of(fairplay("play", "fish", "bot.py", "greedy", "--json")))


def test_numpy_and_a_large_file_beside_the_bot(fairplay: Fairplay) -> None:
    pytest.importorskip("numpy")
    with Path("weights.npy").open("wb") as file:
        file.truncate(100 << 20)
    bot = "import numpy\nweights = numpy.memmap('weights.npy', dtype='f4', mode='r')\n" + FIRST.replace(
        "    return",
        "    assert weights.sum() == 0\n    assert (numpy.eye(50) @ numpy.eye(50)).trace() == 50\n    return",
    )
    write({"bot.py": bot})
    assert match_of(fairplay("play", "fish", "bot.py", "greedy", *SMALL, "--json"))["faults"] == [None, None]


CHANCE = """
import random
from fairplay.games.fish.rules import legal_actions
at_import = random.random()

def choose(view, rng):
    print(at_import, random.random(), {*"abcdefgh"}, rng.random(), end=NUMPY)
    return legal_actions(view)[0]
"""


def test_chance_follows_from_seed_and_secret(fairplay: Fairplay) -> None:
    write({"bot.py": CHANCE.replace("NUMPY", "str(numpy.random.rand())")})
    write({"bot.py": "import numpy\n" + Path("bot.py").read_text()})

    def play(*options: str) -> object:
        match = match_of(fairplay("play", "fish", "bot.py", "greedy", *SMALL, "--json", "--seed", "5", *options))
        return match["programs"][0]["stderr"]  # type: ignore[index]  # JSON of a known form

    first, same, other = play("--secret", "a" * 32), play("--secret", "a" * 32), play("--secret", "b" * 32)
    assert first == same
    assert first != other


# -- levels ------------------------------------------------------------------------------------


def test_levels_are_told_everywhere(fairplay: Fairplay) -> None:
    write({"my/bot.py": FIRST})
    level = find_level().level
    assert f"Levels: my/bot.py {level}, greedy house." in fairplay("play", "fish", "my/bot.py", "greedy", *SMALL).stdout
    run = ("tournament", "run", "fish", "my/bot.py", "greedy", "random", *SMALL, "--games", "1")
    result = fairplay(*run, "--csv", "t.csv", "--report", "t.html")
    assert f"Levels: my/bot.py {level}; " in result.stdout
    assert f",{level},\n" in Path("t.csv").read_text().replace("\r", "")
    assert f"<td>{level}</td>" in Path("t.html").read_text()
    rows = json.loads(fairplay("tournament", "show", "2", "--json").stdout)["tables"]["standings"]
    assert {row["player"]: row["levels"] for row in rows} == {
        "my/bot.py": [level],
        "greedy": ["house"],
        "random": ["house"],
    }
    fairplay("tournament", "export", "2", "two.fairplay")
    assert "consistent" in fairplay("tournament", "import", "two.fairplay", "--db", "other.db").stdout
    again = json.loads(fairplay("tournament", "show", "1", "--json", "--db", "other.db").stdout)["tables"]["standings"]
    assert again == rows


def test_house_players_need_no_level(fairplay: Fairplay) -> None:
    result = fairplay("tournament", "run", "fish", "random", "greedy", *SMALL, "--games", "1")
    assert "Levels" not in result.stdout
    assert "levels" not in fairplay("tournament", "show", "1", "--json").stdout


@pytest.fixture
def no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    found = FoundLevel("process", "bubblewrap is not installed")
    for module in ("run.isolation.sandbox", "run.isolation.program", "run.entrants"):
        monkeypatch.setattr(f"fairplay.{module}.find_level", lambda: found)


@pytest.mark.usefixtures("no_sandbox")
@pytest.mark.parametrize(
    "command",
    [
        ("play", "fish", "bot.py", "greedy"),
        ("tournament", "run", "fish", "bot.py", "greedy"),
        ("tournament", "run", "plan.toml"),
        ("tournament", "serve", "fish", "bot.py", "--port", "0"),
        ("serve-tcp", "fish", "--port", "0", "--fill", "bot.py"),
    ],
)
def test_less_than_required_is_refused_before_any_match(fairplay: Fairplay, command: tuple[str, ...]) -> None:
    write({"bot.py": FIRST, "plan.toml": 'game = "fish"\nplayers = ["bot.py", "greedy"]\n'})
    result = fairplay(*command, "--require", "sandboxed")
    assert result.exit_code == 2
    assert "--require sandboxed: this machine cannot do that: bubblewrap is not installed" in result.stderr
    assert not Path("fairplay.db").exists()


def test_trust_is_not_sandboxed(fairplay: Fairplay) -> None:
    write({"bot.py": FIRST})
    result = fairplay("play", "fish", "bot.py", "greedy", "--trust", "--require", "sandboxed")
    assert (result.exit_code, "leave --trust out" in result.stderr) == (2, True)


def test_what_is_required_is_kept_with_the_contest(fairplay: Fairplay, request: pytest.FixtureRequest) -> None:
    need = find_level().level
    if need != "sandboxed":
        pytest.skip("needs a sandbox")
    write({"bot.py": FIRST})
    arguments = ("tournament", "run", "fish", "bot.py", "greedy", *SMALL, "--format", "ladder", "--matches", "2")
    result = fairplay(*arguments, "--require", "sandboxed")
    assert result.exit_code == 0, result.output
    request.getfixturevalue("no_sandbox")
    from fairplay.store import open_store

    with open_store("fairplay.db") as store:
        contest = store.contest(1)
        assert contest.require == "sandboxed"
        store.create(contest)
    result = fairplay("tournament", "resume", "2")
    assert (result.exit_code, "bubblewrap is not installed" in result.stderr) == (2, True)


# -- trust -------------------------------------------------------------------------------------


def test_a_trusted_contest_is_resumed_with_trust_alone(fairplay: Fairplay) -> None:
    from fairplay.store import open_store

    write({"bot.py": FIRST})
    fairplay("tournament", "run", "fish", "bot.py", "greedy", *SMALL, "--games", "1", "--trust")
    with open_store("fairplay.db") as store:
        store.create(store.contest(1))
    result = fairplay("tournament", "resume", "2")
    assert (result.exit_code, "add --trust" in result.stderr) == (2, True)
    assert "Levels: bot.py trusted; greedy house." in fairplay("tournament", "resume", "2", "--trust").stdout


ENDS = {
    "os._exit": "os._exit(0)",
    "a crash": "os.kill(os.getpid(), 11)",
    "closed descriptors": "os.closerange(0, 1000)",
}


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("how", ENDS)
def test_a_trusted_bot_that_ends_the_process_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, jobs: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write({"bot.py": f"import os\ndef choose(view):\n    {ENDS[how]}\n"})
    ran = run_program(
        *("tournament", "run", "fish", "bot.py", "greedy", *SMALL, "--games", "1"),
        *("--trust", "--jobs", jobs, "--json", "--out", "records"),
    )
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.count("Error: ") == 1
    assert "a bot ended the whole command" in ran.stderr or "one of its players does that" in ran.stderr
    assert list(Path("records").iterdir()) == []


def test_a_trusted_bot_that_ends_the_process_when_it_is_loaded_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write({"bot.py": "import os\nos._exit(0)\n"})
    ran = run_program("play", "fish", "bot.py", "greedy", "--trust")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "a bot ended the whole command (exit code 0)" in ran.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_trusted_bot_that_forks_plays_on_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: str) -> None:
    monkeypatch.chdir(tmp_path)
    write({"bot.py": "import os\n" + FIRST.replace("    return", "    os.fork()\n    return")})
    ran = run_program(
        *("tournament", "run", "fish", "bot.py", "greedy", *SMALL, "--games", "1", "--trust", "--jobs", jobs, "--json")
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["tables"]["matches"] == 2


def test_what_a_trusted_command_returns_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_program("play", "fish", "random", "greedy", *SMALL, "--trust").returncode == 0
    ran = run_program("play", "fish", "nobody", "greedy", "--trust")
    assert (ran.returncode, ran.stderr.count("Error: ")) == (2, 1)
