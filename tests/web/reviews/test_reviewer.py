"""Reviews that are worked out for those who asked, a few at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fairplay.catalog import GAMES
from fairplay.core import Fault, FaultKind
from fairplay.match.players import describe_house
from fairplay.run import house_players
from fairplay.web.house import worker
from fairplay.web.house.pool import Payer
from fairplay.web.house.worker import WORK_SHARE, HouseReply, ReviewPart, ReviewQuestion
from fairplay.web.http.errors import BusyError
from fairplay.web.reviews.reviewer import ADDRESS_RUNNING, Review, Reviewer
from toy_thinker import TOYS, record_toys

FISH = GAMES["fish"]
CONTENT = b"".join(record_toys(TOYS["fish"], "random", "random"))


class Pool:
    """Answers when it is told to, with what it is given."""

    def __init__(self) -> None:
        self.payers: list[Payer] = []
        self.go = asyncio.Event()
        self.answer: Any = ReviewPart((), (), None)

    async def choose(self, question: ReviewQuestion, payer: Payer, on_slow: Callable[[bool], object]) -> HouseReply:
        self.payers.append(payer)
        on_slow(True)
        await self.go.wait()
        return HouseReply(self.answer, 0.0)


def run(work: Callable[[Reviewer, Pool], Awaitable[None]]) -> None:
    async def running() -> None:
        pool = Pool()
        await work(Reviewer(pool), pool)  # type: ignore[arg-type]  # a pool of the test

    asyncio.run(running())


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (house_players, worker):
        monkeypatch.setattr(module, "has_compiler", lambda: True)


def new_review(id: str) -> Review:
    return Review(id, FISH, CONTENT, [])


def test_its_budget_is_stated_and_small() -> None:
    usual = int(describe_house(FISH, "search", 0).options["nodes"])
    assert new_review("a").by == f"search with {usual // WORK_SHARE:,} nodes a turn"


def test_an_address_pays_and_has_only_a_few_at_a_time() -> None:
    async def work(reviews: Reviewer, pool: Pool) -> None:
        for number in range(ADDRESS_RUNNING):
            reviews.start(new_review(str(number)), "ann")
        again = reviews.start(new_review("0"), "bob")
        assert again.status == "running"
        with pytest.raises(BusyError, match="Wait for one of them"):
            reviews.start(new_review("more"), "ann")
        reviews.start(new_review("bob's"), "bob")
        reviews.start(new_review("the owner's"), None)
        await asyncio.sleep(0)
        assert pool.payers == [
            *(Payer("ann", f"review {number}") for number in range(ADDRESS_RUNNING)),
            Payer("bob", "review bob's"),
            Payer(),
        ]
        slow = reviews.find("0")
        assert slow is not None and "Your computing time is used up" in slow.words
        await reviews.stop()
        assert reviews.find("0") is None

    run(work)


def test_one_that_breaks_off_can_be_asked_for_again() -> None:
    async def work(reviews: Reviewer, pool: Pool) -> None:
        pool.go.set()
        pool.answer = Fault(FaultKind.CRASHED, "a secret place in the code")
        for answer, status in ((pool.answer, "failed"), (ReviewPart((), (), None), "finished")):
            pool.answer = answer
            assert reviews.start(new_review("a"), "ann").status == "running"
            while (found := reviews.find("a")) is not None and found.status == "running":
                await asyncio.sleep(0)
            assert found is not None and found.status == status and "secret" not in found.words

    run(work)
