"""How processes of ours are started: none of them imports from where bots lie.

A new interpreter looks for modules in the working folder first, and multiprocessing hands it the search path of its
parent and runs the parent's main module again.  So an entrant's file that is called `struct.py` would run in every
worker: outside the sandbox, and with all that the organiser may do.  Whatever starts a process of Python does it with
what is here.
"""

import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from multiprocessing import resource_tracker, spawn, util
from multiprocessing.context import ForkServerContext, ForkServerProcess, SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from fairplay.game_files import take_file, taken_files


def spawn_context(files: Sequence[str] = ()) -> SpawnContext:
    """Starts fresh interpreters that import nothing from the working folder, nor from where `files` of entrants lie.

    The main module is not run again in them.  EFFECT: starts the resource tracker, which locks and queues need.
    """
    if sys.platform != "win32":
        with _guarded(()):
            resource_tracker.ensure_running()
    return _SpawnContext(files)


def forkserver_context() -> ForkServerContext:
    """Forks processes off a server that imports nothing from the working folder, and neither do they."""
    return _ForkServerContext()


@contextmanager
def guard_all_threads() -> Iterator[None]:
    """Whatever multiprocessing starts in the block, for whomever, is started as a process of ours is."""
    global _guards
    _guards += 1
    try:
        yield
    finally:
        _guards -= 1


def import_path(files: Iterable[str] = ()) -> list[str]:
    """`sys.path` without the working folder, and without any folder in which one of these files lies, at any depth.

    What the operator has named in PYTHONPATH, or installed, stays.  Fairplay itself is found in any case.
    """
    above = {Path.cwd()}.union(*(Path(file).resolve().parents for file in files))
    doubtful = {entry for entry in sys.path if Path(entry).resolve() in above}
    intended = find_intended_path() if doubtful - {""} else []
    path = [entry for entry in sys.path if entry not in doubtful or entry in intended]
    return path if OWN_FOLDER in path else [*path, OWN_FOLDER]


OWN_FOLDER = str(Path(__file__).parents[2])


@lru_cache(maxsize=1)
def find_intended_path() -> list[str]:
    """Where an interpreter looks for modules if it is started as ours are."""
    command = [sys.executable, *_OPTIONS_BEFORE(), "-P", "-c", "import sys; print(*sys.path, sep='\\n')"]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout.splitlines()


# -- what multiprocessing tells a new process --------------------------------------------------


class _Guard(threading.local):
    """The files of entrants that what this thread starts must not import; None if it is no process of ours."""

    files: Sequence[str] | None = None


_GUARD = _Guard()

_guards = 0  # blocks at work that guard all threads


@contextmanager
def _guarded(files: Sequence[str]) -> Iterator[None]:
    """What this thread starts in the block is a process of ours."""
    before, _GUARD.files = _GUARD.files, files
    try:
        yield
    finally:
        _GUARD.files = before


class _SpawnProcess(SpawnProcess):
    def __init__(self, *given: Any, files: Sequence[str] = (), **named: Any) -> None:
        super().__init__(*given, **named)
        self.files = files

    @staticmethod
    def _Popen(process: BaseProcess) -> Any:  # noqa: N802 - its name
        assert isinstance(process, _SpawnProcess)
        with _guarded(process.files):
            return SpawnProcess._Popen(process)


class _SpawnContext(SpawnContext):
    def __init__(self, files: Sequence[str]) -> None:
        self.Process = partial(_SpawnProcess, files=files)  # type: ignore[misc,assignment]  # it is only called


class _ForkServerProcess(ForkServerProcess):
    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.game_files = tuple(taken_files().values())  # its server may have been started before they were taken

    def run(self) -> None:
        for file in self.game_files:
            take_file(file)
        super().run()

    @staticmethod
    def _Popen(process: BaseProcess) -> Any:  # noqa: N802 - its name
        with _guarded(()):
            return ForkServerProcess._Popen(process)


class _ForkServerContext(ForkServerContext):
    Process = _ForkServerProcess


def _list_options() -> list[str]:
    """The options of a new interpreter; with -P it does not look for modules in the working folder."""
    options = _OPTIONS_BEFORE()
    return options if sys.flags.safe_path or not _is_guarded() else [*options, "-P"]


def _describe_parent(name: str) -> dict[str, object]:
    """What a new process is to be like: for ours, without the main module, which may lie and import anywhere."""
    data = _DESCRIPTION_BEFORE(name)
    if _is_guarded():
        data["sys_path"] = import_path(_GUARD.files or ())
        data.pop("init_main_from_name", None)
        data.pop("init_main_from_path", None)
    return data


def _is_guarded() -> bool:
    return _guards > 0 or _GUARD.files is not None


# Everything that multiprocessing starts (workers, fork server, resource tracker) asks these two, and neither a context
# nor a process can give other answers.  For processes that are not ours, they answer as before.
_OPTIONS_BEFORE = util._args_from_interpreter_flags  # type: ignore[attr-defined]  # unknown to typeshed
_DESCRIPTION_BEFORE = spawn.get_preparation_data
util._args_from_interpreter_flags = _list_options  # type: ignore[attr-defined]  # the same
spawn.get_preparation_data = _describe_parent
