"""Memo 000: the omniscient game state, and what a player is given of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fairplay.core import SetupError
from fairplay.course.memos.m000 import OmniscientGameState, PlayerData, PlayerGameState
from fairplay.course.memos.trains_table import GameOverException
from fairplay.games.trains.map import Connection
from fairplay.games.trains.maps.files import map_from_json
from games.trains.sheets import MAP_M, cards, line

M = map_from_json(MAP_M)
AB, AE, BC = line("Alma-Bree red 3"), line("Alma-Erin blue 3"), line("Bree-Cove red 3")


def game(rails: int = 45) -> OmniscientGameState:
    state = OmniscientGameState(M, ["ann", "bob"], rails=rails, deck=cards("rrrrbbbbgw"))
    state.deal_cards("ann", 4)
    state.deal_cards("bob", 4)
    return state


def acquire(state: OmniscientGameState, player: str, connection: Connection) -> None:
    state.remove_cards(player, connection.color, connection.length)
    state.occupy(connection, player)
    state.next_turn()


def test_it_begins_before_cards_are_dealt() -> None:
    state = OmniscientGameState(M, ["ann", "bob"], deck=cards("rrrr"))
    assert state.deck == ["red"] * 4
    assert state.data_of("ann") == PlayerData((), {"red": 0, "blue": 0, "green": 0, "white": 0}, 45)
    assert (state.players, state.current_player, state.occupied) == (["ann", "bob"], "ann", {})
    assert len(OmniscientGameState(M, ["ann", "bob"]).deck) == 250


def test_cards_are_dealt_from_the_top_and_removed_by_colour() -> None:
    state = game()
    assert state.deal_cards("ann", 1) == ["green"]
    assert state.cards_of("ann") == {"red": 4, "blue": 0, "green": 1, "white": 0}
    state.remove_cards("ann", "red", 3)
    assert state.cards_of("ann")["red"] == 1
    assert state.deck == ["white"]


def test_a_connection_is_occupied_and_its_rails_leave_the_bank() -> None:
    state = game()
    state.occupy(AB, "bob")
    assert state.occupied == {AB: "bob"}
    assert (state.rails_of("bob"), state.rails_of("ann")) == (42, 45)


def test_destinations_are_noted_when_they_are_selected() -> None:
    state = game()
    state.select_destinations("ann", [("Bree", "Cove"), ("Alma", "Bree")])
    assert state.destinations_of("ann") == (("Alma", "Bree"), ("Bree", "Cove"))
    assert state.destinations_of("bob") == ()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda state: state.remove_cards("ann", "blue", 1), "ann has 0 blue cards, not 1"),
        (lambda state: state.remove_cards("ann", "red", -1), "not -1"),
        (lambda state: state.remove_cards("ann", "red", 1.5), "expected a whole number of cards, got 1.5"),
        (lambda state: state.remove_cards("ann", "red", True), "expected a whole number of cards, got True"),
        (lambda state: state.remove_cards("ann", "red", "1"), "expected a whole number of cards, got '1'"),
        (lambda state: state.remove_cards("ann", "pink", 1), "'pink' is not a color"),
        (lambda state: state.remove_cards("ann", ["red"], 1), "is not a color"),
        (lambda state: state.remove_cards("eve", "red", 1), "no player 'eve'"),
        (lambda state: state.deal_cards("ann", -1), "not -1"),
        (lambda state: state.deal_cards("ann", 0.5), "expected a whole number of cards, got 0.5"),
        (lambda state: state.deal_cards("ann", 3), "the deck has 2 cards, not 3"),
        (lambda state: state.occupy(Connection("Alma", "Bree", "red", 4), "ann"), "no connection"),
        (lambda state: state.occupy(Connection("Alma", "Bree", "red", 3.0), "ann"), "not a connection"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda state: state.occupy("Alma-Bree red 3", "ann"), "not a connection"),
        (lambda state: state.occupy(["Alma", "Bree", "red", 3], "ann"), "not a connection"),
        (lambda state: [state.occupy(AB, "ann"), state.occupy(AB, "bob")], "is occupied"),
        (lambda state: [state.occupy(one, "ann") for one in M.connections], "ann has 1 rails, not"),
        (lambda state: state.player_state("eve"), "no player 'eve'"),
        (lambda state: state.player_state("ann").rails_of("eve"), "no player 'eve'"),
    ],
)
def test_what_cannot_be_is_refused(change: Callable[[OmniscientGameState], Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        change(game(rails=10))


@pytest.mark.parametrize(
    ("destinations", "reason"),
    [
        ([("Alma", "Bree")], "2 destinations must be selected, not 1"),
        ([("Alma", "Bree"), ("Alma", "Cove"), ("Alma", "Dell")], "2 destinations must be selected, not 3"),
        ([("Alma", "Bree"), ("Alma", "Bree")], "twice"),
        ([("Alma", "Bree"), ("Bree", "Cove")], "Bree - Cove belongs to another player"),
        ([("Alma", "Bree"), ("Alma", "Nowhere")], "Alma - Nowhere is not a destination"),
        ([("Alma", "Bree"), ("Cove", "Alma")], "Cove - Alma is not a destination"),
        ([("Alma", "Bree"), ("Alma",)], "not destinations"),
        ([("Alma", "Bree"), (1, 2)], "not destinations"),
        ([("Alma", "Bree"), None], "not destinations"),
        ("Alma", "not destinations"),
        (7, "not destinations"),
    ],
)
def test_a_selection_that_no_player_could_make_is_refused(destinations: Any, reason: str) -> None:
    state = game()
    state.select_destinations("bob", [("Bree", "Cove"), ("Bree", "Dell")])
    with pytest.raises(ValueError, match=reason):
        state.select_destinations("ann", destinations)
    assert state.destinations_of("ann") == ()


def test_destinations_are_selected_once() -> None:
    state = game()
    state.select_destinations("ann", [("Alma", "Bree"), ("Alma", "Cove")])
    with pytest.raises(ValueError, match="ann has already selected"):
        state.select_destinations("ann", [("Alma", "Dell"), ("Alma", "Erin")])


@pytest.mark.parametrize("rails", [-1, 4.5, True, "45", None])
def test_a_bank_holds_a_whole_number_of_rails(rails: Any) -> None:
    with pytest.raises(SetupError, match="rails"):
        OmniscientGameState(M, ["ann", "bob"], rails=rails)


@pytest.mark.parametrize(
    ("ids", "reason"), [(["ann", "ann"], "same id"), (["ann", 7], "7 is not a player id"), ("ab", "list of player ids")]
)
def test_players_have_different_ids(ids: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        OmniscientGameState(M, ids)


def test_the_end_comes_after_each_other_player_has_taken_another_turn() -> None:
    state = game(rails=5)
    acquire(state, "ann", AB)
    assert state.current_player == "bob"
    acquire(state, "bob", AE)
    assert state.current_player is None
    shown = (state.deck, state.occupied, state.data_of("ann"), state.data_of("bob"))
    changes: list[Callable[[], object]] = [
        lambda: state.remove_cards("ann", "red", 1),
        lambda: state.occupy(BC, "ann"),
        lambda: state.deal_cards("ann", 1),
        lambda: state.select_destinations("ann", []),
        state.next_turn,
    ]
    for change in changes:
        with pytest.raises(GameOverException):
            change()
    assert (state.deck, state.occupied, state.data_of("ann"), state.data_of("bob")) == shown


def test_turns_without_change_end_the_game_too() -> None:
    """Trains 4.3: with an empty deck nothing is left to ask for."""
    state = game()
    state.deal_cards("ann", 2)
    state.next_turn()  # cards were dealt, so this turn changed something
    state.next_turn()
    assert state.current_player == "ann"
    state.next_turn()
    assert state.current_player is None


def test_turns_without_change_do_not_end_the_game_while_the_deck_has_cards() -> None:
    state = OmniscientGameState(M, ["ann", "bob"])
    for _ in range(4):
        state.next_turn()
    assert state.current_player == "ann"
    assert len(state.deck) == 250


# -- the player's side -------------------------------------------------------------------------


def test_a_player_state_shows_public_facts_and_its_own() -> None:
    state = game()
    state.select_destinations("ann", [("Alma", "Bree"), ("Alma", "Cove")])
    ann = state.player_state("ann")
    assert isinstance(ann, PlayerGameState)
    assert (ann.player_id, ann.deck_size, ann.map, ann.players) == ("ann", 2, M, ["ann", "bob"])
    assert (ann.hand_size_of("bob"), ann.hand_size_of("ann"), ann.rails_of("bob")) == (4, 4, 45)
    assert ann.cards == {"red": 4, "blue": 0, "green": 0, "white": 0}
    assert ann.destinations == (("Alma", "Bree"), ("Alma", "Cove"))


def test_a_player_state_follows_every_change() -> None:
    state = game()
    bob = state.player_state("bob")
    acquire(state, "ann", AB)
    assert bob.occupied == {AB: "ann"}
    assert (bob.rails_of("ann"), bob.hand_size_of("ann")) == (42, 1)


def test_hidden_and_changing_operations_are_not_on_the_player_side() -> None:
    """All that the memo lists for a player, and nothing of the rest."""
    ann = game().player_state("ann")
    offered = {name for name in dir(ann) if not name.startswith("_")}
    assert offered == {
        *("player_id", "deck_size", "occupied", "map", "players", "hand_size_of", "rails_of", "cards", "destinations"),
    }
    for hidden in (
        "deck",
        "cards_of",
        "destinations_of",
        "data_of",
        "deal_cards",
        "occupy",
        "remove_cards",
        "next_turn",
    ):
        assert hasattr(game(), hidden)
        assert not hasattr(ann, hidden)


def test_other_hands_make_no_difference_to_what_a_player_is_shown() -> None:
    one = OmniscientGameState(M, ["ann", "bob"], deck=cards("rrrr" + "bbbb" + "gw"))
    other = OmniscientGameState(M, ["ann", "bob"], deck=cards("rrrr" + "wgwg" + "rb"))
    shown = []
    for state in (one, other):
        for player in ("ann", "bob"):
            state.deal_cards(player, 4)
        state.select_destinations("bob", [("Alma", "Bree") if state is one else ("Cove", "Dell"), ("Dell", "Erin")])
        ann = state.player_state("ann")
        facts = [getattr(ann, name) for name in dir(ann) if not name.startswith("_")]
        shown.append([fact(player) if callable(fact) else fact for fact in facts for player in ("ann", "bob")])
    assert shown[0] == shown[1]


def test_what_is_handed_out_can_be_changed_without_changing_the_game() -> None:
    state = game()
    ann = state.player_state("ann")
    for copy in (state.deck, state.players, ann.players):
        copy.clear()
    for occupied in (state.occupied, ann.occupied):
        occupied[AB] = "bob"
    for hand in (state.cards_of("ann"), ann.cards, state.data_of("ann").cards):
        hand["red"] = 99
    assert (state.deck, state.players, ann.players) == (["green", "white"], ["ann", "bob"], ["ann", "bob"])
    assert state.occupied == ann.occupied == {}
    assert state.cards_of("ann")["red"] == ann.cards["red"] == 4
    for name in ("cards", "rails", "deck_size", "anything"):
        with pytest.raises(AttributeError):
            setattr(ann, name, 99)


# -- the read-only interface between the two ---------------------------------------------------


def test_the_read_only_state_tells_each_player_only_what_that_player_knows() -> None:
    state = game()
    state.select_destinations("ann", [("Alma", "Bree"), ("Alma", "Cove")])
    shared = state.read_only()
    assert (shared.deck_size, shared.map, shared.players, shared.occupied) == (2, M, ["ann", "bob"], {})
    assert (shared.hand_size_of("bob"), shared.rails_of("bob")) == (4, 45)
    assert shared.cards_known_to("ann") == state.cards_of("ann")
    assert shared.cards_known_to("bob") == state.cards_of("bob")
    assert shared.destinations_known_to("ann") == (("Alma", "Bree"), ("Alma", "Cove"))
    assert shared.destinations_known_to("bob") == ()
    for ask in (shared.hand_size_of, shared.rails_of, shared.cards_known_to, shared.destinations_known_to):
        with pytest.raises(ValueError, match="no player 'eve'"):
            ask("eve")


def test_the_read_only_state_follows_every_change_and_makes_none() -> None:
    state = game()
    shared = state.read_only()
    acquire(state, "ann", AB)
    assert shared.occupied == {AB: "ann"}
    shared.occupied.clear()
    shared.players.clear()
    shared.cards_known_to("ann")["red"] = 99
    assert (shared.occupied, shared.players, shared.cards_known_to("ann")["red"]) == ({AB: "ann"}, ["ann", "bob"], 1)
    offered = {name for name in dir(shared) if not name.startswith("_")}
    assert offered == {
        *("deck_size", "occupied", "map", "players", "hand_size_of", "rails_of"),
        *("cards_known_to", "destinations_known_to"),
    }
    for name in (*offered, "anything"):
        with pytest.raises(AttributeError):
            setattr(shared, name, 99)
