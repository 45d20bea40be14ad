"""Seats at a table: house players at their pace, and people, for whom a house player stands in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from fairplay.core import Seat, Seen
from fairplay.match.referee import Ask
from fairplay.web.house.worker import HouseReply
from fairplay.web.matches import seats
from fairplay.web.matches.seats import DelayedBot, HumanSeat


class Clock:
    """A clock that is turned by hand, in place of the monotonic one."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(seats, "monotonic", made)
    return made


async def echo(view: Any, past: tuple[Any, ...], again: bool) -> HouseReply:
    """A player that answers with the view."""
    return HouseReply(f"bot: {view}", 0.0)


def person(on_change: Callable[[], object] = int, *, clock: float = 60, patience: float = 60) -> HumanSeat:
    return HumanSeat(Seat(0), DelayedBot(echo, 0), clock, patience, on_change)


def test_a_bot_takes_its_time() -> None:
    async def play() -> tuple[Any, float]:
        started = asyncio.get_running_loop().time()
        answer = await DelayedBot(echo, 0.05).choose("view")
        return answer, asyncio.get_running_loop().time() - started

    answer, seconds = asyncio.run(play())
    assert answer == "bot: view" and seconds >= 0.05


def test_a_person_answers_the_question_that_waits_and_no_other() -> None:
    async def play() -> None:
        seat = person()
        seat.arrive()
        assert not seat.answer("too early")
        asked = asyncio.create_task(seat.choose("view"))
        await asyncio.sleep(0)
        assert (seat.view, seat.due is None) == ("view", False)
        assert seat.answer("mine") and not seat.answer("again")
        assert await asked == "mine"
        assert (seat.view, seat.due) == (None, None) and not seat.answer("too late")

    asyncio.run(play())


def test_when_the_time_is_up_the_bot_makes_this_move(clock: Clock) -> None:
    async def play() -> None:
        seat = person(clock=0.0)
        seat.arrive()
        assert await seat.choose("view") == "bot: view"
        assert not seat.answer("too late") and seat.is_present

    asyncio.run(play())


def test_the_bot_plays_for_a_person_who_is_away_until_they_are_back(clock: Clock) -> None:
    async def play() -> None:
        seat = person(patience=10)
        assert not seat.is_present and not seat.is_away, "just sat down"
        clock.now += 10
        assert seat.is_away and await seat.choose("view") == "bot: view"
        seat.arrive()
        asked = asyncio.create_task(seat.choose("view"))
        await asyncio.sleep(0)
        assert seat.answer("mine") and await asked == "mine"

    asyncio.run(play())


def test_a_person_is_here_while_one_page_is_open(clock: Clock) -> None:
    seat = person(patience=10)
    seat.arrive()
    seat.arrive()
    seat.leave()
    clock.now += 100
    assert seat.is_present and not seat.is_away
    seat.leave()
    assert not seat.is_present and not seat.is_away
    clock.now += 10
    assert seat.is_away


def test_every_change_is_told() -> None:
    async def play() -> list[tuple[bool, bool]]:
        changes: list[tuple[bool, bool]] = []
        seat = person(lambda: changes.append((seat.is_present, seat.due is not None)), clock=0.0)
        seat.arrive()
        await seat.choose("view")
        seat.leave()
        return changes

    assert asyncio.run(play()) == [(True, False), (True, True), (True, False), (False, False)]


@pytest.mark.parametrize("remembers", [True, False])
def test_a_bot_with_memory_is_told_everything_each_time(remembers: bool) -> None:
    told: list[tuple[Any, ...]] = []

    async def think(view: Any, past: tuple[Any, ...], again: bool) -> HouseReply:
        told.append((*past, again))
        return HouseReply(view, 0.0, remembers=remembers)

    async def play() -> None:
        bot, seen = DelayedBot(think, 0), [Seen(number, Seat(0)) for number in range(2)]
        await bot.recall(Ask(Seat(0), "earlier"), None)
        for number, view in enumerate(["first", "second"]):
            if bot.saw is not None:
                bot.saw(seen[number])
            await bot.choose(view)
        later = ("earlier", seen[0], "first", seen[1], False) if remembers else (False,)
        assert told == [("earlier", seen[0], True), later]

    asyncio.run(play())
