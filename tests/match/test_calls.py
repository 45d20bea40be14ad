"""A rule book that fails is named, with the place where it did; no player pays for it, and none can be taken for it."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from fairplay.catalog import GAMES
from fairplay.core import Fault, FaultKind, House, RuleBookError, RuleBookFailure
from fairplay.core.chance import derived
from fairplay.match.players import house_strategy
from fairplay.match.record import read_record
from fairplay.match.replay import deal_state, record_match, replay_record
from fairplay.run.inline import play_inline
from faulty_games import LUCKY_SEED, UNLUCKY_SEED

pytestmark = pytest.mark.usefixtures("faulty_games")

EXPECTED = {
    "apply": ("ZeroDivisionError: integer division or modulo by zero", " in apply", 1),
    "empty": ("a seat is on turn without a legal action", " in legal_actions", 1),
    "legal": ("ValueError: invalid literal for int() with base 10: 'no number'", " in raising_legal_actions", 1),
    "notices": ("StopIteration:", " in notices", 1),
    "view": (r"KeyError: 'the view of a seat\nthat nobody thought of'", " in view", 1),
    "why": ("SystemExit: out of the process", " in why_illegal", 1),
}
"""What is said of each fault that comes after the first turn of some deals, where, and after how many turns."""


class Watchful(House):
    """A player that wants to know what happens."""

    def __init__(self, strategy: Any) -> None:
        super().__init__(strategy)
        self.seen: list[Any] = []
        self.saw = self.seen.append


class Silly:
    """A player that breaks the rules at once."""

    def choose(self, view: Any) -> Any:
        return "0x9"

    def hear(self, news: object) -> None: ...


def play(fault: str, seed: int = UNLUCKY_SEED, players: Any = None, lines: list[bytes] | None = None) -> Any:
    game = GAMES[f"faulty_{fault}"]
    written = [] if lines is None else lines
    orders = record_match(game, next(iter(game.variants.values())), seed, ("ann", "bob"), written.append)
    strategy = house_strategy(game, "random", derived(seed, 0))
    return play_inline(orders, players or [House(strategy), House(strategy)])


def failure_of(fault: str, **more: Any) -> RuleBookFailure:
    with pytest.raises(RuleBookError) as failed:
        play(fault, **more)
    (failure,) = failed.value.failures
    assert failure.game == f"faulty_{fault}" and failure.place.startswith("__init__.py:")
    return failure


@pytest.mark.parametrize("fault", EXPECTED)
def test_whatever_raises_is_named_with_seed_turn_and_place(fault: str) -> None:
    failure, (error, place, turn) = failure_of(fault), EXPECTED[fault]
    assert (failure.error, failure.seed, failure.turn) == (error, UNLUCKY_SEED, turn)
    assert failure.place.endswith(place)
    assert play(fault, LUCKY_SEED).faults == (None, None), "it depends on the deal"


def test_a_rule_book_that_fails_before_and_after_all_turns_is_named_too() -> None:
    assert failure_of("start", seed=3).turn == 0
    alone = [House(house_strategy(GAMES["nim"], "random", derived(1, 0))), Silly()]
    assert failure_of("scores", players=alone).error == "AssertionError: seat 0 cannot win"
    assert failure_of("remove", players=[Silly(), Silly()]).error == "LookupError: seat 0 cannot be removed"


def test_what_others_may_know_of_a_turn_is_the_rule_books_to_say() -> None:
    strategy = house_strategy(GAMES["nim"], "random", derived(1, 0))
    failure = failure_of("public", players=[House(strategy), Watchful(strategy)])
    assert (failure.error, failure.turn) == ("ValueError: what others may know", 1)


def test_a_player_that_breaks_the_rules_is_still_removed() -> None:
    outcome = play("empty", LUCKY_SEED, [Silly(), House(house_strategy(GAMES["nim"], "random", derived(1, 0)))])
    assert outcome.faults[0] is not None and outcome.faults[0].kind is FaultKind.ILLEGAL
    assert outcome.winners == (1,)


class Disguised:
    """Says that it is whatever one asks for, and raises when it is looked at."""

    @property  # type: ignore[misc]  # it is not to be overridden, but a player may
    def __class__(self) -> Any:
        raise ZeroDivisionError("look elsewhere")


class Explosive(Decimal):
    """A number that cannot be written down."""

    def __str__(self) -> str:
        raise ZeroDivisionError("not to be written")


def replies() -> Iterator[Any]:
    from nim.rules import Take

    yield Disguised()
    wrong: Any = Disguised()
    yield Take(wrong, 1)
    wrong = Explosive(1)
    yield Take(wrong, 1)


@pytest.mark.parametrize("number", range(3))
def test_what_a_player_raises_is_never_taken_for_the_rule_book(number: int) -> None:
    class Hostile(Silly):
        def choose(self, view: Any) -> Any:
            return list(replies())[number]

    outcome = play("empty", LUCKY_SEED, [Hostile(), House(house_strategy(GAMES["nim"], "random", derived(1, 0)))])
    assert outcome.faults[0] is not None and outcome.faults[0].kind is FaultKind.MALFORMED


def test_a_crash_of_a_player_that_calls_the_rule_book_wrongly_is_its_own() -> None:
    class Confused(Silly):
        def choose(self, view: Any) -> Any:
            return GAMES["faulty_apply"].rules.apply(None, None)

    outcome = play("apply", LUCKY_SEED, [Confused(), House(house_strategy(GAMES["nim"], "random", derived(1, 0)))])
    assert outcome.faults[0] is not None and outcome.faults[0].kind is FaultKind.CRASHED


def test_a_store_that_fails_is_not_the_rule_books_fault() -> None:
    from fairplay.core import StoreError

    def full(line: bytes) -> None:
        raise StoreError("no space left")

    game = GAMES["nim"]
    with pytest.raises(StoreError, match="no space left"):
        play_inline(record_match(game, game.variants["standard"], 1, ("ann", "bob"), full), [Silly(), Silly()])


def test_the_record_of_a_match_that_broke_off_fails_at_the_same_turn() -> None:
    lines: list[bytes] = []
    failure = failure_of("apply", lines=lines)
    events: list[Any] = []
    with pytest.raises(RuleBookError) as again:
        events.extend(replay_record(GAMES["faulty_apply"], read_record(lines)))
    assert again.value.failures == (failure,)


def test_an_error_travels_between_processes_and_tells_of_the_first_few() -> None:
    game = GAMES["faulty_start"]
    with pytest.raises(RuleBookError) as failed:
        deal_state(game, next(iter(game.variants.values())), 3, 2)
    many = RuleBookError(*failed.value.locate(match="7").failures * 12)
    assert str(pickle.loads(pickle.dumps(many))) == str(many)
    first, *_, last = str(many).splitlines()
    place = failed.value.failures[0].place
    assert first == (
        "the rule book of faulty_start failed in match 7, seed 3, after turn 0: "
        f"IndexError: tuple index out of range, at {place}"
    )
    assert last == "and so in 2 more"


def test_a_fault_is_a_fault_where_there_is_a_choice() -> None:
    class Mute(Silly):
        def choose(self, view: Any) -> Any:
            return Fault(FaultKind.TIMED_OUT, "too late")

    outcome = play("view", LUCKY_SEED, [Mute(), House(house_strategy(GAMES["nim"], "random", derived(1, 0)))])
    assert outcome.faults[0] == Fault(FaultKind.TIMED_OUT, "too late")
