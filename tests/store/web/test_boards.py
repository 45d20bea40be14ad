"""Boards that people drew come back as they were."""

from __future__ import annotations

import pytest

from fairplay.core import StoreError
from fairplay.store.store import Store
from fairplay.store.web.boards import SavedBoard


def test_boards_come_back_newest_first(store: Store) -> None:
    store.boards.save("a", "fish", "pond ☃", b"\x00\xff")
    store.boards.save("b", "trains", "loop", b"{}")
    store.boards.save("c", "fish", "lake", b"{}")
    assert [board.id for board in store.boards.newest()] == ["c", "b", "a"]
    assert [board.id for board in store.boards.newest("fish")] == ["c", "a"]
    assert store.boards.count() == 3
    assert [board.id for board in store.boards.newest(limit=1)] == ["c"]
    first = store.boards.get("a")
    assert first == SavedBoard("a", "fish", "pond ☃", b"\x00\xff", first.created)
    assert store.boards.newest("fish")[1] == first


def test_a_board_can_be_drawn_again_and_stays_in_its_place(store: Store) -> None:
    store.boards.save("a", "fish", "pond", b"one")
    store.boards.save("b", "fish", "lake", b"two")
    before = store.boards.get("a")
    store.boards.save("a", "fish", "puddle", b"three")
    assert store.boards.get("a") == SavedBoard("a", "fish", "puddle", b"three", before.created)
    assert [board.id for board in store.boards.newest()] == ["b", "a"]


def test_a_board_that_is_dropped_is_gone(store: Store) -> None:
    store.boards.save("a", "fish", "pond", b"one")
    store.boards.delete("a")
    store.boards.delete("a")
    assert store.boards.newest() == []
    with pytest.raises(StoreError, match=r"^there is no board a$"):
        store.boards.get("a")
