"""Dealing, and dealing again what one seat cannot see."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from fairplay.core import Seat, SetupError
from fairplay.core.chance import derived
from fairplay.games.trains import rules
from fairplay.games.trains.deal import full_deck, random_destinations
from fairplay.games.trains.map import City, Connection, Map, bits, build_network
from fairplay.games.trains.maps.files import find_map, map_from_json, packaged_maps
from fairplay.games.trains.paths import MAX_STEPS, steps_of_longest_path
from fairplay.games.trains.players.strategies import buy_now
from fairplay.games.trains.rules import DRAW
from fairplay.games.trains.state import Acquire, Dealt, Setup, State

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


def complete_map(cities: int) -> Map:
    """Every two cities are joined, as short as can be."""
    spots = tuple(City(f"C{number:02}", (50 + 10 * number, 50 + number * number)) for number in range(cities))
    pairs = combinations(sorted(city.name for city in spots), 2)
    return Map(800, 800, spots, tuple(Connection(*pair, "red", 3) for pair in pairs))


def test_a_longest_path_that_could_take_too_long_is_refused() -> None:
    """Twelve cities, every two joined: with 45 rails a score takes no time, with all rails it took 14 s."""
    dense = complete_map(12)
    assert rules.start(Setup(map=dense), 2, derived(1)).rails == (45, 45)
    reason = "with 198 rails on this map, the longest path could take too long to find; use at most 86"
    with pytest.raises(SetupError, match=reason):
        rules.start(Setup(map=dense, rails=198), 2, derived(1))
    assert rules.start(Setup(map=dense, rails=86), 2, derived(1)).rails == (86, 86)
    assert rules.start(Setup(map=dense, rails=198, deck_size=50), 2, derived(1)).rails == (198, 198)  # too few cards


def test_standard_rails_are_never_refused() -> None:
    """Fifteen connections of three rails: the worst there is, on any map."""
    assert max(steps_of_longest_path(build_network(complete_map(count)), 45) for count in range(2, 24)) < 10_000
    for name in packaged_maps():
        assert steps_of_longest_path(build_network(find_map(name)), 86) < MAX_STEPS


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
    ((_, dealt),), ((_, before), *_) = rules.opening(imagined, 0), rules.opening(state, 0)
    assert isinstance(dealt, Dealt) and isinstance(before, Dealt)
    assert sorted(dealt.cards) == sorted(before.cards)
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
