"""Memo 000: a game state that knows everything, and a read-only game state for each player."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from fairplay.core import Seat
from fairplay.core.immutable import with_item
from fairplay.course.memos import trains_table as table
from fairplay.games.trains import rules
from fairplay.games.trains.deal import with_cards
from fairplay.games.trains.map import COLORS, Color, Connection, Destination, Map
from fairplay.games.trains.state import Hand, State, View


class PlayerData(Struct, frozen=True):
    """What the omniscient state holds about one player."""

    destinations: tuple[Destination, ...]
    cards: table.Deck
    rails: int


class OmniscientGameState:
    """Everything about a game from the moment before cards are dealt; a referee changes it step by step.

    It is for the referee to know which step the rules allow.  A step that cannot be taken raises ValueError,
    and once the game is over every change raises GameOverException.
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
        """Raises ValueError for bad ids, SetupError for a game that cannot be dealt."""
        self._ids = check_ids(player_ids)
        dealt = table.start_match({"map": map, "rails": rails, "dealt": 0, "deck": deck}, len(self._ids), seed)
        self._state = replace(dealt, picking=False, turn=Seat(0))  # Trains 3.1; the referee has players pick
        self._before = self._state  # as this turn began

    # -- changes -------------------------------------------------------------------------------

    def remove_cards(self, player_id: str, color: Color, count: int) -> None:
        """Take `count` cards of one colour out of a player's hand."""
        state, seat = self._require_running(), find_seat(self._ids, player_id)
        if color not in COLORS:
            raise ValueError(f"{color!r} is not a color: expected {', '.join(COLORS)}")
        hand, index = state.hands[seat], COLORS.index(color)
        if not 0 <= table.whole_number(count, "a whole number of cards") <= hand[index]:
            raise ValueError(f"{player_id} has {hand[index]} {color} cards, not {count}")
        rest: Hand = with_item(hand, index, hand[index] - count)  # type: ignore[assignment]  # still four
        self._state = replace(state, hands=with_item(state.hands, seat, rest))

    def occupy(self, connection: Connection, player_id: str) -> None:
        """Let a player occupy a connection; as many rails as it is long leave the player's bank."""
        state, seat = self._require_running(), find_seat(self._ids, player_id)
        wanted = table.read_value(connection, Connection)
        if wanted is None:
            raise ValueError(f"{connection!r} is not a connection")
        if not state.network.bit(wanted):
            raise ValueError(f"the map has no connection {wanted}")
        if wanted in table.find_owners(state):
            raise ValueError(f"{wanted} is occupied")
        if state.rails[seat] < wanted.length:
            raise ValueError(f"{player_id} has {state.rails[seat]} rails, not {wanted.length}")
        self._state = replace(
            state,
            owned=with_item(state.owned, seat, state.owned[seat] | state.network.bit(wanted)),
            rails=with_item(state.rails, seat, state.rails[seat] - wanted.length),
        )

    def deal_cards(self, player_id: str, count: int) -> list[Color]:
        """Move `count` cards from the top of the deck into a player's hand; returns them."""
        state, seat = self._require_running(), find_seat(self._ids, player_id)
        if not 0 <= table.whole_number(count, "a whole number of cards") <= state.left:
            raise ValueError(f"the deck has {state.left} cards, not {count}")
        cards = state.deck[state.drawn : state.drawn + count]
        hands = with_item(state.hands, seat, with_cards(state.hands[seat], cards))
        self._state = replace(state, drawn=state.drawn + count, hands=hands)
        return [COLORS[card] for card in cards]

    def select_destinations(self, player_id: str, destinations: Iterable[Destination]) -> None:
        """Record the two destinations that a player selected."""
        state, seat = self._require_running(), find_seat(self._ids, player_id)
        chosen = check_selection(state, seat, destinations)
        if state.destinations[seat]:
            raise ValueError(f"{player_id} has already selected destinations")
        self._state = replace(state, destinations=with_item(state.destinations, seat, chosen))

    def next_turn(self) -> None:
        """End the current player's turn; the rule book says who is next, or that the game is over."""
        state, began = self._require_running(), self._before
        assert state.turn is not None
        unchanged = (state.drawn, state.hands, state.owned) == (began.drawn, began.hands, began.owned)
        # Trains 3.4, 4.3: only with an empty deck is a turn without change a step towards a standstill.
        idle = state.idle + 1 if unchanged and not state.left else 0
        self._state = rules.finish_turn(state, state.turn, state.drawn, state.hands, state.rails, state.owned, idle)
        self._before = self._state

    def _require_running(self) -> State:
        if self._state.turn is None:
            raise table.GameOverException("the game is over")
        return self._state

    # -- views ---------------------------------------------------------------------------------

    @property
    def deck(self) -> list[Color]:
        """The cards left in the deck, top first."""
        return [COLORS[card] for card in self._state.deck[self._state.drawn :]]

    @property
    def occupied(self) -> dict[Connection, str]:
        """Which player occupies which connection."""
        return self.read_only().occupied

    @property
    def map(self) -> Map:
        """The game board."""
        return self._state.network.map

    @property
    def players(self) -> list[str]:
        """All player ids in turn order."""
        return list(self._ids)

    @property
    def current_player(self) -> str | None:
        """Whose turn it is; None when the game is over."""
        return None if self._state.turn is None else self._ids[self._state.turn]

    def cards_of(self, player_id: str) -> table.Deck:
        """How many cards of each colour a player holds."""
        return table.hand_as_deck(self._state.hands[find_seat(self._ids, player_id)])

    def rails_of(self, player_id: str) -> int:
        """How many rails a player has left."""
        return self._state.rails[find_seat(self._ids, player_id)]

    def destinations_of(self, player_id: str) -> tuple[Destination, ...]:
        """The destinations that a player selected; empty before that."""
        return self._state.destinations[find_seat(self._ids, player_id)]

    def data_of(self, player_id: str) -> PlayerData:
        """Destinations, cards and rails of a player."""
        return PlayerData(self.destinations_of(player_id), self.cards_of(player_id), self.rails_of(player_id))

    def read_only(self) -> ReadOnlyGameState:
        """The memo's first fence: this state without its changes, answering by player id."""
        return ReadOnlyGameState(self._ids, lambda seat: rules.view(self._state, seat))

    def player_state(self, player_id: str) -> PlayerGameState:
        """The memo's second fence: the read-only game state of one player, which follows every change."""
        find_seat(self._ids, player_id)
        return PlayerGameState(player_id, self.read_only())


class ReadOnlyGameState:
    """The omniscient state without its changes; what only some players know is told to the player who asks.

    It answers anyone who holds it, so a referee keeps it and hands out a PlayerGameState for each player.
    """

    __slots__ = ("__ids", "__look")

    def __init__(self, player_ids: tuple[str, ...], look: Callable[[Seat], View]) -> None:
        self.__ids, self.__look = player_ids, look

    @property
    def deck_size(self) -> int:
        """The number of cards left in the deck."""
        return self.__look(Seat(0)).left

    @property
    def occupied(self) -> dict[Connection, str]:
        """Which player occupies which connection."""
        return {connection: self.__ids[seat] for connection, seat in table.find_owners(self.__look(Seat(0))).items()}

    @property
    def map(self) -> Map:
        """The game board."""
        return self.__look(Seat(0)).map

    @property
    def players(self) -> list[str]:
        """All player ids in turn order."""
        return list(self.__ids)

    def hand_size_of(self, player_id: str) -> int:
        """How many cards a player holds."""
        return self.__look(Seat(0)).hand_sizes[find_seat(self.__ids, player_id)]

    def rails_of(self, player_id: str) -> int:
        """How many rails a player has left."""
        return self.__look(Seat(0)).rails[find_seat(self.__ids, player_id)]

    def cards_known_to(self, player_id: str) -> table.Deck:
        """The cards whose colours this player knows: those in its own hand."""
        return table.hand_as_deck(self.__look(find_seat(self.__ids, player_id)).cards)

    def destinations_known_to(self, player_id: str) -> tuple[Destination, ...]:
        """The selected destinations that this player knows: its own."""
        return self.__look(find_seat(self.__ids, player_id)).destinations


class PlayerGameState:
    """What one player may know, and nothing to change it with: it asks the read-only state in that player's name."""

    __slots__ = ("__player_id", "__shared")

    def __init__(self, player_id: str, shared: ReadOnlyGameState) -> None:
        self.__player_id, self.__shared = player_id, shared

    @property
    def player_id(self) -> str:
        """Whose game state this is."""
        return self.__player_id

    @property
    def deck_size(self) -> int:
        """The number of cards left in the deck."""
        return self.__shared.deck_size

    @property
    def occupied(self) -> dict[Connection, str]:
        """Which player occupies which connection."""
        return self.__shared.occupied

    @property
    def map(self) -> Map:
        """The game board."""
        return self.__shared.map

    @property
    def players(self) -> list[str]:
        """All player ids in turn order."""
        return self.__shared.players

    def hand_size_of(self, player_id: str) -> int:
        """How many cards a player holds."""
        return self.__shared.hand_size_of(player_id)

    def rails_of(self, player_id: str) -> int:
        """How many rails a player has left."""
        return self.__shared.rails_of(player_id)

    @property
    def cards(self) -> table.Deck:
        """How many cards of each colour I hold."""
        return self.__shared.cards_known_to(self.__player_id)

    @property
    def destinations(self) -> tuple[Destination, ...]:
        """The destinations I selected; empty before that."""
        return self.__shared.destinations_known_to(self.__player_id)


def check_ids(player_ids: Sequence[str]) -> tuple[str, ...]:
    """`player_ids` as a tuple of different texts; raises ValueError."""
    if isinstance(player_ids, str):
        raise ValueError(f"expected a list of player ids, got {player_ids!r}")
    ids = tuple(player_ids)
    for player_id in ids:
        if type(player_id) is not str:
            raise ValueError(f"{player_id!r} is not a player id: expected a text")
    if len(set(ids)) != len(ids):
        raise ValueError("two players have the same id")
    return ids


def find_seat(ids: tuple[str, ...], player_id: str) -> Seat:
    """The seat of a player; raises ValueError."""
    if player_id not in ids:
        raise ValueError(f"there is no player {player_id!r}")
    return Seat(ids.index(player_id))


def check_selection(state: State, seat: Seat, destinations: Iterable[Destination]) -> tuple[Destination, ...]:
    """`destinations` in order if `seat` may have selected them; raises ValueError."""
    try:
        chosen: tuple[Destination, ...] = table.read_fields(list(destinations), tuple[Destination, ...])
    except (TypeError, ValueError):
        raise ValueError(f"{destinations!r} are not destinations: expected pairs of cities") from None
    rivals = {pair for other, pairs in enumerate(state.destinations) if other != seat for pair in pairs}
    for pair in chosen:
        if not state.network.is_destination(pair):
            raise ValueError(f"{' - '.join(pair)} is not a destination of the map")
        if pair in rivals:
            raise ValueError(f"{' - '.join(pair)} belongs to another player")
    if len(set(chosen)) != len(chosen):
        raise ValueError("a destination cannot be selected twice")
    if len(chosen) != state.terms.kept:
        raise ValueError(f"{state.terms.kept} destinations must be selected, not {len(chosen)}")
    return tuple(sorted(chosen))
