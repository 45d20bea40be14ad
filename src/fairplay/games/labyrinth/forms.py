"""The data definitions of Labyrinth 10.1 that describe a given match; unknown keys are ignored (10.3).

They belong to the established protocol, but a setup may hold a given match in this form, and records hold setups.  So
they are not in `established/`; what only the protocol uses is.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct, field

from fairplay.games.labyrinth.board import Board, Direction, Position, Slide, make_board
from fairplay.games.labyrinth.tiles import CONNECTORS, GEMS, OPEN_SIDES, Connector, Gem, Pair

__all__ = [
    "BoardForm",
    "Coordinate",
    "LastForm",
    "Natural",
    "RefereeForm",
    "RefereePlayerForm",
    "ShownPlayerForm",
    "Spot",
    "TileForm",
    "board_from_form",
    "last_to_form",
    "slide_from_form",
]

Natural: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000_000)]  # squared distances must fit into 64 bits
Spot: TypeAlias = tuple[Natural, Natural]
"""Row and column, as our own JSON writes them."""

KNOWN_GEMS = frozenset(GEMS)


class Coordinate(Struct, frozen=True):
    """`{"row#":Index,"column#":Index}`."""

    row: Natural = field(name="row#")
    column: Natural = field(name="column#")

    @property
    def position(self) -> Position:
        """Row and column."""
        return self.row, self.column

    @staticmethod
    def of(position: Position) -> Coordinate:
        """The form of a position."""
        return Coordinate(*position)


LastForm: TypeAlias = tuple[Natural, Direction] | None


class BoardForm(Struct, frozen=True):
    """Two full rectangles of one shape, top row first."""

    connectors: tuple[tuple[Connector, ...], ...]
    treasures: tuple[tuple[Pair, ...], ...]

    def __post_init__(self) -> None:
        widths = {len(row) for rows in (self.connectors, self.treasures) for row in rows}
        if len(widths) > 1 or len(self.connectors) != len(self.treasures):
            raise ValueError("connectors and treasures must be full rectangles of one shape")
        for row in self.treasures:
            for pair in row:
                check_gems(pair)

    @staticmethod
    def of(board: Board) -> BoardForm:
        """The form of a board without its spare tile."""
        return BoardForm(
            tuple(tuple(CONNECTORS[tile] for tile in row) for row in board.tiles), tuple(map(tuple, board.pairs))
        )


class TileForm(Struct, frozen=True):
    """A tile by itself: the spare one."""

    tilekey: Connector
    first: Gem = field(name="1-image")
    second: Gem = field(name="2-image")

    def __post_init__(self) -> None:
        check_gems((self.first, self.second))

    @staticmethod
    def of(board: Board) -> TileForm:
        """The form of the spare tile of a board."""
        return TileForm(CONNECTORS[board.spare], *board.gems[-1])


class ShownPlayerForm(Struct, frozen=True):
    """What everyone sees of a player."""

    current: Coordinate
    home: Coordinate
    color: str  # Labyrinth 12.2: any string


class RefereePlayerForm(ShownPlayerForm, frozen=True):
    """What the referee knows of a player."""

    goto: Coordinate


class RefereeForm(Struct, frozen=True):
    """A RefereeState2; without goals it is a RefereeState."""

    board: BoardForm
    spare: TileForm
    plmt: tuple[RefereePlayerForm, ...]
    last: LastForm = None
    goals: tuple[Coordinate, ...] = ()


def check_gems(pair: Pair) -> None:
    """Raises ValueError for a gem that does not exist (Labyrinth 10.6)."""
    for gem in pair:
        if gem not in KNOWN_GEMS:
            raise ValueError(f"unknown gem {gem!r}")


def board_from_form(form: BoardForm, spare: TileForm, *, original: bool = False) -> Board:
    """Read the board with its spare tile."""
    gems = [pair for row in form.treasures for pair in row]
    tiles = [[OPEN_SIDES[connector] for connector in row] for row in form.connectors]
    return make_board(tiles, OPEN_SIDES[spare.tilekey], [*gems, (spare.first, spare.second)], original=original)


def slide_from_form(last: LastForm) -> Slide | None:
    return None if last is None else Slide(*last)


def last_to_form(last: Slide | None) -> LastForm:
    return None if last is None else (last.index, last.direction)
