"""Contenders in this process, and a keeper that remembers turns, for the tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from threading import Event
from typing import Any

from fairplay.catalog import GAMES
from fairplay.contest.contest import Result
from fairplay.core import AnyGame, Fault, Outcome, SeatInfo, StoreError
from fairplay.match.players import house_strategy
from fairplay.run.isolation.command import parse_command
from fairplay.run.isolation.program import Program
from fairplay.run.keeping import MemoryKeeper, Turns

FISH = GAMES["fish"]


class Thinker:
    """A contender that plays as a house player does, with the chance that it is given."""

    def __init__(self, spec: str = "random", *, before: Callable[[Any], Any] | None = None) -> None:
        """`before` may be a coroutine function that is awaited before every answer."""
        self.spec, self.before = spec, before
        self.playing = False
        self.log: list[str] = []  # what it was told of matches
        self.asked = 0
        self.removals: list[Fault] = []
        self.stays: list[bool] = []

    def begin(self, chance: int, info: SeatInfo, lines: Sequence[bytes]) -> None:
        assert not self.playing, "one match at a time"
        self.playing, self.lines, self.seat = True, lines, info.seat
        self.strategy = house_strategy(FISH, self.spec, Random(chance))
        self.log.append("begin")

    async def ready(self) -> None:
        self.log.append("ready")

    async def choose(self, view: Any) -> Any:
        self.asked += 1
        if self.before is not None:
            await self.before(view)
        await asyncio.sleep(0)
        return self.strategy(view)

    async def hear(self, news: object) -> None: ...

    async def recall(self, order: Any, reply: Any) -> None:
        self.log.append("recall")
        if hasattr(order, "view"):
            self.strategy(order.view)

    def throw_out(self, fault: Fault, *, stays: bool = False) -> None:
        self.removals.append(fault)
        self.stays.append(stays)

    def end(self, outcome: Outcome) -> None:
        self.log.append("end")
        self.playing = False

    def close(self) -> None:
        self.log.append("close")
        self.playing = False

    @property
    def is_out(self) -> bool:
        """Was it removed, and may it not stay?"""
        return False in self.stays


class Overheard(Program):
    """A program that says when it is asked."""

    asked = Event()

    def choose(self, view: Any) -> Any:
        self.asked.set()
        return super().choose(view)


def seat_overheard(game: AnyGame, line: str, patience: float | None) -> Any:
    """The maker of a kind of entrant."""
    return lambda rng, info=None: Overheard(game, parse_command(line), patience or game.patience)


class TurnKeeper(MemoryKeeper):
    """Keeps the lines of unfinished matches as a store does, and may run full."""

    durable = True

    def __init__(self, begun: dict[int, list[bytes]] | None = None, *, room: int | None = None) -> None:
        super().__init__()
        self.begun = begun or {}
        self.room = room  # lines that it takes
        self.writes: list[int] = []

    def turns(self) -> dict[int, list[bytes]]:
        return {number: list(lines) for number, lines in self.begun.items() if number not in self._results}

    def add_turns(self, turns: Turns) -> None:
        given = list(turns)
        if self.room is not None and sum(self.writes) + len(given) > self.room:
            raise StoreError("the disk is full")
        self.writes.append(len(given))
        for match, number, line in given:
            lines = self.begun.setdefault(match, [])
            assert number == len(lines), "every line once, in order"
            lines.append(line)

    def add(self, results: Sequence[Result]) -> Sequence[Result]:
        for result in results:
            self.begun.pop(result.number, None)
        return super().add(results)
