"""Fish as numbers and arrays: sizes, the order of numbers, and the observation of one position by hand."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from fairplay.core import NumberError, Seat
from fairplay.games.fish import rules
from fairplay.games.fish.numbers import encoding_of
from fairplay.games.fish.state import Move, Place, Setup, View

from .samples import EXAMPLE, moving_state

SIZES = [
    (Setup(rows=5, columns=5), 225),
    (Setup(), 984),
    (Setup(variant="original"), 1_240),
    (Setup(rows=10, columns=10), 1_970),
    (Setup(rows=25, columns=25), 32_625),
]


@pytest.mark.parametrize(("setup", "actions"), SIZES)
def test_sizes(setup: Setup, actions: int) -> None:
    encoding = encoding_of(rules.start(setup, 2, Random(1)))
    assert encoding.actions == actions
    assert len(encoding.make_move_table()) == actions - encoding.shape[0] * encoding.shape[1]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_shape(seats: int) -> None:
    state = rules.start(Setup(rows=6, columns=7), seats, Random(1))
    encoding = encoding_of(state)
    assert encoding.shape == (6, 7, 3 * seats + 6)
    assert sum(each.size for each in encoding.channels) == 3 * seats + 6
    assert encoding is encoding_of(rules.view(state, Seat(1)))


def test_numbers_go_by_start_then_direction_then_distance() -> None:
    state = rules.start(Setup(), 2, Random(1))
    encoding, view = encoding_of(state), rules.view(state, Seat(0))
    assert encoding.action(0, view) == Place((0, 0))
    assert encoding.action(63, view) == Place((7, 7))
    first = [encoding.action(number, view) for number in range(64, 64 + 5)]
    assert first == [Move((0, 0), target) for target in ((1, 0), (2, 1), (3, 1), (4, 2), (5, 2))]  # SE first: no N, NE
    table = encoding.make_move_table()
    assert table[0].tolist() == [0, 2, 1]  # the cell, SE, one step
    assert table[4].tolist() == [0, 2, 5]
    number = encoding.number(Move((3, 3), (1, 3)), view)
    assert table[number - 64].tolist() == [27, 0, 1]  # N
    assert encoding.action(number + 1, view) == Move((3, 3), (2, 4))  # NE
    assert sorted(table.tolist()) == table.tolist()


def test_original_directions_start_with_north_east() -> None:
    state = rules.start(Setup(variant="original"), 2, Random(1))
    encoding, view = encoding_of(state), rules.view(state, Seat(0))
    number = encoding.number(Move((3, 3), (2, 3)), view)  # NE from an odd row
    assert encoding.make_move_table()[number - 64].tolist() == [27, 0, 1]
    assert encoding.number(Move((3, 3), (3, 4)), view) == number + 3  # E comes after three steps NE


def test_numbers_there_are_not() -> None:
    state = rules.start(Setup(rows=5, columns=5), 2, Random(1))
    encoding, view = encoding_of(state), rules.view(state, Seat(0))
    for number in (-1, 225):
        with pytest.raises(NumberError, match="from 0 to 224"):
            encoding.action(number, view)
    with pytest.raises(NumberError, match=r"\(5,0\) is not on the board"):
        encoding.number(Place((5, 0)), view)
    with pytest.raises(NumberError, match=r"no line leads from \(0,0\) to \(0,1\)"):
        encoding.number(Move((0, 0), (0, 1)), view)


def test_observation_of_the_example() -> None:
    view = View(Seat(1), EXAMPLE)  # Fish 8.7, seen by white
    encoding = encoding_of(view)
    out = np.full(encoding.shape, 7, np.float32)
    encoding.observe(view, out)
    fish = (out[:, :, :5] * np.arange(1, 6)).sum(axis=2)
    assert fish.tolist() == [[2, 2, 1], [3, 1, 2], [2, 1, 4], [1, 5, 2]]  # tiles under penguins are there
    assert np.argwhere(out[:, :, 5]).tolist() == [[2, 0], [2, 1]]  # mine
    assert np.argwhere(out[:, :, 6]).tolist() == [[0, 0], [0, 1]]  # red's
    assert not out[:, :, 7:].any()


def test_observation_after_a_move_and_a_removal() -> None:
    state = rules.apply(moving_state(), Move((0, 2), (2, 2)))
    state = rules.remove(state, Seat(1))
    out = np.full(encoding_of(state).shape, 7, np.float32)
    encoding_of(state).observe(rules.view(state, Seat(1)), out)
    assert not out[0, 2, :7].any()  # the tile that was left is a hole
    assert not out[2, 3, :7].any()  # and so is the one that never was
    assert out[0, 3, 1] == 1  # white's penguins leave, their tiles stay
    assert not out[:, :, 5].any()
    assert out[1, 1, 7:].tolist() == [0, 2 / 64, 1, 0, 0]  # my fish, red's; I am out, red is not; nobody places
