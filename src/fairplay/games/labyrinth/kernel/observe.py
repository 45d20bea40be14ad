"""Observations: what a seat may know as an array, the same as the game's numbers make of its view."""

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, lowest_bit, to_int, to_word
from fairplay.core.kernel import Row, Tables
from fairplay.core.numbers import Floats
from fairplay.games.labyrinth.kernel import row as layout
from fairplay.games.labyrinth.kernel.board import tile_at
from fairplay.games.labyrinth.kernel.turns import find_goal


def observe(tables: Tables, row: Row, seat: int, out: Floats) -> None:
    """Write the observation of `seat` into the flat `out`: the same as the game's numbers make of its view."""
    seats = layout.count_seats(tables)
    tail = 5 + layout.ORIGINAL + 2 * seats
    size = tail + seats + 4 + layout.count_slides() + 1
    for channel in range(tail):
        out[channel] = 0
    write_tail(row, seat, seats, tail, out)
    repeat_start(size, layout.ROWS * layout.COLUMNS * size, out)
    write_sides(row, size, out)
    for place in range(seats):
        other = (seat + place) % seats
        mark_cell(layout.avatar_of(row, other), size, 4 + place, out)
        mark_cell(layout.home_of(row, other), size, 4 + seats + place, out)
    if layout.is_in(row, seat):
        mark_cell(locate_target(tables, row, seat), size, 4 + 2 * seats, out)
    if layout.ORIGINAL:
        mark_treasures(row, seat, size, 5 + 2 * seats, out)


def repeat_start(size: int, end: int, out: Floats) -> None:
    """Repeat the first `size` elements up to `end`: twice as many are copied each time, which is quick."""
    while size < end:
        for place in range(min(size, end - size)):
            out[to_word(size + place)] = out[to_word(place)]
        size *= 2


def write_tail(row: Row, seat: int, seats: int, start: int, out: Floats) -> None:
    """Write what is the same all over the board, once."""
    for place in range(seats):
        out[start + place] = 0 if layout.is_in(row, (seat + place) % seats) else 1
    spare, last = layout.get_lane(row, layout.SPARE), layout.get_lane(row, layout.LAST)
    for side in range(4):
        out[start + seats + side] = (spare >> side) & 1
    for slide in range(layout.count_slides()):
        out[start + seats + 4 + slide] = 1 if slide == last else 0
    out[start + seats + 4 + layout.count_slides()] = layout.count_found(row, seat) / 9


def write_sides(row: Row, size: int, out: Floats) -> None:
    """Write the open sides of all tiles."""
    if layout.SMALL:
        for side in range(4):
            plane = row[layout.BOARD + side]
            for cell in range(layout.ROWS * layout.COLUMNS):
                out[to_word(cell * size + side)] = to_int((plane >> to_word(cell + cell // layout.COLUMNS)) & ONE)
    else:
        for cell in range(layout.ROWS * layout.COLUMNS):
            tile = tile_at(row, cell + cell // layout.COLUMNS)
            for side in range(4):
                out[cell * size + side] = (tile >> side) & 1


def mark_cell(cell: int, size: int, channel: int, out: Floats) -> None:
    """Write 1 at a cell, if it is one."""
    if cell != layout.NO_LANE:
        out[(cell - cell // layout.WIDTH) * size + channel] = 1


def locate_target(tables: Tables, row: Row, seat: int) -> int:
    """The cell where the target of `seat` is now; NO_LANE if its tile is the spare one (Labyrinth 13.5)."""
    target = layout.target_of(row, seat)
    if layout.ORIGINAL and target >= layout.TREASURE:
        cells = cells_of_tile(tables, row, target - layout.TREASURE)
        return layout.NO_LANE if cells == ZERO else lowest_bit(cells)
    return target


def cells_of_tile(tables: Tables, row: Row, number: int) -> np.uint64:
    """The cell of a tile on a small board, as a bit; 0 if it is the spare one."""
    cells: np.uint64 = tables[layout.EVERYWHERE_AT]
    for digit in range(layout.NUMBER_PLANES):
        plane = row[layout.BOARD + layout.NUMBERS + digit]
        cells &= plane if (number >> digit) & 1 else ~plane
    return cells


def mark_treasures(row: Row, seat: int, size: int, channel: int, out: Floats) -> None:
    """Show the tiles with a treasure that `seat` has not found."""
    found = ZERO
    for rank in range(layout.count_found(row, seat)):
        found |= ONE << to_word(layout.goal_at(row, find_goal(row, seat, rank)))
    for cell in range(layout.ROWS * layout.COLUMNS):
        number = tile_at(row, cell + cell // layout.COLUMNS) >> 4
        if number < 24 and ((found >> to_word(number)) & ONE) == ZERO:
            out[cell * size + channel] = 1
