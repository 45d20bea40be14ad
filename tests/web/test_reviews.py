"""Reviews that are worked out for those who asked, a few at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from fairplay.catalog import GAMES
from fairplay.core import Fault, FaultKind, HousePlayers
from fairplay.match.players import describe_house
from fairplay.match.record import read_record
from fairplay.match.review.analysis import analyse_record
from fairplay.match.review.walk import seat_thinkers
from fairplay.report.reviews import describe_better
from fairplay.run import house_players
from fairplay.web.house import worker
from fairplay.web.house.pool import HousePool, Payer
from fairplay.web.house.worker import WORK_SHARE, HouseQuestion, HouseReply, ReviewPart, ReviewQuestion, answer
from fairplay.web.http.endpoints import BusyError
from fairplay.web.reviews import ADDRESS_RUNNING, Review, Reviewer
from toy_thinker import TOYS, record_toys
from web.people import finished, open_table
from web.servers import TOKEN, Inside, wait_until

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
        for reply, status in ((pool.answer, "failed"), (ReviewPart((), (), None), "finished")):
            pool.answer = reply
            assert reviews.start(new_review("a"), "ann").status == "running"
            while (found := reviews.find("a")) is not None and found.status == "running":
                await asyncio.sleep(0)
            assert found is not None and found.status == status and "secret" not in found.words

    run(work)


FISH = GAMES["fish"]
OWNER = {"Authorization": f"Bearer {TOKEN}"}


class Here:
    """Answers in this process, where the toy thinks; a part of a review is one turn."""

    def __init__(self) -> None:
        self.reviewed = 0

    def ask(self, question: HouseQuestion | ReviewQuestion, seconds: float) -> HouseReply:
        self.reviewed += isinstance(question, ReviewQuestion)
        return answer(question)

    def close(self) -> None:
        pass


@pytest.fixture
def here(site: Inside, monkeypatch: pytest.MonkeyPatch) -> Here:
    made = Here()
    monkeypatch.setitem(FISH.__dict__, "players", TOYS["fish"].players)
    for module in (house_players, worker):
        monkeypatch.setattr(module, "has_compiler", lambda: True)
    monkeypatch.setattr(worker, "REVIEW_SLICE", 0.0)
    monkeypatch.setattr(site.services[HousePool]._long, "_idle", [made])
    return made


def review(client: httpx.Client, id: str, **headers: str) -> dict[str, object]:
    """The review of a match, once it is finished."""
    path = f"/api/matches/{id}/review"
    assert client.post(path, headers=headers).status_code == 200
    wait_until(lambda: client.get(path, headers=headers).json()["status"] != "running")
    shown: dict[str, object] = client.get(path, headers=headers).json()
    return shown


def test_a_match_is_reviewed_as_by_the_command_and_once(site: Inside, client: httpx.Client, here: Here) -> None:
    id = open_table(client, "fish", "greedy", "random", seed=5)["id"]
    record = read_record(finished(site, id).splitlines(keepends=True))
    assert client.get(f"/api/matches/{id}/review").status_code == 404
    turns = list(analyse_record(FISH, record, seat_thinkers(FISH, "search", 2)))
    shown = review(client, id)
    assert (shown["status"], shown["by"]) == ("finished", "search")
    assert shown["better"] == ["", *(describe_better(FISH, turn) for turn in turns)]
    assert "Turning point: turn " in str(shown["words"]) and 'href="?turn=' in str(shown["chart"])
    asked = here.reviewed
    assert asked >= len(turns), "turn by turn"
    with site.client() as other:
        assert other.post(f"/api/matches/{id}/review").json() == shown
    assert here.reviewed == asked


def test_a_match_that_is_not_over_or_whose_deal_is_played_again_is_refused(
    site: Inside, client: httpx.Client, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = open_table(client, "fish", "me", "random")["id"]
    over = open_table(client, "fish", "random", "random")["id"]
    finished(site, over)

    async def is_open(id: str) -> bool:
        return True

    monkeypatch.setattr(site.registry, "has_open_tournament", is_open)
    for id, words in ((running, "once it is over"), (over, "once the tournament is finished")):
        for refused in (client.post(f"/api/matches/{id}/review"), client.get(f"/api/matches/{id}/review")):
            assert refused.status_code == 409 and words in refused.json()["error"]
    assert review(client, over, **OWNER)["status"] == "finished"
    assert client.get(f"/api/matches/{over}/review").status_code == 409, "also where it was worked out for the owner"
    assert client.post("/api/matches/nowhere/review").status_code == 404


def test_where_nobody_can_review_it_one_is_told(
    site: Inside, client: httpx.Client, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "has_compiler", lambda: False)
    monkeypatch.setitem(
        GAMES["nim"].__dict__, "players", HousePlayers({"random": GAMES["nim"].players.strategies["random"]})
    )
    for game, words in (("nim", "has no house player that says what it thinks"), ("fish", "pip install numba")):
        id = open_table(client, game, "random", "random")["id"]
        finished(site, id)
        refused = client.post(f"/api/matches/{id}/review")
        assert refused.status_code == 422 and words in refused.json()["error"]


def test_those_who_have_used_up_their_computing_time_wait(site: Inside, client: httpx.Client, here: Here) -> None:
    id = open_table(client, "fish", "random", "random")["id"]
    finished(site, id)
    limiter = site.services[HousePool].budgets.addresses
    site.call(lambda: limiter.spend("127.0.0.1", 1e12))
    try:
        refused = client.post(f"/api/matches/{id}/review")
        assert refused.status_code == 429 and "used up your computing time" in refused.json()["error"]
        assert review(client, id, **OWNER)["status"] == "finished"
    finally:
        site.call(limiter._buckets.clear)
