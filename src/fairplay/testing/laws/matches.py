"""Whole matches: conversations, records, and one bad player for every fault at every call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import regex
from hypothesis import given, settings, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import Fault, FaultKind, House, Misbehaved, Seat
from fairplay.core.chance import derived
from fairplay.match.players import MisbehavingPlayer, house_strategy
from fairplay.match.record import read_record
from fairplay.match.referee import Ask
from fairplay.match.replay import record_match, replay_record, start_match
from fairplay.run.inline import play_inline
from fairplay.testing.kit import Table
from fairplay.testing.walks import hold_dialogue, kit


def _spell_conversation(name: str, orders: list[Any], seat: Seat) -> str:
    established = GAMES[name].parts.established
    assert established is not None
    wire = established.wire
    calls = (
        wire.spell_question(order.view) if isinstance(order, Ask) else wire.spell_news(order.news)
        for order in orders
        if order.seat == seat
    )
    return "".join(f"{call.method} " for call in calls if call is not None)


@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=20)
def test_conversations_follow_the_protocol(spoken: str, data: st.DataObject, seed: int) -> None:
    """In the established protocol, every seat is called in the order that the protocol says."""
    established = GAMES[spoken].parts.established
    assert established is not None
    table = data.draw(kit(spoken).tables)
    fault_at = data.draw(st.integers(0, 30))
    for answers in ({}, {fault_at: Fault(FaultKind.GONE)}):
        said = hold_dialogue(spoken, table, seed, answers)
        for seat in map(Seat, range(table.seats)):
            words = _spell_conversation(spoken, said.orders, seat)
            removed = said.outcome.scores[seat] is None
            assert regex.fullmatch(established.wire.CONVERSATION, words, partial=removed), words


@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=20)
def test_a_record_replays_to_the_same_match(name: str, data: st.DataObject, seed: int) -> None:
    """What was recorded of a match, faults included, gives the same match again."""
    table = data.draw(kit(name).tables)
    fault_at = data.draw(st.integers(0, 60))
    game, lines = GAMES[name], list[bytes]()
    seen: list[Any] = []
    orders = record_match(game, table.setup, seed, ("random",) * table.seats, lines.append)
    players = [
        MisbehavingPlayer(
            House(house_strategy(game, "random", derived(seed, seat))), FaultKind.CRASHED, question=fault_at + seat
        )
        for seat in range(table.seats)
    ]
    outcome = play_inline(orders, players, [seen.append])
    record = read_record(lines)
    assert record.outcome == outcome
    assert list(replay_record(game, record)) == seen


def small(name: str) -> Table:
    return kit(name).first_table


def _list_faults(name: str) -> Iterator[tuple[Seat, FaultKind, str, int]]:
    """Every seat, every kind of fault, each of its first calls and its last of each sort."""
    said = hold_dialogue(name, small(name), seed=3)
    for seat in map(Seat, range(small(name).seats)):
        asks = sum(isinstance(order, Ask) for order in said.orders if order.seat == seat)
        tells = sum(not isinstance(order, Ask) for order in said.orders if order.seat == seat)
        for kind in FaultKind:
            yield from ((seat, kind, "question", number) for number in {*range(min(asks, 3)), asks - 1} - {-1})
            if kind is not FaultKind.ILLEGAL:
                yield from ((seat, kind, "news", number) for number in {*range(min(tells, 3)), tells - 1} - {-1})


def _forbidden_by(name: str) -> Callable[[Any], Any]:
    """Answers with an action that the rules of the game forbid."""

    def answer(view: Any) -> Any:
        for _, action in kit(name).illegal(view):
            return action
        raise Misbehaved(Fault(FaultKind.ILLEGAL, "no illegal action can be expressed here"))

    return answer


def test_one_bad_player_for_every_fault_at_every_call(name: str) -> None:
    """A player that commits any fault at any call is thrown out, and the others play on to a proper end."""
    game, table = GAMES[name], small(name)
    tried = 0
    for seat, kind, call, number in _list_faults(name):
        players: list[Any] = [House(house_strategy(game, "random", derived(3, other))) for other in range(table.seats)]
        players[seat] = MisbehavingPlayer(players[seat], kind, illegal=_forbidden_by(name), **{call: number})
        outcome = play_inline(start_match(game, table.setup, 3, table.seats), players)
        fault = outcome.faults[seat]
        if fault is None:  # random play with another table mate's chance may need fewer calls
            assert players[seat].questions <= number if call == "question" else players[seat].told <= number
            continue
        tried += 1
        assert fault.kind is kind
        assert outcome.scores[seat] is None
        assert all(seat not in tier for tier in outcome.ranking)
        assert all(other is None for index, other in enumerate(outcome.faults) if index != seat)
    assert tried > len(FaultKind) * table.seats


@pytest.mark.parametrize("kind", list(FaultKind))
def test_a_match_nobody_survives_has_an_end_and_no_winner(name: str, kind: FaultKind) -> None:
    """If all players fail, the match ends with no winner but a seat that was left alone before it was asked."""
    game, table = GAMES[name], small(name)
    players = [
        MisbehavingPlayer(House(house_strategy(game, "random", derived(1, seat))), kind, question=0, illegal=None)
        for seat in range(table.seats)
    ]
    outcome = play_inline(start_match(game, table.setup, 1, table.seats), players)
    left = tuple(seat for seat, player in enumerate(players) if player.questions == 0)
    assert outcome.winners == left
    assert len(left) <= (0 if kit(name).plays_on_alone else 1), "a match may end when one seat is left, but not before"
    for seat, fault in enumerate(outcome.faults):
        assert (fault is None and seat in left) or (fault is not None and fault.kind is kind)
        assert (outcome.scores[seat] is None) == (seat not in left)
