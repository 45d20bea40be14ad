"""The folder of compiled kernels: who may write to it, and what players see of it."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from subprocess import PIPE

import pytest

from fairplay.catalog import GAMES
from fairplay.core import House, Player
from fairplay.core.chance import derived
from fairplay.kernels.cache import FOLDER, cache_place, open_cache, shown_cache
from fairplay.kernels.loading import load_code, load_kernel
from fairplay.match.players import house_strategy
from fairplay.match.replay import start_match
from fairplay.run.entrants import start_program
from fairplay.run.inline import play_inline
from fairplay.run.isolation.program import end_programs
from run.programs import confine

NIM = GAMES["nim"]
SMALL = NIM.setup(heaps=1)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where kernels are kept, in a home of the test's own."""
    monkeypatch.delenv(FOLDER, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "fairplay" / "kernels"


def test_the_folder_is_made_for_its_owner_alone(place: Path) -> None:
    assert shown_cache() == ()
    found = open_cache("nim-1")
    assert found == (place / "nim-1", True, "")
    assert [(folder.stat().st_mode & 0o777) for folder in (place, place / "nim-1")] == [0o700, 0o700]
    assert shown_cache() == (str(place),)


def test_a_relative_cache_home_is_ignored_as_its_standard_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    assert cache_place() == Path.home() / ".cache" / "fairplay" / "kernels"


@pytest.mark.parametrize("which", [".", "nim-1"])
def test_a_folder_that_others_can_write_to_is_refused(place: Path, which: str) -> None:
    open_cache("nim-1")
    (place / which).chmod(0o770)
    found = open_cache("nim-1")
    assert found.path is None
    assert "is not a folder that only you can write to" in found.reason


def test_a_link_and_a_file_are_refused(place: Path, tmp_path: Path) -> None:
    open_cache("nim-1")
    (place / "nim-2").symlink_to(place / "nim-1")
    assert "only you can write to" in open_cache("nim-2").reason
    (place / "nim-3").write_text("")
    assert open_cache("nim-3").path is None
    assert open_cache("nim-3").reason


def test_those_who_only_read_make_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_cache("nim-1")
    monkeypatch.setenv(FOLDER, str(place))
    assert open_cache("nim-1") == (place / "nim-1", False, "")
    assert open_cache("nim-2") == (None, False, "")
    assert os.listdir(place) == ["nim-1"]  # noqa: PTH208 - names only


BOT = """
import os, sys
from pathlib import Path
from fairplay.kernels.loading import load_kernel
from nim import GAME

def choose(view):
    kernel = load_kernel(GAME, view.state)
    row = kernel.pack([view.state])[0]
    assert kernel.call("to_move", row) == view.me
    function = kernel.functions["to_move"]
    print("HITS", sum(function.stats.cache_hits.values()), "MISSES", sum(function.stats.cache_misses.values()),
          file=sys.stderr)
    for path in [Path(os.environ["FAIRPLAY_KERNELS"]), *Path(os.environ["FAIRPLAY_KERNELS"]).rglob("*")]:
        try:
            (path / "new").write_text("x") if path.is_dir() else path.open("r+b")
            print("WRITTEN", path, file=sys.stderr)
        except OSError as error:
            pass
        try:
            path.chmod(0o777); print("CHANGED", path, file=sys.stderr)
        except OSError as error:
            pass
    return GAME.rules.legal_actions(view)[0]
"""


def play_bot(folder: Path) -> str:
    """What the bot says to its standard error in a match of Nim."""
    bot = folder / "bot" / "bot.py"
    bot.parent.mkdir()
    bot.write_text(BOT)
    player = start_program(NIM, str(bot), 60)(derived(1, "bot"))
    players: list[Player] = [player, House(house_strategy(NIM, "random", derived(1, "rival")))]
    outcome = play_inline(start_match(NIM, SMALL, 1, 2), players)
    usage = end_programs(players, outcome)[0]
    assert usage is not None and outcome.faults[0] is None, outcome.faults
    return usage.stderr


@pytest.mark.parametrize("kind", ["sandbox", "limits"])
def test_a_player_finds_compiled_kernels_and_adds_none(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    confine(kind, monkeypatch)
    load_code.cache_clear()  # other tests keep theirs elsewhere
    kernel = load_kernel(NIM, NIM.rules.start(SMALL, 2, derived(1, "deal")))
    kernel.call("to_move", kernel.make_rows(1)[0])
    files = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    assert any(path.suffix == ".bin" for path in files)
    said = [line.split() for line in play_bot(tmp_path).splitlines()]
    assert ["HITS", "1", "MISSES", "0"] in said
    if kind == "sandbox":
        assert not [words for words in said if words[0] in ("WRITTEN", "CHANGED")]
        assert {path: path.read_bytes() for path in place.rglob("*") if path.is_file()} == files


COMPILER = """
import sys
from fairplay.catalog import GAMES
from fairplay.core.chance import derived
from fairplay.kernels.compiling import KernelCache
from fairplay.kernels.loading import load_kernel

NIM, kept = GAMES["nim"], []
save = KernelCache.save_overload
KernelCache.save_overload = lambda self, *compiled: (kept.append(self.name), save(self, *compiled))
kernel = load_kernel(NIM, NIM.rules.start(NIM.setup(heaps=1), 2, derived(1, "deal")))
print("ready", flush=True)
sys.stdin.readline()
kernel.call("to_move", kernel.make_rows(1)[0])
print(len(kept))
"""


def test_of_several_processes_one_compiles_and_the_others_read(place: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-c", COMPILER]
    with ExitStack() as started:
        compilers = [
            started.enter_context(subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True, env=environment))
            for _ in range(3)
        ]
        for compiler in compilers:
            assert compiler.stdout is not None and compiler.stdout.readline() == "ready\n"
        compiled = [int(compiler.communicate()[0]) for compiler in start_all(compilers)]
    assert sorted(compiled) == [0, 0, len([*place.rglob("*.bin")])]
    assert any(compiled)


def start_all(processes: list[subprocess.Popen[str]]) -> list[subprocess.Popen[str]]:
    """The same processes, each of which has been told to go on."""
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    return processes
