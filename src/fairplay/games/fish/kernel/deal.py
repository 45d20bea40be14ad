"""How matches are dealt: the tables that all matches like one share, and the first row."""

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, count_bits, next_random, random_below, to_int
from fairplay.core.kernel import Row, Tables
from fairplay.games.fish.board import Board
from fairplay.games.fish.kernel import row as layout
from fairplay.games.fish.kernel.turns import next_placement
from fairplay.games.fish.numbers import make_encoding
from fairplay.games.fish.rules import ORIGINAL_FISH
from fairplay.games.fish.state import Setup, State

# -- tables ----------------------------------------------------------------------------------------


def make_tables(state: State, setup: Setup | None = None) -> Tables:
    """How to deal, the lines of the board, and what each action does; without `setup` its own board is dealt."""
    geometry, seats = state.board.geometry, len(state.penguins)
    words, spots = layout.count_mask_words(geometry), layout.list_spots(geometry)
    encoding = make_encoding(geometry, seats)
    rays_at = layout.HEADER + 4 * words
    bits_with_rays = 64 if words == 1 else len(spots)
    moves_at = rays_at + bits_with_rays * layout.RAYS + 1
    tables = np.zeros(moves_at + encoding.actions, np.uint64)
    tables[layout.CELLS], tables[layout.COLUMNS], tables[layout.SPOTS] = len(spots), geometry.columns, bits_with_rays
    _write_deal(state, setup, tables)
    number = len(spots)
    rays = {spots[cell]: [len(ray) for ray in rays.values()] for cell, rays in enumerate(geometry.rays)}
    for spot in range(bits_with_rays):
        for direction, length in enumerate(rays.get(spot, [0] * layout.RAYS)):
            tables[rays_at + spot * layout.RAYS + direction] = number
            number += length
    tables[moves_at - 1] = number
    tables[moves_at : moves_at + len(spots)] = spots
    tables[moves_at + len(spots) :] = [spots[start] << layout.LANE | spots[target] for start, target in encoding.moves]
    return tables


def _write_deal(state: State, setup: Setup | None, tables: Tables) -> None:
    """Write what `start` deals from (Fish 2.2, 13.2)."""
    board, words = state.board, layout.count_mask_words(state.board.geometry)
    layout.write_mask(board.tiles, board.geometry, tables, layout.GIVEN)
    layout.write_fish(board, tables, layout.GIVEN + words)
    if setup is None or setup.board is not None or setup.fish is not None:
        return
    if setup.variant == "original":
        plain = Board(board.geometry, bytes(min(fish, 1) for fish in board.fish))
        layout.write_fish(plain, tables, layout.GIVEN + words)
        tables[layout.DRAWN + 1], tables[layout.DRAWN + 2] = ORIGINAL_FISH[2], ORIGINAL_FISH[3]
    else:
        tables[layout.UNIFORM], tables[layout.DRAWN] = 1, setup.ones


# -- dealing ---------------------------------------------------------------------------------------


def start(tables: Tables, row: Row) -> None:
    """Deal a match by the row's random numbers, with the same chances as the rule book, from any row."""
    row[layout.PLACING], row[layout.OUT], row[layout.TURNS] = ONE, ZERO, ZERO
    for seat in range(layout.SEATS):
        row[layout.PENGUINS + seat], row[layout.FISH + seat] = layout.EMPTY, ZERO
        for word in range(layout.MASK_WORDS):
            row[layout.COLLECTED + seat * layout.MASK_WORDS + word] = ZERO
    for word in range(layout.MASK_WORDS):
        _deal_word(tables, row, word)
    for fish in range(1, 4):
        for _ in range(to_int(tables[layout.DRAWN + fish - 1])):
            _draw_tile(row, fish)
    for word in range(layout.MASK_WORDS):
        row[layout.FREE + word] = tables[layout.GIVEN + word]
    next_placement(tables, row, layout.SEATS - 1)


def _deal_word(tables: Tables, row: Row, word: int) -> None:
    """Deal the tiles of one word: what is given, or 1 to 5 fish each; all of them stay free to be drawn."""
    tiles: np.uint64 = tables[layout.GIVEN + word]
    row[layout.FREE + word] = tiles
    ones: np.uint64 = tables[layout.GIVEN + layout.MASK_WORDS + word]
    twos: np.uint64 = tables[layout.GIVEN + 2 * layout.MASK_WORDS + word]
    fours: np.uint64 = tables[layout.GIVEN + 3 * layout.MASK_WORDS + word]
    if tables[layout.UNIFORM] != ZERO:
        ones, twos, fours, open = ZERO, ZERO, ZERO, tiles
        while open != ZERO:  # numbers from 0 to 7, and again if they are 5 or more
            ones = (ones & ~open) | (next_random(row) & open)
            twos = (twos & ~open) | (next_random(row) & open)
            fours = (fours & ~open) | (next_random(row) & open)
            open = fours & (ones | twos)
        fours |= ones & twos  # and one more
        twos ^= ones
        ones = ~ones & tiles
    plane = layout.PLANES + word
    row[plane], row[plane + layout.MASK_WORDS], row[plane + 2 * layout.MASK_WORDS] = ones, twos, fours


def _draw_tile(row: Row, fish: int) -> None:
    """Give one of the free tiles this number of fish, and set it aside."""
    tiles = 0
    for word in range(layout.MASK_WORDS):
        tiles += count_bits(row[layout.FREE + word])
    bit = layout.nth_bit(row, random_below(row, tiles), 0)
    layout.flip_bit(row, layout.FREE, bit)
    for digit in range(3):
        plane = layout.PLANES + digit * layout.MASK_WORDS
        if layout.has_bit(row, plane, bit) != (fish >> digit & 1 != 0):
            layout.flip_bit(row, plane, bit)


def imagine(tables: Tables, row: Row, seat: int) -> None:
    """Nothing: Fish hides nothing."""
