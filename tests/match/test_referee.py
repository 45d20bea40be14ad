"""The referee: orders out, replies in, and nothing a player does disturbs it."""

from __future__ import annotations

from typing import Any

import pytest

from fairplay.catalog import GAMES
from fairplay.core import Began, Ended, Fault, FaultKind, Removed, Seat, Turn
from fairplay.core.chance import derived
from fairplay.match.referee import Ask, Report, Tell, decode_action, judge, rank, referee

NIM = GAMES["nim"]
FISH = GAMES["fish"]


def nim() -> Any:
    """The rule book of Nim; a toy's modules can be imported once the tests have put it beside the games."""
    from nim import rules

    return rules


def orders(replies: dict[int, Any], seats: int = 2) -> tuple[list[Any], Any]:
    """Every order of a match of one heap of two where each takes one, with some replies replaced."""
    rules = nim()
    running = referee(NIM, rules.Heaps((2,), tuple(map(Seat, range(seats))), None), seats)
    said: list[Any] = []
    reply: Any = None
    while True:
        try:
            order = running.send(reply)
        except StopIteration as done:
            return said, done.value
        reply = replies.get(len(said), rules.Take(0, 1) if isinstance(order, Ask) else None)
        said.append(order)


def test_a_whole_match_in_orders() -> None:
    said, outcome = orders({})
    assert [type(order) for order in said] == [Tell, Tell, Ask, Report, Ask, Report, Tell, Tell]
    assert isinstance(said[0].news, Began)
    assert isinstance(said[3].event, Turn)
    assert [(order.seat, order.news) for order in said[-2:]] == [(1, Ended(True)), (0, Ended(False))]
    assert outcome.ranking == ((1,), (0,))
    assert outcome.winners == (1,)
    assert outcome.scores == ((0,), (1,))
    assert outcome.faults == (None, None)
    assert outcome.ending == "all heaps are empty"


def test_who_faults_in_the_opening_is_removed_before_play() -> None:
    said, outcome = orders({0: Fault(FaultKind.TIMED_OUT)})
    assert isinstance(said[1].event, Removed)
    assert [order.seat for order in said if isinstance(order, Ask)] == [1, 1]
    assert outcome.ranking == ((1,),)
    assert outcome.faults[0] == Fault(FaultKind.TIMED_OUT)


def test_who_faults_in_a_turn_is_removed_and_the_others_play_on() -> None:
    said, outcome = orders({2: Fault(FaultKind.GONE)})
    assert [order.seat for order in said if isinstance(order, Ask)] == [0, 1, 1]
    assert outcome.winners == (1,)
    assert outcome.scores[0] is None


def test_an_illegal_action_is_a_fault_with_the_reason() -> None:
    _, outcome = orders({2: nim().Take(0, 9)})
    assert outcome.faults[0] == Fault(FaultKind.ILLEGAL, "0x9: there are not so many matches")


def test_a_winner_that_faults_in_the_closing_is_no_winner_and_nobody_is_promoted() -> None:
    said, outcome = orders({6: Fault(FaultKind.CRASHED)})
    assert outcome.ranking == ((), (0,))
    assert outcome.winners == ()
    assert outcome.scores == ((0,), None)
    assert isinstance(said[7], Report)
    assert said[7].event.before == said[7].event.after


def test_nobody_left_is_an_empty_ranking() -> None:
    _, outcome = orders({0: Fault(FaultKind.GONE), 2: Fault(FaultKind.GONE)})
    assert outcome.ranking == ()
    assert outcome.winners == ()
    assert outcome.ending == "nobody is left"


def test_ranks_are_tiers_of_equals() -> None:
    scores = {Seat(2): (5,), Seat(0): (7,), Seat(1): (5,)}
    assert rank(scores) == ((0,), (1, 2))
    assert rank({}) == ()
    assert rank({Seat(0): (3, 1), Seat(1): (3, 2)}) == ((1,), (0,))


# -- what a reply may be -----------------------------------------------------------------------


def test_a_fault_passes_through() -> None:
    fault = Fault(FaultKind.GONE)
    assert decode_action(FISH, fault) is fault


def move(**fields: Any) -> Any:
    from fairplay.games.fish.state import Move

    return Move(**{"start": (0, 0), "target": (1, 0), **fields})


def test_the_class_of_a_reply_is_not_asked_what_it_equals() -> None:
    """A player's metaclass could run anything in the referee."""
    pytest.importorskip("numpy")

    def fail(*_: object) -> bool:
        raise ValueError("it was asked")

    reply = type("Meta", (type,), {"__eq__": fail, "__hash__": fail})("Reply", (), {})()
    view = FISH.rules.view(FISH.rules.start(FISH.setup(), 2, derived(1)), Seat(0))
    fault = decode_action(FISH, reply, view)
    assert isinstance(fault, Fault) and fault.kind is FaultKind.MALFORMED


def test_a_text_is_an_action_in_the_notation_of_the_game() -> None:
    assert repr(decode_action(FISH, "0,0")) == "Place(at=(0, 0))"
    assert isinstance(decode_action(FISH, type("Hostile", (str,), {"strip": None})("0,0")), Fault)
    fault = decode_action(FISH, "move")
    assert isinstance(fault, Fault) and fault.kind is FaultKind.MALFORMED
    assert fault.detail.startswith("'move' is not an action; expected ROW,COLUMN")


def test_a_number_is_an_action_where_the_view_is_known() -> None:
    import numpy as np

    view = FISH.rules.view(FISH.rules.start(FISH.variants["standard"], 2, derived(1, "deal")), Seat(0))
    assert repr(decode_action(FISH, 5, view)) == repr(decode_action(FISH, np.int32(5), view)) == "Place(at=(0, 5))"
    assert isinstance(decode_action(FISH, 5), Fault)
    for wrong in (True, 5.0, np.float32(5), type("Hostile", (int,), {"__index__": None})(5)):
        assert isinstance(decode_action(FISH, wrong, view), Fault)
    fault = decode_action(FISH, 984, view)
    assert isinstance(fault, Fault) and fault.kind is FaultKind.MALFORMED and "984" in fault.detail


@pytest.mark.parametrize("reply", [5, b"0,0", {"do": "move"}, [[0, 0], [1, 0]], object()])
def test_what_is_no_action_is_malformed(reply: Any) -> None:
    fault = decode_action(FISH, reply)
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.MALFORMED
    assert fault.detail == f"expected Place or Move, got {type(reply).__name__}"


@pytest.mark.parametrize(
    ("field", "detail"),
    [
        ((0, "x"), "Expected int, got str - at $.start[1]"),
        ((0, True), "Expected int, got bool - at $.start[1]"),
        ((0, 1.0), "Expected int, got float - at $.start[1]"),
        ((0, -1), "Expected int >= 0 - at $.start[1]"),
        ((0, 10**30), "Expected int <= 999 - at $.start[1]"),
        ((0,), "Expected array of length 2 - at $.start"),
        (object(), "the fields of this Move cannot be written as JSON"),
        ("\ud800", "the fields of this Move cannot be written as JSON"),
    ],
)
def test_an_action_with_a_wrong_field_is_malformed_with_its_place(field: Any, detail: str) -> None:
    assert decode_action(FISH, move(start=field)) == Fault(FaultKind.MALFORMED, detail)


def test_a_field_nested_without_end_is_malformed() -> None:
    endless: list[Any] = []
    endless.append(endless)
    assert isinstance(decode_action(FISH, move(start=endless)), Fault)


def test_a_subclass_cannot_smuggle_behaviour_in() -> None:
    from fairplay.games.fish.state import Move

    class Sly(Move, frozen=True, tag="move"):
        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 0

    assert type(decode_action(FISH, Sly((0, 0), (1, 0)))) is Move


def test_judging_asks_the_rules() -> None:
    from fairplay.games.fish.state import Place

    state = FISH.rules.start(FISH.variants["standard"], 2, derived(1))
    view = FISH.rules.view(state, Seat(0))
    assert judge(FISH, view, Place((0, 0))) == Place((0, 0))
    assert judge(FISH, view, Place((99, 0))) == Fault(FaultKind.ILLEGAL, "99,0: (99,0) is not on the board")
