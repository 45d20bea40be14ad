"""How matches are dealt: the tables that all matches like one share, and the first row."""

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, count_bits, next_random, random_below, to_int
from fairplay.core.kernel import Row, Tables
from fairplay.games.fish.board import Board
from fairplay.games.fish.kernel.row import (
    CELLS,
    COLLECTED,
    COLUMNS,
    DRAWN,
    EMPTY,
    FISH,
    FREE,
    GIVEN,
    HEADER,
    LANE,
    MASK_WORDS,
    OUT,
    PENGUINS,
    PLACING,
    PLANES,
    RAYS,
    SEATS,
    SPOTS,
    TURNS,
    UNIFORM,
    count_mask_words,
    flip_bit,
    has_bit,
    list_spots,
    nth_bit,
    write_fish,
    write_mask,
)
from fairplay.games.fish.kernel.turns import next_placement
from fairplay.games.fish.numbers import make_encoding
from fairplay.games.fish.rules import ORIGINAL_FISH
from fairplay.games.fish.state import Setup, State

# -- tables ----------------------------------------------------------------------------------------


def make_tables(state: State, setup: Setup | None = None) -> Tables:
    """How to deal, the lines of the board, and what each action does; without `setup` its own board is dealt."""
    geometry, seats = state.board.geometry, len(state.penguins)
    words, spots, encoding = count_mask_words(geometry), list_spots(geometry), make_encoding(geometry, seats)
    rays_at = HEADER + 4 * words
    bits_with_rays = 64 if words == 1 else len(spots)
    moves_at = rays_at + bits_with_rays * RAYS + 1
    tables = np.zeros(moves_at + encoding.actions, np.uint64)
    tables[CELLS], tables[COLUMNS], tables[SPOTS] = len(spots), geometry.columns, bits_with_rays
    _write_deal(state, setup, tables)
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


def _write_deal(state: State, setup: Setup | None, tables: Tables) -> None:
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


# -- dealing ---------------------------------------------------------------------------------------


def start(tables: Tables, row: Row) -> None:
    """Deal a match by the row's random numbers, with the same chances as the rule book, from any row."""
    row[PLACING], row[OUT], row[TURNS] = ONE, ZERO, ZERO
    for seat in range(SEATS):
        row[PENGUINS + seat], row[FISH + seat] = EMPTY, ZERO
        for word in range(MASK_WORDS):
            row[COLLECTED + seat * MASK_WORDS + word] = ZERO
    for word in range(MASK_WORDS):
        _deal_word(tables, row, word)
    for fish in range(1, 4):
        for _ in range(to_int(tables[DRAWN + fish - 1])):
            _draw_tile(row, fish)
    for word in range(MASK_WORDS):
        row[FREE + word] = tables[GIVEN + word]
    next_placement(tables, row, SEATS - 1)


def _deal_word(tables: Tables, row: Row, word: int) -> None:
    """Deal the tiles of one word: what is given, or 1 to 5 fish each; all of them stay free to be drawn."""
    tiles: np.uint64 = tables[GIVEN + word]
    row[FREE + word] = tiles
    ones: np.uint64 = tables[GIVEN + MASK_WORDS + word]
    twos: np.uint64 = tables[GIVEN + 2 * MASK_WORDS + word]
    fours: np.uint64 = tables[GIVEN + 3 * MASK_WORDS + word]
    if tables[UNIFORM] != ZERO:
        ones, twos, fours, open = ZERO, ZERO, ZERO, tiles
        while open != ZERO:  # numbers from 0 to 7, and again if they are 5 or more
            ones = (ones & ~open) | (next_random(row) & open)
            twos = (twos & ~open) | (next_random(row) & open)
            fours = (fours & ~open) | (next_random(row) & open)
            open = fours & (ones | twos)
        fours |= ones & twos  # and one more
        twos ^= ones
        ones = ~ones & tiles
    row[PLANES + word], row[PLANES + MASK_WORDS + word], row[PLANES + 2 * MASK_WORDS + word] = ones, twos, fours


def _draw_tile(row: Row, fish: int) -> None:
    """Give one of the free tiles this number of fish, and set it aside."""
    tiles = 0
    for word in range(MASK_WORDS):
        tiles += count_bits(row[FREE + word])
    bit = nth_bit(row, random_below(row, tiles), 0)
    flip_bit(row, FREE, bit)
    for digit in range(3):
        plane = PLANES + digit * MASK_WORDS
        if has_bit(row, plane, bit) != (fish >> digit & 1 != 0):
            flip_bit(row, plane, bit)
