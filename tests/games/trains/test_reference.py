"""The rule book against the naive one, turn by turn, with players thrown out now and then."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from fairplay.core import Seat, Turn
from fairplay.core.chance import derived
from fairplay.games.trains import rules
from fairplay.games.trains.map import COLORS
from fairplay.games.trains.state import Acquire, Action, DrawCards, Pick, State
from kit import Perft, Table, kit, walk

from .reference import Naive


def naive(state: State) -> Naive:
    """The same game before the first card was dealt."""
    terms = state.terms
    return Naive(
        [(one.first, one.second, one.color, one.length) for one in state.network.map.connections],
        [COLORS[card] for card in state.deck],
        list(state.sequence),
        len(state.rails),
        rails=terms.rails,
        dealt=terms.dealt,
        per_draw=terms.per_draw,
        offered=terms.offered,
        kept=terms.kept,
    )


def plain(action: Action) -> object:
    if isinstance(action, Pick):
        return frozenset(action.keep)
    if isinstance(action, Acquire):
        one = action.connection
        return (one.first, one.second, one.color, one.length)
    assert isinstance(action, DrawCards)
    return "more cards"


def agree(state: State, other: Naive) -> None:
    assert rules.to_move(state) == other.turn
    assert state.left == len(other.deck)
    for seat in range(len(state.rails)):
        assert state.hands[seat] == tuple(other.cards[seat].count(color) for color in COLORS)
        assert list(state.destinations[seat]) == other.wants[seat]
        view = rules.view(state, Seat(seat))
        assert {(one.first, one.second, one.color, one.length) for one in view.connections()} == set(other.mine[seat])
    assert state.rails == tuple(other.rails.values())
    assert {int(seat): score[0] for seat, score in rules.scores(state).items()} == other.scores()
    if (mover := rules.to_move(state)) is not None:
        legal = [plain(action) for action in rules.legal_actions(rules.view(state, mover))]
        assert len(set(legal)) == len(legal)
        assert set(legal) == other.actions()


def chosen(state: State, mover: Seat, rng: Random) -> Action:
    """Rather take than draw, so that games get somewhere."""
    legal = rules.legal_actions(rules.view(state, mover))
    return legal[-1] if rng.random() < 0.5 else legal[rng.randrange(len(legal))]


@given(data=st.data(), seed=st.integers(0, 2**32), faults=st.booleans())
@settings(max_examples=60)
def test_both_rule_books_agree_to_the_end(data: st.DataObject, seed: int, faults: bool) -> None:
    table: Table = data.draw(kit("trains").tables)
    state = rules.start(table.setup, table.seats, derived(seed, "deal"))
    other, rng = naive(state), Random(seed)
    agree(state, other)
    while (mover := rules.to_move(state)) is not None:
        if faults and rng.random() < 0.06:
            state = rules.remove(state, mover)
            other.throw_out(mover)
        else:
            action = chosen(state, mover, rng)
            before, state = state, rules.apply(state, action)
            other.do(plain(action))
            if faults and state.drawn > before.drawn and not before.picking and rng.random() < 0.06:  # fails in `more`
                state = rules.remove(state, mover)
                other.throw_out(mover)
        agree(state, other)


@pytest.mark.no_cover  # other tests run the same lines
@pytest.mark.parametrize("perft", kit("trains").perft, ids=lambda perft: f"seed {perft.seed}")
def test_the_counts_of_the_kit_are_those_of_the_reference(perft: Perft) -> None:
    """Sequences of legal actions, counted without the rule book."""
    walked = walk("trains", perft.table, perft.seed, perft.turns)
    match = naive(walked.states[0])
    for event in walked.events:
        assert isinstance(event, Turn)
        match.do(plain(event.action))
    level = [match]
    for count in perft.counts:
        level = [after(match, action) for match in level for action in match.actions()]
        assert len(level) == count


def after(match: Naive, action: object) -> Naive:
    next_match = deepcopy(match)
    next_match.do(action)
    return next_match
