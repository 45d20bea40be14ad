"""Tuples with one item replaced, and sets of small numbers as bits."""

from __future__ import annotations

from hypothesis import given, strategies as st

from fairplay.core.immutable import bits, mask, with_item


@given(st.sets(st.integers(0, 700)))
def test_a_mask_holds_its_numbers_and_gives_them_in_order(numbers: set[int]) -> None:
    assert list(bits(mask(numbers))) == sorted(numbers)
    assert mask(numbers).bit_count() == len(numbers)


def test_small_masks() -> None:
    assert mask([0, 3]) == 0b1001
    assert list(bits(0b1001)) == [0, 3]
    assert list(bits(0)) == []


@given(st.lists(st.integers(), min_size=1, max_size=9), st.data())
def test_one_item_is_another_and_the_rest_stays(items: list[int], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(items) - 1))
    before = tuple(items)
    items[index] = 7
    assert with_item(before, index, 7) == tuple(items)
