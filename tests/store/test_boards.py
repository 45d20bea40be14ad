"""Boards that people drew come back as they were."""

from __future__ import annotations

import pytest

from fairplay.core import StoreError
from fairplay.store.boards import Board
from fairplay.store.store import Store


def test_boards_come_back_newest_first(store: Store) -> None:
    store.keep_board("a", "fish", "pond ☃", b"\x00\xff")
    store.keep_board("b", "trains", "loop", b"{}")
    store.keep_board("c", "fish", "lake", b"{}")
    assert [board.id for board in store.boards()] == ["c", "b", "a"]
    assert [board.id for board in store.boards("fish")] == ["c", "a"]
    assert store.count_boards() == 3
    assert [board.id for board in store.boards(limit=1)] == ["c"]
    first = store.board("a")
    assert first == Board("a", "fish", "pond ☃", b"\x00\xff", first.created)
    assert store.boards("fish")[1] == first


def test_a_board_can_be_drawn_again_and_stays_in_its_place(store: Store) -> None:
    store.keep_board("a", "fish", "pond", b"one")
    store.keep_board("b", "fish", "lake", b"two")
    before = store.board("a")
    store.keep_board("a", "fish", "puddle", b"three")
    assert store.board("a") == Board("a", "fish", "puddle", b"three", before.created)
    assert [board.id for board in store.boards()] == ["b", "a"]


def test_a_board_that_is_dropped_is_gone(store: Store) -> None:
    store.keep_board("a", "fish", "pond", b"one")
    store.drop_board("a")
    store.drop_board("a")
    assert store.boards() == []
    with pytest.raises(StoreError, match=r"^there is no board a$"):
        store.board("a")
