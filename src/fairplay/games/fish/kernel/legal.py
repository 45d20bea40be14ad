"""What seats may do."""

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, lowest_bit, to_int, to_word
from fairplay.core.kernel import OVER, Integers, Row, Tables
from fairplay.core.numbers import Mask
from fairplay.games.fish.kernel import row as layout
from fairplay.games.fish.kernel.board import first_move, free_steps, slide


def legal(tables: Tables, row: Row, out: Integers) -> int:
    """Write the numbers of the legal actions into `out`, ascending, and return how many there are."""
    seat, count, bit = to_int(row[layout.TURN]), 0, -1
    if seat == OVER:
        return 0
    if row[layout.PLACING] != ZERO:
        return _list_placements(tables, row, out)
    for _ in range(layout.LANES):
        bit = _next_penguin(row[layout.PENGUINS + seat], bit)
        if bit != layout.NOBODY:
            for direction in range(layout.RAYS):
                first = first_move(tables, bit, direction)
                steps = free_steps(tables, row, bit, direction)
                for step in range(steps):
                    out[count + step] = first + step
                count += steps
    return count


def _next_penguin(penguins: np.uint64, before: int) -> int:
    """The lowest bit above `before` where a penguin of the seat stands; NOBODY if there is none."""
    lowest = layout.NOBODY
    for lane in range(layout.LANES):
        bit = layout.penguin_at(penguins, lane)
        if before < bit < lowest:
            lowest = bit
    return lowest


def _list_placements(tables: Tables, row: Row, out: Integers) -> int:
    """Write the numbers of the legal placements into `out`, and return how many there are."""
    count = 0
    for word in range(layout.MASK_WORDS):
        tiles = layout.placeable_word(row, word)
        while tiles != ZERO:
            out[count] = layout.cell_of(tables, (word << 6) + lowest_bit(tiles))
            count += 1
            tiles &= tiles - ONE
    return count


def legal_mask(tables: Tables, row: Row, out: Mask) -> None:
    """Set `out` to 1 at the numbers of the legal actions and to 0 elsewhere."""
    for number in range(first_move(tables, to_int(tables[layout.SPOTS]), 0)):
        out[number] = 0
    seat = to_int(row[layout.TURN])
    if seat == OVER:
        return
    if row[layout.PLACING] != ZERO:
        _mark_placements(tables, row, out)
        return
    for lane in range(layout.LANES):
        bit = layout.penguin_at(row[layout.PENGUINS + seat], lane)
        if bit != layout.NOBODY:
            for direction in range(layout.RAYS):
                _mark_ray(tables, row, bit, direction, out)


def _mark_placements(tables: Tables, row: Row, out: Mask) -> None:
    """Set `out` to 1 at the numbers of the legal placements."""
    for word in range(layout.MASK_WORDS):
        tiles = layout.placeable_word(row, word)
        while tiles != ZERO:
            out[layout.cell_of(tables, (word << 6) + lowest_bit(tiles))] = 1
            tiles &= tiles - ONE


def _mark_ray(tables: Tables, row: Row, bit: int, direction: int, out: Mask) -> None:
    """Set `out` to 1 at the numbers of the legal moves from one cell in one direction."""
    number = first_move(tables, bit, direction)
    if layout.MASK_WORDS == 1:  # a loop over the number of steps would become a call of `memset`, which takes longer
        targets = slide(ONE << to_word(bit), row[layout.FREE], direction)
        while targets != ZERO:
            out[number] = 1
            number += 1
            targets &= targets - ONE
    else:
        for step in range(free_steps(tables, row, bit, direction)):
            out[number + step] = 1
