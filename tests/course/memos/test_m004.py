"""Memo 004: one shared game state whose only changeable part is the requested action."""

from __future__ import annotations

from typing import Any

import pytest

from fairplay.core import SetupError
from fairplay.course.memos.m004 import Card, GameState, PlayerAction, Referee, RequestType, TablePlayer
from fairplay.course.memos.trains_table import GameOverException
from fairplay.games.trains.map import Connection
from fairplay.games.trains.maps.files import map_from_json
from fairplay.games.trains.state import Pick, View
from games.trains.sheets import MAP_M, atlas_map

M = map_from_json(MAP_M)
RICH = atlas_map(
    "A-B red 3,A-B blue 3,A-B green 3,A-B white 3,B-C red 3,B-C blue 3,B-C green 3,B-C white 3,C-D red 3,D-E red 3"
)
CARDS = RequestType.REQUEST_CARDS
CONNECTION = RequestType.ACQUIRE_CONNECTION


def game(map: Any = M, rails: int = 45, seed: int = 0) -> tuple[Referee, TablePlayer, TablePlayer, GameState]:
    referee, ann, bob = Referee(seed=seed), TablePlayer("ann"), TablePlayer("bob")
    state = referee.set_up_game(map, [ann, bob], rails)
    return referee, ann, bob, state


def request(player: TablePlayer, connection: Connection | None = None) -> GameState:
    kind = CARDS if connection is None else CONNECTION
    player.request_action(PlayerAction(player.name, kind, connection))
    assert player.state is not None
    return player.state


def affordable(player: TablePlayer) -> Connection | None:
    held = [card.color for card in player.cards]
    assert player.state is not None and player.map is not None
    taken = {one for owned in player.state.owned.values() for one in owned}
    free = [one for one in player.map.connections if one not in taken]
    return next((one for one in free if held.count(one.color) >= one.length), None)


def test_the_values_of_the_memo() -> None:
    assert (RequestType(1), RequestType(2)) == (CARDS, CONNECTION)
    assert Card("red").color == "red"


def test_setting_up_hands_everybody_what_the_memo_lists() -> None:
    referee, ann, bob, state = game()
    for player in (ann, bob):
        assert (player.participants, player.map, player.rails, len(player.cards)) == (2, M, 45, 4)
        assert player.state is not None
        assert player.state.same_but_action(state)
    assert (state.map, dict(state.owned), state.cards_left) == (M, {"ann": frozenset(), "bob": frozenset()}, 242)
    assert (state.action, state.holder) == (None, None)
    assert ann.state is not None
    assert ann.state.holder == "ann"
    assert not referee.check_last_turn()
    assert referee.turn == "ann"
    assert len({*ann.destinations, *bob.destinations}) == 4


def test_only_the_action_can_be_changed() -> None:
    _, ann, _, state = game()
    for name in ("map", "owned", "cards_left", "holder", "anything"):
        with pytest.raises(AttributeError):
            setattr(state, name, None)
    with pytest.raises(TypeError):
        state.owned["ann"] = frozenset()  # type: ignore[index]  # read-only: this is what must fail
    ann.request_action(PlayerAction("ann", CARDS))
    assert ann.state is not None
    assert ann.state.action == PlayerAction("ann", CARDS)


def test_a_request_for_cards_is_legal_and_brings_two() -> None:
    referee, ann, bob, _ = game()
    submitted = request(ann)
    assert referee.check_legality(submitted)
    referee.execute_player_action(submitted)
    assert len(ann.cards) == 6
    assert referee.last_legal.cards_left == 240
    assert bob.state is not None
    assert (bob.state.cards_left, referee.turn) == (240, "bob")


def test_an_action_of_another_player_is_illegal() -> None:
    referee, ann, bob, _ = game()
    assert not referee.check_legality(request(bob))  # not on turn
    ann.request_action(PlayerAction("bob", CARDS))
    assert ann.state is not None
    assert not referee.check_legality(ann.state)
    bob.request_action(PlayerAction("ann", CARDS))  # in the name of the one on turn, but out of bob's own copy
    assert bob.state is not None
    assert not referee.check_legality(bob.state)


def test_a_state_that_differs_in_anything_but_its_action_is_illegal() -> None:
    referee, _, _, state = game()
    action = PlayerAction("ann", CARDS)
    owned = {name: set(connections) for name, connections in state.owned.items()}
    assert not referee.check_legality(GameState(state.map, owned, state.cards_left + 1, action))
    assert not referee.check_legality(GameState(RICH, owned, state.cards_left, action))
    assert not referee.check_legality(GameState(state.map, {**owned, "ann": {M.connections[0]}}, 242, action))
    assert not referee.check_legality(GameState(state.map, owned, state.cards_left))  # no action at all


def test_nobody_can_make_a_game_state_that_plays_for_the_player_on_turn() -> None:
    """The memo: a player whose game state holds another player's action has an illegal game state."""
    referee, ann, bob, state = game()
    ask = PlayerAction("ann", CARDS)
    assert bob.state is not None
    shown = (bob.state.map, bob.state.owned, bob.state.cards_left)
    copies = [GameState(*shown, ask), GameState(*shown, ask, holder="ann"), GameState(*shown, ask, holder="bob")]
    for own in (bob.state, state, referee.last_legal):
        own.action = ask
        copies.append(own)
    for forged in copies:
        assert not referee.check_legality(forged)
        with pytest.raises(ValueError, match="not legal"):
            referee.execute_player_action(forged)
    assert (referee.turn, len(ann.cards)) == ("ann", 4)
    assert referee.check_legality(request(ann))


def test_a_player_cannot_take_the_name_of_another() -> None:
    referee, ann, bob, _ = game()
    bob.name = "ann"
    assert not referee.check_legality(request(bob))
    referee.execute_player_action(request(ann))
    assert bob.state is not None
    assert (bob.state.holder, [*bob.state.owned], referee.turn) == ("bob", ["ann", "bob"], "bob")


class Hostile:
    """Raises whatever it is asked."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    __hash__ = None  # type: ignore[assignment]  # cannot be hashed, on purpose


def garbage_actions() -> list[Any]:
    made: list[Any] = [PlayerAction("ann", request) for request in ("cards", None, 3, True)]  # type: ignore[arg-type]  # wrong on purpose
    made += [PlayerAction(player, CARDS) for player in (["ann"], None, Hostile())]  # type: ignore[arg-type]  # wrong on purpose
    connections: list[Any] = ["Alma-Bree red 3", ["Alma", "Bree", "red", 3], 7, Hostile()]
    connections += [Connection("Alma", "Bree", "red", length) for length in ([3], 3.0, None)]  # type: ignore[arg-type]  # wrong on purpose
    connections.append(Connection(Hostile(), "Bree", "red", 3))  # type: ignore[arg-type]  # wrong on purpose
    made += [PlayerAction("ann", CONNECTION, connection) for connection in connections]
    return [*made, 7, "RequestCards", object(), ("ann", CARDS, None), Hostile()]


def test_a_garbage_action_is_illegal_and_not_executed() -> None:
    referee, ann, _, _ = game()
    assert ann.state is not None
    for action in garbage_actions():
        ann.request_action(action)
        assert not referee.check_legality(ann.state)
        with pytest.raises(ValueError, match="not legal"):
            referee.execute_player_action(ann.state)
    assert referee.last_legal.cards_left == 242


def test_a_list_is_not_a_connection_even_if_it_could_be_paid_for() -> None:
    referee, ann, bob, _ = game(RICH)
    while (wanted := affordable(ann)) is None:
        referee.execute_player_action(request(ann))
        referee.execute_player_action(request(bob))
    listed: Any = [wanted.first, wanted.second, wanted.color, wanted.length]
    assert not referee.check_legality(request(ann, listed))
    assert referee.check_legality(request(ann, wanted))


def test_what_is_not_a_game_state_is_illegal() -> None:
    referee, _, _, _ = game()
    garbage: list[Any] = [None, 7, "a state", PlayerAction("ann", CARDS), Hostile()]
    for submitted in garbage:
        assert not referee.check_legality(submitted)
        with pytest.raises(ValueError, match="not legal"):
            referee.execute_player_action(submitted)


def test_a_game_state_without_its_action_is_illegal() -> None:
    referee, ann, _, _ = game()
    assert ann.state is not None
    del ann.state.action
    assert not referee.check_legality(ann.state)


def crash(view: View) -> Pick:
    raise RuntimeError("no idea")


def leave(view: View) -> Pick:
    raise SystemExit


def invent(view: View) -> Pick:
    return Pick((("Alma", "Nowhere"), ("Alma", "Bree")))


def keep_everything(view: View) -> Pick:
    return Pick(view.offer)


def keep_nothing_known(view: View) -> Any:
    return "everything"


@pytest.mark.parametrize("pick", [crash, leave, invent, keep_everything, keep_nothing_known])
def test_a_player_that_picks_badly_is_removed_and_the_others_play_on(pick: Any) -> None:
    """Trains 2.8."""
    referee, ann, bob, eve = Referee(), TablePlayer("ann"), TablePlayer("bob", pick), TablePlayer("eve")
    state = referee.set_up_game("tiny", [ann, bob, eve], 45)
    assert referee.removed == ["bob"]
    assert (bob.rails, bob.cards, bob.destinations) == (0, [], ())
    assert [*state.owned] == ["ann", "bob", "eve"]
    assert len({*ann.destinations, *eve.destinations}) == 4
    referee.execute_player_action(request(ann))
    assert referee.turn == "eve"
    assert not referee.check_legality(request(bob))


def test_a_game_whose_players_all_pick_badly_is_over() -> None:
    referee, players = Referee(), [TablePlayer("ann", crash), TablePlayer("bob", invent)]
    referee.set_up_game(M, players, 45)
    assert (referee.turn, referee.removed) == (None, ["ann", "bob"])
    with pytest.raises(GameOverException):
        referee.execute_player_action(request(players[0]))


@pytest.mark.parametrize("rails", [-1, 4.5, True, "45"])
def test_rails_are_a_whole_number(rails: Any) -> None:
    with pytest.raises(SetupError, match="rails"):
        game(rails=rails)


def test_a_state_of_an_earlier_turn_is_illegal() -> None:
    referee, ann, bob, _ = game()
    old = request(ann)
    referee.execute_player_action(old)
    referee.execute_player_action(request(bob))
    assert not referee.check_legality(old)


def test_a_connection_needs_cards_rails_and_no_owner() -> None:
    """The memo's conditions are those of Trains 3.5."""
    referee, ann, bob, _ = game(RICH)
    absent = Connection("A", "D", "red", 3)
    assert not referee.check_legality(request(ann, absent))
    while affordable(ann) is None:
        referee.execute_player_action(request(ann))
        referee.execute_player_action(request(bob))
    wanted = affordable(ann)
    assert wanted is not None
    submitted = request(ann, wanted)
    assert referee.check_legality(submitted)
    referee.execute_player_action(submitted)
    assert referee.last_legal.owned["ann"] == {wanted}
    assert ann.rails == 42
    assert not referee.check_legality(request(bob, wanted))  # owned


@pytest.mark.parametrize(
    "action", [PlayerAction("ann", CARDS, M.connections[0]), PlayerAction("ann", CONNECTION), None]
)
def test_requests_that_do_not_fit_their_connection_are_illegal_and_not_executed(action: PlayerAction | None) -> None:
    referee, ann, _, _ = game()
    assert ann.state is not None
    ann.state.action = action
    assert not referee.check_legality(ann.state)
    with pytest.raises(ValueError, match="not legal"):
        referee.execute_player_action(ann.state)
    assert referee.last_legal.cards_left == 242


def test_the_last_turn_and_the_end() -> None:
    referee, ann, bob, _ = game(RICH, rails=5)
    while not referee.check_last_turn():
        mover = ann if referee.turn == "ann" else bob
        referee.execute_player_action(request(mover, affordable(mover)))
    other = ann if referee.turn == "ann" else bob
    assert referee.turn == other.name
    referee.execute_player_action(request(other))
    assert referee.turn is None
    assert not referee.check_legality(request(ann))
    with pytest.raises(GameOverException):
        referee.execute_player_action(request(ann))


def test_nothing_works_before_a_game_is_set_up() -> None:
    with pytest.raises(ValueError, match="no game"):
        Referee().check_last_turn()
    with pytest.raises(ValueError, match="no game"):
        TablePlayer("ann").request_action(PlayerAction("ann", CARDS))
    with pytest.raises(ValueError, match="same name"):
        Referee().set_up_game(M, [TablePlayer("ann"), TablePlayer("ann")], 45)
    with pytest.raises(ValueError, match="7 is not a name"):
        Referee().set_up_game(M, [TablePlayer("ann"), TablePlayer(7)], 45)  # type: ignore[arg-type]  # wrong on purpose


def test_a_shared_state_never_holds_a_hand() -> None:
    """Players are named in it, not held: their hands are theirs."""
    referee, ann, bob, _ = game()
    referee.execute_player_action(request(ann))
    assert bob.state is not None
    assert all(isinstance(name, str) for name in bob.state.owned)
    public = {name for name in dir(bob.state) if not name.startswith("_")}
    assert public == {"action", "cards_left", "holder", "map", "owned", "same_but_action"}
