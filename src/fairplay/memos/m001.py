"""The imperative table of Trains, for people who hold a game in their hands: a notebook, a GUI, a test.

Three memos designed it three times; all three stand on the rule book and say nothing it does not say.  Memo 001 is
here, memo 000 in `ledger`, memo 004 in `notebook`.  ``docs/memos.md`` maps every operation of theirs to its function.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from fairplay.core import Seat
from fairplay.games.trains import rules
from fairplay.games.trains.map import COLORS, Color, Connection, Destination, Map
from fairplay.games.trains.players.strategies import keep_first
from fairplay.games.trains.rules import DRAW
from fairplay.games.trains.state import Acquire, Hand, State
from fairplay.memos.m000 import OmniscientGameState, PlayerData, PlayerGameState
from fairplay.memos.m004 import Card, GameState, PlayerAction, Referee, RequestType, TablePlayer
from fairplay.memos.tabletop import Deck, GameOverException, Picker, begun, counted, owners_of, seat_after

__all__ = [
    "BoardState",
    "Card",
    "Deck",
    "GameOverException",
    "GameState",
    "OmniscientGameState",
    "PlayerAction",
    "PlayerData",
    "PlayerGameState",
    "PlayerNumber",
    "PlayerState",
    "Referee",
    "RefereeGameState",
    "RequestType",
    "TablePlayer",
]

PlayerNumber: TypeAlias = int
"""A player's place in turn order, from 0."""


class BoardState(Struct, frozen=True):
    """What everybody can see."""

    map: Map
    owners: dict[Connection, PlayerNumber]
    turn: PlayerNumber | None  # when the game is over: the player whose turn ended it, if one did
    total_players: int


class PlayerState(Struct, frozen=True):
    """What one player knows."""

    cards: Deck
    destinations: frozenset[Destination]
    num_rails: int
    board: BoardState


class RefereeGameState:
    """The ground truth of a game and the one place that changes it.  What it hands out are copies."""

    def __init__(self, state: State) -> None:
        self._state = state

    @classmethod
    def deal(
        cls,
        map: Map | str,
        total_players: int,
        *,
        rails: int = 45,
        seed: int = 0,
        deck: Sequence[Color] | None = None,
        destinations: Sequence[Destination] | None = None,
        pick: Picker = keep_first,
    ) -> RefereeGameState:
        """A new game with everybody's cards dealt and destinations picked; raises SetupError."""
        return cls(begun(map, total_players, rails=rails, seed=seed, deck=deck, destinations=destinations, pick=pick))

    @property
    def board(self) -> BoardState:
        state = self._state
        turn = state.closer if state.turn is None else state.turn
        return BoardState(state.network.map, dict(owners_of(state)), turn, len(state.rails))

    @property
    def players(self) -> list[PlayerState]:
        state, board = self._state, self.board
        return [
            PlayerState(counted(state.hands[seat]), frozenset(state.destinations[seat]), state.rails[seat], board)
            for seat in range(len(state.rails))
        ]

    @property
    def draw_pile(self) -> Deck:
        """How many cards of each colour are left."""
        left = self._state.deck[self._state.drawn :]
        counts: Hand = left.count(0), left.count(1), left.count(2), left.count(3)
        return counted(counts)

    @property
    def ending_player(self) -> PlayerNumber | None:
        """The player whose next turn does not come, once the last round has begun."""
        return self._state.closer

    def attempt_acquire_connection(self, connection: Connection) -> bool:
        """Take `connection` for the player on turn; False, and nothing changes, where the rules forbid it."""
        seat = seat_after(self._state)
        if rules.why_illegal(rules.view(self._state, seat), Acquire(connection)) is not None:
            return False
        self._state = rules.apply(self._state, Acquire(connection))
        return True

    def attempt_request_cards(
        self, player: PlayerNumber | None = None, connection: Connection | None = None
    ) -> list[Color]:
        """The cards drawn for the player on turn; none, and nothing changes, for a player who is not.

        The memo lists `connection` too; a request for cards has none, so it is ignored.
        """
        seat = seat_after(self._state)
        if player is not None and player != seat:
            return []
        before, self._state = self._state, rules.apply(self._state, DRAW)
        return [COLORS[card] for card in before.deck[before.drawn : self._state.drawn]]

    def is_game_over(self, current_player: PlayerNumber | None = None) -> bool:
        """Is the game over?  The rule book sets `ending_player` by itself, so nobody need be named."""
        return self._state.turn is None

    def remove(self, player: PlayerNumber) -> None:
        """Throw a player out: its connections are free at once; raises GameOverException."""
        seat_after(self._state)
        self._state = rules.remove(self._state, Seat(player))

    @property
    def state(self) -> State:
        """The state that the rule book knows, which nobody can change."""
        return self._state
