"""The data of a Trains match: setup, state, view, actions, news."""

from contextlib import suppress
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from fairplay.core import Seat
from fairplay.games.trains.map import Color, Connection, Destination, Map, RailNetwork, bits

Count: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]
Hand: TypeAlias = tuple[int, int, int, int]
"""The number of cards of each colour, in the order red, blue, green, white."""

Variant: TypeAlias = Literal["standard"]

_STANDARD_MAP = "continent"


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that can be chosen (Trains 2.1, 13.1)."""

    variant: Variant = "standard"  # there is only one
    map: Annotated[str, Meta(max_length=60)] | Map = _STANDARD_MAP  # the name of a packaged one, or the map itself
    rails: Count = 45  # of each seat: a connection takes as many as it is long
    deck_size: Count = 250  # cards
    dealt: Count = 4  # cards that each seat begins with
    per_draw: Annotated[int, Meta(ge=1, le=1_000_000)] = 2  # cards for each draw
    offered: Annotated[int, Meta(ge=1, le=1_000)] = 5  # destinations that each seat picks from
    kept: Annotated[int, Meta(ge=1, le=1_000)] = 2  # destinations that it keeps
    fewest: Annotated[int, Meta(ge=2, le=1_000)] = 2  # seats
    most: Annotated[int, Meta(ge=2, le=1_000)] = 8  # seats
    deck: tuple[Color, ...] | None = None  # given, front first; None: dealt at random
    destinations: tuple[Destination, ...] | Literal["ordered"] | None = None  # given, or by Trains 8.1; None: at random


class Terms(Struct, frozen=True):
    """What was chosen and everyone knows."""

    rails: int = 45  # that each seat begins with
    deck_size: int = 250  # cards before the first one was dealt
    dealt: int = 4  # cards that each seat begins with
    per_draw: int = 2  # cards for each draw
    offered: int = 5  # destinations that each seat picks from
    kept: int = 2  # destinations that it keeps


class State(Struct, frozen=True):
    """Everything about a match, known only to the referee.  Tuples are by seat."""

    network: RailNetwork  # the map, with its connections numbered
    terms: Terms  # what was chosen for this match
    deck: bytes  # colours as numbers, as fixed before the first card was dealt
    drawn: int  # cards that have left the deck
    sequence: tuple[Destination, ...]  # still to be offered, front first
    hands: tuple[Hand, ...]  # the number of red, blue, green and white cards
    rails: tuple[int, ...]  # left
    owned: tuple[int, ...]  # masks of connections
    destinations: tuple[tuple[Destination, ...], ...]  # by Trains 8.1
    out: frozenset[Seat]  # seats that were removed
    turn: Seat | None  # whose decision is awaited; None: the match is over
    picking: bool = True  # destinations are still being picked
    idle: int = 0  # completed turns in a row that changed nothing (Trains 4.3)
    closer: Seat | None = None  # whose turn began the last round (Trains 4.1)
    turn_number: int = 0  # completed turns, picks among them

    @property
    def variant(self) -> Variant:
        """Which game this is: there is only one."""
        return "standard"

    @property
    def left(self) -> int:
        """Cards in the deck."""
        return len(self.deck) - self.drawn


class View(Struct, frozen=True):
    """What a bot is shown: what its seat may know (Trains 3.8).  Tuples are by seat; what is mine alone is not.

    A mask is a whole number with a bit for each connection of the map: bit i stands for ``network.connections[i]``.
    `connections` and `free` turn masks into what they mean.
    """

    me: Seat  # where I sit
    network: RailNetwork  # the map, with its connections numbered: `network.connections[i]`
    terms: Terms  # what was chosen for this match
    cards: Hand  # mine: the number of red, blue, green and white cards
    destinations: tuple[Destination, ...]  # mine, by Trains 8.1
    offer: tuple[Destination, ...]  # mine to pick from now, by Trains 8.1
    rails: tuple[int, ...]  # left
    hand_sizes: tuple[int, ...]  # how many cards each seat has
    owned: tuple[int, ...]  # masks of connections
    left: int  # cards in the deck
    out: frozenset[Seat]  # seats that were removed
    turn: Seat | None  # whose decision is awaited; None: the match is over
    picking: bool  # destinations are still being picked
    idle: int = 0  # completed turns in a row that changed nothing (Trains 4.3)
    closer: Seat | None = None  # whose turn began the last round (Trains 4.1)
    turn_number: int = 0  # completed turns, picks among them

    @property
    def variant(self) -> Variant:
        """Which game this is: there is only one."""
        return "standard"

    @property
    def map(self) -> Map:
        """The map as it was given."""
        return self.network.map

    @property
    def free(self) -> int:
        """The mask of connections without an owner: bit i is set if ``network.connections[i]`` is free."""
        taken = 0
        for mask in self.owned:
            taken |= mask
        return self.network.every & ~taken

    def connections(self, seat: Seat | None = None) -> list[Connection]:
        """List the connections of `seat` in the order of Trains 8.2; without a seat, my own."""
        return [self.network.connections[index] for index in bits(self.owned[self.me if seat is None else seat])]


class Pick(Struct, frozen=True, tag_field="do", tag="pick", forbid_unknown_fields=True):
    """Keep these of the offered destinations.  Any order means the same.

    What others keep is their secret: in what a seat is told of another seat's pick, `keep` is empty.
    """

    keep: Annotated[tuple[Destination, ...], Meta(max_length=1_000)]  # pairs of cities, the smaller name first

    def __post_init__(self) -> None:
        with suppress(TypeError):  # not destinations at all: the check of the action says so
            force_setattr(self, "keep", tuple(sorted(self.keep)))


class DrawCards(Struct, frozen=True, tag_field="do", tag="draw", forbid_unknown_fields=True):
    """Ask for more cards (Trains 3.3)."""


class Acquire(Struct, frozen=True, tag_field="do", tag="acquire", forbid_unknown_fields=True):
    """Take a connection (Trains 3.5)."""

    connection: Connection  # one of the map without an owner, which my cards and rails can pay


Action: TypeAlias = Pick | DrawCards | Acquire


class Dealt(Struct, frozen=True):
    """The game begins for you: the map, your rails, your first cards in deck order (Trains 2.4)."""

    map: Map  # of this match
    rails: int  # yours
    cards: tuple[Color, ...]  # their colours


class More(Struct, frozen=True):
    """The cards you asked for, in deck order (Trains 3.3)."""

    cards: tuple[Color, ...]  # their colours
