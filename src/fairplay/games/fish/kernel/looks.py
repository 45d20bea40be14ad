"""What seats may do and see, and what they have."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairplay.games.fish.kernel.cells import (
    LANES,
    cell_of,
    first_move,
    fish_at,
    free_steps,
    has_bit,
    is_out,
    penguin_at,
    placeable_word,
    target_of,
)
from fairplay.games.fish.kernel.rows import (
    CELLS,
    COLLECTED,
    FISH,
    FREE,
    MASK_WORDS,
    NOBODY,
    PENGUINS,
    PLACING,
    RAYS,
    SEATS,
    SPOTS,
    TURN,
)
from fairplay.games.fish.kernel.sliding import ORIGINAL
from fairplay.parts.arithmetic import ONE, ZERO, count_bits, to_int, to_word
from fairplay.parts.kernel import OVER, Row, Tables

__all__ = ["imagine", "legal", "legal_mask", "observe", "scores"]

TIES = 1024  # above any number of tiles


def legal(tables: Tables, row: Row, out: Any) -> int:
    """Write the numbers of the legal actions into `out`, ascending, and return how many there are."""
    if row[PLACING] != ZERO:
        return legal_placements(tables, row, out)
    seat, count, before = to_int(row[TURN]), 0, -1
    if seat == OVER:
        return 0
    for _ in range(LANES):
        bit = next_penguin(row[PENGUINS + seat], before)
        if bit != NOBODY:
            for direction in range(RAYS):
                first = first_move(tables, bit, direction)
                for number in range(first, first + free_steps(tables, row, bit, direction)):
                    out[count] = number
                    count += 1
        before = bit
    return count


def legal_placements(tables: Tables, row: Row, out: Any) -> int:
    """Write the numbers of the legal placements into `out`, and return how many there are."""
    count = 0
    if to_int(row[TURN]) == OVER:
        return count
    for cell in range(to_int(tables[CELLS])):
        bit = target_of(tables, cell)
        if placeable_word(row, bit >> 6) >> to_word(bit & 63) & ONE != ZERO:
            out[count] = cell
            count += 1
    return count


def next_penguin(penguins: np.uint64, before: int) -> int:
    """The lowest bit above `before` where a penguin of the seat stands; NOBODY where there is none."""
    lowest = NOBODY
    for lane in range(LANES):
        bit = penguin_at(penguins, lane)
        if before < bit < lowest:
            lowest = bit
    return lowest


def legal_mask(tables: Tables, row: Row, out: Any) -> None:
    """Set `out` to 1 at the numbers of the legal actions and to 0 elsewhere."""
    for number in range(first_move(tables, to_int(tables[SPOTS]), 0)):
        out[number] = 0
    seat = to_int(row[TURN])
    if seat == OVER:
        return
    if row[PLACING] != ZERO:
        for cell in range(to_int(tables[CELLS])):
            bit = target_of(tables, cell)
            out[cell] = to_int(placeable_word(row, bit >> 6) >> to_word(bit & 63) & ONE)
        return
    for lane in range(LANES):
        bit = penguin_at(row[PENGUINS + seat], lane)
        if bit != NOBODY:
            for direction in range(RAYS):
                first = first_move(tables, bit, direction)
                for number in range(first, first + free_steps(tables, row, bit, direction)):
                    out[number] = 1


def scores(tables: Tables, row: Row, out: Any) -> None:
    """Write one number per seat into `out`: its fish, in the original game with the tiles that break ties."""
    for seat in range(SEATS):
        score = to_int(row[FISH + seat])
        if ORIGINAL:
            score *= TIES
            for word in range(MASK_WORDS):
                score += count_bits(row[COLLECTED + seat * MASK_WORDS + word])
        out[seat] = -1 if is_out(row, seat) else score


def observe(tables: Tables, row: Row, seat: int, out: Any) -> None:
    """Write the observation of `seat` into the flat `out`: the same as the game's numbers make of its view."""
    channels, cells = 3 * SEATS + 6, to_int(tables[CELLS])
    for cell in range(cells):
        bit, at = target_of(tables, cell), cell * channels
        for channel in range(5 + SEATS):
            out[at + channel] = 0
        if has_bit(row, FREE, bit):
            out[at + to_int(fish_at(row, bit)) - 1] = 1
        out[at + channels - 1] = to_int(row[PLACING])
    for steps in range(SEATS):
        other = (seat + steps) % SEATS
        fish, removed = to_int(row[FISH + other]) / 64.0, 1.0 if is_out(row, other) else 0.0
        for cell in range(cells):
            at = cell * channels + 5 + SEATS + steps
            out[at], out[at + SEATS] = fish, removed
        for lane in range(LANES):
            bit = penguin_at(row[PENGUINS + other], lane)
            if bit != NOBODY:
                at = cell_of(tables, bit) * channels
                out[at + 5 + steps] = out[at + to_int(fish_at(row, bit)) - 1] = 1


def imagine(tables: Tables, row: Row, seat: int) -> None:
    """Nothing: Fish hides nothing."""
