"""Dealing, and dealing again what one seat cannot see."""

from __future__ import annotations

from collections import Counter

import pytest

from fairplay.core import Seat
from fairplay.core.chance import derived
from fairplay.games.trains import rules
from fairplay.games.trains.deal import full_deck, random_destinations
from fairplay.games.trains.map import bits, build_network
from fairplay.games.trains.map_files import map_from_json
from fairplay.games.trains.players.strategies import buy_now
from fairplay.games.trains.rules import DRAW
from fairplay.games.trains.state import Acquire, Setup, State

from .sheets import MAP_M, cards, played

M = map_from_json(MAP_M)
A, B, C = map(Seat, range(3))


def halfway(setup: Setup, seats: int, turns: int, seed: int = 0) -> State:
    state = played(setup, seats, seed)
    strategy = buy_now(derived(seed))
    for _ in range(turns):
        if state.turn is not None:
            state = rules.apply(state, strategy(rules.view(state, state.turn)))
    return state


def test_imagined_hands_are_made_of_the_cards_that_are_not_seen_elsewhere() -> None:
    state = halfway(Setup(map="small"), 3, 40)
    view = rules.view(state, B)
    imagined = rules.imagine(view, derived(1))
    assert imagined.hands[B] == state.hands[B]
    assert Counter(imagined.deck) == Counter(full_deck(250))  # Trains 1.8
    spent = [0, 0, 0, 0]
    for mask in state.owned:
        for index in bits(mask):
            spent[state.network.colors[index]] += state.network.lengths[index]
    for color in range(4):
        held = sum(hand[color] for hand in imagined.hands)
        assert held + spent[color] == imagined.deck[: imagined.drawn].count(color)


def test_imagination_varies_in_all_that_is_hidden_and_in_nothing_else() -> None:
    view = rules.view(halfway(Setup(map="small"), 3, 40), B)
    several = [rules.imagine(view, derived(seed)) for seed in range(20)]
    assert len({state.hands[A] for state in several}) > 5
    assert len({state.deck[state.drawn :] for state in several}) == 20
    assert len({state.destinations[A] for state in several}) > 10
    assert {state.destinations[B] for state in several} == {view.destinations}
    assert {rules.view(state, B) for state in several} == {view}


def test_a_given_deck_of_one_colour_can_still_be_imagined() -> None:
    """Nobody is told what a given deck is made of; there are as many cards as there must be."""
    state = halfway(Setup(map=M, deck=cards("r" * 40)), 2, 6)
    imagined = rules.imagine(rules.view(state, A), derived(1))
    assert len(imagined.deck) == 40
    assert rules.view(imagined, A) == rules.view(state, A)


def test_the_imagined_picker_is_told_the_hand_it_has() -> None:
    state = rules.start(Setup(map=M), 3, derived(5))
    imagined = rules.imagine(rules.view(state, A), derived(1))
    ((_, dealt),) = rules.opening(imagined, 0)
    assert sorted(dealt.cards) == sorted(next(iter(rules.opening(state, 0)))[1].cards)
    assert sorted(imagined.sequence[:5]) == sorted(state.sequence[:5])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_who_began_the_last_round_is_imagined_rightly(seats: int) -> None:
    """Everybody's rails are public, so there is nothing to guess (Trains 4.1)."""
    for seed in range(12):
        state = played(Setup(map="small", rails=12), seats, seed)
        strategy = buy_now(derived(seed))
        while state.turn is not None:
            view = rules.view(state, state.turn)
            assert rules.imagine(view, derived(seed)).closer == state.closer
            state = rules.apply(state, strategy(view))
        assert state.closer is not None


def test_who_began_the_last_round_is_known_when_all_begin_with_few_rails() -> None:
    """Trains 13.1."""
    state = played(Setup(map="small", rails=1), 3)
    assert rules.imagine(rules.view(state, A), derived(1)).closer is None
    state = rules.apply(state, DRAW)
    assert rules.imagine(rules.view(state, B), derived(1)).closer == A == state.closer


def test_a_view_after_everybody_left_can_be_imagined() -> None:
    state = rules.remove(rules.remove(played(Setup(map="small"), 2), A), B)
    imagined = rules.imagine(rules.view(state, A), derived(1))
    assert (imagined.turn, imagined.closer) == (None, None)


def test_random_destinations_are_different_and_never_those_excluded() -> None:
    few, many = build_network(M), rules.start(Setup(map="vast"), 2, derived(1)).network
    for found in (few, many):
        without = frozenset({found.destination(0), found.destination(3)})
        drawn = list(random_destinations(found, 8, without, derived(1)))
        assert len(set(drawn)) == 8
        assert not without & set(drawn)
        assert all(found.is_destination(pair) for pair in drawn)


def test_a_match_goes_on_from_an_imagined_state() -> None:
    state = halfway(Setup(map="small"), 2, 30)
    assert state.turn is not None
    imagined = rules.imagine(rules.view(state, state.turn), derived(3))
    strategy = buy_now(derived(0))
    taken = 0
    while imagined.turn is not None:
        action = strategy(rules.view(imagined, imagined.turn))
        taken += isinstance(action, Acquire)
        imagined = rules.apply(imagined, action)
    assert taken
    assert len(rules.scores(imagined)) == 2
