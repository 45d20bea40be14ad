"""Make the database of this version, and the export of its first tournament: ``make_sample.py FOLDER``.

Run it at the last commit before the tables change, with `src` and `tests` on the path.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from fairplay.cli import main
from fairplay.run.competition import Competition
from fairplay.store import open_store
from fairplay.store.schema import VERSION
from web.people import finished, open_table, play
from web.servers import FAIRPLAY, outside

LOST = """echo '{"type":"hello","version":1,"name":"lost","games":["fish"]}'; read line; exit 1"""
"""A program that says hello, and crashes as soon as it hears anything."""

ROUND_ROBIN = ("random", "greedy", "lost=cmd:sh lost.sh", "--games", "1", "--seed", "5")
SWISS = ("a=random", "b=random", "c=greedy", "d=greedy", "--format", "swiss", "--option", "rounds=5", "--seed", "11")
UNFINISHED, LAST_RESULT = 2, 12  # the tournament whose process is killed, and at which result


def make_sample(folder: Path) -> None:
    """Make both files in `folder`."""
    db = folder / f"{VERSION}.sqlite"
    (folder / "lost.sh").write_text(LOST)
    subprocess.run([*FAIRPLAY, *tournament(ROUND_ROBIN, db)], cwd=folder, check=True)
    export = folder / f"{VERSION}.fairplay"
    subprocess.run([*FAIRPLAY, "tournament", "export", "1", export, "--db", db], check=True)
    killed = subprocess.run([sys.executable, __file__, "--killed", *tournament(SWISS, db)], check=False)
    assert killed.returncode == -signal.SIGKILL
    serve_matches(db)
    with open_store(db) as store:
        store.queue.add(UNFINISHED)
    shrink_file(db)


def tournament(players: tuple[str, ...], db: Path) -> list[str]:
    """The command that runs a tournament."""
    setup = ("--setup", '{"rows":3,"columns":4}')
    return ["tournament", "run", "fish", *players, *setup, "--jobs", "1", "--db", str(db)]


def run_killed(arguments: list[str]) -> None:
    """Run a command that kills its own process in the middle of a tournament."""
    whole = Competition.results

    def results(self: Competition, engine: Any) -> Iterator[Any]:
        for number, result in enumerate(whole(self, engine), 1):
            yield result
            if number == LAST_RESULT:
                os.kill(os.getpid(), signal.SIGKILL)

    Competition.results = results  # type: ignore[assignment, method-assign]  # this process does nothing else
    sys.argv[1:] = arguments
    main()


def serve_matches(db: Path) -> None:
    """Let a server play a match to its end and another for four turns, save a board, and be killed."""
    with outside(db) as server, server.client() as client:
        finished(server, open_table(client, "fish", "random", "greedy")["id"])
        runs = open_table(client, "fish", "me", "random", clock=3600)
        play(client, runs["id"], {0: runs["keys"][0]}, 4, Random(1))
        drawing = {"board": [[1, 2, 3], [4, 5, 1], [2, 3, 4]]}
        client.post("/api/boards", json={"game": "fish", "name": "pond", "drawing": drawing}).raise_for_status()
        server.stop(signal.SIGKILL)


def shrink_file(db: Path) -> None:
    """Make a database small, and one file."""
    with sqlite3.connect(db, isolation_level=None) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("PRAGMA page_size=1024")
        connection.execute("VACUUM")


if __name__ == "__main__":
    if sys.argv[1] == "--killed":
        run_killed(sys.argv[2:])
    else:
        make_sample(Path(sys.argv[1]).resolve())
