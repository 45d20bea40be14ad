"""Memo 001: the referee's game state in one's hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fairplay.core import SetupError
from fairplay.core.chance import derived
from fairplay.course.memos.m001 import BoardState, GameOverException, PlayerState, RefereeGameState
from fairplay.games.trains import rules
from fairplay.games.trains.map import Connection
from fairplay.games.trains.maps.files import map_from_json
from fairplay.games.trains.players.strategies import keep_last
from fairplay.games.trains.state import Pick, Setup, View
from games.trains.sheets import MAP_M, cards, line

M = map_from_json(MAP_M)
AB, BC, AE = line("Alma-Bree red 3"), line("Bree-Cove red 3"), line("Alma-Erin blue 3")


def table(rails: int = 45, letters: str = "rrrrbbbb" + "rrgrr") -> RefereeGameState:
    return RefereeGameState.deal(M, 2, rails=rails, deck=cards(letters))


def test_the_fields_of_the_memo() -> None:
    game = table()
    assert game.board == BoardState(M, {}, 0, 2)
    first, second = game.players
    assert isinstance(first, PlayerState)
    assert first.cards == {"red": 4, "blue": 0, "green": 0, "white": 0}
    assert second.cards == {"red": 0, "blue": 4, "green": 0, "white": 0}
    assert (first.num_rails, first.board) == (45, game.board)
    assert isinstance(first.destinations, frozenset)
    assert len(first.destinations | second.destinations) == 4
    assert game.draw_pile == {"red": 4, "blue": 0, "green": 1, "white": 0}
    assert game.ending_player is None


def test_a_legal_acquisition_changes_owner_cards_rails_and_turn() -> None:
    game = table()
    assert game.attempt_acquire_connection(AB) is True
    assert game.board.owners == {AB: 0}
    assert game.board.turn == 1
    assert game.players[0].num_rails == 42
    assert game.players[0].cards["red"] == 1


@pytest.mark.parametrize(
    "connection",
    [AE, line("Bree-Cove green 4"), Connection("Bree", "Alma", "red", 3), Connection("Alma", "Bree", "red", 5)],
)
def test_an_illegal_acquisition_is_false_and_changes_nothing(connection: Connection) -> None:
    game = table()
    before = game.state
    assert game.attempt_acquire_connection(connection) is False
    assert game.state == before


GARBAGE = [
    None,
    7,
    "Alma-Bree red 3",
    ["Alma", "Bree", "red", 3],
    object,
    Connection("Alma", "Bree", "red", 3.0),  # type: ignore[arg-type]  # wrong on purpose
    Connection("Alma", "Bree", "red", [3]),  # type: ignore[arg-type]  # wrong on purpose
    Connection(None, 7, object, "3"),  # type: ignore[arg-type]  # wrong on purpose
]


@pytest.mark.parametrize("connection", GARBAGE, ids=repr)
def test_garbage_is_an_illegal_acquisition(connection: Any) -> None:
    game = table()
    before = game.state
    assert game.attempt_acquire_connection(connection) is False
    assert game.state == before


def test_an_owned_connection_cannot_be_acquired_again() -> None:
    """The memo does not say so; the rule book does (Trains 3.5)."""
    game = RefereeGameState.deal(M, 2, deck=cards("rrrr" * 2))
    assert game.attempt_acquire_connection(AB)
    assert not game.attempt_acquire_connection(AB)


def test_requests_bring_two_cards_then_one_then_none() -> None:
    game = table(letters="rrrrbbbb" + "gwr")
    assert game.attempt_request_cards() == ["green", "white"]
    assert game.attempt_request_cards(1) == ["red"]
    assert game.draw_pile == {"red": 0, "blue": 0, "green": 0, "white": 0}
    assert game.attempt_request_cards(0, AB) == []
    assert game.board.turn == 1


@pytest.mark.parametrize("player", [1, -2, 2, False, 0.0, "0", [0], object], ids=repr)
def test_a_request_of_a_player_who_is_not_on_turn_changes_nothing(player: Any) -> None:
    game = table()
    before = game.state
    assert game.attempt_request_cards(player) == []
    assert game.state == before


def test_the_last_round_and_the_exception_after_it() -> None:
    game = table(rails=5)
    assert game.attempt_acquire_connection(AB)
    assert (game.ending_player, game.is_game_over(0)) == (0, False)
    assert game.attempt_acquire_connection(AE)
    assert game.is_game_over()
    assert game.board.turn == game.ending_player == 0  # the memo: the game ends before this turn
    before = game.state
    with pytest.raises(GameOverException):
        game.attempt_acquire_connection(BC)
    with pytest.raises(GameOverException):
        game.attempt_request_cards()
    with pytest.raises(GameOverException):
        game.remove(1)
    assert game.state == before


def test_a_standstill_ends_the_game_too() -> None:
    game = table(letters="rrrrbbbb")
    assert [game.attempt_request_cards(), game.attempt_request_cards()] == [[], []]
    assert game.is_game_over()
    assert (game.ending_player, game.board.turn) == (None, None)


def test_what_is_handed_out_can_be_changed_without_changing_the_game() -> None:
    game = table()
    before = game.state
    game.board.owners[AB] = 1
    game.players[0].cards["red"] = 99
    game.players.clear()
    game.draw_pile["red"] = 0
    assert game.state == before
    assert (game.board.owners, game.players[0].cards["red"], game.draw_pile["red"]) == ({}, 4, 4)
    with pytest.raises(AttributeError):
        game.board.turn = 1  # type: ignore[misc]  # frozen: this is what must fail


def test_a_removed_player_leaves_its_connections() -> None:
    game = table()
    game.attempt_acquire_connection(AB)
    game.remove(0)
    assert game.board.owners == {}


@pytest.mark.parametrize("player", [7, 2, -1, True, 0.0, "0", None, [0]], ids=repr)
def test_only_a_player_of_the_game_can_be_removed(player: Any) -> None:
    game = table()
    before = game.state
    with pytest.raises(ValueError, match="player"):
        game.remove(player)
    assert game.state == before


def test_a_player_is_removed_once() -> None:
    game = table()
    game.remove(1)
    with pytest.raises(ValueError, match="player 1 has already been removed"):
        game.remove(1)


@pytest.mark.parametrize(
    ("pick", "reason"),
    [
        (lambda view: Pick((view.offer[0], ("Alma", "Nowhere"))), "player 0 .* Alma - Nowhere was not offered"),
        (lambda view: Pick(view.offer[:1]), "2 destinations must be kept, not 1"),
        (lambda view: Pick(view.offer[:1] * 2), "twice"),
        (lambda view: Pick((7, 8)), "Expected array, got int"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda view: view.offer[:2], "expected a Pick, got tuple"),
        (lambda view: None, "expected a Pick, got NoneType"),
    ],
)
def test_picks_are_judged(pick: Callable[[View], Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        RefereeGameState.deal(M, 2, pick=pick)


def test_destinations_must_be_picked_before_the_memo_begins() -> None:
    picking = rules.start(Setup(map=M), 2, derived(1))
    with pytest.raises(ValueError, match="still being picked"):
        RefereeGameState(picking)


def test_destinations_are_picked_as_one_likes() -> None:
    order = tuple(sorted((first, second) for first in ["Alma"] for second in ["Bree", "Cove", "Dell", "Erin"]))
    order += (("Bree", "Cove"), ("Bree", "Dell"), ("Bree", "Erin"))
    game = RefereeGameState.deal(M, 2, destinations=order, pick=keep_last)
    assert game.players[0].destinations == {("Alma", "Erin"), ("Bree", "Cove")}


@pytest.mark.parametrize(
    "chosen",
    [
        {"total_players": 4},
        {"total_players": 2.0},
        {"rails": -1},
        {"rails": 4.5},
        {"rails": True},
        {"deck": ["pink"]},
        {"deck": 7},
        {"map": 7},
        {"map": "nowhere"},
        {"destinations": [("Alma", "Nowhere")]},
        {"seed": 0.5},
    ],
    ids=str,
)
def test_what_cannot_be_dealt_is_refused(chosen: dict[str, Any]) -> None:
    with pytest.raises(SetupError):
        RefereeGameState.deal(**{"map": M, "total_players": 2, **chosen})
