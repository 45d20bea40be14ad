"""The matches that the benchmarks of the page open, and how their times are told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from bench.webclients import send_request


class MatchKind(NamedTuple):
    """A match that takes many turns."""

    game: str
    variant: str
    player: str


FISH = MatchKind("fish", "standard", "greedy")
TRAINS = MatchKind("trains", "standard", "hold-10")
LABYRINTH = MatchKind("labyrinth", "multi-goal", "random")
KINDS = (FISH, TRAINS, LABYRINTH)


async def open_table(port: int, kind: MatchKind, pace: float, *, seats: int = 2, source: str = "127.0.0.1") -> str:
    """A new match between house players, opened by the address `source`; its id."""
    taken = [{"who": "house", "player": kind.player}] * seats
    wanted = {"game": kind.game, "variant": kind.variant, "seats": taken, "pace": pace}
    id: str = msgspec.json.decode(await send_request(port, "/api/matches", wanted, source=source))["id"]
    return id


def percentile(numbers: Sequence[float], percent: int) -> float:
    """The number below which so many percent of them lie; ASSUME that they are in order."""
    return numbers[min(len(numbers) - 1, len(numbers) * percent // 100)]


def ms(seconds: Sequence[float], percent: int) -> str:
    """A percentile in words; ASSUME that they are in order."""
    return f"{percentile(seconds, percent) * 1e3:.0f} ms"
