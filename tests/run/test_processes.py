"""How processes of ours are started: from where they import, in a program of somebody else as well."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from multiprocessing import spawn, util
from pathlib import Path
from types import ModuleType

import pytest

import fairplay as fp
from fairplay.run.processes import OWN_FOLDER, find_intended_path, import_path
from file_games import put_takeaway, undo_taking

TRAP = "open({mark!r}, 'x').close()\n"


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder with a folder of bots, to which a link leads."""
    folder = tmp_path / "work"
    (folder / "bots" / "deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to(folder / "bots")
    monkeypatch.chdir(folder)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    find_intended_path.cache_clear()
    yield folder
    find_intended_path.cache_clear()


def test_neither_the_working_folder_nor_one_above_a_bot_is_on_the_path(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsafe = ["", ".", str(work), "bots", str(work / "bots"), str(work.parent), str(work.parent / "link"), "bots/deep"]
    monkeypatch.setattr(sys, "path", [*unsafe, *(safe := ["/usr/lib/mine", "lib", OWN_FOLDER])])
    assert import_path(["bots/deep/struct.py"]) == safe
    assert import_path() == [*unsafe[3:], *safe], "nothing else is known to be unsafe"


def test_what_the_operator_named_stays_on_the_path(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{work}{os.pathsep}{work / 'bots'}")
    monkeypatch.setattr(sys, "path", ["", str(work), str(work / "bots"), OWN_FOLDER])
    assert import_path(["bots/struct.py"]) == [str(work), str(work / "bots"), OWN_FOLDER]


def test_fairplay_is_found_even_where_bots_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(OWN_FOLDER)
    monkeypatch.setattr(sys, "path", ["", "/usr/lib/mine"])
    assert import_path() == ["/usr/lib/mine", OWN_FOLDER], "behind all others"


def test_workers_of_a_script_import_neither_it_nor_what_lies_beside_bots(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever this process has imported, a file in every folder that bots lie in has its name."""
    marks = work / "marks"
    marks.mkdir()
    main = ModuleType("__main__")
    main.__file__ = str(work / "struct.py")
    folders = [work, work / "bots"]
    for name in filter(str.isidentifier, {name.partition(".")[0] for name in sys.modules}):
        for folder in folders:
            (folder / f"{name}.py").write_text(TRAP.format(mark=str(marks / f"{folder.name} {name}")))
    bot = work / "bots" / "struct.py"
    bot.write_text(
        "from fairplay.games.fish.rules import legal_actions\ndef choose(view): return legal_actions(view)[0]\n"
    )
    monkeypatch.setitem(sys.modules, "__main__", main)
    monkeypatch.setattr(sys, "path", ["", str(work), "bots", str(work.parent / "link"), *sys.path])
    table = fp.tournament(fp.load("fish", rows=4, columns=4), ["bots/struct.py", "random"], games=1, jobs=2)
    assert [*marks.iterdir()] == []
    assert len(table.matches) == 2


def test_workers_load_a_game_by_its_path_and_nothing_that_lies_beside_it(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks = work / "marks"
    marks.mkdir()
    game = put_takeaway(work / "games")
    for name in filter(str.isidentifier, {name.partition(".")[0] for name in sys.modules}):
        if name != "takeaway":
            (game.parent / f"{name}.py").write_text(TRAP.format(mark=str(marks / name)))
    with undo_taking():
        chosen = fp.load("games/takeaway.py")
        assert str(game.parent) not in import_path()
        table = fp.tournament(chosen, ["random", "random"], games=1, jobs=2)
    assert [*marks.iterdir()] == []
    assert len(table.matches) == 2


def test_processes_of_others_are_started_as_before(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the program that uses Fairplay, for example."""
    main = ModuleType("__main__")
    main.__file__ = str(work / "theirs.py")
    monkeypatch.setitem(sys.modules, "__main__", main)
    assert "-P" not in util._args_from_interpreter_flags()  # type: ignore[attr-defined]  # unknown to typeshed
    given = spawn.get_preparation_data("theirs")
    assert given["init_main_from_path"] == main.__file__
    assert {*given["sys_path"]} >= {entry for entry in sys.path if entry}


def test_nothing_else_decides_how_a_process_of_python_is_started() -> None:
    chosen = re.compile(r"get_context\(|multiprocessing\.(Process|Pool|Manager)\b|import (Process|Manager)\b")
    sources = [path for path in Path(OWN_FOLDER, "fairplay").rglob("*.py") if path.name != "processes.py"]
    assert [path.name for path in sources if chosen.search(path.read_text("utf-8"))] == []
    pools = [path.read_text("utf-8") for path in sources if "ProcessPoolExecutor(" in path.read_text("utf-8")]
    assert len(pools) == 2 and all("spawn_context(" in pool for pool in pools)
