"""Memo 004: one game state that players and referee share; only the requested action in it can be changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum
from types import MappingProxyType

from msgspec import Struct

from fairplay.core import Seat
from fairplay.course.memos import trains_table as table
from fairplay.course.memos.trains_table import GameOverException as GameOverException
from fairplay.games.trains import rules
from fairplay.games.trains.map import COLORS, Color, Connection, Destination, Map, bits
from fairplay.games.trains.players.strategies import keep_first
from fairplay.games.trains.rules import DRAW
from fairplay.games.trains.state import Acquire, Action, State


class Card(Struct, frozen=True):
    """One playing card."""

    color: Color


class RequestType(IntEnum):
    """What a player may ask for."""

    REQUEST_CARDS = 1
    ACQUIRE_CONNECTION = 2


class PlayerAction(Struct, frozen=True):
    """Who wants what; a request for cards names no connection.

    It holds the player's name, not the player: anyone who sees the action would find the player's hand behind it.
    """

    player: str
    request: RequestType
    connection: Connection | None = None


class GameState:
    """What players and referee share.  Everything but `action` is read-only."""

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
        """The game's map."""
        return self.__map

    @property
    def owned(self) -> Mapping[str, frozenset[Connection]]:
        """For each player, in turn order, the connections it owns."""
        return self.__owned

    @property
    def cards_left(self) -> int:
        """How many cards are left to draw."""
        return self.__cards_left

    @property
    def holder(self) -> str | None:
        """Which player was handed this copy; None for the referee's own."""
        return self.__holder

    def same_but_action(self, other: GameState) -> bool:
        """Do the two agree in everything but the action?"""
        return (self.map, self.owned, self.cards_left) == (other.map, other.owned, other.cards_left)


class TablePlayer:
    """A player at the table: what it was handed, and its copy of the game state."""

    def __init__(self, name: str, pick: table.Picker = keep_first) -> None:
        self.name, self.pick = name, pick
        self.participants = 0
        self.map: Map | None = None
        self.cards: list[Card] = []
        self.rails = 0
        self.destinations: tuple[Destination, ...] = ()
        self.state: GameState | None = None

    def request_action(self, action: PlayerAction) -> None:
        """Put the action I want into my game state.  EFFECT: the referee sees it when my state is submitted."""
        if self.state is None:
            raise ValueError("no game has been set up")
        self.state.action = action


class Referee:
    """Keeps the last legal game state, judges the ones submitted, and updates all players after a legal turn."""

    def __init__(self, *, seed: int = 0) -> None:
        self._seed = seed
        self._state: State | None = None
        self._players: tuple[TablePlayer, ...] = ()
        self._names: tuple[str, ...] = ()  # as they were at the start: a player may rename itself
        self._copies: tuple[GameState, ...] = ()  # what each player was handed last

    def set_up_game(self, map: Map | str, players: Iterable[TablePlayer], rail_amount: int) -> GameState:
        """Deal: each player gets the number of participants, the map, four cards and the rails, and picks destinations.

        A player whose pick raises or is illegal is removed, and the others play on (Trains 2.8).  Raises ValueError
        for bad names, SetupError for a game that cannot be dealt.
        """
        seated = tuple(players)
        names = tuple(player.name for player in seated)
        for name in names:
            if type(name) is not str:
                raise ValueError(f"{name!r} is not a name: expected a text")
        if len(set(names)) != len(names):
            raise ValueError("two players have the same name")
        state = table.start_match({"map": map, "rails": rail_amount}, len(seated), self._seed)
        while state.picking:
            state = pick_or_remove(state, seated[table.awaited_seat(state)])
        self._players, self._names = seated, names
        self._update(state)
        return self.last_legal

    @property
    def last_legal(self) -> GameState:
        """A copy of the last legal game state."""
        return self._copy(None)

    def check_legality(self, submitted: GameState) -> bool:
        """Is this the copy handed to the player on turn, unchanged but for a legal action of that player?"""
        return self._find_action(submitted) is not None

    def execute_player_action(self, submitted: GameState) -> None:
        """Carry out a legal action and update all players; raises ValueError or GameOverException."""
        state = self._require_game()
        table.awaited_seat(state)
        action = self._find_action(submitted)
        if action is None:
            raise ValueError("the submitted game state is not legal")
        self._update(rules.apply(state, action))

    def check_last_turn(self) -> bool:
        """Has a player run so low on rails that each other player has only one more turn?"""
        return self._require_game().closer is not None

    @property
    def turn(self) -> str | None:
        """Who is on turn; None when the game is over."""
        turn = self._require_game().turn
        return None if turn is None else self._names[turn]

    @property
    def removed(self) -> list[str]:
        """The players that were removed, in turn order."""
        return [self._names[seat] for seat in sorted(self._require_game().out)]

    def _find_action(self, submitted: object) -> Action | None:
        """The rule book's action for what is submitted; None if it is illegal."""
        state = self._require_game()
        # Anyone can make a game state like the last legal one, so the copy itself shows who submits it.
        if state.turn is None or submitted is not (copy := self._copies[state.turn]):
            return None
        request = table.read_value(getattr(copy, "action", None), PlayerAction)
        if request is None or request.player != self._names[state.turn] or not copy.same_but_action(self.last_legal):
            return None
        action = as_rule_book_action(request)
        legal = action is not None and rules.why_illegal(rules.view(state, state.turn), action) is None
        return action if legal else None

    def _require_game(self) -> State:
        if self._state is None:
            raise ValueError("no game has been set up")
        return self._state

    def _update(self, state: State) -> None:
        self._state = state
        self._copies = tuple(map(self._copy, self._names))
        for seat, player in enumerate(self._players):
            player.participants, player.map = len(self._players), state.network.map
            player.rails, player.destinations = state.rails[seat], state.destinations[seat]
            hand = zip(COLORS, state.hands[Seat(seat)], strict=True)
            player.cards = [Card(color) for color, count in hand for _ in range(count)]
            player.state = self._copies[seat]

    def _copy(self, holder: str | None) -> GameState:
        state = self._require_game()
        owned = {
            name: [state.network.connections[index] for index in bits(state.owned[seat])]
            for seat, name in enumerate(self._names)
        }
        return GameState(state.network.map, owned, state.left, holder=holder)


def pick_or_remove(state: State, player: TablePlayer) -> State:
    """The state after `player` picked its destinations, or without the player if it failed to (Trains 2.8)."""
    try:
        return table.keep_destinations(state, player.pick)
    except KeyboardInterrupt:
        raise
    except BaseException:  # a player may raise anything at all, SystemExit too
        return rules.remove(state, table.awaited_seat(state))


def as_rule_book_action(request: PlayerAction) -> Action | None:
    """The same action for the rule book; None if the request does not fit its connection."""
    match request.request, request.connection:
        case RequestType.REQUEST_CARDS, None:
            return DRAW
        case RequestType.ACQUIRE_CONNECTION, Connection() as connection:
            return Acquire(connection)
        case _:
            return None
