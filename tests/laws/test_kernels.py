"""A kernel is the rule book once more: equal to it, move for move, in whatever way it is run."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import KernelSizeError, Seat, Turn
from fairplay.core.kernel import OVER
from fairplay.kernels.code import How
from fairplay.kernels.loading import LoadedKernel, load_kernel
from fairplay.testing.defaults import list_tables
from kit import Table, Walk, kit, walk

SEEDS = st.integers(0, 2**32)


def kernel_for(found: Walk, table: Table, how: How = "core") -> LoadedKernel:
    """The kernel for the match of a walk."""
    return load_kernel(found.game, found.states[0], setup=table.setup, seats=table.seats, how=how)


def check_row(kernel: LoadedKernel, row: Any, found: Walk, state: Any) -> None:
    """All that the row answers is what the state answers."""
    rules, encoding = found.game.rules, kernel.encoding
    mover, seats = rules.to_move(state), rules.scores(state)
    assert kernel.call("to_move", row) == (OVER if mover is None else mover)
    observed = np.empty((2, *encoding.shape), np.float32)
    mask = np.full((2, encoding.actions), 7, np.int8)
    numbers = np.empty(encoding.actions, np.int64)
    legal = [] if mover is None else [*encoding.legal_numbers(rules.view(state, mover))]
    assert [*numbers[: kernel.call("legal", row, numbers)]] == legal
    kernel.call("legal_mask", row, mask[0])
    assert [*np.flatnonzero(mask[0])] == legal and mask[0].sum() == len(legal)
    for seat in seats:
        kernel.call("observe", row, seat, observed[0].reshape(-1))
        encoding.observe(rules.view(state, seat), observed[1])
        assert (observed[0] == observed[1]).all(), f"seat {seat} sees something else"
    check_scores(kernel, row, seats)


def check_scores(kernel: LoadedKernel, row: Any, scores: Any) -> None:
    """The numbers for the seats rank them as their scores do, and those that were removed last."""
    points = np.zeros(kernel.seats, np.int64)
    kernel.call("scores", row, points)
    for seat, score in scores.items():
        for other, its_score in scores.items():
            assert (points[seat] < points[other]) == (score < its_score)
    removed = [points[seat] for seat in range(kernel.seats) if seat not in scores]
    assert not removed or not scores or max(removed) < min(points[seat] for seat in scores)


def follow(kernel: LoadedKernel, found: Walk) -> None:
    """Do to a row what was done to the state, and compare after every event."""
    [row] = kernel.pack([found.states[0]])
    for event, state in zip(found.events, found.states[1:], strict=True):
        if isinstance(event, Turn):
            view = found.game.rules.view(event.before, event.seat)
            kernel.call("step", row, kernel.encoding.number(event.action, view))
        else:
            kernel.call("remove", row, event.seat)
        assert kernel.unpack(row) == state
        check_row(kernel, row, found, state)


@pytest.mark.parametrize("faults", [False, True])
def test_a_kernel_plays_every_variant_as_its_rule_book(compiled: str, variant: str, faults: bool) -> None:
    game = GAMES[compiled]
    tables = [table for table in list_tables(game) if table.setup == game.variants[variant]]
    whole = walk(compiled, tables[0], 1, 60 if faults else 400, faults=faults)
    follow(kernel_for(whole, tables[0]), whole)
    crowded = walk(compiled, tables[-1], 2, 20, faults=faults)
    follow(kernel_for(crowded, tables[-1], "interpreted"), crowded)  # compiling it would take longer


@given(data=st.data(), seed=SEEDS, turns=st.integers(0, 12))
@settings(max_examples=25, deadline=None)
def test_a_kernel_plays_small_matches_as_its_rule_book(
    compiled: str, data: st.DataObject, seed: int, turns: int
) -> None:
    table = data.draw(kit(compiled).tables)
    found = walk(compiled, table, seed, turns, faults=True)
    try:
        follow(kernel_for(found, table, "interpreted"), found)
    except KernelSizeError as error:
        assert str(error)


@given(data=st.data(), seed=SEEDS, turns=st.integers(0, 30))
@settings(max_examples=25, deadline=None)
def test_a_packed_state_is_unpacked_again(compiled: str, data: st.DataObject, seed: int, turns: int) -> None:
    table = data.draw(kit(compiled).tables)
    found = walk(compiled, table, seed, turns, faults=True)
    try:
        kernel = kernel_for(found, table, "interpreted")
    except KernelSizeError:
        return
    for state in found.states:
        assert kernel.unpack(kernel.pack([state])[0]) == state


# -- chance ------------------------------------------------------------------------------------


@cache
def standard(name: str, how: How, more: int = 0) -> LoadedKernel:
    """The kernel for the standard variant with the fewest seats, or so many more if that can be dealt."""
    setup = next(iter(GAMES[name].variants.values()))
    tables = [table for table in list_tables(GAMES[name]) if table.setup == setup]
    table = tables[min(more, len(tables) - 1)]
    return kernel_for(walk(name, table, 1, 0), table, how)


def dealt(kernel: LoadedKernel, count: int) -> Any:
    rows = kernel.make_rows(count)
    kernel.run("start_many", rows, np.arange(count, dtype=np.uint64))
    return rows


def test_what_a_kernel_deals_is_a_match(compiled: str) -> None:
    kernel = standard(compiled, "core")
    rows = dealt(kernel, 20)
    assert len({*map(kernel.unpack, rows)}) > len(rows) / 2, "every seed has a deal of its own"
    for row in rows:
        state = kernel.unpack(row)
        kit(compiled).invariant(state)
        check_row(kernel, row, Walk(GAMES[compiled], [state], []), state)
        assert kernel.call("random_action", row) in kernel.encoding.legal_numbers(
            GAMES[compiled].rules.view(state, Seat(kernel.call("to_move", row)))
        )


def test_chance_decides_alike_interpreted_and_compiled(compiled: str) -> None:
    core, interpreted = standard(compiled, "core"), standard(compiled, "interpreted")
    rows = [dealt(kernel, 2) for kernel in (core, interpreted)]
    assert (rows[0] == rows[1]).all()
    assert core.play_random(5, 2) == interpreted.play_random(5, 2)


def test_playing_on_again_and_again_is_a_playout(compiled: str) -> None:
    kernel = standard(compiled, "core")
    for row in dealt(kernel, 3):
        whole, turns = row.copy(), 0
        while kernel.call("to_move", row) != OVER:
            turns += kernel.call("play_on", row)
        assert turns == kernel.call("playout", whole)
        assert row[0] == whole[0] and kernel.unpack(row) == kernel.unpack(whole)


def test_a_match_is_dealt_alike_in_any_row(compiled: str) -> None:
    kernel = standard(compiled, "core")
    for used in dealt(kernel, 3):
        kernel.call("playout", used)
        full, fresh = np.full_like(used, 2**64 - 1), np.zeros_like(used)
        rows = [used, full, fresh]
        for row in rows:
            row[0] = 99
            kernel.call("start", row)
        states = [kernel.unpack(row) for row in rows]
        turns = [kernel.call("playout", row) for row in rows]
        assert states[0] == states[1] == states[2] and turns[0] == turns[1] == turns[2]
        assert kernel.unpack(used) == kernel.unpack(full) == kernel.unpack(fresh)
    assert kernel.play_random(7, 9) == kernel.play_random(7, 9, threads=2)


def test_what_a_seat_imagines_looks_the_same_to_it(compiled: str) -> None:
    game, kernel = GAMES[compiled], standard(compiled, "interpreted", more=1)
    for row in dealt(kernel, 3):
        for seat in range(kernel.seats):
            for _ in range(5):
                if kernel.call("to_move", row) != OVER:
                    kernel.call("step", row, kernel.call("random_action", row))
            other = row.copy()
            kernel.call("imagine", other, seat)
            state, imagined = kernel.unpack(row), kernel.unpack(other)
            kit(compiled).invariant(imagined)
            assert game.rules.view(imagined, Seat(seat)) == game.rules.view(state, Seat(seat))
