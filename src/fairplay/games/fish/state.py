"""The data of a Fish match: setup, state, view, actions, news."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from fairplay.core import Seat
from fairplay.games.fish.board import Board, Cell

Color: TypeAlias = Literal["red", "white", "brown", "black"]
COLORS: tuple[Color, ...] = ("red", "white", "brown", "black")  # Fish 1.1, by seat

LONGEST_SIDE = 25  # Fish 1.4

Variant: TypeAlias = Literal["standard", "original"]
Side: TypeAlias = Annotated[int, Meta(ge=1, le=LONGEST_SIDE)]
Fish: TypeAlias = Annotated[int, Meta(ge=1, le=5)]  # Fish 1.3
Spot: TypeAlias = Annotated[int, Meta(ge=0, le=5)]
Index: TypeAlias = Annotated[int, Meta(ge=0, le=999)]
Posn: TypeAlias = tuple[Index, Index]
"""Row and column, checked when read."""


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """How to make the board (Fish 2.2, 13.1): given, with `fish` on every tile, or dealt at random."""

    variant: Variant = "standard"  # or "original", the game as it is sold (Fish 13)
    rows: Side = 8  # of the board
    columns: Side = 8  # of the board
    fish: Fish | None = None  # on every tile; None: 1 to 5 at random
    holes: tuple[Posn, ...] = ()  # places without a tile, as (row, column)
    ones: Annotated[int, Meta(ge=0, le=LONGEST_SIDE**2)] = 0  # the least number of tiles with one fish
    board: tuple[tuple[Spot, ...], ...] | None = None  # given row by row, 0 for a hole


class State(Struct, frozen=True, gc=False):
    """Everything about a match, which in Fish everyone may know.  Tuples are by seat.

    A cell is the number of a place: row times columns plus column.  A mask is a whole number with a bit for each cell:
    ``state.free >> cell & 1`` is 1 where a penguin can stand.  `rows` gives the same as lists of numbers.
    """

    board: Board  # as dealt; `board.fish[cell]` is the number of fish, `board.geometry.positions[cell]` row and column
    free: int  # mask of the tiles that are still there and have no penguin
    penguins: tuple[tuple[Cell, ...], ...]  # the cells where they stand, in the order of placement
    fish: tuple[int, ...]  # collected so far: the score
    collected: tuple[int, ...]  # masks of the tiles that they were on
    out: frozenset[Seat]  # seats that were removed
    turn: Seat | None  # whose decision is awaited; None: the match is over
    placing: bool = True  # penguins are still being placed
    turn_number: int = 0  # completed turns, placements and moves

    @property
    def variant(self) -> Variant:
        """Which game this is."""
        return self.board.geometry.layout.value

    @property
    def tiles(self) -> tuple[int, ...]:
        """How many tiles each seat has collected; they break ties in the original game."""
        return tuple(mask.bit_count() for mask in self.collected)

    @property
    def original(self) -> bool:
        """Is this the variant of Fish 13.2?"""
        return self.board.geometry.original

    @property
    def rows(self) -> list[list[int]]:
        """The fish on the tiles still in play, row by row, 0 for a hole."""
        geometry, fish = self.board.geometry, self.board.fish
        present = self.free
        for cells in self.penguins:
            for cell in cells:
                present |= 1 << cell
        columns, count = geometry.columns, len(fish)
        digits = bin(present | 1 << count)[:2:-1]  # one for each cell, the first cell first
        flat = [number if digit == "1" else 0 for number, digit in zip(fish, digits, strict=True)]
        return [flat[start : start + columns] for start in range(0, count, columns or 1)]


class View(Struct, frozen=True, gc=False):
    """What a bot is shown: Fish hides nothing, so all there is, and which seat is looking."""

    me: Seat  # where I sit
    state: State  # everything about the match

    @property
    def variant(self) -> Variant:
        """Which game this is: standard or original."""
        return self.state.variant

    @property
    def turn_number(self) -> int:
        """How many turns, placements and moves, have been completed."""
        return self.state.turn_number

    def fish_at(self, position: Posn) -> int:
        """Count the fish on the tile at `position`; 0 for a hole or off the board."""
        state = self.state
        cell = state.board.geometry.cell(position)
        if cell is None or not (state.free >> cell & 1 or any(cell in cells for cells in state.penguins)):
            return 0
        return state.board.fish[cell]

    def penguins(self, seat: Seat | None = None) -> list[Posn]:
        """List where the penguins of `seat` stand, in the order of placement; without a seat, my own."""
        positions = self.state.board.geometry.positions
        return [positions[cell] for cell in self.state.penguins[self.me if seat is None else seat]]


class Place(Struct, frozen=True, gc=False, tag_field="do", tag="place", forbid_unknown_fields=True):
    """Put one of my penguins on a free tile."""

    at: Posn  # row and column


class Move(Struct, frozen=True, gc=False, tag_field="do", tag="move", forbid_unknown_fields=True):
    """Move my penguin on `start` in a straight line to `target`."""

    start: Posn  # row and column of my penguin
    target: Posn  # row and column of a free tile, in a straight line without holes and penguins between


Action: TypeAlias = Place | Move


class PlayingAs(Struct, frozen=True):
    """You sit here (Fish 2.4)."""

    me: Seat  # your seat, from 0 in turn order


class PlayingWith(Struct, frozen=True):
    """These seats play against you (Fish 2.4)."""

    others: tuple[Seat, ...]  # in turn order
