"""Trains in words."""

from __future__ import annotations

from fairplay.core import Seat, Turn
from fairplay.core.chance import derived
from fairplay.games.trains import rules, words
from fairplay.games.trains.maps.files import map_from_json
from fairplay.games.trains.rules import DRAW
from fairplay.games.trains.state import Acquire, Action, Pick, Setup, State

from .sheets import MAP_M, cards, line, played

M = map_from_json(MAP_M)
A, B = Seat(0), Seat(1)


def said(state: State, action: Action) -> str:
    assert state.turn is not None
    return words.describe_open_turn(Turn(state, state.turn, action, rules.apply(state, action)))


def test_turns_read_as_sentences() -> None:
    state = played(Setup(map=M, rails=5, deck=cards("rrrrbbbb" + "grr"), destinations="ordered"), 2)
    assert said(state, DRAW) == "amber drew 2 cards: 1 red, 1 green"
    later = rules.apply(state, DRAW)
    assert said(later, DRAW) == "teal drew 1 card: 1 red"
    empty = rules.apply(later, DRAW)
    assert said(empty, DRAW) == "amber asked for cards, but the deck was empty"
    take = Acquire(line("Alma-Bree red 3"))
    assert said(state, take) == "amber took Alma - Bree (red 3) and began the last round"
    alone = rules.remove(state, B)
    assert said(alone, take) == "amber took Alma - Bree (red 3)"
    dealt = rules.start(Setup(map=M, destinations="ordered"), 2, derived(0))
    assert said(dealt, Pick((("Alma", "Bree"), ("Alma", "Cove")))) == "amber kept Alma - Bree, Alma - Cove"


def test_the_table_in_words() -> None:
    state = played(Setup(map=M, deck=cards("rrrrbbbb"), destinations="ordered"), 2)
    state = rules.remove(rules.apply(state, Acquire(line("Alma-Bree red 3"))), B)
    assert words.board(state).splitlines() == [
        "0 cards in the deck, 5 of 6 connections free",
        "> amber     23 points, 42 rails, cards: 1 red",
        "    wants Alma - Bree, Alma - Cove",
        "    owns Alma - Bree (red 3)",
        "  teal    removed",
    ]
    assert words.hand_in_words((0, 0, 0, 0)) == "no cards"


def test_the_table_while_destinations_are_picked() -> None:
    lines = words.board(rules.start(Setup(map=M, deck=cards("rrrr")), 2, derived(0))).splitlines()
    assert lines[1:] == ["> amber      0 points, 45 rails, cards: 4 red", "  teal       0 points, 45 rails, no cards"]


def test_a_turn_is_told_of_whoever_took_it() -> None:
    state = played(Setup(map=M, deck=cards("rrrrbbbb" + "gr"), destinations="ordered"), 2)
    draw: Turn[State, Action] = Turn(state, A, DRAW, rules.apply(state, DRAW))
    assert words.describe_turn(draw, A, subject="You") == "You drew 2 cards: 1 red, 1 green"
    assert words.describe_turn(draw, B, subject="ann") == "ann drew 2 cards"


def test_a_destination_is_missed_once_the_match_is_over() -> None:
    state = played(Setup(map=M, rails=3, deck=cards("rrrrbbbb"), destinations="ordered"), 2)
    state = rules.apply(state, Acquire(line("Alma-Bree red 3")))
    assert "you want Alma - Bree (joined), Alma - Cove" in words.board(rules.view(state, A)).splitlines()
    over = rules.apply(state, DRAW)
    assert "you want Alma - Bree (joined), Alma - Cove (missed)" in words.board(rules.view(over, A)).splitlines()


def test_seats_beyond_the_standard_eight_have_names_too() -> None:
    assert len({words.seat_name(Seat(seat)) for seat in range(12)}) == 12


def test_others_are_not_told_which_cards_nor_which_destinations() -> None:
    dealt = rules.start(Setup(map=M, destinations="ordered"), 2, derived(0))
    pick = Pick((("Alma", "Bree"), ("Alma", "Cove")))
    turn: Turn[State, Action] = Turn(dealt, A, pick, rules.apply(dealt, pick))
    assert words.describe_turn(turn, B) == words.describe_turn(turn, None) == "amber kept 2 destinations"
    assert words.describe_turn(turn, A) == words.describe_open_turn(turn)
    state = played(Setup(map=M, deck=cards("rrrrbbbb" + "gr"), destinations="ordered"), 2)
    draw: Turn[State, Action] = Turn(state, A, DRAW, rules.apply(state, DRAW))
    assert words.describe_turn(draw, B) == "amber drew 2 cards"


def test_facts_of_a_state_and_of_a_view() -> None:
    state = played(Setup(map=M, rails=3, deck=cards("rrrrbbbb"), destinations="ordered"), 2)
    state = rules.apply(state, Acquire(line("Alma-Bree red 3")))
    public = (("rails", "0"), ("cards", "1"), ("connections", "1"))
    assert words.facts(state)[A] == public
    assert words.facts(rules.view(state, B))[A] == public
    assert words.facts(rules.view(state, A))[A] == (*public, ("destinations", "1 of 2"))
    over = rules.apply(state, DRAW)
    assert words.facts(over)[A] == (("points", "23"), *public)
    mine = words.facts(rules.view(over, A))
    assert mine[A] == (("points", "23"), *public, ("destinations", "1 of 2"))
    assert mine[B][0][0] == "rails"  # whose destinations are not known
    assert words.facts(rules.remove(state, A)).keys() == {B}
    dealt = rules.start(Setup(map=M), 2, derived(0))
    assert len(words.facts(rules.view(dealt, A))[A]) == 3  # nothing is picked yet
