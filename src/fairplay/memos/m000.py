"""Memo 000: the omniscient game state, and the read-only game state of one player made from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from fairplay.core import Seat
from fairplay.core.chance import derived
from fairplay.core.tuples import with_item
from fairplay.games.trains import rules
from fairplay.games.trains.deal import with_cards
from fairplay.games.trains.map import COLORS, Color, Connection, Destination, Map
from fairplay.games.trains.state import Hand, Setup, State, View
from fairplay.memos.tabletop import Deck, GameOverException, counted, owners_of

__all__ = ["OmniscientGameState", "PlayerData", "PlayerGameState"]


class PlayerData(Struct, frozen=True):
    """What the omniscient state holds about one player."""

    destinations: tuple[Destination, ...]
    cards: Deck
    rails: int


class OmniscientGameState:
    """Everything about a game from the instant before cards are dealt; changed step by step by a referee.

    The steps are not judged: whoever takes them knows the rules.  But what cannot be is refused with a ValueError, and
    when the game is over every change is refused with a GameOverException.
    """

    def __init__(
        self,
        map: Map | str,
        player_ids: Sequence[str],
        *,
        rails: int = 45,
        seed: int = 0,
        deck: Sequence[Color] | None = None,
    ) -> None:
        if len(set(player_ids)) != len(player_ids):
            raise ValueError("two players have the same id")
        self._ids = tuple(player_ids)
        setup = Setup(map=map, rails=rails, dealt=0, deck=None if deck is None else tuple(deck))
        dealt = rules.start(setup, len(self._ids), derived(seed, "deal"))
        self._state = replace(dealt, picking=False, turn=Seat(0))  # Trains 3.1; who picks is the referee's business
        self._before = self._state  # as this turn began

    # -- changes -------------------------------------------------------------------------------

    def remove_cards(self, player_id: str, colour: Color, count: int) -> None:
        """Take so many cards of one colour out of a player's hand."""
        state, seat = self._open(), self._seat(player_id)
        hand, index = state.hands[seat], COLORS.index(colour)
        if not 0 <= count <= hand[index]:
            raise ValueError(f"{player_id} has {hand[index]} {colour} cards, not {count}")
        rest: Hand = with_item(hand, index, hand[index] - count)  # type: ignore[assignment]  # still four
        self._state = replace(state, hands=with_item(state.hands, seat, rest))

    def occupy(self, connection: Connection, player_id: str) -> None:
        """Let a player occupy a connection; as many rails as it is long leave the bank."""
        state, seat = self._open(), self._seat(player_id)
        bit = state.network.bit(connection)
        if not bit:
            raise ValueError(f"the map has no connection {connection}")
        if connection in owners_of(state):
            raise ValueError(f"{connection} is occupied")
        if state.rails[seat] < connection.length:
            raise ValueError(f"{player_id} has {state.rails[seat]} rails, not {connection.length}")
        self._state = replace(
            state,
            owned=with_item(state.owned, seat, state.owned[seat] | bit),
            rails=with_item(state.rails, seat, state.rails[seat] - connection.length),
        )

    def deal_cards(self, player_id: str, count: int) -> list[Color]:
        """Move so many cards from the top of the deck into a player's hand, and say which."""
        state, seat = self._open(), self._seat(player_id)
        if not 0 <= count <= state.left:
            raise ValueError(f"the deck has {state.left} cards, not {count}")
        cards = state.deck[state.drawn : state.drawn + count]
        hands = with_item(state.hands, seat, with_cards(state.hands[seat], cards))
        self._state = replace(state, drawn=state.drawn + count, hands=hands)
        return [COLORS[card] for card in cards]

    def select_destinations(self, player_id: str, destinations: Iterable[Destination]) -> None:
        """Note the destinations that a player selected."""
        state, seat = self._open(), self._seat(player_id)
        chosen = tuple(sorted(destinations))
        for pair in chosen:
            if not state.network.is_destination(pair):
                raise ValueError(f"{' - '.join(pair)} is no destination of the map")
        self._state = replace(state, destinations=with_item(state.destinations, seat, chosen))

    def next_turn(self) -> None:
        """End the turn of the player on turn; the rule book says who is next, or that the game is over."""
        state, began = self._open(), self._before
        assert state.turn is not None
        unchanged = (state.drawn, state.hands, state.owned) == (began.drawn, began.hands, began.owned)
        idle = state.idle + 1 if unchanged else 0  # Trains 4.3
        self._state = rules.finish_turn(state, state.turn, state.drawn, state.hands, state.rails, state.owned, idle)
        self._before = self._state

    def _open(self) -> State:
        if self._state.turn is None:
            raise GameOverException("the game is over")
        return self._state

    def _seat(self, player_id: str) -> Seat:
        if player_id not in self._ids:
            raise ValueError(f"there is no player {player_id!r}")
        return Seat(self._ids.index(player_id))

    # -- views ---------------------------------------------------------------------------------

    @property
    def deck(self) -> list[Color]:
        return [COLORS[card] for card in self._state.deck[self._state.drawn :]]

    @property
    def occupied(self) -> dict[Connection, str]:
        return {connection: self._ids[seat] for connection, seat in owners_of(self._state).items()}

    @property
    def map(self) -> Map:
        return self._state.network.map

    @property
    def players(self) -> list[str]:
        """Everybody in turn order."""
        return list(self._ids)

    @property
    def current_player(self) -> str | None:
        """Whose turn it is; None when the game is over."""
        return None if self._state.turn is None else self._ids[self._state.turn]

    def cards_of(self, player_id: str) -> Deck:
        return counted(self._state.hands[self._seat(player_id)])

    def rails_of(self, player_id: str) -> int:
        return self._state.rails[self._seat(player_id)]

    def destinations_of(self, player_id: str) -> tuple[Destination, ...]:
        return self._state.destinations[self._seat(player_id)]

    def data_of(self, player_id: str) -> PlayerData:
        return PlayerData(self.destinations_of(player_id), self.cards_of(player_id), self.rails_of(player_id))

    def player_state(self, player_id: str) -> PlayerGameState:
        """The read-only game state of one player; it follows every change."""
        seat = self._seat(player_id)
        return PlayerGameState(player_id, self._ids, lambda: rules.view(self._state, seat))


class PlayerGameState:
    """What one player may know, and nothing to change it with: every answer is made from that player's view."""

    __slots__ = ("__ids", "__look", "__player_id")

    def __init__(self, player_id: str, player_ids: tuple[str, ...], look: Callable[[], View]) -> None:
        self.__player_id, self.__ids, self.__look = player_id, player_ids, look

    @property
    def player_id(self) -> str:
        """Whose game state this is."""
        return self.__player_id

    @property
    def deck_size(self) -> int:
        """The number of cards left in the deck."""
        return self.__look().left

    @property
    def occupied(self) -> dict[Connection, str]:
        return {connection: self.__ids[seat] for connection, seat in owners_of(self.__look()).items()}

    @property
    def map(self) -> Map:
        return self.__look().map

    @property
    def players(self) -> list[str]:
        """Everybody in turn order."""
        return list(self.__ids)

    def hand_size_of(self, player_id: str) -> int:
        return self.__look().hand_sizes[self.__seat(player_id)]

    def rails_of(self, player_id: str) -> int:
        return self.__look().rails[self.__seat(player_id)]

    @property
    def cards(self) -> Deck:
        """My own."""
        return counted(self.__look().cards)

    @property
    def destinations(self) -> tuple[Destination, ...]:
        """My own."""
        return self.__look().destinations

    def __seat(self, player_id: str) -> int:
        if player_id not in self.__ids:
            raise ValueError(f"there is no player {player_id!r}")
        return self.__ids.index(player_id)
