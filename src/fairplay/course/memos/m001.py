"""Memo 001: the referee's game state, on which players attempt their moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from fairplay.core import Seat
from fairplay.course.memos import trains_table as table
from fairplay.course.memos.trains_table import GameOverException as GameOverException
from fairplay.games.trains import rules
from fairplay.games.trains.map import COLORS, Color, Connection, Destination, Map
from fairplay.games.trains.players.strategies import keep_first
from fairplay.games.trains.rules import DRAW
from fairplay.games.trains.state import Acquire, Hand, State

PlayerNumber: TypeAlias = int
"""A player's place in turn order, from 0."""


class BoardState(Struct, frozen=True):
    """What everyone can see."""

    map: Map
    owners: dict[Connection, PlayerNumber]
    turn: PlayerNumber | None  # when the game is over: the player whose turn ended it, if one did
    total_players: int


class PlayerState(Struct, frozen=True):
    """What one player knows."""

    cards: table.Deck
    destinations: frozenset[Destination]
    num_rails: int
    board: BoardState


class RefereeGameState:
    """The ground truth of a game and the one place that changes it; it hands out copies only."""

    def __init__(self, state: State) -> None:
        """Go on from a state of the rule book; raises ValueError while destinations are being picked."""
        if state.picking:
            raise ValueError("destinations are still being picked: the memo begins after that")
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
        pick: table.Picker = keep_first,
    ) -> RefereeGameState:
        """A new game in which `pick` has chosen destinations for every player.

        Raises SetupError for a game that cannot be dealt, ValueError for an illegal pick.
        """
        fields = {"map": map, "rails": rails, "deck": deck, "destinations": destinations}
        state = table.start_match(fields, total_players, seed)
        while state.picking:
            state = table.keep_destinations(state, pick)
        return cls(state)

    @property
    def board(self) -> BoardState:
        """What everyone can see."""
        state = self._state
        turn = state.closer if state.turn is None else state.turn
        return BoardState(state.network.map, dict(table.find_owners(state)), turn, len(state.rails))

    @property
    def players(self) -> list[PlayerState]:
        """What each player knows, in turn order."""
        state, board = self._state, self.board
        return [
            PlayerState(
                table.hand_as_deck(state.hands[seat]), frozenset(state.destinations[seat]), state.rails[seat], board
            )
            for seat in range(len(state.rails))
        ]

    @property
    def draw_pile(self) -> table.Deck:
        """How many cards of each colour are left."""
        left = self._state.deck[self._state.drawn :]
        counts: Hand = left.count(0), left.count(1), left.count(2), left.count(3)
        return table.hand_as_deck(counts)

    @property
    def ending_player(self) -> PlayerNumber | None:
        """Once the last round has begun: the player before whose next turn the game ends."""
        return self._state.closer

    def attempt_acquire_connection(self, connection: Connection) -> bool:
        """Take `connection` for the player on turn; if the rules forbid it, return False and change nothing.

        Raises GameOverException.
        """
        seat, wanted = table.awaited_seat(self._state), table.read_value(connection, Connection)
        if wanted is None or rules.why_illegal(rules.view(self._state, seat), Acquire(wanted)) is not None:
            return False
        self._state = rules.apply(self._state, Acquire(wanted))
        return True

    def attempt_request_cards(
        self, player: PlayerNumber | None = None, connection: Connection | None = None
    ) -> list[Color]:
        """Draw for the player on turn and return the cards; for anyone else, return none and change nothing.

        The memo lists `connection` too; a request for cards has none, so it is ignored.  Raises GameOverException.
        """
        seat = table.awaited_seat(self._state)
        if player is not None and (type(player) is not int or player != seat):
            return []
        before, self._state = self._state, rules.apply(self._state, DRAW)
        return [COLORS[card] for card in before.deck[before.drawn : self._state.drawn]]

    def is_game_over(self, current_player: PlayerNumber | None = None) -> bool:
        """Is the game over?  The rule book sets `ending_player` by itself, so the argument is not needed."""
        return self._state.turn is None

    def remove(self, player: PlayerNumber) -> None:
        """Remove a player: its connections are free at once, its cards and rails are lost (Trains 6.4).

        Raises GameOverException, or ValueError if there is no such player or it has been removed before.
        """
        state = self._state
        table.awaited_seat(state)
        if not 0 <= table.whole_number(player, "the number of a player") < len(state.rails):
            raise ValueError(f"there is no player {player}: the players are 0 to {len(state.rails) - 1}")
        if player in state.out:
            raise ValueError(f"player {player} has already been removed")
        self._state = rules.remove(state, Seat(player))

    @property
    def state(self) -> State:
        """The rule book's own state, which cannot be changed."""
        return self._state
