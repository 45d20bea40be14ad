"""Where boards are drawn: one at a time, and not for everybody at once."""

from __future__ import annotations

import asyncio
import threading

import pytest

from fairplay.web.http.endpoints import BusyError
from fairplay.web.rendering.pages import MAX_WAITING, DrawQueue


def test_boards_are_drawn_one_at_a_time() -> None:
    queue, at_work, most = DrawQueue(1), 0, 0

    def work(number: int) -> int:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        threading.Event().wait(0.01)
        at_work -= 1
        return number

    async def everybody() -> list[int]:
        return await asyncio.gather(*(queue.draw(work, number) for number in range(5)))

    assert asyncio.run(everybody()) == [0, 1, 2, 3, 4]
    assert most == 1


def test_who_comes_when_many_wait_is_turned_away() -> None:
    queue, gate = DrawQueue(1), threading.Event()

    async def crowd() -> None:
        waiting = [asyncio.create_task(queue.draw(gate.wait)) for _ in range(MAX_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(BusyError, match="Many boards are being drawn"):
            await queue.draw(gate.wait)
        gate.set()
        assert await asyncio.gather(*waiting) == [True] * MAX_WAITING
        assert await queue.draw(int, "7") == 7

    asyncio.run(crowd())


def test_a_drawing_that_fails_makes_room_for_the_next() -> None:
    queue = DrawQueue(1)

    async def visits() -> int:
        for _ in range(MAX_WAITING + 1):
            with pytest.raises(ValueError, match="x"):
                await queue.draw(int, "x")
        return await queue.draw(int, "7")

    assert asyncio.run(visits()) == 7
