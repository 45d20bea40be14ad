"""Processes for house players: shared fairly, within budgets, and never the server's own."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.web.house.pool import HousePool, Payer
from fairplay.web.house.worker import HouseQuestion, HouseReply
from fairplay.web.http import limits
from fairplay.web.matches import registry
from web.people import finished, open_table, presence
from web.servers import PATIENT, TOKEN, Inside, inside, wait_until

QUESTION = HouseQuestion("fish", "random", Random(1), None)


class Process:
    """A process that answers with the order in which it was asked, at a price that is given."""

    def __init__(self, cpu: float = 0.0) -> None:
        self.cpu, self.asked = cpu, 0

    def ask(self, question: HouseQuestion, seconds: float) -> HouseReply:
        self.asked += 1
        return HouseReply(self.asked, self.cpu)

    def close(self) -> None:
        pass


def pool_of(process: Process, cpu: float) -> HousePool:
    made = HousePool(1, cpu)
    made._processes = made._idle = [process]  # type: ignore[list-item]  # a process of the test
    return made


def run(work: Callable[[], Any]) -> Any:
    return asyncio.run(work())


# -- the budget --------------------------------------------------------------------------------


def test_a_budget_that_is_used_up_slows_the_table_down(monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept, slow = 0.0, list[float](), list[float]()
    monkeypatch.setattr(limits, "monotonic", lambda: now)

    async def sleep(seconds: float) -> None:
        nonlocal now
        slept.append(seconds)
        now += seconds

    async def work() -> None:
        pool = pool_of(Process(cpu=40.0), cpu=60)  # a second of CPU time each second, 120 at once, 60 for a table
        for _ in range(2):
            assert pool.seconds_to_wait(Payer("a", "t")) == 0
            await pool.choose(QUESTION, Payer("a", "t"), slow.append)
            await asyncio.sleep(0)
        assert pool.seconds_to_wait(Payer("a", "t")) == pytest.approx(40, abs=0.1), "half a second each second"
        assert pool.seconds_to_wait(Payer("a", "u")) == 0 and pool.seconds_to_wait(Payer("b", "v")) == 0
        monkeypatch.setattr(asyncio, "sleep", sleep)
        await pool.choose(QUESTION, Payer("a", "t"), slow.append)
        await pool.stop()

    run(work)
    assert sum(slept) == pytest.approx(40, abs=0.1) and slow == [True, False]


def test_tables_of_one_address_share_its_budget() -> None:
    async def work() -> None:
        pool = pool_of(Process(cpu=39.0), cpu=60)
        for table in "abc":
            await pool.choose(QUESTION, Payer("x", table), int)
            await asyncio.sleep(0)
        assert pool.addresses.seconds_to_wait("x") == 0
        await pool.choose(QUESTION, Payer("x", "d"), int)
        await asyncio.sleep(0)
        assert pool.addresses.seconds_to_wait("x") > 30, "156 of 120 CPU seconds are used"
        for free in (Payer("y", "e"), Payer(table="f"), Payer()):
            assert pool.seconds_to_wait(free) == 0
        await pool.stop()

    run(work)


def test_who_has_used_least_comes_first() -> None:
    async def work() -> list[int]:
        pool = pool_of(Process(), cpu=60)
        pool.addresses.spend("greedy", 50)
        process = await pool._take_process(Payer("x"))
        asked = [pool.choose(QUESTION, Payer(name, name), int) for name in ("greedy", "greedy", "modest")]
        tasks = [asyncio.ensure_future(each) for each in asked]
        await asyncio.sleep(0)
        pool._give_process(process)
        replies = await asyncio.gather(*tasks)
        await pool.stop()
        return [reply.action for reply in replies]

    assert run(work) == [2, 3, 1]


def test_a_match_that_ends_while_it_waits_leaves_no_process_behind() -> None:
    async def work() -> None:
        pool = pool_of(Process(), cpu=60)
        process = await pool._take_process(Payer("x"))
        given_up = asyncio.ensure_future(pool.choose(QUESTION, Payer("y"), int))
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.gather(given_up, return_exceptions=True)
        pool._give_process(process)
        assert (await pool.choose(QUESTION, Payer("z"), int)).action == 1
        await pool.stop()

    run(work)


# -- on a server -------------------------------------------------------------------------------


def test_no_house_player_thinks_in_the_process_of_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every strategy of the games is replaced here; the server plays as if nothing had happened."""
    used: list[str] = []

    def note(name: str, maker: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(maker)
        def make(*_: object, **__: object) -> Any:
            used.append(f"{name} in {os.getpid()}")
            raise AssertionError("thinks in the server")

        return make

    for game in ("fish", "trains", "labyrinth"):
        strategies = {name: note(name, maker) for name, maker in GAMES[game].strategies.items()}
        monkeypatch.setitem(GAMES[game].__dict__, "strategies", strategies)
    with inside(tmp_path / "f.db", replace(PATIENT, patience=0.0)) as site, site.client() as client:
        ids = [open_table(client, game, "random", "random")["id"] for game in ("fish", "trains", "labyrinth")]
        ids.append(open_table(client, "fish", "me", "minimax")["id"])  # a house player stands in
        assert all(b'"outcome"' in finished(site, id) for id in ids)
    assert used == []


def test_tables_that_cost_too_much_are_slowed_and_further_ones_refused(tmp_path: Path) -> None:
    """The budget is a hundredth of a CPU second a minute: a few turns use it up."""
    settings = replace(PATIENT, cpu=0.01, token=TOKEN)
    with inside(tmp_path / "f.db", settings) as site, site.client() as client:
        id = open_table(client, "labyrinth", "lookahead", "lookahead", "lookahead")["id"]
        wait_until(lambda: presence(client, id)["remark"])
        assert "used up their computing time" in presence(client, id)["remark"]
        assert "used up their computing time" in first_presence(site, id)["remark"]
        table = {"game": "fish", "seats": [{"who": "house"}] * 2, "pace": 0}
        wait_until(lambda: client.post("/api/matches", json=table).status_code == 429)
        refused = client.post("/api/matches", json=table)
        assert refused.status_code == 429 and refused.headers["Retry-After"]
        assert "used up their computing time. Wait" in refused.json()["error"]
        assert client.post("/play/fish").status_code == 429
        owner = {"Authorization": f"Bearer {TOKEN}"}
        assert client.post("/api/matches", json=table, headers=owner).status_code == 201


def first_presence(site: Inside, id: str) -> dict[str, Any]:
    """The first presence that a watcher is sent."""
    with site.socket(f"/api/matches/{id}/live") as feed:
        while "presence" not in (message := json.loads(feed.recv(30))):
            pass
    found: dict[str, Any] = message["presence"]
    return found


def test_one_address_does_not_take_all_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "ADDRESS_MATCHES", 2)
    settings = replace(PATIENT, matches=10, token=TOKEN)
    with inside(tmp_path / "f.db", settings) as site, site.client() as client:
        table = {"game": "fish", "seats": [{"who": "house"}] * 2, "pace": 60}
        answers = [client.post("/api/matches", json=table) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 503]
        assert "2 of your matches are running" in answers[-1].json()["error"]
        owner = {"Authorization": f"Bearer {TOKEN}"}
        assert client.post("/api/matches", json=table, headers=owner).status_code == 201
