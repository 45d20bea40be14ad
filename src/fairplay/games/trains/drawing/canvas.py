"""What a picture of Trains shows and highlights: of a state what is public, of a view what its owner may know."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fairplay.core import Seat
from fairplay.games.trains.deal import remaining_seats
from fairplay.games.trains.map import Connection, Destination, RailNetwork
from fairplay.games.trains.paths import are_joined
from fairplay.games.trains.rules import scores
from fairplay.games.trains.state import Hand, State, View

DECK_KEY = "deck=draw"


def connection_key(one: Connection) -> str:
    """The key of a connection in the picture."""
    return f"connection={one.first}|{one.second}|{one.color}|{one.length}"


def offer_key(pair: Destination) -> str:
    """The key of an offered destination in the picture."""
    return f"offer={pair[0]}|{pair[1]}"


class _PrivateCards(NamedTuple):
    """What a seat keeps to itself."""

    cards: Hand
    destinations: tuple[Destination, ...]


class Canvas(NamedTuple):
    """What is drawn, and what is highlighted in it."""

    network: RailNetwork
    owned: tuple[int, ...] = ()
    rails: tuple[int, ...] = ()
    most_rails: int = 0  # that each seat began with
    hand_sizes: tuple[int, ...] = ()
    left: int = 0
    out: frozenset[Seat] = frozenset()
    turn: Seat | None = None
    picking: bool = False
    points: Mapping[Seat, int] = {}  # only when the match is over, or for viewers who see everything
    me: Seat | None = None
    private: Mapping[Seat, _PrivateCards] = {}  # of those seats whose hands may be shown
    offer: tuple[Destination, ...] = ()
    lit: frozenset[str] = frozenset()
    chosen: frozenset[str] = frozenset()

    @property
    def destinations(self) -> Sequence[Destination]:
        """The destinations of the viewer, or those it may pick from."""
        return self.offer or (() if self.me is None else self.private[self.me].destinations)

    def mark_class(self, key: str) -> str:
        """The CSS classes of what has this key, if it is highlighted."""
        return (" lit" if key in self.lit else "") + (" chosen" if key in self.chosen else "")

    def is_joined(self, seat: Seat, pair: Destination) -> bool:
        """Do the connections of `seat` join this destination?"""
        return are_joined(self.network, self.owned[seat], pair)

    def is_done(self, pair: Destination) -> bool:
        """Is this a destination of the viewer that its connections join?"""
        return self.me is not None and not self.offer and self.is_joined(self.me, pair)

    def describe_destination(self, pair: Destination) -> str:
        """Say how it stands with a destination of the viewer."""
        return "joined" if self.is_done(pair) else "missed" if self.turn is None else "not joined yet"


def build_canvas(shown: State | View, lit: frozenset[str], chosen: frozenset[str], *, open: bool) -> Canvas:
    """Collect what a picture may show; `open`: all hands and points of a state."""
    public = Canvas(
        network=shown.network,
        owned=shown.owned,
        rails=shown.rails,
        most_rails=shown.terms.rails,
        hand_sizes=shown.hand_sizes if isinstance(shown, View) else tuple(map(sum, shown.hands)),
        left=shown.left,
        out=shown.out,
        turn=shown.turn,
        picking=shown.picking,
        lit=lit,
        chosen=chosen,
    )
    if isinstance(shown, View):
        mine = _PrivateCards(shown.cards, shown.destinations)
        return public._replace(me=shown.me, private={shown.me: mine}, offer=shown.offer)
    points = {seat: score[0] for seat, score in scores(shown).items()} if open or shown.turn is None else {}
    seats = remaining_seats(shown) if open else ()
    private = {seat: _PrivateCards(shown.hands[seat], shown.destinations[seat]) for seat in seats}
    return public._replace(points=points, private=private)


def destination_numbers(canvas: Canvas) -> dict[str, tuple[int, ...]]:
    """For each city the numbers of the viewer's destinations that end there."""
    numbers: dict[str, tuple[int, ...]] = {}
    for number, pair in enumerate(canvas.destinations, 1):
        for city in pair:
            numbers[city] = (*numbers.get(city, ()), number)
    return numbers
