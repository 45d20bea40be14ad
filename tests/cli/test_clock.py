"""Hostile players 48: the clock of the machine is changed, and nothing expires: deadlines use a monotonic clock."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from random import Random

import httpx
import pytest

from cli.processes import FAIRPLAY, ended, joining, serving
from web.people import now, open_table, presence, take_turn
from web.servers import outside, wait_until

HOUR = 3600

JUMPER = f"""
import os, random, time
from fairplay.games.fish.rules import legal_actions

asked, rng = 0, random.Random(1)

def choose(view):
    global asked
    asked += 1
    if asked in (3, 5):
        with open(os.environ["CLOCK_JUMP"], "w") as file:
            file.write(str({HOUR} if asked == 3 else -{HOUR}))
        time.sleep(0.2)
    with open("calendar", "a") as file:
        file.write(f"{{time.time()}}\\n")
    return rng.choice(legal_actions(view))
"""
"""A bot that sets the clock an hour ahead while it is on turn, and later an hour back."""


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What makes the calendar of a process jump."""
    compiler = shutil.which("cc")
    if compiler is None:
        assert not os.environ.get("CI"), "cc is missing, and with CI set no test may be skipped"
        pytest.skip("cc is missing: no clock was set")
    made = tmp_path_factory.mktemp("clock") / "clock.so"
    source = Path(__file__).with_name("clock.c")
    subprocess.run(
        [compiler, "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", made, source, "-ldl"], check=True, timeout=300
    )
    return made


@pytest.fixture
def jump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that holds by how many seconds the calendar is wrong."""
    file = tmp_path / "jump"
    monkeypatch.setenv("CLOCK_JUMP", str(file))
    (tmp_path / "jumper.py").write_text(JUMPER)
    return file


def wrongs(folder: Path) -> list[int]:
    """By how much the calendar jumped between one turn of the jumper and the next, in hours."""
    times = [float(line) for line in (folder / "calendar").read_text().split()]
    return [hours for one, two in pairwise(times) if (hours := round((two - one) / HOUR))]


def test_a_match_with_a_program(tmp_path: Path, jump: Path, shim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = f"cmd:{sys.executable} -S {Path(__file__).parents[2] / 'examples' / 'native_bot.py'}"
    match = [
        *FAIRPLAY,
        "play",
        "fish",
        "jumper.py",
        program,
        "--trust",
        "--secret",
        "0" * 32,
        "--seed",
        "4",
        "--json",
        "--out",
    ]
    subprocess.run([*match, "calm"], cwd=tmp_path, check=True, capture_output=True, timeout=300)
    assert wrongs(tmp_path) == []
    (tmp_path / "calendar").unlink()
    jump.unlink()
    for name, value in (("LD_PRELOAD", str(shim)), ("TZ", "Pacific/Kiritimati")):
        monkeypatch.setenv(name, value)
    subprocess.run([*match, "jumping"], cwd=tmp_path, check=True, capture_output=True, timeout=300)
    assert wrongs(tmp_path) == [1, -2]
    records = [(tmp_path / folder / "match-0001.jsonl").read_bytes().splitlines() for folder in ("calm", "jumping")]
    assert records[0][:-1] == records[1][:-1]  # then the signature, which names the match


@pytest.mark.parametrize("protocol", ["native", "established"])
def test_a_server_waits_for_its_players_as_long_as_before(
    tmp_path: Path, jump: Path, shim: Path, monkeypatch: pytest.MonkeyPatch, protocol: str
) -> None:
    """The server's clock is set while it waits for the answer of the one who sets it."""
    rules = ["--most", "2", "--least", "2", "--seed", "5", "--out", "kept", "--protocol", protocol]
    monkeypatch.setenv("LD_PRELOAD", str(shim))
    server, where = serving(tmp_path, "fish", *rules)
    players = [
        joining(tmp_path, "fish", where, "--name", name, "--player", spec, "--protocol", protocol)
        for name, spec in (("ann", "jumper.py"), ("bob", "random"))
    ]
    assert [(code, error) for code, _, error in map(ended, players)] == [(0, "")] * 2
    assert ended(server)[0] == 0
    assert jump.read_text() == str(-HOUR)
    report = json.loads((tmp_path / "kept" / "result.json").read_text())
    assert [player["fault"] for player in report["players"]] == [None, None]


def test_people_keep_their_seats_and_their_time(
    tmp_path: Path, jump: Path, shim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LD_PRELOAD", str(shim))
    with (
        outside(tmp_path / "fairplay.db", "--patience", "60") as site,
        httpx.Client(base_url=site.url, trust_env=False) as client,
    ):
        laid = open_table(client, "fish", "me", "random", clock=120)
        key, id = laid["keys"][0], laid["id"]
        for turn, hours in enumerate((0, 1, -1)):
            wait_until(lambda: now(client, id)["to_move"] == 0)
            jump.write_text(str(hours * HOUR))
            later = open_table(client, "fish", "random", "random")["id"]
            frame = now(client, id)
            here = presence(client, id)
            assert here["clock"] > 60 and "plays" not in here["seats"][0]
            take_turn(client, id, key, frame["number"], Random(turn))
            listed = {one["id"]: one["created"] for one in client.get("/api/matches").json()}
            assert round((listed[later] - listed[id]) / HOUR) == hours, "the calendar did not jump"
