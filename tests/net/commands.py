"""`fairplay` in processes of its own that a test may kill, and the store that they leave behind."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import msgspec

from fairplay.store import open_store

TOYS = Path(__file__).parent.parent / "toys"
MAIN = f"import sys; sys.path.append({str(TOYS)!r}); from fairplay.cli import main; main()"
"""The command line, with the toy games beside the real ones."""


def wait_until(true: Callable[[], Any], what: str, seconds: float = 120) -> Any:
    """Look until it is true; what it gave then."""
    end = monotonic() + seconds
    while not (found := true()):
        assert monotonic() < end, f"waited in vain for {what}"
        sleep(0.005)
    return found


class Command:
    """A `fairplay` at work; what it says goes into files."""

    def __init__(self, folder: Path, name: str, *arguments: str) -> None:
        self.out, self.err = folder / f"{name}.out", folder / f"{name}.err"
        with self.out.open("wb") as out, self.err.open("wb") as err:
            self.process = subprocess.Popen(
                [sys.executable, "-c", MAIN, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err
            )

    def kill(self) -> None:
        """End it without a chance to tidy up."""
        self.process.kill()
        self.process.wait()

    def ended(self) -> str:
        """What it printed, once it has ended well."""
        code = self.process.wait(100)
        assert code == 0, (code, self.out.read_text(), self.err.read_text())
        return self.out.read_text()

    @property
    def failure(self) -> str:
        """Why it ended badly."""
        assert self.process.wait(100) != 0, self.out.read_text()
        return self.err.read_text()

    def port(self) -> int:
        """Where it listens."""
        found = wait_until(lambda: re.search(r"listening on \S+ port (\d+)", self.err.read_text()), "the server")
        return int(found[1])


class Commands:
    """Starts commands in one folder; all end with the test."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.started = folder, list[Command]()
        self.database = folder / "fairplay.db"

    def start(self, *arguments: str) -> Command:
        command = Command(self.folder, f"{len(self.started)}-{arguments[0]}", *arguments)
        self.started.append(command)
        return command

    def serve(self, *arguments: str) -> Command:
        return self.start("tournament", "serve", *arguments, "--db", str(self.database))

    def resume(self, id: int, port: int, *arguments: str) -> Command:
        """Go on at the same port."""
        return self.start(
            "tournament", "resume", str(id), "--port", str(port), *arguments, "--db", str(self.database), "--json"
        )

    def join(self, port: int, name: str, *arguments: str, game: str = "fish", way: str = "tcp") -> Command:
        """A native player whose session key is in NAME.session; waits until it has signed up."""
        file = self.session_file(name)
        file.unlink(missing_ok=True)
        command = self.rejoin(port, name, *arguments, game=game, way=way)
        wait_until(lambda: file.exists() and file.read_text().strip(), f"{name} to sign up")
        return command

    def rejoin(self, port: int, name: str, *arguments: str, game: str = "fish", way: str = "tcp") -> Command:
        """The same, with the session that is in the file if there is one."""
        address = f"ws://127.0.0.1:{port}" if way == "ws" else f"127.0.0.1:{port}"
        own = ("--protocol", "native", "--name", name, "--session-file", str(self.session_file(name)))
        return self.start("join", game, address, *own, *arguments)

    def session_file(self, name: str) -> Path:
        return self.folder / f"{name}.session"


@contextmanager
def commands_in(folder: Path) -> Iterator[Commands]:
    folder.mkdir(exist_ok=True)
    commands = Commands(folder)
    try:
        yield commands
    finally:
        for command in commands.started:
            command.kill()


class Snapshot(msgspec.Struct):
    """What a store holds of its only contest."""

    results: list[tuple[int, Any, bytes]]  # number, outcome, record
    turns: dict[int, list[bytes]]  # of unfinished matches
    tables: bytes | None

    @property
    def progress(self) -> tuple[int, int]:
        """Finished matches, and lines of unfinished ones."""
        return len(self.results), sum(map(len, self.turns.values()))


def look(database: Path) -> Snapshot:
    with open_store(database) as store:
        if not store.contests():
            return Snapshot([], {}, None)
        results = [(result.number, result.outcome, result.record) for result in store.results(1, records=True)]
        return Snapshot(results, store.unfinished_turns(1), store.standings(1))
