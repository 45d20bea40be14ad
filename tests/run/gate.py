"""A gate for one process of a test cluster: it passes as often as the test allows, and writes down what it did.

A Dask worker that preloads this file waits before every batch.  GATE is what the names of its files begin with.
"""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path
from time import monotonic, sleep

from fairplay.contest.contest import Batch, Result
from fairplay.run.engines import worker

GATE = os.environ["GATE"]
PATIENCE = 100.0

really_play = worker.play_batch
batches = count(1)


def play(batch: Batch) -> list[Result]:
    note("came", *(match.number for match in batch.matches))
    wait(next(batches))
    results = really_play(batch)
    note("played", *(result.number for result in results))
    return results


def note(what: str, *numbers: int) -> None:
    """Add numbers of matches to a file, one a line."""
    with Path(f"{GATE}.{what}").open("a") as file:
        file.write("".join(f"{number}\n" for number in numbers))


def wait(passages: int) -> None:
    """Return when so many passages are allowed."""
    until = monotonic() + PATIENCE
    while int(Path(f"{GATE}.may").read_text()) < passages:
        if monotonic() > until:
            raise TimeoutError("nobody opened the gate")
        sleep(0.01)


def dask_setup(_: object) -> None:
    """Called by Dask in every worker that preloads this file."""
    worker.play_batch = play
