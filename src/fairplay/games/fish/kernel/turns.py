"""What happens in a match: placing, moving, being removed; and what it has brought."""

from typing import Any

from fairplay.core.arithmetic import ONE, ZERO, count_bits, to_int, to_word
from fairplay.core.kernel import OVER, Row, Tables
from fairplay.games.fish.kernel.board import action_at, can_move
from fairplay.games.fish.kernel.row import (
    COLLECTED,
    EMPTY,
    FISH,
    FREE,
    LANE,
    LANES,
    MASK_WORDS,
    NOBODY,
    ORIGINAL,
    OUT,
    PENGUINS,
    PLACING,
    SEATS,
    TURN,
    TURNS,
    count_placeable,
    fish_at,
    flip_bit,
    is_out,
    move_lane,
    penguin_at,
)

# -- whose turn it is ------------------------------------------------------------------------------


def to_move(tables: Tables, row: Row) -> int:
    """Whose decision is awaited; OVER when the match is over."""
    return to_int(row[TURN])


def next_placement(tables: Tables, row: Row, seat: int) -> None:
    """Pass the turn on from `seat` to the seat that places next, or to the first move."""
    for steps in range(1, SEATS + 1):
        other = (seat + steps) % SEATS
        if is_out(row, other):
            continue
        if penguin_at(row[PENGUINS + other], 6 - SEATS - 1) != NOBODY:  # everyone has placed all
            break
        if count_placeable(row) > 0:
            row[TURN] = to_word(other)
            return
        _take_off(row, other)  # Fish 2.7
    row[PLACING] = ZERO
    _next_move(tables, row, SEATS - 1)


def _next_move(tables: Tables, row: Row, seat: int) -> None:
    """Pass the turn on from `seat` to the next one that can move (Fish 3.2, 4.1, 13.5)."""
    for steps in range(1, SEATS + 1):
        other = (seat + steps) % SEATS
        if can_move(tables, row, other):
            row[TURN] = to_word(other)
            return
        if ORIGINAL:
            _retire_penguins(row, other)
    row[TURN] = to_word(OVER)


def _retire_penguins(row: Row, seat: int) -> None:
    """Take the penguins of `seat` off; the tiles under them count for it (Fish 13.5)."""
    for lane in range(LANES):
        bit = penguin_at(row[PENGUINS + seat], lane)
        if bit != NOBODY:
            row[FISH + seat] += fish_at(row, bit)
            flip_bit(row, COLLECTED + seat * MASK_WORDS, bit)
    row[PENGUINS + seat] = EMPTY


def _take_off(row: Row, seat: int) -> None:
    """Take `seat` out: its penguins leave, the tiles under them stay, its fish are lost."""
    for lane in range(LANES):
        bit = penguin_at(row[PENGUINS + seat], lane)
        if bit != NOBODY:
            flip_bit(row, FREE, bit)
    row[PENGUINS + seat], row[FISH + seat] = EMPTY, ZERO
    for word in range(MASK_WORDS):
        row[COLLECTED + seat * MASK_WORDS + word] = ZERO
    row[OUT] |= ONE << to_word(seat)


def remove(tables: Tables, row: Row, seat: int) -> None:
    """Throw `seat` out of the match (Fish 6.4)."""
    _take_off(row, seat)
    if to_int(row[TURN]) == seat:
        if row[PLACING] != ZERO:
            next_placement(tables, row, seat)
        else:
            _next_move(tables, row, seat)


# -- what seats do ----------------------------------------------------------------------------------


def step(tables: Tables, row: Row, action: int) -> None:
    """Do the action with this number.  ASSUME it is legal."""
    bits = action_at(tables, action)
    if row[PLACING] != ZERO:
        place_penguin(tables, row, bits)
    else:
        _move_penguin(tables, row, bits >> LANE, bits & NOBODY)


def place_penguin(tables: Tables, row: Row, bit: int) -> None:
    """Put a penguin of the seat on turn on a tile, and pass the turn on (Fish 2.6)."""
    seat = to_int(row[TURN])
    lane = 0
    while penguin_at(row[PENGUINS + seat], lane) != NOBODY:
        lane += 1
    row[PENGUINS + seat] ^= to_word(NOBODY ^ bit) << to_word(lane * LANE)
    flip_bit(row, FREE, bit)
    row[TURNS] += ONE
    next_placement(tables, row, seat)


def _move_penguin(tables: Tables, row: Row, begin: int, end: int) -> None:
    """Move a penguin: the tile it leaves becomes a hole, and its fish are collected (Fish 3.4)."""
    seat = to_int(row[TURN])
    row[PENGUINS + seat] = move_lane(row[PENGUINS + seat], begin, end)
    row[FISH + seat] += fish_at(row, begin)
    flip_bit(row, COLLECTED + seat * MASK_WORDS, begin)
    flip_bit(row, FREE, end)
    row[TURNS] += ONE
    _next_move(tables, row, seat)


_TIES = 1024  # above any number of tiles


def scores(tables: Tables, row: Row, out: Any) -> None:
    """Write one number per seat into `out`: its fish, in the original game with the tiles that break ties."""
    for seat in range(SEATS):
        score = to_int(row[FISH + seat])
        if ORIGINAL:
            score *= _TIES
            for word in range(MASK_WORDS):
                score += count_bits(row[COLLECTED + seat * MASK_WORDS + word])
        out[seat] = -1 if is_out(row, seat) else score
