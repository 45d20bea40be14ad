"""What happens in a match: placing, moving, being removed; and what it has brought."""

from fairplay.core.arithmetic import ONE, ZERO, count_bits, to_int, to_word
from fairplay.core.kernel import OVER, Integers, Row, Tables
from fairplay.games.fish.kernel import row as layout
from fairplay.games.fish.kernel.board import action_at, can_move

# -- whose turn it is ------------------------------------------------------------------------------


def to_move(tables: Tables, row: Row) -> int:
    """Whose decision is awaited; OVER when the match is over."""
    return to_int(row[layout.TURN])


def next_placement(tables: Tables, row: Row, seat: int) -> None:
    """Pass the turn on from `seat` to the seat that places next, or to the first move."""
    for steps in range(1, layout.SEATS + 1):
        other = (seat + steps) % layout.SEATS
        if layout.is_out(row, other):
            continue
        last = layout.penguin_at(row[layout.PENGUINS + other], 6 - layout.SEATS - 1)
        if last != layout.NOBODY:  # everyone has placed all
            break
        if layout.count_placeable(row) > 0:
            row[layout.TURN] = to_word(other)
            return
        _take_off(row, other)  # Fish 2.7
    row[layout.PLACING] = ZERO
    _next_move(tables, row, layout.SEATS - 1)


def _next_move(tables: Tables, row: Row, seat: int) -> None:
    """Pass the turn on from `seat` to the next one that can move (Fish 3.2, 4.1, 13.5)."""
    for steps in range(1, layout.SEATS + 1):
        other = (seat + steps) % layout.SEATS
        if can_move(tables, row, other):
            row[layout.TURN] = to_word(other)
            return
        if layout.ORIGINAL:
            _retire_penguins(row, other)
    row[layout.TURN] = to_word(OVER)


def _retire_penguins(row: Row, seat: int) -> None:
    """Take the penguins of `seat` off; the tiles under them count for it (Fish 13.5)."""
    for lane in range(layout.LANES):
        bit = layout.penguin_at(row[layout.PENGUINS + seat], lane)
        if bit != layout.NOBODY:
            row[layout.FISH + seat] += layout.fish_at(row, bit)
            layout.flip_bit(row, layout.COLLECTED + seat * layout.MASK_WORDS, bit)
    row[layout.PENGUINS + seat] = layout.EMPTY


def _take_off(row: Row, seat: int) -> None:
    """Take `seat` out: its penguins leave, the tiles under them stay, its fish are lost."""
    for lane in range(layout.LANES):
        bit = layout.penguin_at(row[layout.PENGUINS + seat], lane)
        if bit != layout.NOBODY:
            layout.flip_bit(row, layout.FREE, bit)
    row[layout.PENGUINS + seat], row[layout.FISH + seat] = layout.EMPTY, ZERO
    for word in range(layout.MASK_WORDS):
        row[layout.COLLECTED + seat * layout.MASK_WORDS + word] = ZERO
    row[layout.OUT] |= ONE << to_word(seat)


def remove(tables: Tables, row: Row, seat: int) -> None:
    """Throw `seat` out of the match (Fish 6.4)."""
    _take_off(row, seat)
    if to_int(row[layout.TURN]) == seat:
        if row[layout.PLACING] != ZERO:
            next_placement(tables, row, seat)
        else:
            _next_move(tables, row, seat)


# -- what seats do ----------------------------------------------------------------------------------


def step(tables: Tables, row: Row, action: int) -> None:
    """Do the action with this number.  ASSUME it is legal."""
    bits = action_at(tables, action)
    if row[layout.PLACING] != ZERO:
        place_penguin(tables, row, bits)
    else:
        _move_penguin(tables, row, bits >> layout.LANE, bits & layout.NOBODY)


def place_penguin(tables: Tables, row: Row, bit: int) -> None:
    """Put a penguin of the seat on turn on a tile, and pass the turn on (Fish 2.6)."""
    seat = to_int(row[layout.TURN])
    lane = 0
    while layout.penguin_at(row[layout.PENGUINS + seat], lane) != layout.NOBODY:
        lane += 1
    row[layout.PENGUINS + seat] ^= to_word(layout.NOBODY ^ bit) << to_word(lane * layout.LANE)
    layout.flip_bit(row, layout.FREE, bit)
    row[layout.TURNS] += ONE
    next_placement(tables, row, seat)


def _move_penguin(tables: Tables, row: Row, begin: int, end: int) -> None:
    """Move a penguin: the tile it leaves becomes a hole, and its fish are collected (Fish 3.4)."""
    seat = to_int(row[layout.TURN])
    row[layout.PENGUINS + seat] = layout.move_lane(row[layout.PENGUINS + seat], begin, end)
    row[layout.FISH + seat] += layout.fish_at(row, begin)
    layout.flip_bit(row, layout.COLLECTED + seat * layout.MASK_WORDS, begin)
    layout.flip_bit(row, layout.FREE, end)
    row[layout.TURNS] += ONE
    _next_move(tables, row, seat)


_TIES = 1024  # above any number of tiles


def scores(tables: Tables, row: Row, out: Integers) -> None:
    """Write one number per seat into `out`: its fish, in the original game with the tiles that break ties."""
    for seat in range(layout.SEATS):
        score = to_int(row[layout.FISH + seat])
        if layout.ORIGINAL:
            score *= _TIES
            for word in range(layout.MASK_WORDS):
                score += count_bits(row[layout.COLLECTED + seat * layout.MASK_WORDS + word])
        out[seat] = -1 if layout.is_out(row, seat) else score
