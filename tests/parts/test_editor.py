"""What the editors of all games share."""

from __future__ import annotations

from typing import Any

import pytest

from fairplay.core import SetupError, UsageError
from fairplay.parts.clicks import Choice
from fairplay.parts.editor import element, new_size, pair, shortened, sizes, usual_setup


def test_a_click_has_a_name_and_a_value() -> None:
    assert element("at=2,3") == ("at", "2,3")
    assert element("line=A|B|red=er") == ("line", "A|B|red=er")
    assert element("nothing") == ("nothing", "")


def test_two_numbers_are_read_and_nothing_else_is() -> None:
    assert pair("2,13") == (2, 13)
    for wrong in ("", "2", "2,", "-1,2", "1,2,3", "2, 3", "²,3", "12345,1"):
        with pytest.raises(UsageError, match="is not two numbers"):
            pair(wrong)


def test_long_texts_are_shortened_in_messages() -> None:
    assert shortened("x" * 40) == "x" * 40
    assert shortened("x" * 41) == "x" * 40 + "…"


def test_a_board_grows_and_shrinks_within_its_bounds() -> None:
    assert [choice.key for choice in sizes(2, 4, range(1, 5))] == ["size=3,4", "size=1,4", "size=2,3"]
    assert sizes(1, 1, range(1, 3))[0] == Choice("size=2,1", "One row more")
    assert new_size("3,4", range(1, 5)) == (3, 4)
    for wrong in ("0,4", "3,5"):
        with pytest.raises(UsageError, match="1 to 4 rows and columns"):
            new_size(wrong, range(1, 5))


class Boards:
    """An editor that goes with some setups."""

    def setup(self, drawing: Any, base: str) -> str:
        if base not in drawing:
            raise SetupError(f"no {base} here")
        return f"{base} drawn"


def test_the_usual_setup_is_the_first_that_goes_with_the_drawing() -> None:
    editor: Any = Boards()
    assert usual_setup(editor, "plain, original", ["original", "plain"]) == "original drawn"
    assert usual_setup(editor, "plain", ["original", "plain"]) == "plain drawn"
    with pytest.raises(SetupError, match="no plain here"):
        usual_setup(editor, "", ["original", "plain"])
    with pytest.raises(SetupError, match="nothing to play"):
        usual_setup(editor, "plain", [])
