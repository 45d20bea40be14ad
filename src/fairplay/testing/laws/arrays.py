"""Actions as numbers, views and rules over arrays: the same actions, the same secrets, the same match."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import KernelSizeError, NumberError, Removed, Seat, Turn
from fairplay.core.chance import derived
from fairplay.core.kernel import OVER
from fairplay.kernels.code import How
from fairplay.kernels.loading import LoadedKernel, load_kernel
from fairplay.testing.defaults import list_tables
from fairplay.testing.kit import Table
from fairplay.testing.walks import Walk, kit, walk

_SEEDS, _TURNS = st.integers(0, 2**32), st.integers(0, 40)
_MOST = 300
"""Numbers that are tried where there are more."""


class _SeenArrays(NamedTuple):
    """What a seat gets as arrays."""

    observation: Any
    mask: Any


def _show(encoding: Any, view: Any, rubbish: int = 0) -> _SeenArrays:
    """The arrays of a view, written over `rubbish`."""
    observation = np.full(encoding.shape, rubbish, np.float32)
    mask = np.full(encoding.actions, rubbish, np.int8)
    encoding.observe(view, observation)
    encoding.fill_mask(view, mask)
    return _SeenArrays(observation, mask)


def _encoding_in(found: Walk) -> Any:
    numbers = found.game.parts.numbers
    assert numbers is not None
    return numbers.encoding_of(found.state)


@given(data=st.data(), seed=_SEEDS, turns=_TURNS)
@settings(max_examples=50)
def test_numbers_and_actions_are_inverse(numbered: str, data: st.DataObject, seed: int, turns: int) -> None:
    """Each number that stands for an action stands for no other, and is legal if and only if the action is."""
    found = walk(numbered, data.draw(kit(numbered).tables), seed, turns, faults=True)
    rules, encoding = found.game.rules, _encoding_in(found)
    mover = rules.to_move(found.state)
    if mover is None:
        return
    view = rules.view(found.state, mover)
    rng, every = Random(seed), range(encoding.actions)
    actions = {}
    for number in every if len(every) <= _MOST else rng.sample(every, _MOST):
        try:
            action = encoding.action(number, view)
        except NumberError:
            continue  # of an offer that the seat does not have
        assert encoding.number(action, view) == number
        assert (rules.why_illegal(view, action) is None) == (number in encoding.legal_numbers(view))
        actions[number] = action
    assert len({*actions.values()}) == len(actions)
    for wrong in (-1, encoding.actions, encoding.actions + 10**20):
        with pytest.raises(NumberError):
            encoding.action(wrong, view)


@given(data=st.data(), seed=_SEEDS, turns=_TURNS)
@settings(max_examples=50)
def test_legal_numbers_and_masks_are_the_legal_actions(
    numbered: str, data: st.DataObject, seed: int, turns: int
) -> None:
    """`legal_numbers` and `fill_mask` say what `legal_actions` says."""
    found = walk(numbered, data.draw(kit(numbered).tables), seed, turns, faults=True)
    rules, encoding = found.game.rules, _encoding_in(found)
    for seat in found.seats:
        view = rules.view(found.state, seat)
        legal = rules.legal_actions(view)
        numbers = [*encoding.legal_numbers(view)]
        assert numbers == sorted(encoding.number(action, view) for action in legal)
        assert len({*numbers}) == len(legal)
        assert {encoding.action(number, view) for number in numbers} == {*legal}
        assert [*np.flatnonzero(_show(encoding, view, 7).mask)] == numbers
        assert _show(encoding, view, 7).mask.sum() == len(numbers)


@given(data=st.data(), seed=_SEEDS, turns=_TURNS)
@settings(max_examples=50)
def test_an_observation_says_all_that_its_channels_name(
    numbered: str, data: st.DataObject, seed: int, turns: int
) -> None:
    """An observation has as many numbers as its channels, all of them written, finite and small, and the same encoding
    all the match."""
    found = walk(numbered, data.draw(kit(numbered).tables), seed, turns, faults=True)
    rules, encoding, numbers = found.game.rules, _encoding_in(found), found.game.parts.numbers
    assert sum(channels.size for channels in encoding.channels) == encoding.shape[-1]
    assert all(channels.size > 0 and channels.about for channels in encoding.channels)
    assert numbers is not None
    assert numbers.encoding_of(found.states[0]) is encoding, "it is the same throughout a match"
    for seat in found.seats:
        view = rules.view(found.state, seat)
        assert numbers.encoding_of(view) is encoding
        first, again = _show(encoding, view), _show(encoding, view, 7)
        assert np.isfinite(first.observation).all() and abs(first.observation).max() <= 10
        assert (first.observation == again.observation).all(), "every element is written"


@given(data=st.data(), seed=_SEEDS, turns=_TURNS)
@settings(max_examples=50)
def test_what_a_seat_may_not_know_changes_no_element(numbered: str, data: st.DataObject, seed: int, turns: int) -> None:
    """If only what a seat may not know is changed, its observation and its mask stay the same."""
    found = walk(numbered, data.draw(kit(numbered).tables), seed, turns, faults=True)
    game, encoding, rng = found.game, _encoding_in(found), derived(seed, "scramble")
    for seat in found.seats:
        view = game.rules.view(found.state, seat)
        before = _show(encoding, view)
        others = [kit(numbered).scramble(found.state, seat, rng), game.rules.imagine(view, rng)]
        for other in others:
            after = _show(encoding, game.rules.view(other, seat))
            assert after.observation.tobytes() == before.observation.tobytes()
            assert after.mask.tobytes() == before.mask.tobytes()


@pytest.mark.parametrize("seed", range(3))
def test_every_seat_sees_itself_first(numbered: str, seed: int) -> None:
    """The observations of two seats differ as soon as the seats do."""
    found = walk(numbered, list_tables(GAMES[numbered])[0], seed, 12)
    encoding = _encoding_in(found)
    views = [found.game.rules.view(found.state, Seat(seat)) for seat in range(2)]
    observations = [_show(encoding, view).observation.tobytes() for view in views]
    assert observations[0] != observations[1]


def _kernel_for(found: Walk, table: Table, how: How = "core") -> LoadedKernel:
    """The kernel for the match of a walk."""
    return load_kernel(found.game, found.states[0], setup=table.setup, seats=table.seats, how=how)


def _check_row(kernel: LoadedKernel, row: Any, found: Walk, state: Any) -> None:
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
    _check_scores(kernel, row, seats)


def _check_scores(kernel: LoadedKernel, row: Any, scores: Any) -> None:
    """The numbers for the seats rank them as their scores do, and those that were removed last."""
    points = np.zeros(kernel.seats, np.int64)
    kernel.call("scores", row, points)
    for seat, score in scores.items():
        for other, its_score in scores.items():
            assert (points[seat] < points[other]) == (score < its_score)
    removed = [points[seat] for seat in range(kernel.seats) if seat not in scores]
    assert not removed or not scores or max(removed) < min(points[seat] for seat in scores)


def _follow(kernel: LoadedKernel, found: Walk) -> None:
    """Do to a row what was done to the state, and compare after every event."""
    [row] = kernel.pack([found.states[0]])
    for event, state in zip(found.events, found.states[1:], strict=True):
        if isinstance(event, Turn):
            view = found.game.rules.view(event.before, event.seat)
            kernel.call("step", row, kernel.encoding.number(event.action, view))
        elif isinstance(event, Removed):
            kernel.call("remove", row, event.seat)
        assert kernel.unpack(row) == state
        _check_row(kernel, row, found, state)


@pytest.mark.parametrize("faults", [False, True])
def test_a_kernel_plays_every_variant_as_its_rule_book(compiled: str, variant: str, faults: bool) -> None:
    """In each variant, the kernel does to a row what the rule book does to a state."""
    game = GAMES[compiled]
    tables = [table for table in list_tables(game) if table.setup == game.variants[variant]]
    whole = walk(compiled, tables[0], 1, 60 if faults else 400, faults=faults)
    _follow(_kernel_for(whole, tables[0]), whole)
    crowded = walk(compiled, tables[-1], 2, 20, faults=faults)
    _follow(_kernel_for(crowded, tables[-1], "interpreted"), crowded)  # compiling it would take longer


@given(data=st.data(), seed=_SEEDS, turns=st.integers(0, 12))
@settings(max_examples=25, deadline=None)
def test_a_kernel_plays_small_matches_as_its_rule_book(
    compiled: str, data: st.DataObject, seed: int, turns: int
) -> None:
    """In small matches of every kind, the kernel does what the rule book does, or says that it cannot hold them."""
    table = data.draw(kit(compiled).tables)
    found = walk(compiled, table, seed, turns, faults=True)
    try:
        _follow(_kernel_for(found, table, "interpreted"), found)
    except KernelSizeError as error:
        assert str(error)


@given(data=st.data(), seed=_SEEDS, turns=st.integers(0, 30))
@settings(max_examples=25, deadline=None)
def test_a_packed_state_is_unpacked_again(compiled: str, data: st.DataObject, seed: int, turns: int) -> None:
    """`unpack` of what `pack` made is the state again."""
    table = data.draw(kit(compiled).tables)
    found = walk(compiled, table, seed, turns, faults=True)
    try:
        kernel = _kernel_for(found, table, "interpreted")
    except KernelSizeError:
        return
    for state in found.states:
        assert kernel.unpack(kernel.pack([state])[0]) == state


# -- chance ------------------------------------------------------------------------------------


@cache
def _standard_kernel(name: str, how: How, more: int = 0) -> LoadedKernel:
    """The kernel for the standard variant with the fewest seats, or so many more if that can be dealt."""
    setup = next(iter(GAMES[name].variants.values()))
    tables = [table for table in list_tables(GAMES[name]) if table.setup == setup]
    table = tables[min(more, len(tables) - 1)]
    return _kernel_for(walk(name, table, 1, 0), table, how)


def _deal_rows(kernel: LoadedKernel, count: int) -> Any:
    rows = kernel.make_rows(count)
    kernel.run("start_many", rows, np.arange(count, dtype=np.uint64))
    return rows


def test_what_a_kernel_deals_is_a_match(compiled: str) -> None:
    """What the kernel deals is a state of the game, with another deal for another seed."""
    kernel = _standard_kernel(compiled, "core")
    rows = _deal_rows(kernel, 20)
    assert len({*map(kernel.unpack, rows)}) > len(rows) / 2, "every seed has a deal of its own"
    for row in rows:
        state = kernel.unpack(row)
        kit(compiled).invariant(state)
        _check_row(kernel, row, Walk(GAMES[compiled], [state], []), state)
        assert kernel.call("random_action", row) in kernel.encoding.legal_numbers(
            GAMES[compiled].rules.view(state, Seat(kernel.call("to_move", row)))
        )


def test_chance_decides_alike_interpreted_and_compiled(compiled: str) -> None:
    """The same seed gives the same deal and the same match, whether the kernel is compiled or not."""
    core, interpreted = _standard_kernel(compiled, "core"), _standard_kernel(compiled, "interpreted")
    rows = [_deal_rows(kernel, 2) for kernel in (core, interpreted)]
    assert (rows[0] == rows[1]).all()
    assert core.play_random(5, 2) == interpreted.play_random(5, 2)


def test_playing_on_again_and_again_is_a_playout(compiled: str) -> None:
    """`playout` is `play_on` until the match is over."""
    kernel = _standard_kernel(compiled, "core")
    for row in _deal_rows(kernel, 3):
        whole, turns = row.copy(), 0
        while kernel.call("to_move", row) != OVER:
            turns += kernel.call("play_on", row)
        assert turns == kernel.call("playout", whole)
        assert row[0] == whole[0] and kernel.unpack(row) == kernel.unpack(whole)


def test_a_match_is_dealt_alike_in_any_row(compiled: str) -> None:
    """What a row held before makes no difference to what is dealt into it."""
    kernel = _standard_kernel(compiled, "core")
    for used in _deal_rows(kernel, 3):
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
    """What the kernel imagines for a seat looks the same to that seat."""
    game, kernel = GAMES[compiled], _standard_kernel(compiled, "interpreted", more=1)
    for row in _deal_rows(kernel, 3):
        for seat in range(kernel.seats):
            for _ in range(5):
                if kernel.call("to_move", row) != OVER:
                    kernel.call("step", row, kernel.call("random_action", row))
            other = row.copy()
            kernel.call("imagine", other, seat)
            state, imagined = kernel.unpack(row), kernel.unpack(other)
            kit(compiled).invariant(imagined)
            assert game.rules.view(imagined, Seat(seat)) == game.rules.view(state, Seat(seat))
