"""A match of Fish as a row of words: where everything lies, how to read it, and the way from a state and back.

Cells of boards with at most eight rows and columns are the bits of one word, eight to a row of the board; on all
others a bit is the number of the cell, and a mask has several words.
"""

from collections.abc import Mapping

import numpy as np

from fairplay.core import KernelSizeError, Seat
from fairplay.core.arithmetic import ONE, ZERO, count_bits, pick_bit_of_many, to_int, to_word
from fairplay.core.immutable import bits, mask
from fairplay.core.kernel import OVER, Row, Tables
from fairplay.games.fish.board import Board, Cell, Geometry
from fairplay.games.fish.rules import SEATS as SEAT_COUNTS
from fairplay.games.fish.state import State

# -- a row; the values are those of eight rows and columns and two seats, others come from `constants_for` --

MASK_WORDS = 1
SEATS = 2
ORIGINAL = 0  # 1: the layout of Fish 13.3

TURN = 1  # the seat, or OVER
PLACING = 2  # 1 while penguins are being placed
OUT = 3  # mask of the seats that were removed
TURNS = 4  # completed turns
PENGUINS = 5  # of each seat: the bits where they stand in the order of placement, 16 bits each
FISH = 7  # of each seat: collected so far
FREE = 9  # mask
PLANES = 10  # three masks: the binary digits of the fish on each tile as it was dealt
COLLECTED = 13  # of each seat: mask of the tiles
WORDS = 15

LANE = 16
NOBODY = 0xFFFF  # in a lane without a penguin
LANES = 4

# -- tables ----------------------------------------------------------------------------------------

CELLS = 0  # how many
SPOTS = 1  # how many bits have rays
UNIFORM = 2  # 1 if tiles get 1 to 5 fish at random, 0 if they get what is given
DRAWN = 3  # how many tiles are drawn to have 1, 2 and 3 fish instead
COLUMNS = 6
HEADER = 7
GIVEN = 7  # then four masks: tiles, and the digits of the fish; then the rays of each bit; then the actions

RAYS = 6
"""Rays of each bit: the number of its first move in each direction."""

_MASK_SIZES = (1, 2, 4, 10)
_SIDE = 8  # of boards whose masks are one word
_COUNT_LIMIT = 2**32  # of fish and turns


def constants_for(state: State) -> Mapping[str, int]:
    """What the source is compiled for; raises KernelSizeError if matches like this do not fit."""
    seats, geometry = len(state.penguins), state.board.geometry
    words = count_mask_words(geometry)
    if seats not in SEAT_COUNTS or any(len(cells) > LANES for cells in state.penguins):
        raise KernelSizeError(f"the kernel of Fish is for 2 to 4 seats with at most {LANES} penguins each")
    fish = PENGUINS + seats
    free = fish + seats
    planes = free + words
    collected = planes + 3 * words
    return {
        "MASK_WORDS": words,
        "SEATS": seats,
        "ORIGINAL": int(geometry.original),
        "FISH": fish,
        "FREE": free,
        "PLANES": planes,
        "COLLECTED": collected,
        "WORDS": collected + seats * words,
    }


def count_mask_words(geometry: Geometry) -> int:
    """How many words a mask has on boards of this shape."""
    if max(geometry.rows, geometry.columns) <= _SIDE:
        return 1
    cells = len(geometry.positions)
    for words in _MASK_SIZES[1:]:
        if cells <= 64 * words:
            return words
    raise KernelSizeError(f"the kernel of Fish is for boards with at most {64 * _MASK_SIZES[-1]} cells, not {cells}")


def list_spots(geometry: Geometry) -> list[int]:
    """The bit of each cell."""
    if count_mask_words(geometry) == 1:
        return [_SIDE * row + column for row, column in geometry.positions]
    return list(range(len(geometry.positions)))


# -- masks -----------------------------------------------------------------------------------------


def write_mask(cells: int, geometry: Geometry, row: Row, at: int) -> None:
    """Write a mask of cells to the words from `at`."""
    spots = list_spots(geometry)
    spread = mask(spots[cell] for cell in bits(cells))
    for word in range(count_mask_words(geometry)):
        row[at + word] = spread >> 64 * word & 0xFFFF_FFFF_FFFF_FFFF


def _read_mask(geometry: Geometry, row: Row, at: int) -> int:
    """Read the mask of cells in the words from `at`."""
    words = [int(row[at + word]) for word in range(count_mask_words(geometry))]
    return mask(cell for cell, spot in enumerate(list_spots(geometry)) if words[spot // 64] >> spot % 64 & 1)


def write_fish(board: Board, row: Row, at: int) -> None:
    """Write the binary digits of the fish on each tile as three masks from `at`."""
    for digit in range(3):
        cells = mask(cell for cell, fish in enumerate(board.fish) if fish >> digit & 1)
        write_mask(cells, board.geometry, row, at + digit * count_mask_words(board.geometry))


# -- states ----------------------------------------------------------------------------------------


def pack(state: State, row: Row) -> None:
    """Write `state` into `row`, all but its random numbers."""
    at, geometry = constants_for(state), state.board.geometry
    spots, words = list_spots(geometry), at["MASK_WORDS"]
    if max(state.fish) + max(state.board.fish) * len(spots) >= _COUNT_LIMIT or state.turn_number >= _COUNT_LIMIT:
        raise KernelSizeError("the kernel of Fish cannot count this many fish or turns")
    row[TURN] = OVER if state.turn is None else state.turn
    row[PLACING], row[OUT], row[TURNS] = state.placing, mask(state.out), state.turn_number
    write_mask(state.free, geometry, row, at["FREE"])
    write_fish(state.board, row, at["PLANES"])
    for seat, cells in enumerate(state.penguins):
        standing = [spots[cell] for cell in cells] + [NOBODY] * (LANES - len(cells))
        row[PENGUINS + seat] = sum(spot << LANE * lane for lane, spot in enumerate(standing))
        row[at["FISH"] + seat] = state.fish[seat]
        write_mask(state.collected[seat], geometry, row, at["COLLECTED"] + seat * words)


def unpack(row: Row, like: State) -> State:
    """The state in `row`; `like` is any state of the same setup and seats."""
    at, geometry, seats = constants_for(like), like.board.geometry, len(like.penguins)
    words, turn, out = at["MASK_WORDS"], int(row[TURN]), int(row[OUT])
    planes = [_read_mask(geometry, row, at["PLANES"] + digit * words) for digit in range(3)]
    cells = range(len(geometry.positions))
    fish = bytes(sum((plane >> cell & 1) << digit for digit, plane in enumerate(planes)) for cell in cells)
    return State(
        board=Board(geometry, fish),
        free=_read_mask(geometry, row, at["FREE"]),
        penguins=tuple(_read_penguins(geometry, int(row[PENGUINS + seat])) for seat in range(seats)),
        fish=tuple(int(row[at["FISH"] + seat]) for seat in range(seats)),
        collected=tuple(_read_mask(geometry, row, at["COLLECTED"] + seat * words) for seat in range(seats)),
        out=frozenset(Seat(seat) for seat in bits(out)),
        turn=None if turn == OVER else Seat(turn),
        placing=bool(row[PLACING]),
        turn_number=int(row[TURNS]),
    )


def _read_penguins(geometry: Geometry, lanes: int) -> tuple[Cell, ...]:
    """The cells of the penguins of one seat, in the order of placement."""
    cell_at = {spot: cell for cell, spot in enumerate(list_spots(geometry))}
    spots = [lanes >> LANE * lane & NOBODY for lane in range(LANES)]
    return tuple(cell_at[spot] for spot in spots if spot != NOBODY)


# -- cells and penguins ----------------------------------------------------------------------------

EMPTY = np.uint64(0xFFFF_FFFF_FFFF_FFFF)  # no penguins
_LANE_ONES, _LANE_TOPS = np.uint64(0x0001_0001_0001_0001), np.uint64(0x8000_8000_8000_8000)
_TOP_OF_LANE = np.uint64(15)
_IN_LANE = np.uint64(NOBODY)


def has_bit(row: Row, mask: int, bit: int) -> bool:
    """Is the bit set in the mask that begins at the word `mask`?"""
    word: np.uint64 = row[mask + (bit >> 6)]
    return bool(word >> to_word(bit & 63) & ONE)


def flip_bit(row: Row, mask: int, bit: int) -> None:
    """Change one bit of the mask that begins at the word `mask`."""
    row[mask + (bit >> 6)] ^= ONE << to_word(bit & 63)


def penguin_at(penguins: np.uint64, lane: int) -> int:
    """The bit where one penguin of a seat stands; NOBODY if it is not on the board."""
    return to_int(penguins >> to_word(lane * LANE) & _IN_LANE)


def move_lane(penguins: np.uint64, start: int, target: int) -> np.uint64:
    """The penguins of a seat after the one on `start` has gone to `target`."""
    others = penguins ^ to_word(start) * _LANE_ONES  # 0 in its lane
    its_lane = ~((others | _LANE_TOPS) - _LANE_ONES) & _LANE_TOPS
    return penguins ^ (its_lane >> _TOP_OF_LANE) * to_word(start ^ target)


def standing_cells(penguins: np.uint64) -> np.uint64:
    """The mask of one word with the penguins of a seat."""
    cells = ZERO
    for lane in range(LANES):
        bit = penguin_at(penguins, lane)
        if bit != NOBODY:
            cells |= ONE << to_word(bit)
    return cells


def cell_of(tables: Tables, bit: int) -> int:
    """The cell of a bit."""
    if MASK_WORDS == 1:
        return (bit >> 3) * to_int(tables[COLUMNS]) + (bit & 7)
    return bit


def fish_at(row: Row, bit: int) -> np.uint64:
    """How many fish were dealt to the tile."""
    word, place = PLANES + (bit >> 6), to_word(bit & 63)
    ones, twos, fours = row[word] >> place, row[word + MASK_WORDS] >> place, row[word + 2 * MASK_WORDS] >> place
    fish: np.uint64 = (ones & ONE) + ((twos & ONE) << ONE) + ((fours & ONE) << ONE << ONE)
    return fish


def is_out(row: Row, seat: int) -> bool:
    """Was the seat removed?"""
    out: np.uint64 = row[OUT]
    return bool(out >> to_word(seat) & ONE)


def placeable_word(row: Row, word: int) -> np.uint64:
    """One word of the mask of tiles where a penguin may be placed (Fish 2.6, 13.2)."""
    free: np.uint64 = row[FREE + word]
    if ORIGINAL:
        plane = PLANES + word
        free &= row[plane] & ~row[plane + MASK_WORDS] & ~row[plane + 2 * MASK_WORDS]
    return free


def count_placeable(row: Row) -> int:
    """On how many tiles a penguin may be placed."""
    count = 0
    for word in range(MASK_WORDS):
        count += count_bits(placeable_word(row, word))
    return count


def nth_bit(row: Row, rank: int, placing: int) -> int:
    """The free tile with `rank` others before it; if `placing`, of those where a penguin may be placed."""
    for word in range(MASK_WORDS):
        tiles: np.uint64 = placeable_word(row, word) if placing else row[FREE + word]
        count = count_bits(tiles)
        if rank < count:
            return (word << 6) + pick_bit_of_many(tiles, rank)
        rank -= count
    return 0
