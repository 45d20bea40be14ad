"""A match of Fish as a row of words: where everything lies, and the way from a state to a row and back.

Cells of boards with at most eight rows and columns are the bits of one word, eight to a row of the board; on all
others a bit is the number of the cell, and a mask has several words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from fairplay.core import KernelSizeError, Seat
from fairplay.core.kernel import OVER, Row, Tables
from fairplay.games.fish.board import Board, Cell, Geometry, bits, mask
from fairplay.games.fish.numbers import make_encoding
from fairplay.games.fish.rules import ORIGINAL_FISH
from fairplay.games.fish.rules import SEATS as SEAT_COUNTS
from fairplay.games.fish.state import Setup, State

__all__ = [
    "CELLS",
    "COLLECTED",
    "COLUMNS",
    "DRAWN",
    "FISH",
    "FREE",
    "GIVEN",
    "HEADER",
    "LANE",
    "LANES",
    "MASK_WORDS",
    "NOBODY",
    "OUT",
    "PENGUINS",
    "PLACING",
    "PLANES",
    "RAYS",
    "SEATS",
    "SPOTS",
    "TURN",
    "TURNS",
    "UNIFORM",
    "WORDS",
    "constants_for",
    "make_tables",
    "pack",
    "unpack",
]

# -- a row; the values are those of eight rows and columns and two seats, others come from `constants_for` ----------

MASK_WORDS = 1
SEATS = 2

TURN: Final = 1  # the seat, or OVER
PLACING: Final = 2  # 1 while penguins are being placed
OUT: Final = 3  # mask of the seats that were removed
TURNS: Final = 4  # completed turns
PENGUINS: Final = 5  # of each seat: the bits where they stand in the order of placement, 16 bits each
FISH = 7  # of each seat: collected so far
FREE = 9  # mask
PLANES = 10  # three masks: the binary digits of the fish on each tile as it was dealt
COLLECTED = 13  # of each seat: mask of the tiles
WORDS = 15

LANE: Final = 16
NOBODY: Final = 0xFFFF  # in a lane without a penguin
LANES: Final = 4

# -- tables --------------------------------------------------------------------------------------------------------

CELLS: Final = 0  # how many
SPOTS: Final = 1  # how many bits have rays
UNIFORM: Final = 2  # 1 if tiles get 1 to 5 fish at random, 0 if they get what is given
DRAWN: Final = 3  # how many tiles are drawn to have 1, 2 and 3 fish instead
COLUMNS: Final = 6
HEADER: Final = 7
GIVEN: Final = 7  # then four masks: tiles, and the digits of the fish; then the rays of each bit; then the actions

RAYS: Final = 6
"""Rays of each bit: the number of its first move in each direction."""

MASK_SIZES: Final = (1, 2, 4, 10)
SIDE: Final = 8  # of boards whose masks are one word
COUNT_LIMIT: Final = 2**32  # of fish and turns


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
    if max(geometry.rows, geometry.columns) <= SIDE:
        return 1
    cells = len(geometry.positions)
    for words in MASK_SIZES[1:]:
        if cells <= 64 * words:
            return words
    raise KernelSizeError(f"the kernel of Fish is for boards with at most {64 * MASK_SIZES[-1]} cells, not {cells}")


def list_spots(geometry: Geometry) -> list[int]:
    """The bit of each cell."""
    if count_mask_words(geometry) == 1:
        return [SIDE * row + column for row, column in geometry.positions]
    return list(range(len(geometry.positions)))


# -- masks ---------------------------------------------------------------------------------------------------------


def write_mask(cells: int, geometry: Geometry, row: Row, at: int) -> None:
    """Write a mask of cells to the words from `at`."""
    spots = list_spots(geometry)
    spread = mask(spots[cell] for cell in bits(cells))
    for word in range(count_mask_words(geometry)):
        row[at + word] = spread >> 64 * word & 0xFFFF_FFFF_FFFF_FFFF


def read_mask(geometry: Geometry, row: Row, at: int) -> int:
    """Read the mask of cells in the words from `at`."""
    words = [int(row[at + word]) for word in range(count_mask_words(geometry))]
    return mask(cell for cell, spot in enumerate(list_spots(geometry)) if words[spot // 64] >> spot % 64 & 1)


def write_fish(board: Board, row: Row, at: int) -> None:
    """Write the binary digits of the fish on each tile as three masks from `at`."""
    for digit in range(3):
        cells = mask(cell for cell, fish in enumerate(board.fish) if fish >> digit & 1)
        write_mask(cells, board.geometry, row, at + digit * count_mask_words(board.geometry))


# -- tables and states ---------------------------------------------------------------------------------------------


def make_tables(state: State, setup: Setup | None = None) -> Tables:
    """How to deal, the lines of the board, and what each action does; without `setup` its own board is dealt."""
    geometry, seats = state.board.geometry, len(state.penguins)
    words, spots, encoding = count_mask_words(geometry), list_spots(geometry), make_encoding(geometry, seats)
    rays_at = HEADER + 4 * words
    bits_with_rays = 64 if words == 1 else len(spots)
    moves_at = rays_at + bits_with_rays * RAYS + 1
    tables = np.zeros(moves_at + encoding.actions, np.uint64)
    tables[CELLS], tables[COLUMNS], tables[SPOTS] = len(spots), geometry.columns, bits_with_rays
    write_deal(state, setup, tables)
    number = len(spots)
    rays = {spots[cell]: [len(ray) for ray in rays.values()] for cell, rays in enumerate(geometry.rays)}
    for spot in range(bits_with_rays):
        for direction, length in enumerate(rays.get(spot, [0] * RAYS)):
            tables[rays_at + spot * RAYS + direction] = number
            number += length
    tables[moves_at - 1] = number
    tables[moves_at : moves_at + len(spots)] = spots
    tables[moves_at + len(spots) :] = [spots[start] << LANE | spots[target] for start, target in encoding.moves]
    return tables


def write_deal(state: State, setup: Setup | None, tables: Tables) -> None:
    """Write what `start` deals from (Fish 2.2, 13.2)."""
    board, words = state.board, count_mask_words(state.board.geometry)
    write_mask(board.tiles, board.geometry, tables, GIVEN)
    write_fish(board, tables, GIVEN + words)
    if setup is None or setup.board is not None or setup.fish is not None:
        return
    if setup.variant == "original":
        plain = Board(board.geometry, bytes(min(fish, 1) for fish in board.fish))
        write_fish(plain, tables, GIVEN + words)
        tables[DRAWN + 1], tables[DRAWN + 2] = ORIGINAL_FISH[2], ORIGINAL_FISH[3]
    else:
        tables[UNIFORM], tables[DRAWN] = 1, setup.ones


def pack(state: State, row: Row) -> None:
    """Write `state` into `row`, all but its random numbers."""
    at, geometry = constants_for(state), state.board.geometry
    spots, words = list_spots(geometry), at["MASK_WORDS"]
    if max(state.fish) + max(state.board.fish) * len(spots) >= COUNT_LIMIT or state.turn_number >= COUNT_LIMIT:
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
    planes = [read_mask(geometry, row, at["PLANES"] + digit * words) for digit in range(3)]
    cells = range(len(geometry.positions))
    fish = bytes(sum((plane >> cell & 1) << digit for digit, plane in enumerate(planes)) for cell in cells)
    return State(
        board=Board(geometry, fish),
        free=read_mask(geometry, row, at["FREE"]),
        penguins=tuple(read_penguins(geometry, int(row[PENGUINS + seat])) for seat in range(seats)),
        fish=tuple(int(row[at["FISH"] + seat]) for seat in range(seats)),
        collected=tuple(read_mask(geometry, row, at["COLLECTED"] + seat * words) for seat in range(seats)),
        out=frozenset(Seat(seat) for seat in bits(out)),
        turn=None if turn == OVER else Seat(turn),
        placing=bool(row[PLACING]),
        turn_number=int(row[TURNS]),
    )


def read_penguins(geometry: Geometry, lanes: int) -> tuple[Cell, ...]:
    """The cells of the penguins of one seat, in the order of placement."""
    cell_at = {spot: cell for cell, spot in enumerate(list_spots(geometry))}
    spots = [lanes >> LANE * lane & NOBODY for lane in range(LANES)]
    return tuple(cell_at[spot] for spot in spots if spot != NOBODY)
