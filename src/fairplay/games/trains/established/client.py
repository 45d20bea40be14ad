"""The player's side of the established protocol of Trains (Trains 11): calls in, answers out."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from fairplay.core import Json, Seat, Strategy, WireError
from fairplay.core.convert import as_type
from fairplay.games.trains.codec import Natural, player_state_from_json
from fairplay.games.trains.map import COLOURS, Chart, Colour, Destination, chart
from fairplay.games.trains.map_files import find_map, map_from_json, map_to_json
from fairplay.games.trains.state import Acquire, Action, Hand, Pick, Setup, Terms, View
from fairplay.parts.established import VOID, Call

__all__ = ["TrainsClient"]

Offer: TypeAlias = Annotated[tuple[Destination, ...], Meta(max_length=1_000)]


class TrainsClient:
    """Answers with a strategy, and remembers what `setup` told it: the map, the rails, the first cards."""

    def __init__(self, strategy: Strategy[View, Action], setup: Setup | None = None) -> None:
        setup = setup or Setup()
        self.strategy = strategy
        self.map = find_map(setup.map) if isinstance(setup.map, str) else setup.map
        self.terms = Terms(setup.rails, setup.deck_size, setup.dealt, setup.per_draw, setup.offered, setup.kept)
        self.chart: Chart | None = None
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
                self.chart = chart(map_from_json(map))
                self.rails = as_type(rails, Natural)
                self.cards = counted(as_type(cards, tuple[Colour, ...]))
                return VOID
            case ("pick", [offer]):
                return self.picked(as_type(offer, Offer))
            case ("play", [state]):
                return spelled(self.strategy(player_state_from_json(state, self.known_chart(), self.terms)))
            case ("more", [cards]):
                as_type(cards, tuple[Colour, ...])  # the next state counts them in
                return VOID
            case ("win", [bool()]):
                return VOID
            case ("end", [bool(won)]):
                self.over, self.won = True, won
                return VOID
        raise WireError(f"{call.method} with these arguments is no call of Trains")

    def picked(self, offered: tuple[Destination, ...]) -> Json:
        """What is given back (Trains 2.5)."""
        view = self.first_view(tuple(sorted(offered)))
        action = self.strategy(view)
        assert isinstance(action, Pick), "a strategy that picks when it is asked to"
        return [list(pair) for pair in view.offer if pair not in action.keep]

    def first_view(self, offer: tuple[Destination, ...]) -> View:
        """What is known before the first turn: how many rivals there are is not."""
        dealt = sum(self.cards)
        return View(
            me=Seat(0),
            chart=self.known_chart(),
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

    def known_chart(self) -> Chart:
        if self.chart is None:
            raise WireError("expected setup first")
        return self.chart


def counted(cards: tuple[Colour, ...]) -> Hand:
    red, blue, green, white = (cards.count(colour) for colour in COLOURS)
    return red, blue, green, white


def spelled(action: Action) -> Json:
    """Trains 10.1."""
    if isinstance(action, Acquire):
        one = action.connection
        return [one.first, one.second, one.colour, one.length]
    return "more cards"
