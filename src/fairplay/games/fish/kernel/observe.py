"""What seats see: all there is."""

from fairplay.core.arithmetic import ONE, ZERO, lowest_bit, to_int
from fairplay.core.kernel import Row, Tables
from fairplay.core.numbers import Floats
from fairplay.games.fish.kernel import row as layout


def observe(tables: Tables, row: Row, seat: int, out: Floats) -> None:
    """Write the observation of `seat` into the flat `out`: the same as the game's numbers make of its view."""
    channels = 3 * layout.SEATS + 6
    size = to_int(tables[layout.CELLS]) * channels
    for element in range(size):
        out[element] = 0
    for word in range(layout.MASK_WORDS):
        _show_tiles(tables, row, word, out)
    for steps in range(layout.SEATS):
        other = (seat + steps) % layout.SEATS
        for lane in range(layout.LANES):
            bit = layout.penguin_at(row[layout.PENGUINS + other], lane)
            if bit != layout.NOBODY:
                at = layout.cell_of(tables, bit) * channels
                out[at + to_int(layout.fish_at(row, bit)) - 1] = out[at + 5 + steps] = 1
        fish = to_int(row[layout.FISH + other])
        if fish > 0:
            _spread(fish / 64.0, 5 + layout.SEATS + steps, size, out)
        if layout.is_out(row, other):
            _spread(1.0, 5 + 2 * layout.SEATS + steps, size, out)
    if row[layout.PLACING] != ZERO:
        _spread(1.0, channels - 1, size, out)


def _show_tiles(tables: Tables, row: Row, word: int, out: Floats) -> None:
    """Write the fish of the free tiles in one word into an observation, number by number."""
    at = layout.PLANES + word
    free = row[layout.FREE + word]
    ones, twos, fours = row[at], row[at + layout.MASK_WORDS], row[at + 2 * layout.MASK_WORDS]
    for fish in range(1, 6):
        tiles = free & (ones if fish & 1 else ~ones) & (twos if fish & 2 else ~twos) & (fours if fish & 4 else ~fours)
        while tiles != ZERO:
            out[layout.cell_of(tables, (word << 6) + lowest_bit(tiles)) * (3 * layout.SEATS + 6) + fish - 1] = 1
            tiles &= tiles - ONE


def _spread(value: float, channel: int, size: int, out: Floats) -> None:
    """Write the same value for all cells."""
    for element in range(channel, size, 3 * layout.SEATS + 6):
        out[element] = value
