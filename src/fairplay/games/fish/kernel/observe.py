"""What seats see: all there is."""

from typing import Any

from fairplay.core.arithmetic import ONE, ZERO, lowest_bit, to_int
from fairplay.core.kernel import Row, Tables
from fairplay.games.fish.kernel.row import (
    CELLS,
    FISH,
    FREE,
    LANES,
    MASK_WORDS,
    NOBODY,
    PENGUINS,
    PLACING,
    PLANES,
    SEATS,
    cell_of,
    fish_at,
    is_out,
    penguin_at,
)


def observe(tables: Tables, row: Row, seat: int, out: Any) -> None:
    """Write the observation of `seat` into the flat `out`: the same as the game's numbers make of its view."""
    channels = 3 * SEATS + 6
    size = to_int(tables[CELLS]) * channels
    for element in range(size):
        out[element] = 0
    for word in range(MASK_WORDS):
        _show_tiles(tables, row, word, out)
    for steps in range(SEATS):
        other = (seat + steps) % SEATS
        for lane in range(LANES):
            bit = penguin_at(row[PENGUINS + other], lane)
            if bit != NOBODY:
                at = cell_of(tables, bit) * channels
                out[at + to_int(fish_at(row, bit)) - 1] = out[at + 5 + steps] = 1
        fish = to_int(row[FISH + other])
        if fish > 0:
            _spread(fish / 64.0, 5 + SEATS + steps, size, out)
        if is_out(row, other):
            _spread(1.0, 5 + 2 * SEATS + steps, size, out)
    if row[PLACING] != ZERO:
        _spread(1.0, channels - 1, size, out)


def _show_tiles(tables: Tables, row: Row, word: int, out: Any) -> None:
    """Write the fish of the free tiles in one word into an observation, number by number."""
    at = PLANES + word
    free, ones, twos, fours = row[FREE + word], row[at], row[at + MASK_WORDS], row[at + 2 * MASK_WORDS]
    for fish in range(1, 6):
        tiles = free & (ones if fish & 1 else ~ones) & (twos if fish & 2 else ~twos) & (fours if fish & 4 else ~fours)
        while tiles != ZERO:
            out[cell_of(tables, (word << 6) + lowest_bit(tiles)) * (3 * SEATS + 6) + fish - 1] = 1
            tiles &= tiles - ONE


def _spread(value: float, channel: int, size: int, out: Any) -> None:
    """Write the same value for all cells."""
    for element in range(channel, size, 3 * SEATS + 6):
        out[element] = value


def imagine(tables: Tables, row: Row, seat: int) -> None:
    """Nothing: Fish hides nothing."""
