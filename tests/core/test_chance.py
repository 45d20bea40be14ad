"""Chance that falls the same everywhere."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, strategies as st

from fairplay.core.chance import below, choice, derived, derived_seed, shuffled


def test_known_values_hold_on_every_python() -> None:
    """Written down once: a change here changes every deal ever made."""
    rng = derived(7, "deal")
    assert [below(rng, 10) for _ in range(8)] == KNOWN_DIGITS
    assert shuffled(derived(7, "deck"), range(8)) == KNOWN_ORDER
    assert derived_seed(7, "match", 3) == KNOWN_SEED
    assert "".join(choice(derived(7, "choice", size), "abcdefghijklm"[:size]) for size in range(1, 14)) == KNOWN_CHOICES


KNOWN_DIGITS = [0, 4, 2, 2, 8, 5, 5, 3]
KNOWN_ORDER = [0, 4, 2, 5, 7, 6, 3, 1]
KNOWN_SEED = 1837465013458115084
KNOWN_CHOICES = "aaaaeebghbcia"


def test_nothing_can_be_chosen_from_nothing() -> None:
    rng = Random(1)
    before = rng.getstate()
    with pytest.raises(IndexError, match="nothing to choose from"):
        choice(rng, [])
    assert rng.getstate() == before, "an error draws nothing"


def test_purposes_do_not_share_chance() -> None:
    seeds = {
        derived_seed(1, *path) for path in [("a",), ("b",), ("a", "b"), ("ab",), (1,), ("1",), (), ("a", 1), ("a", 2)]
    }
    assert len(seeds) == 9
    assert derived_seed(1, "a") != derived_seed(2, "a")


@given(st.integers(0), st.integers(1, 1000))
def test_below_stays_below(seed: int, bound: int) -> None:
    assert 0 <= below(Random(seed), bound) < bound


@given(st.integers(0), st.lists(st.integers(), min_size=1))
def test_choice_and_shuffled_take_what_is_there(seed: int, items: list[int]) -> None:
    assert choice(Random(seed), items) in items
    assert Counter(shuffled(Random(seed), items)) == Counter(items)


def test_every_order_is_about_equally_likely() -> None:
    rng = Random(1)
    counts = Counter(tuple(shuffled(rng, "abc")) for _ in range(6_000))
    assert len(counts) == 6
    assert all(850 < count < 1_150 for count in counts.values())
    assert len(Counter(choice(rng, "abcde") for _ in range(1_000))) == 5
