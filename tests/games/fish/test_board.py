"""The geometry of both boards (Fish 1, 13)."""

from __future__ import annotations

import copy
import pickle

import networkx
import pytest
from hypothesis import given, strategies as st

from fairplay.core.immutable import bits, mask
from fairplay.games.fish.board import CACHE_SIZE, Layout, LineCache, geometry_of, make_board, pad_rows

EXAMPLE = [[1, 2, 3], [4, 0, 5], [1, 1], [2, 3, 1]]  # board B of Fish 1.10


def reachable_from(rows: list[list[int]], position: tuple[int, int]) -> set[tuple[int, int]]:
    board = make_board(rows)
    start = board.geometry.cell(position)
    assert start is not None
    return {board.geometry.positions[cell] for cell in bits(board.geometry.reachable(start, board.tiles))}


def test_1_10_the_example() -> None:
    assert pad_rows(EXAMPLE) == [[1, 2, 3], [4, 0, 5], [1, 1, 0], [2, 3, 1]]
    assert reachable_from(EXAMPLE, (1, 0)) == {(0, 1), (2, 1), (3, 1), (3, 0), (2, 0), (0, 0)}
    assert reachable_from(EXAMPLE, (3, 2)) == {(1, 2)}


def test_1_7_directions_in_canonical_order_and_rows_that_never_touch() -> None:
    shape = geometry_of(5, 5, Layout.STANDARD)
    middle = shape.rays[12]
    assert list(middle) == ["N", "NE", "SE", "S", "SW", "NW"]
    assert [shape.positions[ray[0]] for ray in middle.values()] == [(0, 2), (1, 2), (3, 2), (4, 2), (3, 1), (1, 1)]
    assert all(shape.positions[cell][0] != 2 for cell in bits(shape.adjacent[12]))
    assert list(geometry_of(8, 8, Layout.ORIGINAL).rays[0]) == ["NE", "E", "SE", "SW", "W", "NW"]


@pytest.mark.parametrize("layout", list(Layout))
def test_neighbours_are_mutual_and_the_board_hangs_together(layout: Layout) -> None:
    shape = geometry_of(7, 6, layout)
    pairs = {(cell, other) for cell in range(42) for other in bits(shape.adjacent[cell])}
    assert pairs == {(other, cell) for cell, other in pairs}
    assert networkx.is_connected(networkx.Graph(list(pairs)))


@given(st.integers(1, 9), st.integers(1, 9), st.sampled_from(Layout), st.integers(0), st.data())
def test_1_9_the_caches_agree_with_walking(
    rows: int, columns: int, layout: Layout, free: int, data: st.DataObject
) -> None:
    shape = geometry_of(rows, columns, layout)
    start = data.draw(st.integers(0, rows * columns - 1))
    expected = set()
    for ray in shape.rays[start].values():
        for cell in ray:
            if not free >> cell & 1:
                break
            expected.add(cell)
    assert set(bits(shape.reachable(start, free))) == expected


def test_a_full_cache_starts_again_and_still_answers() -> None:
    cache = LineCache(lambda free: free + 1)
    assert [cache[free] for free in range(CACHE_SIZE + 5)] == list(range(1, CACHE_SIZE + 6))
    assert len(cache) == 5


def test_one_geometry_per_shape_survives_copies() -> None:
    shape = geometry_of(3, 4, Layout.STANDARD)
    assert pickle.loads(pickle.dumps(shape)) is shape
    assert copy.deepcopy(make_board([[1] * 4] * 3)).geometry is shape


def test_equal_shapes_are_equal_even_when_one_was_forgotten() -> None:
    shape = geometry_of(3, 4, Layout.STANDARD)
    geometry_of.cache_clear()
    again = geometry_of(3, 4, Layout.STANDARD)
    assert again is not shape
    assert again == shape
    assert hash(again) == hash(shape)
    assert shape != geometry_of(4, 3, Layout.STANDARD)
    assert shape != geometry_of(3, 4, Layout.ORIGINAL)


def test_off_the_board_is_no_cell() -> None:
    shape = geometry_of(3, 4, Layout.STANDARD)
    assert [shape.cell(spot) for spot in [(0, 0), (2, 3), (3, 0), (0, 4), (-1, 0), (0, -1)]] == [
        0,
        11,
        None,
        None,
        None,
        None,
    ]


def test_masks() -> None:
    assert mask([0, 3]) == 0b1001
    assert list(bits(0b1001)) == [0, 3]
    board = make_board([[1, 0, 3], [2, 1, 1]])
    assert board.tiles == 0b111101
    assert board.ones == 0b110001
    assert make_board([]).tiles == 0
    assert make_board([[], []]).ones == 0
