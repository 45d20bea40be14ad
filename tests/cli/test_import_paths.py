"""No process of ours imports from a folder in which bots lie, whatever the files there are called."""

from __future__ import annotations

import json
import multiprocessing
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib.machinery import ModuleSpec
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from cli.processes import PIPES, ended, joining
from fairplay.cli import leave_working_folder
from fairplay.run.engines.pool import Inline
from fairplay.run.isolation.sandbox import find_level
from fairplay.store import open_store
from file_games import put_takeaway
from run.contests import contest, wanted
from web.contest_server import OWNER, until
from web.people import finished, open_table
from web.servers import TOKEN, outside

pytestmark = [
    pytest.mark.skipif(find_level().level != "sandboxed", reason="a bot that is not in a sandbox may do anything"),
    pytest.mark.timeout(300),
]

FAIRPLAY = [str(Path(sys.executable).with_name("fairplay"))]
"""As people start it: with `python -c` the working folder is where even the first process imports from."""

TRAP = """
try:
    open({mark!r}, "x").close()
except OSError:  # it is in a sandbox, where it sees none of our folders
    pass
"""

BOT = """
def choose(view):
    return {"do": "pick", "keep": view.offer[: view.terms.kept]} if view.picking else {"do": "draw"}
"""
"""Draws cards until the end, and needs no module for it."""


class Recorder:
    """Notes what is asked for, and finds nothing."""

    def __init__(self) -> None:
        self.names = set[str]()

    def find_spec(self, name: str, *rest: Any) -> ModuleSpec | None:
        self.names.add(name)
        return None


def list_imports() -> set[str]:
    """What a fresh worker has imported, and looks for while it plays, in vain or not."""
    recorder = Recorder()
    sys.meta_path.insert(0, recorder)
    with Inline() as engine:
        assert len(list(engine.results(contest("random", "search"), wanted(contest("random", "search"), 1)))) == 1
    return {*sys.modules, *recorder.names}


@pytest.fixture(scope="module")
def names() -> set[str]:
    """The modules that a process of ours could look for: those of a fresh worker, of Python and of all packages."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as workers:
        imported = {name.partition(".")[0] for name in workers.submit(list_imports).result()}
    assert {"struct", "msgspec", "fairplay", "multiprocessing"} <= imported
    return {*imported, *sys.stdlib_module_names, *packages_distributions()}


@pytest.fixture
def folder(names: set[str], tmp_path: Path) -> Iterator[Path]:
    """A folder of bots, in which a file has the name of each of these modules; none of them may be imported."""
    made, marks = tmp_path / "bots", tmp_path / "marks"
    made.mkdir()
    marks.mkdir()
    for name in names:
        bot = BOT if name == "struct" else ""
        (made / f"{name}.py").write_text(TRAP.format(mark=str(marks / name)) + bot)
    yield made
    assert sorted(path.name for path in marks.iterdir()) == []


def run(folder: Path, *arguments: str) -> dict[str, Any]:
    """What a command prints as JSON."""
    done = subprocess.run([*FAIRPLAY, *arguments, "--json"], cwd=folder, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def check_matches(database: Path, bot: str, matches: int) -> None:
    """Every match was played to its end, and the bot did what it does in all of them, nobody else."""
    with open_store(str(database)) as store:
        entrants = store.contest(1).entrants
        results = list(store.results(1))
        assert len(results) == matches
        for result in results:
            assert result.outcome.faults == (None,) * len(result.line_up)
            names = [entrants[player].name for player in result.line_up]
            if bot not in names:
                continue
            seat = names.index(bot)
            lines = [json.loads(line) for line in store.record(1, result.number).splitlines()]
            done = [line["action"]["do"] for line in lines if line.get("seat") == seat and "action" in line]
            assert len(done) > 3 and set(done) == {"pick", "draw"}


@pytest.mark.parametrize("engine", [["--jobs", "2"], ["--jobs", "2", "--on", "dask"]], ids=["jobs", "dask"])
def test_workers_import_nothing_from_the_working_folder(folder: Path, engine: list[str]) -> None:
    players = ["struct.py", "buy-now"]
    run(folder, "tournament", "run", "trains", *players, "--board", "small", "--games", "1", *engine)
    check_matches(folder / "fairplay.db", "struct.py", 2)


@pytest.mark.parametrize("engine", [["--jobs", "2"], ["--jobs", "2", "--on", "dask"]], ids=["jobs", "dask"])
def test_a_game_from_a_file_imports_nothing_that_lies_beside_it(folder: Path, engine: list[str]) -> None:
    """Its module is called otherwise than any file, and its own imports are found where they are installed."""
    put_takeaway(folder)
    (folder / "random.py").write_text((folder / "random.py").read_text() + TAKER)
    run(folder, "tournament", "run", "./takeaway.py", "random.py", "random", "--games", "1", *engine)
    with open_store(str(folder / "fairplay.db")) as store:
        outcomes = [result.outcome for result in store.results(1)]
    assert len(outcomes) == 2 and all(outcome.faults == (None, None) for outcome in outcomes)


TAKER = """
def choose(view):
    return {"do": "take", "matches": 1}
"""


def test_the_page_imports_nothing_that_lies_beside_a_game_from_a_file(folder: Path, tmp_path: Path) -> None:
    """Neither do its house players, which have never heard of it before, and its tournaments with their workers."""
    token = tmp_path / "token"
    token.write_text(TOKEN)
    options = ["./takeaway.py", "--token-file", str(token)]
    put_takeaway(folder)
    with (
        outside(tmp_path / "store.db", *options, program=FAIRPLAY, folder=folder) as server,
        server.client(headers=OWNER) as owner,
    ):
        wanted = TOURNAMENT | {"game": "takeaway", "players": [{"player": "random"}, {"player": "random", "name": "b"}]}
        tournament = owner.post("/api/tournaments", json=wanted).raise_for_status().json()["id"]
        match = open_table(owner, "takeaway", "random", "random")["id"]
        assert finished(server, match)
        assert until(owner, tournament, "finished")["matches"] == 2


def test_a_server_of_tournaments_imports_nothing_from_the_working_folder(folder: Path, tmp_path: Path) -> None:
    command = [*FAIRPLAY, "tournament", "serve", "trains", "struct.py", "buy-now", "--board", "small", "--games", "1"]
    options = ["--most", "1", "--least", "1", "--port", "0", "--jobs", "2", "--json"]
    with subprocess.Popen([*command, *options], cwd=folder, **PIPES) as server:
        try:
            assert server.stderr is not None
            where = server.stderr.readline().decode().strip().removeprefix("listening on ").replace(" port ", ":")
            native = ["--protocol", "native"]
            player = joining(tmp_path, "trains", where, "--name", "ann", "--player", "buy-now", *native)
            assert ended(player)[0] == 0
            code, _, err = ended(server)
            assert code == 0, err
        finally:
            server.kill()
    check_matches(folder / "fairplay.db", "struct.py", 6)


def test_the_page_imports_nothing_from_the_working_folder(folder: Path, tmp_path: Path) -> None:
    """Neither do its house players, the maker of its pictures, and its tournaments with their workers."""
    token = tmp_path / "token"
    token.write_text(TOKEN)
    with (
        outside(tmp_path / "store.db", "--token-file", str(token), program=FAIRPLAY, folder=folder) as server,
        server.client(headers=OWNER) as owner,
    ):
        tournament = owner.post("/api/tournaments", json=TOURNAMENT).raise_for_status().json()["id"]
        match = open_table(owner, "fish", "greedy", "search")["id"]
        assert finished(server, match)
        assert owner.get(f"/api/matches/{match}/card.png").raise_for_status().content.startswith(b"\x89PNG")
        assert until(owner, tournament, "finished")["matches"] == 2


TOURNAMENT = {"game": "fish", "players": [{"player": "random"}, {"player": "greedy"}], "quick": True, "games": 1}


def test_the_first_process_imports_nothing_more_from_the_working_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for first in ("", str(tmp_path)):
        monkeypatch.setattr(sys, "path", [first, "/usr/bin", str(tmp_path)])
        leave_working_folder()
        assert sys.path == ["/usr/bin", str(tmp_path)], "what was put there on purpose stays"
        leave_working_folder()
        assert sys.path == ["/usr/bin", str(tmp_path)]
