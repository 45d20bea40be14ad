"""What the editors of all games share."""

from __future__ import annotations

from typing import Any

import pytest

from fairplay.core import SetupError, UsageError
from fairplay.core.editor import parse_pair, parse_size, resize_choices, setup_for_board, shorten_text
from fairplay.core.shown import Choice


def test_two_numbers_are_read_and_nothing_else_is() -> None:
    assert parse_pair("2,13") == (2, 13)
    for wrong in ("", "2", "2,", "-1,2", "1,2,3", "2, 3", "²,3", "12345,1"):
        with pytest.raises(UsageError, match="is not two numbers"):
            parse_pair(wrong)


def test_long_texts_are_shortened_in_messages() -> None:
    assert shorten_text("x" * 40) == "x" * 40
    assert shorten_text("x" * 41) == "x" * 40 + "…"


def test_a_board_grows_and_shrinks_within_its_bounds() -> None:
    assert [choice.key for choice in resize_choices(2, 4, range(1, 5))] == ["size=3,4", "size=1,4", "size=2,3"]
    assert resize_choices(1, 1, range(1, 3))[0] == Choice("size=2,1", "Add a row")
    assert parse_size("3,4", range(1, 5)) == (3, 4)
    for wrong in ("0,4", "3,5"):
        with pytest.raises(UsageError, match="1 to 4 rows and columns"):
            parse_size(wrong, range(1, 5))


class Boards:
    """An editor that accepts some setups."""

    def setup_on(self, drawing: Any, base: str) -> str:
        if base not in drawing:
            raise SetupError(f"no {base} here")
        return f"{base} drawn"


def test_a_drawing_is_played_with_the_first_setup_that_fits() -> None:
    editor: Any = Boards()
    assert setup_for_board(editor, "plain, original", ["original", "plain"]) == "original drawn"
    assert setup_for_board(editor, "plain", ["original", "plain"]) == "plain drawn"
    with pytest.raises(SetupError, match="no plain here"):
        setup_for_board(editor, "", ["original", "plain"])
    with pytest.raises(SetupError, match="nothing to play"):
        setup_for_board(editor, "plain", [])
