"""What seats may do and see, and what they have."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, count_bits, lowest_bit, to_int, to_word
from fairplay.core.kernel import OVER, Row, Tables
from fairplay.games.fish.kernel.cells import (
    cell_of,
    first_move,
    fish_at,
    free_steps,
    is_out,
    penguin_at,
    placeable_word,
)
from fairplay.games.fish.kernel.rows import (
    CELLS,
    COLLECTED,
    FISH,
    FREE,
    LANES,
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
from fairplay.games.fish.kernel.sliding import ORIGINAL, slide

__all__ = ["imagine", "legal", "legal_mask", "observe", "scores"]

TIES = 1024  # above any number of tiles


def legal(tables: Tables, row: Row, out: Any) -> int:
    """Write the numbers of the legal actions into `out`, ascending, and return how many there are."""
    seat, count, bit = to_int(row[TURN]), 0, -1
    if seat == OVER:
        return 0
    if row[PLACING] != ZERO:
        return list_placements(tables, row, out)
    for _ in range(LANES):
        bit = next_penguin(row[PENGUINS + seat], bit)
        if bit != NOBODY:
            for direction in range(RAYS):
                first = first_move(tables, bit, direction)
                steps = free_steps(tables, row, bit, direction)
                for step in range(steps):
                    out[count + step] = first + step
                count += steps
    return count


def next_penguin(penguins: np.uint64, before: int) -> int:
    """The lowest bit above `before` where a penguin of the seat stands; NOBODY if there is none."""
    lowest = NOBODY
    for lane in range(LANES):
        bit = penguin_at(penguins, lane)
        if before < bit < lowest:
            lowest = bit
    return lowest


def list_placements(tables: Tables, row: Row, out: Any) -> int:
    """Write the numbers of the legal placements into `out`, and return how many there are."""
    count = 0
    for word in range(MASK_WORDS):
        tiles = placeable_word(row, word)
        while tiles != ZERO:
            out[count] = cell_of(tables, (word << 6) + lowest_bit(tiles))
            count += 1
            tiles &= tiles - ONE
    return count


def legal_mask(tables: Tables, row: Row, out: Any) -> None:
    """Set `out` to 1 at the numbers of the legal actions and to 0 elsewhere."""
    for number in range(first_move(tables, to_int(tables[SPOTS]), 0)):
        out[number] = 0
    seat = to_int(row[TURN])
    if seat == OVER:
        return
    if row[PLACING] != ZERO:
        mark_placements(tables, row, out)
        return
    for lane in range(LANES):
        bit = penguin_at(row[PENGUINS + seat], lane)
        if bit != NOBODY:
            for direction in range(RAYS):
                mark_ray(tables, row, bit, direction, out)


def mark_placements(tables: Tables, row: Row, out: Any) -> None:
    """Set `out` to 1 at the numbers of the legal placements."""
    for word in range(MASK_WORDS):
        tiles = placeable_word(row, word)
        while tiles != ZERO:
            out[cell_of(tables, (word << 6) + lowest_bit(tiles))] = 1
            tiles &= tiles - ONE


def mark_ray(tables: Tables, row: Row, bit: int, direction: int, out: Any) -> None:
    """Set `out` to 1 at the numbers of the legal moves from one cell in one direction."""
    number = first_move(tables, bit, direction)
    if MASK_WORDS == 1:  # a loop over the number of steps would become a call of `memset`, which takes longer
        targets = slide(ONE << to_word(bit), row[FREE], direction)
        while targets != ZERO:
            out[number] = 1
            number += 1
            targets &= targets - ONE
    else:
        for step in range(free_steps(tables, row, bit, direction)):
            out[number + step] = 1


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
    channels = 3 * SEATS + 6
    size = to_int(tables[CELLS]) * channels
    for element in range(size):
        out[element] = 0
    for word in range(MASK_WORDS):
        show_tiles(tables, row, word, out)
    for steps in range(SEATS):
        other = (seat + steps) % SEATS
        for lane in range(LANES):
            bit = penguin_at(row[PENGUINS + other], lane)
            if bit != NOBODY:
                at = cell_of(tables, bit) * channels
                out[at + to_int(fish_at(row, bit)) - 1] = out[at + 5 + steps] = 1
        fish = to_int(row[FISH + other])
        if fish > 0:
            spread(fish / 64.0, 5 + SEATS + steps, size, out)
        if is_out(row, other):
            spread(1.0, 5 + 2 * SEATS + steps, size, out)
    if row[PLACING] != ZERO:
        spread(1.0, channels - 1, size, out)


def show_tiles(tables: Tables, row: Row, word: int, out: Any) -> None:
    """Write the fish of the free tiles in one word into an observation, number by number."""
    at = PLANES + word
    free, ones, twos, fours = row[FREE + word], row[at], row[at + MASK_WORDS], row[at + 2 * MASK_WORDS]
    for fish in range(1, 6):
        tiles = free & (ones if fish & 1 else ~ones) & (twos if fish & 2 else ~twos) & (fours if fish & 4 else ~fours)
        while tiles != ZERO:
            out[cell_of(tables, (word << 6) + lowest_bit(tiles)) * (3 * SEATS + 6) + fish - 1] = 1
            tiles &= tiles - ONE


def spread(value: float, channel: int, size: int, out: Any) -> None:
    """Write the same value for all cells."""
    for element in range(channel, size, 3 * SEATS + 6):
        out[element] = value


def imagine(tables: Tables, row: Row, seat: int) -> None:
    """Nothing: Fish hides nothing."""
