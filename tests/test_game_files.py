"""Games that are one file: what is taken, under which name every process finds it, and what is said of a bad one."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

import fairplay as fp
from fairplay import game_files
from fairplay.catalog import GAMES, find_game, open_game
from fairplay.contest.contest import Contest
from fairplay.core import EngineError, UsageError
from fairplay.match.players import house_strategy
from fairplay.rl.table import LearningTable
from fairplay.run.engines.pool import Cluster
from fairplay.run.processes import forkserver_context, spawn_context
from file_games import describe_value, put_takeaway, undo_taking


@pytest.fixture(autouse=True)
def apart() -> Iterator[None]:
    with undo_taking():
        yield


def write(path: Path, text: str) -> str:
    """A file, as a command line names it."""
    path.write_text(text, "utf-8")
    return str(path)


# -- what is taken -----------------------------------------------------------------------------


def test_a_path_is_told_from_a_name() -> None:
    assert all(map(game_files.is_path, ("./mygame.py", "mygame.py", "games/mygame", "/mygame")))
    assert not any(map(game_files.is_path, ("fish", "my-game", "mygame")))


def test_a_file_is_a_game_like_any_other(tmp_path: Path) -> None:
    path = put_takeaway(tmp_path)
    game = open_game(str(path))
    assert game is open_game(str(path)) is GAMES["takeaway"] is find_game("takeaway")
    assert "takeaway" in GAMES and "takeaway" in [*GAMES] and len(GAMES) == len([*GAMES])
    assert GAMES.folders("takeaway") == (str(path),)
    assert game_files.hash_of("takeaway") == sha256(path.read_bytes()).hexdigest()
    assert game_files.hash_of("fish") is None
    assert (game_files.word_for("takeaway"), game_files.word_for("fish")) == (str(path), "fish")


def test_a_link_is_followed_when_the_file_is_taken(tmp_path: Path) -> None:
    path = put_takeaway(tmp_path / "real")
    (tmp_path / "takeaway.py").symlink_to(path)
    open_game(str(tmp_path / "takeaway.py"))
    assert GAMES.folders("takeaway") == (str(path),)


def test_python_takes_a_path_wherever_it_takes_a_name(tmp_path: Path) -> None:
    path = put_takeaway(tmp_path)
    match = fp.play(fp.load(str(path), matches=5), ["random", "random"], seed=3)
    assert match.record.header.rule_book == sha256(path.read_bytes()).hexdigest()
    match.save(tmp_path / "match.jsonl")
    assert fp.replay(tmp_path / "match.jsonl") == match
    with pytest.raises(UsageError, match="takeaway does not number its actions"):
        LearningTable(str(path))


def test_a_record_never_says_what_is_run(tmp_path: Path) -> None:
    """Whoever wrote it may be a stranger."""
    path = put_takeaway(tmp_path)
    with pytest.raises(UsageError, match="there is no game"):
        find_game(str(path))
    assert str(path) not in GAMES


def test_neither_folder_is_on_the_path_and_no_bytecode_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put_takeaway(tmp_path / "game")
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    before = [*sys.path]
    open_game("../game/takeaway.py")
    assert sys.path == before
    assert [*path.parent.iterdir()] == [path]


def test_bytecode_beside_the_file_is_not_read(tmp_path: Path) -> None:
    """Its hash would be that of another source."""
    import py_compile

    bad = write(tmp_path / "bad.py", "raise SystemExit('bytecode was read')\n")
    path = put_takeaway(tmp_path)
    planted = Path(str(py_compile.compile(bad, str(tmp_path / "planted.pyc"))))
    stat = path.stat()
    code = bytearray(planted.read_bytes())
    code[8:16] = int(stat.st_mtime).to_bytes(4, "little") + stat.st_size.to_bytes(4, "little")
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / f"takeaway.{sys.implementation.cache_tag}.pyc").write_bytes(code)
    assert open_game(str(path)).name == "takeaway"


# -- in other processes ------------------------------------------------------------------------


def test_values_travel_to_processes_that_are_started_later(tmp_path: Path) -> None:
    path = put_takeaway(tmp_path)
    state = fp.load(str(path)).start(seed=1).state
    assert pickle.loads(pickle.dumps(state)) == state
    for context in (spawn_context(), forkserver_context()):
        with ProcessPoolExecutor(1, context) as workers:
            found = workers.submit(describe_value, state).result()
        assert found == ("fairplay_files.takeaway", str(path), repr(state))


def test_the_finder_knows_the_files_that_were_taken_and_nothing_else(tmp_path: Path) -> None:
    path = put_takeaway(tmp_path)
    (tmp_path / "helper.py").write_text("")
    open_game(str(path))
    assert import_module("fairplay_files.takeaway").GAME is GAMES["takeaway"]
    for name in ("fairplay_files.helper", "fairplay_files.random", "takeaway", "fairplay_files.takeaway.helper"):
        with pytest.raises(ModuleNotFoundError):
            import_module(name)


def test_a_process_loads_the_file_that_was_taken_or_none(tmp_path: Path) -> None:
    """Every match of a contest is played by one rule book, even if somebody goes on writing it."""
    path = put_takeaway(tmp_path)
    open_game(str(path))
    path.write_text(f"{path.read_text()}\n# changed\n")
    with pytest.raises(EngineError, match=r"takeaway\.py has changed since it was loaded: start again"):
        open_game(str(path))
    asking = "from fairplay.catalog import find_game\ntry: find_game('takeaway')\nexcept Exception as e: print(e)"
    said = subprocess.run([sys.executable, "-c", asking], capture_output=True, text=True, check=True).stdout
    assert said == f"{path} has changed since it was loaded: start again\n"


def test_workers_of_other_machines_do_not_have_the_file(tmp_path: Path) -> None:
    path = put_takeaway(tmp_path)
    open_game(str(path))
    contest = Contest("takeaway", (), "series", {}, msgspec.Raw(b"{}"), seed=1, patience=1.0)
    with pytest.raises(UsageError, match=f"{path}: the workers at tcp://there:1 do not have this file; use --on dask"):
        next(Cluster("tcp://there:1", 1).results(contest, ()))


def test_what_children_inherit_is_taken_back_with_the_file(tmp_path: Path) -> None:
    assert game_files.VARIABLE not in os.environ
    path = put_takeaway(tmp_path)
    open_game(str(path))
    assert [given[:2] for given in json.loads(os.environ[game_files.VARIABLE])] == [["takeaway", str(path)]]
    game_files.forget_file(game_files.taken_files()["takeaway"])
    assert game_files.VARIABLE not in os.environ and "takeaway" not in GAMES


# -- what is refused ---------------------------------------------------------------------------


def test_a_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    for name, why in {"fish": "Fairplay has a game 'fish'", "nim": "the package fairplay-nim has a game 'nim'"}.items():
        with pytest.raises(UsageError, match=f"{name}.py: {why}; give the file another name"):
            open_game(write(tmp_path / f"{name}.py", ""))
    one, other = put_takeaway(tmp_path / "one"), put_takeaway(tmp_path / "other")
    open_game(str(one))
    with pytest.raises(UsageError, match=f"{other}: there is a game 'takeaway' already: {one}"):
        open_game(str(other))


def offer_takeaway(folder: Path, point: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the game be an installed package, as far as Python can tell."""
    metadata = folder / "takeaway-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: takeaway\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(f"[fairplay.games]\ntakeaway = {point}\n")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(vars(GAMES), "installed", raising=False)


def test_the_file_of_an_installed_game_is_that_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An author who has installed a package so that it can be edited goes on naming the file."""
    path = put_takeaway(tmp_path)
    offer_takeaway(tmp_path, "takeaway:GAME", monkeypatch)
    try:
        assert open_game(str(path)) is GAMES["takeaway"]
        assert GAMES["takeaway"] is import_module("takeaway").GAME
        assert "takeaway" not in game_files.taken_files()
    finally:
        vars(GAMES).pop("installed", None)
        sys.modules.pop("takeaway", None)


BROKEN = {
    "a game that is no Python file": ("mine", "", "mine: the file of a game is Python, and its name ends in .py"),
    "a name of another form": ("Mine.py", "", "no game can be called 'Mine': it has lower-case letters"),
    "a slip of the pen": ("mine.py", "x = 1\ndef f(:\n", "mine.py, line 2: invalid syntax"),
    "an error": ("mine.py", "x = 1\n\ny = 1 / 0\n", "mine.py, line 3: ZeroDivisionError: division by zero"),
    "an end": ("mine.py", "import sys\nsys.exit(3)\n", "mine.py, line 2: SystemExit: 3"),
    "an import that is not there": (
        "mine.py",
        "import chess_rules\n",
        "mine.py, line 1: ModuleNotFoundError: No",
    ),
    "something else": ("mine.py", "GAME = 5\n", "mine.py: GAME: expected a fairplay.core.Game, got int"),
    "another game": ("mine.py", "from nim import GAME\n", "the game calls itself 'nim', and the file has the name of"),
    "zero": ("mine.py", "x = '\0'\n", "mine.py: "),
}


@pytest.mark.parametrize(("name", "text", "why"), BROKEN.values(), ids=BROKEN)
def test_a_bad_file_is_refused_with_its_line(tmp_path: Path, name: str, text: str, why: str) -> None:
    with pytest.raises(UsageError) as refused:
        open_game(write(tmp_path / name, text))
    assert str(refused.value).startswith(str(tmp_path / name)) and why in str(refused.value)
    assert not game_files.taken_files() and game_files.VARIABLE not in os.environ


def test_a_file_that_is_mended_is_loaded(tmp_path: Path) -> None:
    path = put_takeaway(tmp_path, {'name="takeaway"': "name=1 / 0"})
    with pytest.raises(UsageError, match=f"{path}, line \\d+: ZeroDivisionError"):
        open_game(str(path))
    assert open_game(str(put_takeaway(tmp_path))).name == "takeaway"


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"mine\.py: there is no such file"):
        open_game(str(tmp_path / "mine.py"))
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(UsageError, match=r"folder\.py: Is a directory"):
        open_game(str(tmp_path / "folder.py"))


def test_what_lies_beside_the_file_is_not_imported_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("")
    with pytest.raises(UsageError, match=r"line 1: .*imports nothing that lies beside it: make it a package"):
        open_game(write(tmp_path / "mine.py", "from helper import anything\n"))


# -- a file without GAME -----------------------------------------------------------------------


@pytest.fixture
def defaults(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Stands for what derives games from types."""
    module = ModuleType("fairplay.defaults")
    monkeypatch.setitem(sys.modules, "fairplay.defaults", module)
    monkeypatch.setattr(fp, "defaults", module, raising=False)
    return module


def test_a_file_without_a_game_is_one_that_is_derived(tmp_path: Path, defaults: Any) -> None:
    """When the module is imported, so that types that are derived are there for values that arrive first."""
    defaults.game_of = lambda module: module.MINE
    path = put_takeaway(tmp_path, {"GAME: ": "MINE: "})
    game = open_game(str(path))
    assert import_module("fairplay_files.takeaway").GAME is game
    assert house_strategy(game, "random", __import__("random").Random(1))(
        game.rules.view(fp.load("takeaway").start(seed=1).state, 0)
    )


def test_a_package_may_offer_such_a_module_too(tmp_path: Path, defaults: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    defaults.game_of = lambda module: module.MINE
    offer_takeaway(put_takeaway(tmp_path, {"GAME: ": "MINE: "}).parent, "takeaway", monkeypatch)
    try:
        game = GAMES["takeaway"]
        assert game.name == "takeaway" and import_module("takeaway").GAME is game
    finally:
        vars(GAMES).pop("installed", None)
        sys.modules.pop("takeaway", None)


DERIVED = """
from fairplay.defaults import Action
from msgspec import Struct

class State(Struct, frozen=True):
    turn: int = 0

class Drop(Action):
    row: bool
    column: int

def start(setup, seats, rng): ...
def to_move(state): ...
def legal_actions(view): ...
def apply(state, action): ...
def scores(state): ...
"""

UNDERIVED = {
    "a field without bounds": (DERIVED, ", line 10: `Drop.column` has no bounds: "),
    "a state that changes": (DERIVED.replace(", frozen=True", ""), ", line 5: `State` can be changed: "),
    "a function that is not there": (
        DERIVED.replace("def scores", "def score"),
        ": a game needs a function `scores`: ",
    ),
    "nothing": ("x = 1\n", ": a game needs a state: "),
}


@pytest.mark.parametrize(("text", "why"), UNDERIVED.values(), ids=UNDERIVED)
def test_what_cannot_be_derived_is_said_with_its_line(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(UsageError) as refused:
        open_game(write(tmp_path / "mine.py", text))
    assert str(refused.value).startswith(f"{tmp_path / 'mine.py'}{why}")


# -- records -----------------------------------------------------------------------------------


def test_a_record_of_another_version_is_told_apart(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = put_takeaway(tmp_path)
    record = tmp_path / "match.jsonl"
    fp.play(fp.load(str(path)), ["random", "random"], seed=3, save=record)
    before = game_files.hash_of("takeaway")
    with undo_taking():
        game_files.forget_file(game_files.taken_files()["takeaway"])
        path.write_text(f"{path.read_text()}\n# mended\n")
        fp.load(str(path))
        now = game_files.hash_of("takeaway")
        assert before is not None and now is not None and before != now
        told = f"played by another {path}: SHA-256 {before[:12]}... in the record, {now[:12]}... here"
        assert game_files.explain_difference("takeaway", before) == told
        assert game_files.explain_difference("takeaway", now) == ""
        assert "played by an installed takeaway, not by" in game_files.explain_difference("takeaway", None)
        fp.replay(record)
        assert caplog.messages == [f"Warning: {record} was {told}"]
    assert game_files.explain_difference("fish", None) == ""
    assert "not by the installed fish" in game_files.explain_difference("fish", "0" * 64)
