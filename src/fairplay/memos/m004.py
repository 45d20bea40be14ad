"""Memo 004: one game state that players and referee share, with the requested action as its only changeable part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum
from types import MappingProxyType

from msgspec import Struct

from fairplay.core import Seat
from fairplay.games.trains import rules
from fairplay.games.trains.map import COLORS, Color, Connection, Destination, Map, bits
from fairplay.games.trains.players.strategies import keep_first
from fairplay.games.trains.rules import DRAW
from fairplay.games.trains.state import Acquire, Action, State
from fairplay.memos.tabletop import Picker, begun, seat_after

__all__ = ["Card", "GameState", "PlayerAction", "Referee", "RequestType", "TablePlayer"]


class Card(Struct, frozen=True):
    """One playing card."""

    colour: Color


class RequestType(IntEnum):
    """What a player may ask for."""

    REQUEST_CARDS = 1
    ACQUIRE_CONNECTION = 2


class PlayerAction(Struct, frozen=True):
    """Who wants what; a request for cards names no connection.

    The player is named, not held: whoever sees the action must not find the player's hand behind it.
    """

    player: str
    request: RequestType
    connection: Connection | None = None


class GameState:
    """What players and referee share.  Everything but `action` stays as it was made."""

    __slots__ = ("__cards_left", "__holder", "__map", "__owned", "action")

    def __init__(
        self,
        map: Map,
        owned: Mapping[str, Iterable[Connection]],
        cards_left: int,
        action: PlayerAction | None = None,
        *,
        holder: str | None = None,
    ) -> None:
        self.__map, self.__cards_left, self.__holder = map, cards_left, holder
        self.__owned = MappingProxyType({player: frozenset(connections) for player, connections in owned.items()})
        self.action = action

    @property
    def map(self) -> Map:
        return self.__map

    @property
    def owned(self) -> Mapping[str, frozenset[Connection]]:
        """For each player in turn order the connections it owns."""
        return self.__owned

    @property
    def cards_left(self) -> int:
        """How many cards are left for everybody."""
        return self.__cards_left

    @property
    def holder(self) -> str | None:
        """Who was handed this copy; None for the referee's own."""
        return self.__holder

    def same_but_action(self, other: GameState) -> bool:
        mine, theirs = (self.map, dict(self.owned), self.cards_left), (other.map, dict(other.owned), other.cards_left)
        return mine == theirs


class TablePlayer:
    """A player at this table: what it was handed, and its copy of the game state."""

    def __init__(self, name: str, pick: Picker = keep_first) -> None:
        self.name, self.pick = name, pick
        self.participants = 0
        self.map: Map | None = None
        self.cards: list[Card] = []
        self.rails = 0
        self.destinations: tuple[Destination, ...] = ()
        self.state: GameState | None = None

    def request_action(self, action: PlayerAction) -> None:
        """Put the action I want into my game state.  EFFECT: nobody else sees it before I hand it in."""
        if self.state is None:
            raise ValueError("no game has been set up")
        self.state.action = action


class Referee:
    """Keeps the last legal game state, judges what is handed in, and updates everybody after a legal turn."""

    def __init__(self, *, seed: int = 0) -> None:
        self._seed = seed
        self._state: State | None = None
        self._players: tuple[TablePlayer, ...] = ()

    def set_up_game(self, map: Map | str, players: Iterable[TablePlayer], rail_amount: int) -> GameState:
        """Deal: everybody gets the number of participants, the map, four cards and the rails; raises SetupError."""
        seated = tuple(players)
        if len({player.name for player in seated}) != len(seated):
            raise ValueError("two players have the same name")
        queue = iter(seated)
        state = begun(map, len(seated), rails=rail_amount, seed=self._seed, pick=lambda view: next(queue).pick(view))
        self._players = seated
        self._update(state)
        return self.last_legal

    @property
    def last_legal(self) -> GameState:
        """A copy of the last legal game state."""
        return self._copy(None)

    def check_legality(self, submitted: GameState) -> bool:
        """Is this the last legal game state with a legal action of the player on turn, and of nobody else?"""
        state = self._begun()
        action = submitted.action
        if state.turn is None or action is None or not submitted.same_but_action(self.last_legal):
            return False
        name = self._players[state.turn].name
        if action.player != name or submitted.holder not in (None, name):
            return False
        wanted = self._wanted(action)
        return wanted is not None and rules.why_illegal(rules.view(state, state.turn), wanted) is None

    def execute_player_action(self, submitted: GameState) -> None:
        """Carry out a legal action and update everybody; raises ValueError or GameOverException."""
        state = self._begun()
        seat_after(state)
        if not self.check_legality(submitted):
            raise ValueError("the submitted game state is not legal")
        assert submitted.action is not None
        wanted = self._wanted(submitted.action)
        assert wanted is not None
        self._update(rules.apply(state, wanted))

    def check_last_turn(self) -> bool:
        """Has somebody run so low on rails that everybody else has only one more turn?"""
        return self._begun().closer is not None

    @property
    def turn(self) -> str | None:
        """Who is on turn; None when the game is over."""
        turn = self._begun().turn
        return None if turn is None else self._players[turn].name

    @staticmethod
    def _wanted(action: PlayerAction) -> Action | None:
        """The action of the rule book; None where the request does not fit its connection."""
        if action.request is RequestType.REQUEST_CARDS:
            return DRAW if action.connection is None else None
        return None if action.connection is None else Acquire(action.connection)

    def _begun(self) -> State:
        if self._state is None:
            raise ValueError("no game has been set up")
        return self._state

    def _update(self, state: State) -> None:
        self._state = state
        for seat, player in enumerate(self._players):
            player.participants, player.map = len(self._players), state.network.map
            player.rails, player.destinations = state.rails[seat], state.destinations[seat]
            hand = zip(COLORS, state.hands[Seat(seat)], strict=True)
            player.cards = [Card(colour) for colour, count in hand for _ in range(count)]
            player.state = self._copy(player.name)

    def _copy(self, holder: str | None) -> GameState:
        state = self._begun()
        owned = {
            player.name: [state.network.connections[index] for index in bits(state.owned[seat])]
            for seat, player in enumerate(self._players)
        }
        return GameState(state.network.map, owned, state.left, holder=holder)
