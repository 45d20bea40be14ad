"""The data of a Labyrinth match: setup, state, view, actions, news."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

from fairplay.core import Seat
from fairplay.games.labyrinth.board import NOWHERE, Board, Direction, Position, Slide, make_board
from fairplay.games.labyrinth.tiles import CONNECTORS, GEMS, OPEN_SIDES, Connector, Degree, Gem, Pair

# Labyrinth 1.1
COLORS = ("purple", "orange", "pink", "red", "blue", "green", "yellow", "white", "black")

Variant: TypeAlias = Literal["plain", "multi-goal", "original"]
Side: TypeAlias = Annotated[int, Meta(ge=2, le=2575)]  # Labyrinth 13.1: at most 5,150 tiles
Index: TypeAlias = Annotated[int, Meta(ge=0, le=9999)]
Posn: TypeAlias = tuple[Index, Index]
"""Row and column, checked when read."""

Target: TypeAlias = Position | Gem
"""Where to go: a position, or in the original game the treasure on a tile."""


# -- a given position, and boards in JSON ---------------------------------------------------------

Natural: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000_000)]  # squared distances must fit into 64 bits
Spot: TypeAlias = tuple[Natural, Natural]
"""Row and column, as our own JSON writes them."""

_KNOWN_GEMS = frozenset(GEMS)


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
                _check_gems(pair)

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
        _check_gems((self.first, self.second))

    @staticmethod
    def of(board: Board) -> TileForm:
        """The form of the spare tile of a board."""
        return TileForm(CONNECTORS[board.spare], *board.gems[-1])


class GivenSeat(Struct, frozen=True):
    """Where a seat stands, where it lives, and where it has to go."""

    at: Coordinate = field(name="current")
    home: Coordinate
    color: str  # Labyrinth 12.2: any string
    target: Coordinate = field(name="goto")


class Given(Struct, frozen=True):
    """A position to begin a match with, in the JSON of Labyrinth 10.1; unknown keys are ignored (10.3)."""

    board: BoardForm
    spare: TileForm
    seats: tuple[GivenSeat, ...] = field(name="plmt")
    last: LastForm = None
    goals: tuple[Coordinate, ...] = ()  # the queue


def _check_gems(pair: Pair) -> None:
    """Raises ValueError for a gem that does not exist (Labyrinth 10.6)."""
    for gem in pair:
        if gem not in _KNOWN_GEMS:
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


# -- setups, states, views -----------------------------------------------------------------------


class Maze(Struct, frozen=True, forbid_unknown_fields=True):
    """The tiles of a board without their gems: the connectors of each row as one text, and the spare one."""

    tiles: tuple[Annotated[str, Meta(pattern=r"^[│─┐└┌┘┬├┴┤┼]{2,2575}$(?!\n)")], ...]
    spare: Connector


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """How to deal (Labyrinth 13.1): the size or the tiles, the goals, the limits; or a given state (2.2)."""

    variant: Variant = "plain"  # or "multi-goal", with further goals, or "original", the game as it is sold
    rows: Side = 7  # of the board
    columns: Side = 7  # of the board
    goals: Annotated[int, Meta(ge=0, le=5150)] | None = None  # further goals in the queue; None: all there can be
    rounds: Annotated[int, Meta(ge=1, le=1_000_000)] = 1000  # at most
    fewest: Annotated[int, Meta(ge=2, le=9)] = 2  # seats
    most: Annotated[int, Meta(ge=2, le=9)] = 6  # seats
    given: Given | None = None  # a whole state to begin with (Labyrinth 10.1)
    board: Maze | None = None  # the tiles, instead of the size; None: at random


class State(Struct, frozen=True):
    """Everything about a match, known only to the referee.  Tuples are by seat; a position is (row, column)."""

    board: Board  # the tiles and the spare one, with their gems
    last: Slide | None  # the most recent slide of any seat, which must not be undone
    colors: tuple[str, ...]  # of the avatars
    homes: tuple[Position, ...]  # where the seats live
    avatars: tuple[Position, ...]  # NOWHERE: removed
    targets: tuple[Target, ...]  # where each seat has to go now
    homeward: frozenset[Seat]  # whose target is the home at the end, not a treasure
    found: tuple[tuple[Target, ...], ...]  # goals reached, one entry per arrival
    queue: tuple[Position, ...]  # goals not yet handed out, front first
    piles: tuple[tuple[Gem, ...], ...]  # original game: treasures of each seat after the target, top first
    turn: Seat | None  # whose decision is awaited; None: the match is over
    limit: int  # rounds at most
    rounds: int = 0  # completed
    movers: frozenset[Seat] = frozenset()  # who moved in this round and is still in
    fresh: bool = True  # no seat has had a turn in this round; movers are those of the round before
    finisher: Seat | None = None  # who came home and ended the match
    variant: Variant = "plain"  # which game this is
    turn_number: int = 0  # completed turns

    @property
    def original(self) -> bool:
        """Is this the game of Labyrinth 13.2?"""
        return self.board.grid.original

    @property
    def seats(self) -> list[Seat]:
        """The seats still in, in turn order."""
        return [Seat(seat) for seat, spot in enumerate(self.avatars) if spot != NOWHERE]


class View(Struct, frozen=True):
    """What a bot is shown: what everyone sees, its own target, and the goals it reached (Labyrinth 3.11).

    Tuples are by seat, but for what is mine alone; a position is (row, column).
    """

    me: Seat  # where I sit at the table
    board: Board  # the tiles and the spare one, with their gems
    last: Slide | None  # the most recent slide of any seat, which must not be undone
    colors: tuple[str, ...]  # of the avatars
    homes: tuple[Position, ...]  # where the seats live
    avatars: tuple[Position, ...]  # where they stand; NOWHERE: removed
    turn: Seat | None  # whose decision is awaited; None: the match is over
    target: Target | None  # where I have to go now: a position, or in the original game a gem; None: I was removed
    found: tuple[Target, ...]  # my goals so far, one entry per arrival
    limit: int = 1000  # rounds at most
    rounds: int = 0  # completed
    movers: frozenset[Seat] = frozenset()  # who moved in this round and is still in
    fresh: bool = True  # no seat has had a turn in this round; movers are those of the round before
    finisher: Seat | None = None  # who came home and ended the match
    variant: Variant = "plain"  # which game this is
    turn_number: int = 0  # completed turns

    @property
    def at(self) -> Position:
        """Where I stand."""
        return self.avatars[self.me]

    @property
    def home(self) -> Position:
        """Where I live."""
        return self.homes[self.me]

    @property
    def seats(self) -> list[Seat]:
        """The seats still in, in turn order, mine first (Labyrinth 3.11)."""
        count = len(self.avatars)
        order = [Seat((self.me + step) % count) for step in range(count)]
        return [seat for seat in order if self.avatars[seat] != NOWHERE]


class Pass(Struct, frozen=True, tag_field="do", tag="pass", forbid_unknown_fields=True):
    """Leave everything as it is."""


class Move(Struct, frozen=True, tag_field="do", tag="move", forbid_unknown_fields=True):
    """Slide row or column `index`, the spare tile turned counter-clockwise by `degree`, then walk `to` there."""

    index: Index  # of a row or column that slides (`board.grid` knows which)
    direction: Direction  # LEFT or RIGHT for a row, UP or DOWN for a column
    degree: Degree  # 0, 90, 180 or 270, counter-clockwise
    to: Posn  # row and column that can be reached after the slide


Action: TypeAlias = Pass | Move


class NextTarget(Struct, frozen=True):
    """You have arrived; this is where you go next (Labyrinth 3.9)."""

    target: Spot | Gem  # a position, or in the original game a gem
