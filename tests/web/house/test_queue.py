"""Who is served first of those who wait, and how many steps it takes to find out."""

from __future__ import annotations

from math import log2
from random import Random

import pytest

from fairplay.web.house import pool as queue
from fairplay.web.house.pool import Budgets, FairQueue, Payer
from fairplay.web.http import limits


class Counted(float):
    """A number that counts how often it was compared."""

    compared = 0

    def __lt__(self, other: float) -> bool:
        Counted.compared += 1
        return float(self) < float(other)

    def __gt__(self, other: float) -> bool:
        Counted.compared += 1
        return float(self) > float(other)

    def __le__(self, other: float) -> bool:
        Counted.compared += 1
        return float(self) <= float(other)

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return isinstance(other, float) and float(self) == float(other)

    __hash__ = float.__hash__


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which stands still until a test changes it."""
    time = [1000.0]
    monkeypatch.setattr(queue, "monotonic", lambda: time[0])
    monkeypatch.setattr(limits, "monotonic", lambda: time[0])
    return time


def take_all(waiting: FairQueue[str]) -> list[str]:
    """Everything in the order in which it comes."""
    taken = []
    while (first := waiting.first()) is not None:
        waiting.remove(first)
        taken.append(first.item)
    return taken


def test_who_has_most_left_comes_first_and_the_oldest_of_the_equal(now: list[float]) -> None:
    budgets = Budgets(60)
    budgets.spend(Payer("greedy"), 50)
    budgets.spend(Payer("modest"), 5)
    waiting = FairQueue[str](budgets)
    for item, address in (("a", "greedy"), ("b", "modest"), ("c", "new"), ("d", "greedy"), ("e", "other")):
        waiting.add(item, Payer(address))
        now[0] += 0.001
    assert len(waiting) == 5
    assert take_all(waiting) == ["c", "e", "b", "a", "d"]
    assert len(waiting) == 0


def test_who_is_charged_while_waiting_falls_back(now: list[float]) -> None:
    budgets = Budgets(60)
    waiting = FairQueue[str](budgets)
    for item in "abc":
        waiting.add(item, Payer(item, item))
        now[0] += 1
    budgets.spend(Payer("a"), 30)
    budgets.spend(Payer("b"), 20)
    assert take_all(waiting) == ["c", "b", "a"]


def test_a_budget_that_is_full_again_gives_the_older_question_its_turn(now: list[float]) -> None:
    budgets = Budgets(60)
    budgets.spend(Payer("x"), 5)  # full again in five seconds
    waiting = FairQueue[str](budgets)
    waiting.add("old", Payer("x"))
    now[0] += 4
    waiting.add("before it is full", Payer("y"))
    now[0] += 2
    waiting.add("after it is full", Payer("z"))
    assert take_all(waiting) == ["before it is full", "old", "after it is full"]


def test_tables_of_one_address_take_turns_by_what_each_has_used(now: list[float]) -> None:
    budgets = Budgets(60)
    budgets.spend(Payer(None, "long"), 20)
    waiting = FairQueue[str](budgets)
    for item, table in (("a", "long"), ("b", "short"), ("c", "short")):
        waiting.add(item, Payer("x", table))
        now[0] += 0.001
    assert take_all(waiting) == ["b", "c", "a"]


def test_who_has_fewest_answered_comes_first(now: list[float]) -> None:
    budgets = Budgets(60)
    budgets.spend(Payer("poor"), 100)
    waiting = FairQueue[str](budgets)
    waiting.begin(Payer("rich"))
    waiting.add("a", Payer("rich"))
    waiting.add("b", Payer("poor"))
    first = waiting.first()
    assert first is not None and first.item == "b"
    waiting.end(Payer("rich"))
    assert take_all(waiting) == ["a", "b"]


def test_tables_without_an_address_have_turns_of_their_own_and_the_owner_has_one(now: list[float]) -> None:
    waiting = FairQueue[str](Budgets(60))
    waiting.begin(Payer(table="resumed"))
    waiting.begin(Payer())
    for item, payer in (("a", Payer(table="resumed")), ("b", Payer()), ("c", Payer(table="other"))):
        waiting.add(item, payer)
        now[0] += 0.001
    assert take_all(waiting) == ["c", "a", "b"]


def test_what_nobody_wants_any_more_is_taken_out_once(now: list[float]) -> None:
    waiting = FairQueue[str](Budgets(60))
    first, second = waiting.add("a", Payer("x")), waiting.add("b", Payer("x"))
    waiting.remove(first)
    waiting.remove(first)
    assert len(waiting) == 1 and waiting.first() is second
    waiting.remove(second)
    assert waiting.first() is None and not waiting._groups, "nothing is left of anyone"


def test_nothing_piles_up_however_long_it_is_used(now: list[float]) -> None:
    waiting = FairQueue[str](Budgets(60))
    waiting.add("stays", Payer("first"))
    for _ in range(1000):
        waiting.remove(waiting.add("goes", Payer("first")))
        waiting.remove(waiting.add("goes", Payer("second")))
    inner = waiting._groups["first"].waiting
    assert len(waiting._ready._heap) < 50 and len(inner._heap) < 50


def test_the_steps_for_a_question_grow_no_faster_than_the_logarithm(
    now: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody waits, is asked in turn, is charged and waits again, as on a server with so many matches."""

    def count_steps(tables: int, addresses: int) -> float:
        budgets, rng = Budgets(60), Random(1)
        waiting = FairQueue[int](budgets)
        payers = [Payer(f"a{table % addresses}", f"t{table}") for table in range(tables)]
        for table, payer in enumerate(payers):
            waiting.add(table, payer)
        Counted.compared = 0
        for _ in range(1000):
            now[0] += 0.001
            first = waiting.first()
            assert first is not None
            waiting.remove(first)
            waiting.begin(first.payer)
            budgets.spend(first.payer, rng.random())
            waiting.end(first.payer)
            waiting.add(first.item, first.payer)
        return Counted.compared / 1000

    found = limits.RateLimiter.full_at
    monkeypatch.setattr(limits.RateLimiter, "full_at", lambda self, name: Counted(found(self, name)))
    monkeypatch.setattr(queue, "monotonic", lambda: Counted(now[0]))
    few, many = 64, 2048
    for spread in (lambda tables: 1, lambda tables: 8, lambda tables: tables):
        steps = count_steps(many, spread(many))
        assert steps > 5, "they are counted"
        assert steps <= 2 * log2(many) / log2(few) * count_steps(few, spread(few))
