"""How long house players think where numba is not installed: measured in a process that cannot find it."""

from __future__ import annotations

import multiprocessing
import re
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from time import thread_time
from types import FrameType
from typing import Any

from fairplay.catalog import find_game
from fairplay.core import House, Seen
from fairplay.core.chance import derived
from fairplay.match.players import house_strategy
from fairplay.match.replay import start_match
from fairplay.run.inline import play_inline
from fairplay.setups import choose_setup

SECONDS = 2.0
"""After this much thinking, what was measured will do."""

LIMIT = 10.0
"""Seconds after which a move takes too long to wait for; then they are what is measured."""

MOVES = 6
EVERY = 3  # of the questions of a match is measured; the others are answered at random


def measure_interpreted(game: str, variant: str, spec: str) -> float | None:
    """Milliseconds of CPU time that a house player takes for a move without numba; None where it was not asked.

    Moves that it does not think about, by its option `slip`, do not count.
    """
    return measure_attentive(game, variant, drop_slip(spec))


def drop_slip(spec: str) -> str:
    """The spec of the same player that thinks about every move."""
    return SLIP.sub("", spec).rstrip(":")


SLIP = re.compile(r"(?<=:)slip=[^,]*,?|,slip=[^,]*")


@cache
def measure_attentive(game: str, variant: str, spec: str) -> float | None:
    """The same for a player without slips; many rungs have the same budget."""
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, spawning, initializer=prepare_process) as alone:
        return alone.submit(time_moves, game, variant, spec).result()


def prepare_process() -> None:
    """Let nothing in this process find numba, and end a move that takes too long."""
    signal.signal(signal.SIGVTALRM, interrupt_move)
    sys.modules["numba"] = None  # type: ignore[assignment]  # so that an import of it fails


def interrupt_move(number: int, frame: FrameType | None) -> None:
    """Raise TimeoutError in the middle of a move."""
    raise TimeoutError


def time_moves(game: str, variant: str, spec: str) -> float | None:
    """Milliseconds a move, in a match of random players; the first move, which loads modules, does not count."""
    found = find_game(game)
    rng = derived(1, "interpreted")
    probe = SlowPlayer(house_strategy(found, spec, rng), house_strategy(found, "random", rng))
    rival = House(house_strategy(found, "random", derived(2, "interpreted")))
    play_inline(start_match(found, choose_setup(found, variant, {}), 1, 2), [probe, rival])
    counted = probe.times[1:] or probe.times
    return 1000 * sum(counted) / len(counted) if counted else None


class SlowPlayer:
    """A random player that lets another one think about some of its questions, and measures how long that takes."""

    def __init__(self, thinker: Callable[[Any], Any], random: Callable[[Any], Any]) -> None:
        self.thinker, self.random = thinker, random
        self.saw: Callable[[Seen], object] | None = getattr(thinker, "saw", None)
        self.questions = 0
        self.times: list[float] = []

    def choose(self, view: Any) -> Any:
        self.questions += 1
        if self.questions % EVERY or len(self.times) >= MOVES or sum(self.times) > SECONDS:
            return self.random(view)
        started = thread_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
        try:
            action = self.thinker(view)
        except TimeoutError:
            self.times.append(LIMIT)
            return self.random(view)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        self.times.append(min(LIMIT, thread_time() - started))
        return action

    def hear(self, news: object) -> None:
        """Views say all there is to know."""
