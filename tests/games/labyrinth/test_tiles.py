"""Connectors, rotation, gems."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, cast

import pytest

from fairplay.games.labyrinth.tiles import CONNECTORS, DEGREES, GEMS, OPEN_SIDES, PAIRS, ROTATIONS, rotate_tile

from .reference import OPEN, turned


@pytest.mark.parametrize("cycle", ["│─│─│", "┐┌└┘┐", "┬├┴┤┬", "┼┼┼┼┼"])
def test_a_quarter_turn_is_counter_clockwise(cycle: str) -> None:
    """Labyrinth 1.6."""
    for before, after in pairwise(cycle):
        assert CONNECTORS[rotate_tile(OPEN_SIDES[cast("Any", before)], 90)] == after


def test_every_rotation_is_that_of_the_reference() -> None:
    for connector in OPEN:
        sides = OPEN_SIDES[cast("Any", connector)]
        for degree in DEGREES:
            assert CONNECTORS[rotate_tile(sides, degree)] == turned(connector, degree)


def test_eleven_connectors_have_the_sides_of_the_rule_book() -> None:
    """Labyrinth 1.4."""
    letters = dict(enumerate("NESW"))
    assert {
        connector: {letters[bit] for bit in range(4) if tile >> bit & 1} for connector, tile in OPEN_SIDES.items()
    } == {connector: set(sides) for connector, sides in OPEN.items()}


def test_rotations_group_the_degrees_that_look_alike() -> None:
    assert [degrees for _, degrees in ROTATIONS[OPEN_SIDES["│"]]] == [(0, 180), (90, 270)]
    assert [degrees for _, degrees in ROTATIONS[OPEN_SIDES["┼"]]] == [DEGREES]
    assert [degrees for _, degrees in ROTATIONS[OPEN_SIDES["┐"]]] == [(0,), (90,), (180,), (270,)]


def test_there_are_102_gems_in_code_point_order() -> None:
    """Labyrinth 10.6."""
    assert len(set(GEMS)) == 102
    assert sorted(GEMS) == list(GEMS)
    assert len(set(PAIRS)) == 102 * 101 // 2
    assert all(first < second for first, second in PAIRS)
