"""House players of the server: answered at sight or in processes, fairly and within budgets."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import threading
from collections import Counter
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.core import Fault, FaultKind
from fairplay.match.players import describe_house, house_strategy
from fairplay.match.replay import deal_state
from fairplay.web.house import pool as pool_module
from fairplay.web.house.pool import AT_SIGHT, SLICE, TURN_COST, Budgets, HousePool, Payer, Thinkers, is_at_sight
from fairplay.web.house.worker import HouseQuestion, HouseReply, ThinkingProcess, answer
from fairplay.web.http import limits
from fairplay.web.matches import registry
from web.people import finished, open_table, presence
from web.servers import PATIENT, TOKEN, Inside, inside, wait_until

QUESTION = HouseQuestion("fish", "search", Random(1), None)


class Process:
    """A process that answers with the order in which it was asked, at a price that is given."""

    def __init__(self, cpu: float = 0.0) -> None:
        self.cpu, self.asked = cpu, 0

    def ask(self, question: HouseQuestion, seconds: float) -> HouseReply:
        self.asked += 1
        return HouseReply(self.asked, self.cpu)

    def close(self) -> None:
        pass


class Blocked(Process):
    """A process in which somebody thinks until the test lets it answer."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.may_answer = threading.Event(), threading.Event()

    def ask(self, question: HouseQuestion, seconds: float) -> HouseReply:
        self.begun.set()
        assert self.may_answer.wait(120)
        return super().ask(question, seconds)

    def close(self) -> None:
        self.may_answer.set()


def thinkers(budgets: Budgets, *processes: Process) -> Thinkers:
    return Thinkers(processes, budgets)  # type: ignore[arg-type]  # processes of the test


def pool_of(process: Process, cpu: float) -> HousePool:
    made = HousePool(1, cpu)
    made._long = thinkers(made.budgets, process)
    return made


def first_question(game: str, player: str, seed: int = 5) -> HouseQuestion:
    """What the first player of a new match is asked."""
    state = deal_state(GAMES[game], GAMES[game].quick or GAMES[game].setup(), 3, 2)
    mover = GAMES[game].rules.to_move(state)
    assert mover is not None
    return HouseQuestion(game, player, Random(seed), GAMES[game].rules.view(state, mover))


GREEDY = first_question("fish", "greedy")


def run(work: Callable[[], Any]) -> Any:
    return asyncio.run(work())


async def settle() -> None:
    """Let everything that can happen in the loop happen."""
    for _ in range(10):
        await asyncio.sleep(0)


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
            assert pool.budgets.seconds_to_wait(Payer("a", "t")) == 0
            await pool.choose(QUESTION, Payer("a", "t"), slow.append)
            await asyncio.sleep(0)
        assert pool.budgets.seconds_to_wait(Payer("a", "t")) == pytest.approx(40, abs=0.1), "half a second each second"
        assert not any(map(pool.budgets.seconds_to_wait, (Payer("a", "u"), Payer("b", "v"))))
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
        assert pool.budgets.addresses.seconds_to_wait("x") == 0
        await pool.choose(QUESTION, Payer("x", "d"), int)
        await asyncio.sleep(0)
        assert pool.budgets.addresses.seconds_to_wait("x") > 30, "156 of 120 CPU seconds are used"
        for free in (Payer("y", "e"), Payer(table="f"), Payer()):
            assert pool.budgets.seconds_to_wait(free) == 0
        await pool.stop()

    run(work)


@pytest.mark.parametrize("took", [(), (0.001,), (9.0, 9.0)])
def test_wherever_it_is_answered_the_address_and_the_table_pay(took: tuple[float, ...]) -> None:
    async def work() -> None:
        pool = HousePool(1, 60)
        reply = await pool.choose(replace(first_question("fish", "greedy"), took=took), Payer("x", "t"), int)
        await asyncio.sleep(0)
        for limiter, name in ((pool.budgets.addresses, "x"), (pool.budgets.tables, "t")):
            assert limiter.burst - limiter._buckets[name][0] == pytest.approx(TURN_COST + reply.cpu)
        await pool.stop()

    run(work)


# -- processes ---------------------------------------------------------------------------------


def test_who_has_used_least_comes_first() -> None:
    async def work() -> list[int]:
        process = Blocked()
        pool = pool_of(process, cpu=60)
        pool.budgets.spend(Payer("greedy"), 50)
        before = asyncio.ensure_future(pool.choose(QUESTION, Payer("x"), int))
        await asyncio.to_thread(process.begun.wait)
        asked = [pool.choose(QUESTION, Payer(name, name), int) for name in ("greedy", "greedy", "modest")]
        tasks = [asyncio.ensure_future(each) for each in asked]
        await settle()
        process.may_answer.set()
        replies = await asyncio.gather(before, *tasks)
        await pool.stop()
        return [reply.action for reply in replies]

    assert run(work) == [1, 3, 4, 2]


def test_a_match_that_ends_while_it_waits_leaves_no_process_behind() -> None:
    async def work() -> None:
        process = Blocked()
        pool = pool_of(process, cpu=60)
        asked = [asyncio.ensure_future(pool.choose(QUESTION, Payer(name), int)) for name in "xyz"]
        await asyncio.to_thread(process.begun.wait)
        asked[1].cancel()
        process.may_answer.set()
        assert [reply.action for reply in await asyncio.gather(asked[0], asked[2])] == [1, 2]
        assert asked[1].cancelled()
        await pool.stop()

    run(work)


def test_who_floods_gets_no_second_process_while_others_wait_and_never_the_last_one() -> None:
    async def work() -> None:
        processes = [Blocked(), Blocked(), Blocked()]
        asleep = thinkers(Budgets(60), *processes)
        flood = [asyncio.ensure_future(asleep.choose(QUESTION, Payer("flood", str(at)))) for at in range(15)]
        await settle()
        assert asleep._queue.count_thinking(Payer("flood")) == 2 and len(asleep._idle) == 1
        others = [asyncio.ensure_future(asleep.choose(QUESTION, Payer(name))) for name in "xyz"]
        await settle()
        assert asleep._queue.count_thinking(Payer("x")) == 1 and not asleep._idle
        for process in processes:
            process.may_answer.set()
        done, _ = await asyncio.wait(flood + others, return_when=asyncio.ALL_COMPLETED)
        assert len(done) == 18 and len(asleep._idle) == 3 and not asleep._queue._groups
        await asleep.stop()

    run(work)


def test_when_a_process_is_free_who_has_none_comes_before_a_flood_that_has_one() -> None:
    async def work() -> None:
        processes = [Blocked(), Blocked()]
        asleep = thinkers(Budgets(60), *processes)
        first = [asyncio.ensure_future(asleep.choose(QUESTION, Payer(name))) for name in ("flood", "x")]
        await settle()
        flood = [asyncio.ensure_future(asleep.choose(QUESTION, Payer("flood", str(at)))) for at in range(9)]
        await settle()
        asleep._budgets.spend(Payer("y"), 100)  # much more than the flood
        y = asyncio.ensure_future(asleep.choose(QUESTION, Payer("y")))
        await settle()
        processes[0].may_answer.set()  # it has the question of x
        await y
        assert not any(task.done() for task in (first[0], *flood))
        processes[1].may_answer.set()
        await asyncio.gather(*first, *flood)
        await asleep.stop()

    run(work)


def test_who_answers_quickly_does_not_wait_for_long_thoughts() -> None:
    async def work() -> None:
        pool = HousePool(2, 60)
        blocked = [Blocked(), Blocked()]
        pool._long, pool._short = thinkers(pool.budgets, *blocked), thinkers(pool.budgets, Process())
        long = [asyncio.ensure_future(pool.choose(QUESTION, Payer(name), int)) for name in "abc"]
        await asyncio.gather(*(asyncio.to_thread(process.begun.wait) for process in blocked))
        assert (await pool.choose(replace(QUESTION, took=(0.01, 0.002)), Payer("x"), int)).action == 1
        slow = asyncio.ensure_future(pool.choose(replace(QUESTION, took=(0.5, 0.002)), Payer("x"), int))
        again = asyncio.ensure_future(pool.choose(replace(QUESTION, took=(0.001,), again=True), Payer("y"), int))
        await settle()
        assert not slow.done() and not again.done(), "they may take long"
        for process in blocked:
            process.may_answer.set()
        await asyncio.gather(*long, slow, again)
        await pool.stop()

    run(work)


def test_it_stops_while_some_think_and_others_wait() -> None:
    async def work() -> list[bool]:
        pool = pool_of(Blocked(), cpu=60)
        asked = [asyncio.ensure_future(pool.choose(QUESTION, Payer(name), int)) for name in "xyz"]
        asked += [asyncio.ensure_future(pool.choose(GREEDY, Payer(name), int)) for name in "xyz"]
        await settle()
        for task in asked[:3]:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        await pool.stop()
        return [task.cancelled() for task in asked]

    assert run(work) == [True] * 3 + [False] * 3


# -- at sight ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_at_sight_the_server_chooses_what_a_process_would(name: str) -> None:
    """Whatever the generator: it comes back where it would be."""

    async def work() -> None:
        pool = HousePool(1, 1e9)
        for player in GAMES[name].players.at_sight:
            here, there = Random(7), Random(7)
            for _ in range(3):
                question = replace(first_question(name, player), rng=here)
                reply, expected = await pool.choose(question, Payer(), int), answer(replace(question, rng=there))
                assert (reply.action, reply.remembers) == (expected.action, expected.remembers)
                assert reply.rng is not None and expected.rng is not None
                assert reply.rng.getstate() == expected.rng.getstate()
                here, there = reply.rng, expected.rng
        assert all(process._process is None for place in (pool._long, pool._short) for process in place._processes)
        await pool.stop()

    run(work)


@pytest.mark.parametrize("name", GAMES)
def test_what_a_game_declares_to_be_at_sight_searches_nothing_and_remembers_nothing(name: str) -> None:
    game = GAMES[name]
    assert game.players.at_sight <= game.players.strategies.keys()
    for player in game.players.at_sight:
        strategy = house_strategy(game, player, Random(1))
        assert not any(hasattr(strategy, method) for method in ("think", "saw", "look"))
        assert describe_house(game, player, 0).options == {}, "nothing says how far to look"


def test_it_answers_while_all_processes_think() -> None:
    async def work() -> None:
        pool = HousePool(2, 60)
        blocked = [Blocked() for _ in range(3)]
        pool._long, pool._short = thinkers(pool.budgets, *blocked[:2]), thinkers(pool.budgets, blocked[2])
        thinking = [asyncio.ensure_future(pool.choose(QUESTION, Payer(name), int)) for name in "ab"]
        thinking.append(asyncio.ensure_future(pool.choose(replace(QUESTION, took=(0.001,)), Payer("c"), int)))
        await asyncio.gather(*(asyncio.to_thread(process.begun.wait) for process in blocked))
        reply = await pool.choose(GREEDY, Payer("honest"), int)
        assert reply.action == answer(GREEDY).action
        assert not any(task.done() for task in thinking)
        for process in blocked:
            process.may_answer.set()
        await asyncio.gather(*thinking)
        await pool.stop()

    run(work)


def test_one_slow_answer_says_nothing_and_two_send_it_to_the_processes() -> None:
    slow, quick = 2 * AT_SIGHT, AT_SIGHT / 2
    asked = GREEDY
    for took, here in (((), 1), ((slow,), 1), ((slow, quick), 1), ((quick, slow), 1), ((slow, slow), 0)):
        assert is_at_sight(replace(asked, took=took)) == here
    assert not is_at_sight(replace(asked, again=True)), "living through a whole match may take long"
    assert not is_at_sight(replace(asked, player="minimax"))


def test_the_server_looks_after_everything_else_between_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each answer takes half a slice here, and a task counts how often the loop comes round."""

    def answer_slowly(question: HouseQuestion, clock: Any) -> HouseReply:
        return HouseReply(len(rounds), SLICE / 2)

    rounds: list[int] = []
    monkeypatch.setattr(pool_module, "answer", answer_slowly)

    async def count_rounds() -> None:
        while True:
            rounds.append(1)
            await asyncio.sleep(0)

    async def work() -> list[int]:
        pool, counting = HousePool(1, 60), asyncio.ensure_future(count_rounds())
        asked = [asyncio.ensure_future(pool.choose(GREEDY, Payer(str(number)), int)) for number in range(20)]
        asked[7].cancel()
        replies = await asyncio.gather(*asked, return_exceptions=True)
        counting.cancel()
        assert isinstance(replies.pop(7), asyncio.CancelledError)
        await pool.stop()
        return [reply.action for reply in replies if not isinstance(reply, BaseException)]

    answered_in = Counter(run(work))
    assert sum(answered_in.values()) == 19 and max(answered_in.values()) == 2


def test_of_those_who_wait_for_a_slice_who_has_used_least_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []

    def answer_slowly(question: HouseQuestion, clock: Any) -> HouseReply:
        order.append(question.view)
        return HouseReply(None, SLICE)

    monkeypatch.setattr(pool_module, "answer", answer_slowly)

    async def work() -> None:
        pool = HousePool(1, 60)
        names = ["first", "flood", "flood", "flood", "honest"]
        await asyncio.gather(*(pool.choose(replace(GREEDY, view=name), Payer(name), int) for name in names))
        await pool.stop()

    run(work)
    assert order == ["first", "flood", "honest", "flood", "flood"]


# -- on a server -------------------------------------------------------------------------------


def test_no_house_player_that_searches_thinks_in_the_process_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but those at sight are replaced here; the server plays as if nothing had happened."""
    used: list[str] = []

    def note(name: str, maker: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(maker)
        def make(*_: object, **__: object) -> Any:
            used.append(f"{name} in {os.getpid()}")
            raise AssertionError("thinks in the server")

        return make

    searching = {"fish": "minimax", "trains": "planner", "labyrinth": "lookahead"}
    for game in searching:
        makers = GAMES[game].players.strategies.items()
        noted = {name: maker if name in GAMES[game].players.at_sight else note(name, maker) for name, maker in makers}
        monkeypatch.setitem(GAMES[game].__dict__, "players", dataclasses.replace(GAMES[game].players, strategies=noted))
    with inside(tmp_path / "f.db", replace(PATIENT, patience=0.0)) as site, site.client() as client:
        ids = [open_table(client, game, player, "random")["id"] for game, player in searching.items()]
        ids.append(open_table(client, "fish", "me", "minimax")["id"])  # a house player stands in
        assert all(b'"outcome"' in finished(site, id) for id in ids)
    assert used == []


def test_matches_at_sight_go_on_while_a_flood_has_all_processes_think(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thoughts end with the server: nothing but that ends them."""
    asked: list[str] = []

    def think_for_ever(self: ThinkingProcess, question: HouseQuestion, seconds: float) -> HouseReply:
        asked.append(question.player)
        assert may_end.wait(300)
        return HouseReply(Fault(FaultKind.CRASHED, "the server stops"), 0.0)

    may_end = threading.Event()
    monkeypatch.setattr(ThinkingProcess, "ask", think_for_ever)
    monkeypatch.setattr(ThinkingProcess, "close", lambda self: may_end.set())
    with inside(tmp_path / "f.db", replace(PATIENT, thinkers=2)) as site, site.client() as client:
        for game, seats in (("fish", 2), ("trains", 3), ("labyrinth", 4)) * 5:
            open_table(client, game, *["search"] * seats)
        wait_until(lambda: asked)
        ids = [open_table(client, game, "random", "random")["id"] for game in ("fish", "trains", "labyrinth")]
        assert all(b'"outcome"' in finished(site, id) for id in ids)
        assert len(asked) == 1, "one address never has both"
    assert may_end.is_set()


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
