"""Tuples with something changed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fairplay.core.tuples import with_item


@given(st.lists(st.integers(), min_size=1, max_size=9), st.data())
def test_one_item_is_another_and_the_rest_stays(items: list[int], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(items) - 1))
    before = tuple(items)
    items[index] = 7
    assert with_item(before, index, 7) == tuple(items)
