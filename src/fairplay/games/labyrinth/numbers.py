"""Actions as numbers and views as arrays.

A move is numbered by its slide, in the order of Labyrinth 8.3, the degree of its tile and where it ends, row by row.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from fairplay.core import NumberError
from fairplay.core.immutable import bits as cells
from fairplay.core.numbers import Channels, Floats, Mask
from fairplay.games.labyrinth.board import NOWHERE, OPPOSITE, Grid, Position, grid_of
from fairplay.games.labyrinth.goals import locate_target
from fairplay.games.labyrinth.state import Action, Move, Pass, State, View
from fairplay.games.labyrinth.tiles import DEGREES, ROTATIONS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VERSION = "labyrinth_v0"


class LabyrinthEncoding:
    """The numbers and arrays of one size of board and one number of seats.

    An action can also be made in two decisions: first a pass (0) or a slide with a degree (1 and more), then a cell.
    """

    def __init__(self, grid: Grid, seats: int) -> None:
        self.grid, self.seats = grid, seats
        self.cells = grid.rows * grid.columns
        self.firsts = 1 + 4 * len(grid.shifts)
        self.actions = 1 + (self.firsts - 1) * self.cells
        self.slides = {key: number for number, key in enumerate(grid.shift_for)}
        self.channels = channels_of(grid, seats)
        self.shape: tuple[int, ...] = (grid.rows, grid.columns, sum(channel.size for channel in self.channels))

    def number(self, action: Action, view: View) -> int:
        """The number of `action`, legal or not; raises NumberError if the setup has no such action."""
        if isinstance(action, Pass):
            return 0
        slide = self.slides.get((action.index, action.direction))
        if slide is None:
            raise NumberError(f"{action.index} {action.direction} is not a slide of this board")
        if action.degree not in DEGREES:
            raise NumberError(f"{action.degree} is not a quarter turn: 0, 90, 180 or 270")
        if not self.grid.holds(action.to):
            raise NumberError(f"({action.to[0]},{action.to[1]}) is not on the board")
        return self.join(1 + slide * 4 + action.degree // 90, self.cell(action.to))

    def action(self, number: int, view: View) -> Action:
        """The action with this number, legal or not; raises NumberError if there is none."""
        if not 0 <= number < self.actions:
            raise NumberError(f"{number} is not the number of an action; they run from 0 to {self.actions - 1}")
        first, cell = self.split(int(number))  # it may come out of an array
        if first == 0:
            return Pass()
        slide = self.grid.shifts[(first - 1) // 4].slide
        return Move(slide.index, slide.direction, DEGREES[(first - 1) % 4], divmod(cell, self.grid.columns))

    def split(self, number: int) -> tuple[int, int]:
        """The two decisions that make up a number; the second of a pass is 0 and means nothing."""
        if number == 0:
            return 0, 0
        first, cell = divmod(number - 1, self.cells)
        return first + 1, cell

    def join(self, first: int, cell: int) -> int:
        """The number that two decisions make up."""
        return 0 if first == 0 else 1 + (first - 1) * self.cells + cell

    def legal_numbers(self, view: View) -> list[int]:
        """The numbers of the legal actions, ascending; none if it is not the owner's turn."""
        if view.turn != view.me:
            return []
        width = self.grid.width
        numbers = [] if self.grid.original else [0]
        for first, ends in enumerate(self._ends(view), 1):
            start = self.join(first, 0)
            numbers += [start + cell - cell // width for cell in cells(ends)]
        return numbers

    def fill_mask(self, view: View, out: Mask) -> None:
        """Set `out`, of `actions` elements, to 1 where the action is legal and to 0 elsewhere."""
        import numpy as np

        if view.turn != view.me:
            out[:] = 0
            return
        rows, columns, width, size = self.grid.rows, self.grid.columns, self.grid.width, (self.grid.plane + 7) // 8
        packed = b"".join([ends.to_bytes(size, "little") for ends in self._ends(view)])
        bits = np.unpackbits(np.frombuffer(packed, np.uint8).reshape(-1, size), axis=1, bitorder="little")
        boards = bits[:, : self.grid.plane].reshape(-1, rows, width)
        out[0] = not self.grid.original
        out[1:].reshape(-1, rows, columns)[:] = boards[:, :, :columns]

    def fill_first_mask(self, mask: Mask, out: Mask) -> None:
        """Set `out`, of `firsts` elements, to 1 where a first decision leads to an action that is legal by `mask`."""
        out[0] = mask[0]
        out[1:] = mask[1:].reshape(-1, self.cells).any(axis=1)

    def fill_second_mask(self, mask: Mask, first: int, out: Mask) -> None:
        """Set `out`, of `cells` elements, to 1 where a cell and `first`, which is not a pass, are legal by `mask`."""
        out[:] = mask[self.join(first, 0) : self.join(first + 1, 0)]

    def observe(self, view: View, out: Floats) -> None:
        """Write the observation into `out`, which has this encoding's `shape`."""
        import numpy as np

        seats, order = self.seats, [(view.me + step) % self.seats for step in range(self.seats)]
        sides = view.board.sides.to_bytes((4 * self.grid.plane + self.grid.columns + 7) // 8, "little")
        bits = np.unpackbits(np.frombuffer(sides, np.uint8), bitorder="little")
        out[:, :, :4] = bits[side_bits(self.grid)]
        for channel, spot in enumerate(
            [view.avatars[seat] for seat in order] + [view.homes[seat] for seat in order], 4
        ):
            self._mark(out, channel, spot)
        self._mark(out, 4 + 2 * seats, None if view.target is None else locate_target(view.board, view.target))
        if self.grid.original:
            out[:, :, 5 + 2 * seats] = np.array(self._treasures(view), np.float32).reshape(self.shape[:2])
        tail = self._tail(view, order)
        out[:, :, self.shape[2] - len(tail) :] = tail

    def cell(self, position: Position) -> int:
        """The number of a position, row by row."""
        return position[0] * self.grid.columns + position[1]

    def _ends(self, view: View) -> list[int]:
        """Where a move may end, for every slide and degree: what `slide_options` lists, in two thirds of the time."""
        grid, board, at = self.grid, view.board, view.at
        found = [0] * (self.firsts - 1)
        if not grid.holds(at):
            return found
        undo = None if view.last is None else grid.shift_for.get((view.last.index, OPPOSITE[view.last.direction]))
        turned = [(grid.spread[tile], [degree // 90 for degree in same]) for tile, same in ROTATIONS[board.spare]]
        for number, shift in enumerate(grid.shifts):
            if shift is undo:
                continue
            gap, entry, start = shift.move_sides(board.sides), shift.entry, number * 4
            place = 1 << grid.cell(shift.carry.get(at, at))
            reached, left_out = grid.flood(gap, place), 0 if grid.original else place
            if not reached & shift.around and place != 1 << entry:  # the new tile makes no difference
                found[start : start + 4] = [reached ^ left_out] * 4
                continue
            for tile, quarters in turned:
                ends = grid.flood(gap | tile << entry, reached) ^ left_out
                for quarter in quarters:
                    found[start + quarter] = ends
        return found

    def _mark(self, out: Floats, channel: int, spot: Position | None) -> None:
        """Show one position, which may be off the board."""
        out[:, :, channel] = 0
        if spot is not None and self.grid.holds(spot):
            out[spot[0], spot[1], channel] = 1

    def _treasures(self, view: View) -> list[bool]:
        """Which tiles of the board bear a treasure that I have not found."""
        return [one == other and one not in view.found for one, other in view.board.gems[:-1]]

    def _tail(self, view: View, order: list[int]) -> list[float]:
        """What is the same all over the board."""
        spare = view.board.spare
        last = -1 if view.last is None else self.slides.get((view.last.index, view.last.direction), -1)
        return [
            *(float(view.avatars[seat] == NOWHERE) for seat in order),
            *(float(spare >> side & 1) for side in range(4)),
            *(float(slide == last) for slide in range(len(self.slides))),
            len(view.found) / 9,
        ]


def channels_of(grid: Grid, seats: int) -> tuple[Channels, ...]:
    """The channels of an observation."""
    treasures = Channels("treasures", 1, "tiles with a treasure that I have not found, also what others look for")
    return (
        Channels("sides", 4, "open to the north, east, south, west"),
        Channels("avatars", seats, "where each seat stands, mine first"),
        Channels("homes", seats, "where each seat lives, mine first"),
        Channels("target", 1, "where I have to go; nowhere while the tile with my treasure is the spare one"),
        *([treasures] if grid.original else []),
        Channels("removed", seats, "everywhere 1 for a seat that is out of the match, mine first"),
        Channels("spare", 4, "the open sides of the spare tile, everywhere"),
        Channels("last", len(grid.shifts), "the last slide, everywhere, in the order of the numbers"),
        Channels("found", 1, "how many goals I have found, divided by 9, everywhere"),
    )


@lru_cache(maxsize=256)
def side_bits(grid: Grid) -> NDArray[np.intp]:
    """For every position and side the number of its bit in the sides of a board."""
    import numpy as np

    starts = [2 * grid.plane, grid.plane, 0, 3 * grid.plane + grid.columns]  # N, E, S, W
    cell = np.arange(grid.plane).reshape(grid.rows, grid.width)[:, : grid.columns]
    return np.stack([start + cell for start in starts], axis=-1)


def encoding_of(shown: State | View) -> LabyrinthEncoding:
    """The encoding for matches like the one `shown`; the same object for the same board and seats."""
    return cached_encoding(*shown.board.grid.kind, len(shown.avatars))


@lru_cache(maxsize=256)
def cached_encoding(rows: int, columns: int, first: int, seats: int) -> LabyrinthEncoding:
    """The encoding of one size of board and number of seats, made once."""
    return LabyrinthEncoding(grid_of(rows, columns, first), seats)
