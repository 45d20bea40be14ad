"""Pictures are made once, in another process, and the latest are kept."""

from __future__ import annotations

import asyncio
import os

import pytest

from fairplay.web.http.endpoints import BusyError, RequestError
from fairplay.web.http.limits import RateLimiter
from fairplay.web.sharing import maker
from fairplay.web.sharing.maker import ByteCache, PictureMaker
from web.sharing.picture_work import die, name_process, work_hard


def test_the_cache_keeps_so_many_bytes() -> None:
    cache = ByteCache(10)
    cache.put("a", b"1234")
    cache.put("b", b"1234")
    assert cache.get("a") == b"1234"
    cache.put("c", b"1234")
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (b"1234", None, b"1234")
    cache.put("a", b"12")
    cache.put("d", b"x" * 11)
    assert cache.size == 6 and cache.get("d") is None


def test_it_works_elsewhere_once_for_all_and_comes_back_after_a_crash() -> None:
    async def work() -> None:
        pictures = PictureMaker(RateLimiter(1, 1))
        try:
            one, other = await asyncio.gather(*(pictures.make("a", name_process, 1) for _ in range(2)))
            assert one == other != str(os.getpid()).encode()
            assert pictures.find("a") == one
            with pytest.raises(BusyError, match="could not be made"):
                await pictures.make("b", die, 1)
            assert await pictures.make("c", name_process, 1) != one
        finally:
            await pictures.stop()

    asyncio.run(work())


def test_too_many_at_once_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maker, "MAX_WAITING", 1)

    async def work() -> None:
        pictures = PictureMaker(RateLimiter(1, 1))
        try:
            first = asyncio.create_task(pictures.make("a", name_process, 1))
            await asyncio.sleep(0)
            with pytest.raises(BusyError, match="Many pictures"):
                await pictures.make("b", name_process, 1)
            assert await first
        finally:
            await pictures.stop()

    asyncio.run(work())


def test_who_asks_pays_with_cpu_time() -> None:
    async def work() -> None:
        budget = RateLimiter(1e-6, 0.01)
        pictures = PictureMaker(budget)
        try:
            assert await pictures.make("a", work_hard, 0.05, address="ann") == b"done"
            assert budget.left("ann") < -0.03
            with pytest.raises(RequestError, match="computing time"):
                await pictures.make("b", work_hard, 0.05, address="ann")
            assert await pictures.make("a", work_hard, 0.05, address="ann") == b"done", "it is there already"
            assert await pictures.make("b", work_hard, 0.0, address="bob") == b"done"
            assert await pictures.make("c", work_hard, 0.0) == b"done", "the owner does not pay"
        finally:
            await pictures.stop()

    asyncio.run(work())


def test_one_address_leaves_room_for_others() -> None:
    async def work() -> None:
        pictures = PictureMaker(RateLimiter(1, 60))
        try:
            many = [
                asyncio.create_task(pictures.make(number, name_process, 1, address="ann"))
                for number in range(maker.ADDRESS_WAITING)
            ]
            await asyncio.sleep(0)
            with pytest.raises(BusyError, match="you asked for"):
                await pictures.make("one more", name_process, 1, address="ann")
            assert await pictures.make("another", name_process, 1, address="bob")
            assert await asyncio.gather(*many) and pictures.waiting == 0
            assert await pictures.make("one more", name_process, 1, address="ann")
        finally:
            await pictures.stop()

    asyncio.run(work())
