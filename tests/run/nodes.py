"""A Dask cluster of processes of their own, each of which does as much as the test allows, and a contest played on it.

The scheduler, the worker "near" and the counter, who runs the contest, are in one place; the worker "far" may be in
another.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any, NamedTuple

from msgspec.structs import replace

from fairplay.contest.scoreboard import tables_of
from fairplay.games.fish import GAME
from fairplay.run.competition import Competition
from fairplay.run.engines.pool import Inline
from fairplay.run.keeping import StoreKeeper
from fairplay.store import open_store

from .contests import contest

ALL = 1_000_000
CONTEST = replace(contest(), options={"games": 40})
MATCHES = 80
FOLDER = Path(__file__).parent
DASK = (sys.executable, "-m", "dask")

Settings = dict[str, str]
"""Of the scheduler, as Dask reads them from the environment."""

NOTICES_SILENCE: Settings = {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "1s"}
"""Gives a worker up that has said nothing for five seconds: Dask allows no less."""

NOTICES_DEAD_CONNECTIONS: Settings = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "11s"}
"""Gives a worker up whose machine has not answered for eleven seconds: Dask allows no less."""


class Place(NamedTuple):
    """Where processes run: the address that they have, and how they are started there."""

    address: str = "127.0.0.1"
    prefix: tuple[str, ...] = ()


class Node:
    """A process of the cluster with its gate (see gate.py)."""

    def __init__(self, folder: Path, name: str, place: Place, command: list[str], settings: Settings) -> None:
        self.folder, self.name = folder, name
        self.allow(0)
        gate = {"PYTHONPATH": str(FOLDER.parent), "GATE": str(folder / name)}
        own = {**gate, "DASK_TEMPORARY_DIRECTORY": str(folder)}
        with self.path("log").open("wb") as log:
            self.process = subprocess.Popen(
                [*place.prefix, *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **settings, **own},
            )

    def path(self, what: str) -> Path:
        return self.folder / f"{self.name}.{what}"

    def allow(self, passages: int) -> None:
        """How often it may pass its gate, counted from its start."""
        self.path("soon").write_text(str(passages))
        self.path("soon").replace(self.path("may"))

    def numbers(self, what: str) -> list[int]:
        """The matches that it noted, in this order."""
        return [int(line) for line in self.path(what).read_text().split()] if self.path(what).exists() else []

    @property
    def came(self) -> set[int]:
        return set(self.numbers("came"))

    @property
    def played(self) -> set[int]:
        return set(self.numbers("played"))

    @property
    def counted(self) -> list[int]:
        return sorted(self.numbers("counted"))

    @property
    def log(self) -> str:
        return self.path("log").read_text()

    @property
    def ended(self) -> bool:
        return self.process.poll() is not None


class Nodes:
    """A scheduler with two workers, and somebody who runs a stored contest on them."""

    def __init__(self, folder: Path, here: Place, there: Place, settings: Settings, processes: ExitStack) -> None:
        self.folder, self.processes = folder, processes
        self.database = str(folder / "fairplay.db")
        found = folder / "scheduler.json"
        common = ["--scheduler-file", str(found), "--no-dashboard", "--dashboard-address"]
        bound = ["--host", here.address, "--port", "0", *common, f"{here.address}:0"]
        command = [*DASK, "scheduler", *bound, "--idle-timeout", "2 minutes"]  # all end with it, should nobody end them
        self.scheduler = self.node("scheduler", here, command, settings)
        self.until(found.exists)

        def worker(name: str, place: Place) -> Node:
            alone = ["--nthreads", "1", "--no-nanny", "--memory-limit", "0", "--preload", str(FOLDER / "gate.py")]
            own = ["--name", name, "--host", place.address, *common, f"{place.address}:0"]
            return self.node(name, place, [*DASK, "worker", *own, *alone])

        self.near, self.far = worker("near", here), worker("far", there)
        self.until(lambda: all(self.said("Register", worker) for worker in (self.near, self.far)))
        with open_store(self.database) as store:
            self.id = store.create(CONTEST)
        address = json.loads(found.read_text())["address"]
        command = [sys.executable, str(FOLDER / "counting.py"), self.database, str(self.id), address]
        self.counter = self.node("counter", here, command)

    def node(self, name: str, place: Place, command: list[str], settings: Settings | None = None) -> Node:
        started = Node(self.folder, name, place, command, settings or {})
        self.processes.callback(started.process.wait)
        self.processes.callback(started.process.kill)
        return started

    def until(self, true: Callable[[], object]) -> None:
        """Wait for something; where it does not come, show what everybody said."""
        end = monotonic() + 60
        while not true():
            if monotonic() > end:
                logs = sorted(self.folder.glob("*.log"))
                raise AssertionError("\n".join(f"--- {log.name}\n{log.read_text()[-4000:]}" for log in logs))
            sleep(0.02)

    def until_both_wait(self) -> None:
        """Both workers have something to play."""
        self.until(lambda: self.near.came and self.far.came)

    def said(self, what: str, worker: Node) -> bool:
        """Did the scheduler register or remove this worker?"""
        news = f"{what} worker addr: "
        return any(news in line and f"name: {worker.name}" in line for line in self.scheduler.log.splitlines())

    def given_up(self, worker: Node) -> bool:
        return self.said("Remove", worker)

    def finish(self) -> None:
        """Let everybody go on to the end: every match is counted once, and the tables are right."""
        for node in (self.near, self.far, self.counter):
            node.allow(ALL)
        self.until(lambda: self.counter.ended)
        assert self.counter.process.returncode == 0, self.counter.log
        assert self.counter.counted == list(range(MATCHES))
        assert tables(self.database, self.id) == unbroken(self.folder)


@contextmanager
def cluster(
    folder: Path, settings: Settings | None = None, here: Place = Place(), there: Place = Place()
) -> Iterator[Nodes]:
    """Everybody at work but held at the gates; all are gone when the block ends."""
    with ExitStack() as processes:
        yield Nodes(folder, here, there, settings or {}, processes)


def tables(database: str, id: int) -> Any:
    """Of a contest that was played to its end."""
    with open_store(database) as store:
        assert store.summary(id).finished is not None
        return tables_of(store.contest(id), store.results(id), GAME.seats)


def play_on(database: str, id: int) -> int:
    """Play what is missing of a contest in this process; the number of matches that were."""
    with open_store(database) as store:
        competition = Competition(GAME, store.contest(id), StoreKeeper(store, id))
        return sum(1 for _ in competition.results(Inline()))


def unbroken(folder: Path) -> Any:
    """The tables of the same contest, played without a cluster."""
    database = str(folder / "unbroken.db")
    with open_store(database) as store:
        id = store.create(CONTEST)
    play_on(database, id)
    return tables(database, id)
