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
    PLANES,
    RAYS,
    SEATS,
    SPOTS,
    TURN,
)
from fairplay.games.fish.kernel.sliding import ORIGINAL
from fairplay.parts.arithmetic import ONE, ZERO, count_bits, lowest_bit, to_int, to_word
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
    for place in range(cells * channels):
        out[place] = 0.0
    show_fish(tables, row, channels, out)
    placing = 1.0 if row[PLACING] != ZERO else 0.0
    for cell in range(cells):
        out[cell * channels + channels - 1] = placing
    for steps in range(SEATS):
        other = (seat + steps) % SEATS
        collected, removed = to_int(row[FISH + other]) / 64.0, 1.0 if is_out(row, other) else 0.0
        for cell in range(cells):
            at = cell * channels + 5 + SEATS + steps
            out[at], out[at + SEATS] = collected, removed
        for lane in range(LANES):
            bit = penguin_at(row[PENGUINS + other], lane)
            if bit != NOBODY:
                at = cell_of(tables, bit) * channels
                out[at + 5 + steps] = out[at + to_int(fish_at(row, bit)) - 1] = 1.0


def show_fish(tables: Tables, row: Row, channels: int, out: Any) -> None:
    """Set the channel of its fish for every free tile, number by number: no processor foresees which tiles are free."""
    for word in range(MASK_WORDS):
        plane = PLANES + word
        for fish in range(1, 6):
            ones = row[plane] if fish & 1 else ~row[plane]
            twos = row[plane + MASK_WORDS] if fish & 2 else ~row[plane + MASK_WORDS]
            fours = row[plane + 2 * MASK_WORDS] if fish & 4 else ~row[plane + 2 * MASK_WORDS]
            tiles = row[FREE + word] & ones & twos & fours
            while tiles != ZERO:
                out[cell_of(tables, word * 64 + lowest_bit(tiles)) * channels + fish - 1] = 1.0
                tiles &= tiles - ONE


def imagine(tables: Tables, row: Row, seat: int) -> None:
    """Nothing: Fish hides nothing."""
