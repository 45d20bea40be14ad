"""Sets of small numbers as bits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fairplay.core.masks import bits, mask


@given(st.sets(st.integers(0, 700)))
def test_a_mask_holds_its_numbers_and_gives_them_in_order(numbers: set[int]) -> None:
    assert list(bits(mask(numbers))) == sorted(numbers)
    assert mask(numbers).bit_count() == len(numbers)


def test_small_masks() -> None:
    assert mask([0, 3]) == 0b1001
    assert list(bits(0b1001)) == [0, 3]
    assert list(bits(0)) == []
