"""The board as one integer, beside a board as lists."""

from __future__ import annotations

import pickle
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from fairplay.core.immutable import bits as cells
from fairplay.games.labyrinth import tiles
from fairplay.games.labyrinth.board import (
    NOWHERE,
    OPPOSITE,
    Board,
    Grid,
    Slide,
    carry_avatars,
    grid_of,
    make_board,
    reachable,
    shortest_way,
    slide_board,
    slide_options,
    squared_distance,
)
from fairplay.games.labyrinth.deal import random_board
from fairplay.games.labyrinth.tiles import CONNECTORS, OPEN_SIDES, PAIRS, rotate_tile

from .reference import Maze
from .worlds import BOARD_B, started

SIDES = st.integers(1, 12)
DEGREES = st.sampled_from(tiles.DEGREES)


@st.composite
def boards(draw: st.DrawFn, most: int = 12) -> Board:
    rows, columns = draw(st.integers(1, most)), draw(st.integers(1, most))
    made = random_board(rows, columns, Random(draw(st.integers(0, 2**32))))
    original = draw(st.booleans())
    return make_board(made.tiles, made.spare, made.gems, original=original)


def maze(board: Board) -> Maze:
    connectors = [[CONNECTORS[tile] for tile in row] for row in board.tiles]
    return Maze(connectors, board.pairs, (CONNECTORS[board.spare], board.gems[-1]))


def spots(board: Board, mask: int) -> set[tuple[int, int]]:
    return {board.grid.positions[cell] for cell in cells(mask)}


def test_the_example_of_reachable_positions() -> None:
    """Labyrinth 1.9."""
    b = started().board
    assert [[CONNECTORS[tile] for tile in row] for row in b.tiles] == BOARD_B["connectors"]
    assert spots(b, reachable(b, (1, 1))) == {(1, 1), (1, 2), (2, 1), (2, 2)}
    assert reachable(b, (3, 0)) == 0
    assert reachable(b, NOWHERE) == 0


@given(made=boards())
def test_what_is_reachable_is_what_the_reference_finds(made: Board) -> None:
    """Labyrinth 1.5, on every size and from everywhere."""
    naive = maze(made)
    for spot in naive.spots:
        assert spots(made, reachable(made, spot)) == naive.reachable(spot)


@given(made=boards(), data=st.data())
def test_slides_are_those_of_the_reference(made: Board, data: st.DataObject) -> None:
    """Labyrinth 3.3, 3.4: many in a row, so that tiles come back in."""
    naive = maze(made)
    everywhere = tuple(naive.spots)
    for _ in range(6):
        if not made.grid.shifts:
            return  # one row and one column, both fixed
        shift, degree = data.draw(st.sampled_from(made.grid.shifts)), data.draw(DEGREES)
        slide = shift.slide.index, shift.slide.direction
        made = slide_board(made, shift, degree)
        naive.slide(*slide, degree)
        assert maze(made).rows == naive.rows
        assert maze(made).spare == naive.spare
        moved = carry_avatars(everywhere, shift)
        assert moved == tuple(naive.carried(spot, *slide) for spot in everywhere)
        for after in everywhere:
            before = shift.cells_before(1 << made.grid.cell(after))
            assert spots(made, before) == {spot for spot in everywhere if naive.carried(spot, *slide) == after}


@given(made=boards(7), data=st.data())
def test_outlooks_are_slides_and_floods(made: Board, data: st.DataObject) -> None:
    """Whatever an outlook saves itself, it must find what sliding and flooding finds."""
    at = data.draw(st.sampled_from(maze(made).spots))
    slides = [shift.slide for shift in made.grid.shifts]
    last = data.draw(st.none() | st.sampled_from(slides)) if slides else None
    seen: list[Any] = []
    for shift, tile, degrees, ends in slide_options(made, at, last):
        assert last is None or shift.slide != Slide(last.index, OPPOSITE[last.direction])
        after_at = shift.carry.get(at, at)
        place = 0 if made.grid.original else 1 << made.grid.cell(after_at)  # Labyrinth 3.5, 13.2
        for degree in degrees:
            assert rotate_tile(made.spare, degree) == tile
            assert ends == reachable(slide_board(made, shift, degree), after_at) & ~place
            seen.append((shift.slide, degree))
    assert len(set(seen)) == len(seen) == 4 * (len(slides) - (last is not None))


def test_outlooks_from_off_the_board_are_none() -> None:
    assert list(slide_options(started().board, (9, 9), None)) == []


@given(made=boards(7), data=st.data())
def test_a_way_is_a_shortest_chain_of_connected_tiles(made: Board, data: st.DataObject) -> None:
    naive = maze(made)
    start = data.draw(st.sampled_from(naive.spots))
    end = data.draw(st.sampled_from(sorted(naive.reachable(start))))
    chain = shortest_way(made, start, end)
    assert (chain[0], chain[-1]) == (start, end)
    assert len(set(chain)) == len(chain)
    for one, other in pairwise(chain):
        assert squared_distance(one, other) == 1
        pair = made.grid.step(made.sides, 1 << made.grid.cell(one))
        assert pair >> made.grid.cell(other) & 1


def test_where_there_is_no_way_the_search_for_one_ends() -> None:
    with pytest.raises(ValueError, match=r"no way leads from \(2, 4\) to \(0, 0\)"):
        shortest_way(started().board, (2, 4), (0, 0))


def test_movable_and_fixed_lines() -> None:
    """Labyrinth 1.7, 8.3, 13.2."""
    standard = grid_of(3, 5)
    assert [(shift.slide.index, shift.slide.direction) for shift in standard.shifts] == [
        (0, "LEFT"), (0, "RIGHT"), (2, "LEFT"), (2, "RIGHT"),
        (0, "UP"), (0, "DOWN"), (2, "UP"), (2, "DOWN"), (4, "UP"), (4, "DOWN"),
    ]  # fmt: skip
    assert standard.fixed == [(1, 1), (1, 3)]
    assert len(grid_of(7, 7).fixed) == 9
    assert len(grid_of(7, 7, 1).shifts) == 12
    assert len(grid_of(7, 7, 1).fixed) == 16


def test_a_grid_is_one_of_its_kind_wherever_it_comes_from() -> None:
    made = grid_of(4, 6)
    assert pickle.loads(pickle.dumps(made)) is made
    assert Grid(4, 6, 0) == made, "even one that the cache has forgotten"
    assert hash(Grid(4, 6, 0)) == hash(made)
    assert grid_of(4, 6, 1) != made
    assert made != (4, 6, 0)
    assert repr(made) == "grid(4, 6)"
    assert repr(grid_of(7, 7, 1)) == "grid(7, 7, 1)"


def test_an_empty_board_has_nothing() -> None:
    nothing = make_board([], OPEN_SIDES["┼"], PAIRS[:1])
    assert nothing.tiles == []
    assert nothing.pairs == []
    assert list(nothing.grid.shifts) == []


def test_an_empty_mask_has_no_cells() -> None:
    assert list(cells(0)) == []
    assert list(cells(0b1010010)) == [1, 4, 6]
