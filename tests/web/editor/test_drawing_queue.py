"""Where boards are drawn: one at a time, and not for everybody at once."""

from __future__ import annotations

import asyncio
import threading

import pytest

from fairplay.web.editor.drawing_queue import QUEUE, Easel
from fairplay.web.matches.registry import BusyError


def test_boards_are_drawn_one_at_a_time() -> None:
    easel, at_work, most = Easel(1), 0, 0

    def work(number: int) -> int:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        threading.Event().wait(0.01)
        at_work -= 1
        return number

    async def everybody() -> list[int]:
        return await asyncio.gather(*(easel.draw(work, number) for number in range(5)))

    assert asyncio.run(everybody()) == [0, 1, 2, 3, 4]
    assert most == 1


def test_who_comes_when_many_wait_is_turned_away() -> None:
    easel, gate = Easel(1), threading.Event()

    async def crowd() -> None:
        waiting = [asyncio.create_task(easel.draw(gate.wait)) for _ in range(QUEUE)]
        await asyncio.sleep(0)
        with pytest.raises(BusyError, match="many people are drawing"):
            await easel.draw(gate.wait)
        gate.set()
        assert await asyncio.gather(*waiting) == [True] * QUEUE
        assert await easel.draw(int, "7") == 7

    asyncio.run(crowd())


def test_a_drawing_that_fails_makes_room_for_the_next() -> None:
    easel = Easel(1)

    async def visits() -> int:
        for _ in range(QUEUE + 1):
            with pytest.raises(ValueError, match="x"):
                await easel.draw(int, "x")
        return await easel.draw(int, "7")

    assert asyncio.run(visits()) == 7
