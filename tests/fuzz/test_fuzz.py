"""Every reader of strangers' bytes with many damaged inputs (abuse 24); ``make fuzz`` goes on where this stops."""

from __future__ import annotations

import gc
import tracemalloc
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from .damage import damaged
from .targets import TARGETS

INPUTS = 300
"""Of each target, in every run of the tests."""

GROWTH, PEAK = 64 * 1024, 16 * 1024 * 1024
"""Bytes that may be kept after many inputs, and that one input may take while it is read."""


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=INPUTS, database=None)
@given(data=st.data())
def test_nothing_but_our_own_errors_comes_of_any_bytes(name: str, data: st.DataObject) -> None:
    seeds = TARGETS[name].seeds()
    inputs = st.binary(max_size=300) | st.integers(0, 2**64).map(lambda seed: damaged(seeds, Random(seed)))
    TARGETS[name].run(data.draw(inputs))


@pytest.mark.parametrize("name", TARGETS)
def test_the_seeds_are_what_the_target_reads(name: str) -> None:
    """Else all that damage would be done to nothing."""
    target = TARGETS[name]
    assert all(map(target.run, target.seeds()))
    kept = sum(target.run(damaged(target.seeds(), Random(seed))) > 0 for seed in range(500))
    assert 0 < kept < 500  # some of the damage is harmless, and some is not


@pytest.mark.parametrize("name", TARGETS)
def test_memory_stays_where_it_is(name: str) -> None:
    target, rng = TARGETS[name], Random(name)
    inputs = [damaged(target.seeds(), rng) for _ in range(300)]
    for data in inputs:
        target.run(data)  # fills the caches
    tracemalloc.start()
    try:
        target.run(inputs[0])
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        most = 0
        for data in inputs:
            tracemalloc.reset_peak()
            target.run(data)
            most = max(most, tracemalloc.get_traced_memory()[1] - before)
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - before < GROWTH
        assert most < PEAK
    finally:
        tracemalloc.stop()
