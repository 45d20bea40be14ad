"""Telling people that a kernel is being compiled, if that takes long."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import thread_time

ANNOUNCED_SECONDS = 2.0
"""Anyone who waits longer is told what for."""

announced = set[str]()
spent = list[float]()
silenced = threading.Event()


def silence() -> None:
    """Say nothing from now on: a program reads what is printed."""
    silenced.set()


@contextmanager
def announce_compilation(game: str, seconds: float = ANNOUNCED_SECONDS) -> Iterator[None]:
    """Say on the standard error that a kernel is being compiled, if it takes longer; once for each game."""
    timer = threading.Timer(seconds, announce, [game])
    timer.daemon = True
    timer.start()
    started = thread_time()
    try:
        yield
    finally:
        timer.cancel()
        spent.append(thread_time() - started)


def seconds_compiling() -> float:
    """CPU time that this process has spent on compiling, or on reading what was compiled before."""
    return sum(spent)


def announce(game: str) -> None:
    """EFFECT: prints one line."""
    if game not in announced and not silenced.is_set():
        announced.add(game)
        sys.stderr.write(f"Compiling the kernel of {game}, once: this takes some seconds.\n")
