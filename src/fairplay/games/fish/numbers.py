"""Fish for programs that learn: actions as numbers, views as arrays.

First come the placements by cell, then all moves on an empty board, by start, direction in the layout's order and
distance.  Holes of a board keep their numbers, so all boards of one shape share them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from fairplay.core import NumberError
from fairplay.core.numbers import Channels, Floats, Mask
from fairplay.games.fish.board import Cell, Geometry, Position
from fairplay.games.fish.rules import format_place, placeable_tiles
from fairplay.games.fish.state import Action, Move, Place, State, View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VERSION = "fish_v0"

MOST_FISH = 5  # on one tile
FISH_SCALE = 64.0  # of those collected


class FishEncoding:
    """The numbers and arrays of all matches on boards of one shape with one number of seats."""

    def __init__(self, geometry: Geometry, seats: int) -> None:
        self.geometry, self.seats = geometry, seats
        cells = len(geometry.positions)
        self.moves = list_moves(geometry)
        self.actions = cells + len(self.moves)
        self.number_of = {move: cells + index for index, move in enumerate(self.moves)}
        self.channels = list_channels(seats)
        self.shape: tuple[int, ...] = (geometry.rows, geometry.columns, sum(each.size for each in self.channels))
        self.placements = geometry.build_rows(tuple)
        self.lines = geometry.build_lines(
            lambda start, targets: tuple(self.number_of[start, target] for target in targets)
        )

    def number(self, action: Action, view: View) -> int:
        """The number of `action`, legal or not; raises NumberError if the setup has no such action."""
        if isinstance(action, Place):
            return self.cell(action.at)
        start, target = self.cell(action.start), self.cell(action.target)
        number = self.number_of.get((start, target))
        if number is None:
            raise NumberError(f"no line leads from {format_place(action.start)} to {format_place(action.target)}")
        return number

    def cell(self, position: Position) -> Cell:
        """The cell at `position`; raises NumberError off the board."""
        cell = self.geometry.cell(position)
        if cell is None:
            raise NumberError(f"{format_place(position)} is not on the board")
        return cell

    def action(self, number: int, view: View) -> Action:
        """The action with this number, legal or not; raises NumberError if there is none."""
        if not 0 <= number < self.actions:
            raise NumberError(f"{number} is not the number of an action; they run from 0 to {self.actions - 1}")
        at = self.geometry.positions
        if number < len(at):
            return Place(at[number])
        start, target = self.moves[number - len(at)]
        return Move(at[start], at[target])

    def legal_numbers(self, view: View) -> Sequence[int]:
        """The numbers of the legal actions, ascending; none if it is not the owner's turn."""
        state = view.state
        numbers: tuple[int, ...] = ()
        if state.turn != view.me:
            return numbers
        if state.placing:
            tiles = placeable_tiles(state)
            for row, cells in self.placements:
                numbers += cells[tiles & row]
            return numbers
        free, lines = state.free, self.lines
        for cell in state.penguins[view.me]:
            (mask0, numbers0), (mask1, numbers1), (mask2, numbers2) = lines[cell]
            numbers += numbers0[free & mask0] + numbers1[free & mask1] + numbers2[free & mask2]
        return sorted(numbers)

    def fill_mask(self, view: View, out: Mask) -> None:
        """Set `out`, of `actions` elements, to 1 where the action is legal and to 0 elsewhere."""
        out.fill(0)
        if numbers := self.legal_numbers(view):
            out[list(numbers)] = 1

    def observe(self, view: View, out: Floats) -> None:
        """Write the observation into `out`, which has this encoding's `shape`."""
        import numpy as np

        state, me, seats = view.state, view.me, self.seats
        facts = [count / FISH_SCALE for count in state.fish[me:] + state.fish[:me]]
        facts += [(me + step) % seats in state.out for step in range(seats)]
        facts.append(state.placing)
        kinds = tile_kinds(seats).copy()
        kinds[:, MOST_FISH + seats :] = facts
        fish = state.board.fish
        shown = np.frombuffer(fish, np.uint8).reshape(self.shape[:2]) * self.spread_bits(state.free)
        kinds.take(shown, axis=0, out=out, mode="clip")  # without a mode it would copy
        at = self.geometry.positions
        for channel, cells in enumerate(state.penguins[me:] + state.penguins[:me], MOST_FISH):
            for cell in cells:
                row, column = at[cell]
                out[row, column, channel] = out[row, column, fish[cell] - 1] = 1

    def spread_bits(self, cells: int) -> NDArray[np.uint8]:
        """A mask as an array of ones and zeros, with the rows and columns of the board."""
        import numpy as np

        rows, columns = self.geometry.rows, self.geometry.columns
        octets = np.frombuffer(cells.to_bytes((rows * columns + 7) // 8, "little"), np.uint8)
        return np.unpackbits(octets, count=rows * columns, bitorder="little").reshape(rows, columns)

    def make_move_table(self) -> NDArray[np.int32]:
        """The start, direction and distance of each move, by its number less the number of cells.

        Directions count from 0 in the layout's order, distances from 1: what a learner needs to gather the numbers
        from planes, one for each direction and distance.
        """
        import numpy as np

        table = [
            (start, direction, distance)
            for start, rays in enumerate(self.geometry.rays)
            for direction, ray in enumerate(rays.values())
            for distance in range(1, len(ray) + 1)
        ]
        return np.array(table, np.int32).reshape(len(table), 3)


def encoding_of(shown: State | View) -> FishEncoding:
    """The encoding for matches like the one `shown`; the same object for the same board and seats."""
    state = shown.state if isinstance(shown, View) else shown
    return make_encoding(state.board.geometry, len(state.penguins))


@lru_cache(maxsize=256)
def make_encoding(geometry: Geometry, seats: int) -> FishEncoding:
    """Make the encoding of this shape of board and number of seats, once."""
    return FishEncoding(geometry, seats)


def list_moves(geometry: Geometry) -> list[tuple[Cell, Cell]]:
    """List the moves on an empty board by start, direction and distance, as pairs of cells."""
    return [(start, target) for start, rays in enumerate(geometry.rays) for ray in rays.values() for target in ray]


def list_channels(seats: int) -> tuple[Channels, ...]:
    """List what an observation shows; it is relative to the viewer, whose own seat comes first."""
    return (
        Channels("fish", MOST_FISH, "one-hot: fish on the tile, from 1 to 5; a hole has none"),
        Channels("penguins", seats, "1 where a penguin of this seat stands"),
        Channels("collected", seats, f"fish that this seat has collected, divided by {FISH_SCALE:.0f}"),
        Channels("removed", seats, "1 if this seat was removed"),
        Channels("placing", 1, "1 while penguins are being placed"),
    )


@lru_cache(maxsize=4)
def tile_kinds(seats: int) -> Floats:
    """The channels of a tile without penguins, by its number of fish; 0 stands for a hole."""
    import numpy as np

    kinds = np.zeros((MOST_FISH + 1, MOST_FISH + 3 * seats + 1), np.float32)
    kinds[1:, :MOST_FISH] = np.eye(MOST_FISH)
    return kinds
