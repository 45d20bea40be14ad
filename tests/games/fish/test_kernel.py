"""The kernel of Fish against its rule book, move by move, interpreted and compiled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from fairplay.core import KernelSizeError, Seat
from fairplay.core.kernel import OVER
from fairplay.games.fish import GAME, kernel, rules
from fairplay.games.fish.board import make_board
from fairplay.games.fish.state import Setup
from fairplay.kernels.code import How
from fairplay.kernels.loading import load_kernel

from .samples import EXAMPLE, moving_state

TABLES = [
    (Setup(), 2),
    (Setup(), 3),
    (Setup(), 4),
    (Setup(rows=5, columns=5, ones=6), 2),
    (Setup(rows=7, columns=3, fish=4), 3),
    (Setup(rows=8, columns=6, holes=((0, 0), (3, 2), (7, 5))), 4),
    (Setup(rows=4, columns=2), 2),
    (Setup(board=((5, 4, 3), (2, 1), (0, 1, 2), (3, 4, 5))), 2),
    (Setup(variant="original"), 2),
    (Setup(variant="original"), 3),
    (Setup(variant="original"), 4),
    (Setup(rows=3, columns=20), 2),
    (Setup(rows=25, columns=1), 3),
    (Setup(rows=10, columns=10, holes=((4, 4), (9, 9)), ones=30), 2),
    (Setup(rows=16, columns=16), 4),
    (Setup(rows=25, columns=25), 3),
]


class Match:
    """One match twice: as a state of the rule book and as a row of the kernel."""

    def __init__(self, setup: Setup, seats: int, seed: int, how: How = "interpreted") -> None:
        self.rng = Random(seed)
        self.state = rules.start(setup, seats, self.rng)
        loaded = load_kernel(GAME, self.state, setup=setup, how=how)
        self.kernel, self.tables, self.encoding = SimpleNamespace(**loaded.functions), loaded.tables, loaded.encoding
        self.row: NDArray[np.uint64] = np.full(loaded.words, 7, np.uint64)
        kernel.pack(self.state, self.row)

    def step(self, number: int) -> None:
        view = rules.view(self.state, self.mover())
        self.state = rules.apply(self.state, self.encoding.action(number, view))
        self.kernel.step(self.tables, self.row, number)

    def remove(self, seat: Seat) -> None:
        self.state = rules.remove(self.state, seat)
        self.kernel.remove(self.tables, self.row, seat)

    def mover(self) -> Seat:
        assert self.state.turn is not None
        return self.state.turn

    def legal(self) -> list[int]:
        out = np.full(self.encoding.actions, -1, np.int64)
        return [int(number) for number in out[: self.kernel.legal(self.tables, self.row, out)]]


def compare(match: Match) -> None:
    """The row answers everything as the state does."""
    state, encoding, tables, row = match.state, match.encoding, match.tables, match.row
    assert kernel.unpack(row, state) == state
    assert match.kernel.to_move(tables, row) == (OVER if state.turn is None else state.turn)
    shown = np.full(encoding.actions, 7, np.int8)
    match.kernel.legal_mask(tables, row, shown)
    numbers = [] if state.turn is None else list(encoding.legal_numbers(rules.view(state, state.turn)))
    assert match.legal() == numbers == np.flatnonzero(shown).tolist()
    seats = len(state.penguins)
    points = np.zeros(seats, np.int64)
    match.kernel.scores(tables, row, points)
    exact = rules.scores(state)
    order = [exact.get(Seat(seat), (-1,)) for seat in range(seats)]
    assert [sorted(order).index(score) for score in order] == [sorted(points).index(score) for score in points]


def compare_arrays(match: Match) -> None:
    for seat in range(len(match.state.penguins)):
        expected = np.full(match.encoding.shape, 7, np.float32)
        found = np.full(expected.size, 7, np.float32)
        match.encoding.observe(rules.view(match.state, Seat(seat)), expected)
        match.kernel.observe(match.tables, match.row, seat, found)
        assert np.array_equal(found, expected.ravel())


def play(match: Match, removals: float) -> Iterator[None]:
    """Choose at random, and remove a seat now and then, to the end."""
    rng = match.rng
    while match.state.turn is not None:
        yield
        if rng.random() < removals and (seats := rules.remaining_seats(match.state)):
            match.remove(rng.choice(seats))
        else:
            match.step(rng.choice(match.legal()))
    yield


@pytest.mark.parametrize(("setup", "seats"), TABLES)
@pytest.mark.parametrize("removals", [0, 0.05])
def test_same_as_the_rule_book(setup: Setup, seats: int, removals: float) -> None:
    match = Match(setup, seats, 11)
    large = match.encoding.actions > 2_000
    with np.errstate(over="ignore"):
        for turn, _ in enumerate(play(match, removals)):
            if not large or turn % 25 == 0:
                compare(match)
            if turn % (50 if large else 5) == 0:
                compare_arrays(match)
        compare(match)
        compare_arrays(match)


SOME = [TABLES[index] for index in (0, 2, 5, 6, 8, 10, 11, 13)]


@pytest.mark.parametrize(("setup", "seats"), SOME)
def test_playout_chooses_as_random_action_does(setup: Setup, seats: int) -> None:
    match = Match(setup, seats, 3)
    rows = match.kernel
    for seed in range(1, 4):
        with np.errstate(over="ignore"):
            match.row[0] = seed
            rows.start(match.tables, match.row)
            match.state = kernel.unpack(match.row, match.state)
            assert match.state == rules.begin_match(match.state.board, seats)
            played, turns = match.row.copy(), 0
            assert rows.playout(match.tables, played) > 0
            while match.state.turn is not None:
                match.step(rows.random_action(match.tables, match.row))
                turns += 1
        assert played.tolist() == match.row.tolist()
        assert kernel.unpack(match.row, match.state) == match.state
        assert match.state.turn_number == turns


def test_playout_from_the_middle_and_from_the_end() -> None:
    for state in (moving_state(), EXAMPLE):
        loaded = load_kernel(GAME, state, how="interpreted")
        row = np.ones(loaded.words, np.uint64)
        kernel.pack(state, row)
        with np.errstate(over="ignore"):
            turns = loaded.functions["playout"](loaded.tables, row)
            assert turns == kernel.unpack(row, state).turn_number - state.turn_number > 0
            assert loaded.functions["playout"](loaded.tables, row) == 0
            loaded.functions["start"](loaded.tables, row)
        assert kernel.unpack(row, state) == rules.begin_match(state.board, len(state.penguins))


@pytest.mark.parametrize("setup", [Setup(), Setup(variant="original"), Setup(rows=9, columns=9)])
def test_every_action_has_the_same_chance(setup: Setup) -> None:
    match, chosen = Match(setup, 2, 5), Counter[int]()
    with np.errstate(over="ignore"):
        for _ in range(20):
            match.step(match.rng.choice(match.legal()))
        legal = match.legal()
        for _ in range(40 * len(legal)):
            chosen[int(match.kernel.random_action(match.tables, match.row))] += 1
    assert sorted(chosen) == legal
    assert all(10 < count < 80 for count in chosen.values())


def deal(setup: Setup, count: int) -> list[bytes]:
    """Deal boards by the kernel."""
    match = Match(setup, 2, 1)
    match.row[0] = 99
    boards = []
    with np.errstate(over="ignore"):
        for _ in range(count):
            match.kernel.start(match.tables, match.row)
            boards.append(kernel.unpack(match.row, match.state).board.fish)
    return boards


@pytest.mark.parametrize(("rows", "columns"), [(6, 6), (4, 9)])
def test_tiles_get_one_to_five_fish(rows: int, columns: int) -> None:
    boards = deal(Setup(rows=rows, columns=columns, holes=((1, 1), (3, 0))), 400)
    counts = Counter(fish for board in boards for fish in board)
    assert counts.pop(0) == 2 * 400
    assert all(abs(counts[fish] / (34 * 400) - 0.2) < 0.02 for fish in range(1, 6))
    by_cell = [Counter(board[cell] for board in boards) for cell in (0, 13, 35)]
    assert all(40 < seen[fish] < 120 for seen in by_cell for fish in range(1, 6))


def test_least_number_of_ones() -> None:
    boards = deal(Setup(rows=6, columns=6, ones=26), 300)
    assert min(board.count(1) for board in boards) == 26
    assert abs(sum(board.count(1) for board in boards) / 300 - 28) < 0.5  # and a fifth of the other ten
    assert all(190 < sum(board[cell] == 1 for board in boards) < 275 for cell in range(36))


def test_original_boards_are_shuffled() -> None:
    boards = deal(Setup(variant="original"), 300)
    assert all(Counter(board) == {0: 4, 1: 30, 2: 20, 3: 10} for board in boards)
    for cell in (0, 30, 63):
        seen = Counter(board[cell] for board in boards)
        assert 110 < seen[1] < 190
        assert 25 < seen[3] < 80


def test_given_boards_stay() -> None:
    for setup in (Setup(fish=3), TABLES[7][0]):
        board = rules.start(setup, 2, Random(1)).board
        assert deal(setup, 3) == [board.fish] * 3


def test_sizes_there_are_not() -> None:
    state = rules.begin_match(make_board([[1] * 26] * 26), 2)
    with pytest.raises(KernelSizeError, match="at most 640 cells, not 676"):
        kernel.constants_for(state)
    with pytest.raises(KernelSizeError, match="2 to 4 seats"):
        kernel.constants_for(replace(EXAMPLE, penguins=((),) * 5))
    with pytest.raises(KernelSizeError, match="this many fish"):
        kernel.pack(replace(EXAMPLE, fish=(2**32, 0)), np.zeros(99, np.uint64))


@pytest.mark.parametrize("setup", [Setup(), Setup(rows=9, columns=9)])
def test_compiled_as_interpreted(setup: Setup) -> None:
    slow, fast = Match(setup, 2, 8), Match(setup, 2, 8, "core")
    with np.errstate(over="ignore"):
        for match in (slow, fast):
            match.row[0] = 77
            match.kernel.start(match.tables, match.row)
            match.state = kernel.unpack(match.row, match.state)
        for turn, _ in enumerate(zip(play(slow, 0.02), play(fast, 0.02), strict=True)):
            assert slow.row.tolist() == fast.row.tolist()
            if turn % 10 == 0:
                compare(fast)
                compare_arrays(fast)
                choices = [match.kernel.random_action(match.tables, match.row) for match in (slow, fast)]
                assert choices[0] == choices[1]
        for _ in range(3):
            for match in (slow, fast):
                match.kernel.start(match.tables, match.row)
                match.kernel.playout(match.tables, match.row)
            assert slow.row.tolist() == fast.row.tolist()
