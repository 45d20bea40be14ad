"""The player's side of the established protocol of Trains (Trains 11): calls in, answers out."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from fairplay.core import Json, Seat, Strategy, WireError
from fairplay.core.convert import as_type
from fairplay.core.established import VOID, Call
from fairplay.games.trains.codec import Natural
from fairplay.games.trains.established.forms import player_state_from_json
from fairplay.games.trains.map import COLORS, Color, Destination, RailNetwork, build_network
from fairplay.games.trains.maps.files import find_map, map_from_json, map_to_json, round_spots
from fairplay.games.trains.state import Acquire, Action, Hand, Pick, Setup, Terms, View

_Offer: TypeAlias = Annotated[tuple[Destination, ...], Meta(max_length=1_000)]


class TrainsClient:
    """Answers with a strategy, and remembers what `setup` told it: the map, the rails, the first cards."""

    def __init__(self, strategy: Strategy[View, Action], setup: Setup | None = None) -> None:
        setup = setup or Setup()
        self.strategy = strategy
        self.map = find_map(setup.map) if isinstance(setup.map, str) else setup.map
        self.terms = Terms(setup.rails, setup.deck_size, setup.dealt, setup.per_draw, setup.offered, setup.kept)
        self.network: RailNetwork | None = None
        self.rails = 0
        self.cards: Hand = (0, 0, 0, 0)
        self.over = False
        self.won: bool | None = None

    def answer(self, call: Call) -> Json:
        """Trains 11.6."""
        match call:
            case ("start", [bool()]):
                return map_to_json(self.map)  # Trains 8.10
            case ("setup", [map, rails, cards]):
                self.network = build_network(map_from_json(round_spots(map)))  # servers write fractions
                self.rails = as_type(rails, Natural)
                self.cards = _count_cards(as_type(cards, tuple[Color, ...]))
                return VOID
            case ("pick", [offer]):
                return self.reject_destinations(as_type(offer, _Offer))
            case ("play", [state]):
                return _action_to_json(self.strategy(player_state_from_json(state, self.known_network(), self.terms)))
            case ("more", [cards]):
                as_type(cards, tuple[Color, ...])  # the next state counts them in
                return VOID
            case ("win", [bool()]):
                return VOID
            case ("end", [bool(won)]):
                self.over, self.won = True, won
                return VOID
        raise WireError(f"{call.method} with these arguments is not a call of Trains")

    def reject_destinations(self, offered: tuple[Destination, ...]) -> Json:
        """Pick, and name the destinations that are given back (Trains 2.5)."""
        view = self.first_view(tuple(sorted(offered)))
        action = self.strategy(view)
        assert isinstance(action, Pick), "a strategy picks when it is asked to"
        return [list(pair) for pair in view.offer if pair not in action.keep]

    def first_view(self, offer: tuple[Destination, ...]) -> View:
        """What is known before the first turn; the number of rivals is not."""
        dealt = sum(self.cards)
        return View(
            me=Seat(0),
            network=self.known_network(),
            terms=self.terms,
            cards=self.cards,
            destinations=(),
            offer=offer,
            rails=(self.rails,),
            hand_sizes=(dealt,),
            owned=(0,),
            left=max(0, self.terms.deck_size - dealt),
            out=frozenset(),
            turn=Seat(0),
            picking=True,
        )

    def known_network(self) -> RailNetwork:
        """The map of `setup`; raises WireError before that call."""
        if self.network is None:
            raise WireError("expected a call of setup first")
        return self.network


def _count_cards(cards: tuple[Color, ...]) -> Hand:
    """Count the cards of each colour."""
    red, blue, green, white = (cards.count(color) for color in COLORS)
    return red, blue, green, white


def _action_to_json(action: Action) -> Json:
    """Write an action as the protocol does (Trains 10.1)."""
    if isinstance(action, Acquire):
        one = action.connection
        return [one.first, one.second, one.color, one.length]
    return "more cards"
