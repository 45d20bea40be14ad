"""What the answers of players take: measured beside the match, and never part of its record.

Reading the clock of CPU time twice takes some microseconds, more than a quick player thinks.  So players of this
process are measured in their first matches, and from then on in a sample.
"""

from collections.abc import Callable, Sequence
from time import thread_time_ns
from typing import Any

from fairplay.contest.contest import Effort
from fairplay.core import House
from fairplay.kernels.progress import seconds_compiling
from fairplay.run.inline import WithDeadline
from fairplay.run.isolation.program import Program

ALL_MEASURED = 16
"""Matches at the beginning of a contest in which every answer is measured."""

ONE_OF = 64
"""From then on, one match out of this many."""


class Sample:
    """Which of the matches that are played one after the other are measured: among them the first of every player."""

    def __init__(self) -> None:
        self._players: set[str] = set()

    def takes(self, number: int, players: Sequence[str]) -> bool:
        """Is the match with this number, between these players, measured?"""
        if number >= ALL_MEASURED and number % ONE_OF and self._players.issuperset(players):
            return False
        self._players.update(players)
        return True


class Meter:
    """Measures the answers of one player in CPU time of its thread."""

    def __init__(self, choose: Callable[[Any], Any], clock: Callable[[], int] = thread_time_ns) -> None:
        self._choose, self._clock = choose, clock
        self.answers, self.spent = 0, 0  # in nanoseconds

    def choose(self, view: Any) -> Any:
        self.answers += 1
        started, compiled = self._clock(), seconds_compiling()
        try:
            return self._choose(view)
        finally:
            once = int((seconds_compiling() - compiled) * 1e9)  # is not what a move takes
            self.spent += max(0, self._clock() - started - once)


def meter_players(players: Sequence[object]) -> list[Meter | None]:
    """EFFECT: measures those players that answer in this process; their meters by seat, None for all others."""
    meters: list[Meter | None] = []
    for player in players:
        meter = None
        if isinstance(player, House | WithDeadline):
            meter = Meter(player.choose)
            player.choose = meter.choose  # type: ignore[method-assign]  # of this player alone
        meters.append(meter)
    return meters


def measure_effort(player: object, meter: Meter | None) -> Effort | None:
    """What the answers of a player took in the match that is over; None if nobody knows."""
    if meter is not None:
        return Effort(meter.answers, meter.spent / 1e9)
    if isinstance(player, Program) and player.usage is not None and player.usage.cpu:
        usage = player.usage
        return Effort(usage.answers, max(0.0, usage.cpu - usage.start), start=usage.start)
    return None
