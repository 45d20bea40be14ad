"""Drawing a board of Fish."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from fairplay.core import SetupError, UsageError, WireError
from fairplay.core.chance import derived
from fairplay.games.fish.drawing import editor
from fairplay.games.fish.rules import ORIGINAL_ROWS, start
from fairplay.games.fish.state import Setup


def drawn(*rows: str, variant: str = "standard") -> Any:
    """A drawing from rows of digits."""
    return {"board": [[int(fish) for fish in row] for row in rows], "variant": variant}


def test_a_drawing_begins_as_its_label_says() -> None:
    assert list(editor.STARTS) == ["random", "small", "equal", "original"]
    assert [len(editor.start_drawing(start)["board"]) for start in editor.STARTS] == [8, 5, 8, 8]
    assert {fish for row in editor.start_drawing("equal")["board"] for fish in row} == {2}
    assert Counter(fish for row in editor.start_drawing("random")["board"] for fish in row).keys() == {1, 2, 3, 4, 5}
    assert tuple(map(len, editor.start_drawing("original")["board"])) == ORIGINAL_ROWS


def test_a_click_puts_fish_or_a_hole() -> None:
    drawing = editor.edit_drawing(drawn("111", "111"), "4", "at=1,2", "")
    assert drawing == drawn("111", "114") | {"board": ((1, 1, 1), (1, 1, 4))}
    assert editor.edit_drawing(drawing, "hole", "at=0,0", "")["board"] == ((0, 1, 1), (1, 1, 4))


def test_the_size_can_change() -> None:
    grown = editor.edit_drawing(drawn("12", "34"), "1", "size=3,3", "")["board"]
    assert (grown[0][:2], grown[1][:2]) == ((1, 2), (3, 4))
    assert all(1 <= fish <= 5 for row in grown for fish in row)
    assert editor.edit_drawing({"board": grown}, "1", "size=1,2", "")["board"] == ((1, 2),)
    with pytest.raises(UsageError, match="1 to 25 rows"):
        editor.edit_drawing(drawn("1"), "1", "size=26,1", "")


def test_dealing_again_leaves_holes_where_they_are() -> None:
    first = editor.edit_drawing(drawn("1110", "2222"), "1", "deal=again", "")["board"]
    second = editor.edit_drawing({"board": first}, "1", "deal=again", "")["board"]
    assert [[bool(fish) for fish in row] for row in second] == [[True, True, True, False], [True] * 4]
    assert first != second
    original = editor.edit_drawing(editor.start_drawing("original"), "1", "deal=again", "")
    assert editor.show_drawing(original).problems == ()
    assert original != editor.start_drawing("original")


@pytest.mark.parametrize(
    ("tool", "click", "reason"),
    [
        ("6", "at=0,0", "no tool '6'"),
        ("", "at=0,0", "no tool ''"),
        ("1", "at=2,0", "row 2, column 0 is not on this board"),
        ("1", "at=0,2", "row 0, column 2 is not on this board"),
        ("1", "at=x", "not two numbers"),
        ("1", "city=Ash", "no 'city=Ash' on this board"),
    ],
)
def test_what_makes_no_sense_is_said(tool: str, click: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        editor.edit_drawing(drawn("11", "11"), tool, click, "")


def test_the_penguins_of_two_players_must_find_room() -> None:
    sheet = editor.show_drawing(drawn("1110", "1111"))
    assert sheet.problems == ("The penguins of two players need 8 tiles; this board has 7.",)
    assert sheet.seats == ()
    assert editor.show_drawing(drawn("1111", "1111")).seats == (2, 4)
    assert editor.show_drawing(drawn("111", "111", "111")).seats == (2, 3, 4)


def test_the_original_game_keeps_its_tiles() -> None:
    drawing = editor.start_drawing("original")
    assert [tool.key for tool in editor.show_drawing(drawing).tools] == ["1", "2", "3"]
    assert editor.setup_on(drawing, Setup("original")) == Setup("original", board=drawing["board"])
    with pytest.raises(SetupError, match="it is for the original game only"):
        editor.setup_on(drawing, Setup())
    one = next(column for column, fish in enumerate(drawing["board"][0]) if fish == 1)
    changed = editor.edit_drawing(drawing, "3", f"at=0,{one}", "")
    assert editor.show_drawing(changed).problems == (
        "The original game has 30 tiles with 1 fish; this board has 29.",
        "The original game has 10 tiles with 3 fish; this board has 11.",
    )
    with pytest.raises(UsageError, match="no tool 'hole'"):
        editor.edit_drawing(drawing, "hole", "at=0,0", "")
    with pytest.raises(UsageError, match="no 'size=9,8'"):
        editor.edit_drawing(drawing, "1", "size=9,8", "")
    holed = {**drawing, "board": ((0, *drawing["board"][0][1:]), *drawing["board"][1:])}
    assert "no holes" in editor.show_drawing(holed).problems[-1]


@pytest.mark.parametrize(
    ("drawing", "place"),
    [
        (drawn("11", "111"), r"\$\.board"),
        (drawn("11", variant="original"), r"\$\.board"),
        ({"board": []}, r"\$\.board"),
        ({"board": [[]]}, r"\$\.board\[0\]"),
        ({"board": [[1] * 26]}, r"\$\.board\[0\]"),
        ({"board": [[6]]}, r"\$\.board\[0\]\[0\]"),
        ({"board": [[1]], "more": 1}, r"\$"),
    ],
)
def test_other_shapes_are_refused(drawing: Any, place: str) -> None:
    with pytest.raises(WireError, match=f" at {place}$"):
        editor.show_drawing(drawing)


def test_the_picture_names_every_place() -> None:
    picture = editor.show_drawing(drawn("103")).picture
    found = re.findall(r'<g class="(\w+)"[^>]* data-at="(.*?)"[^>]*><title>(.*?)</title><use href="#(.*?)"', picture)
    assert found == [
        ("tile", "0,0", "(0,0): 1 fish", "fish-tile-1-flat"),
        ("hole", "0,1", "(0,1): a hole", "fish-hole-flat"),
        ("tile", "0,2", "(0,2): 3 fish", "fish-tile-3-flat"),
    ]
    assert 'role="group"' in picture


def test_what_is_drawn_is_dealt() -> None:
    state = start(editor.setup_on(drawn("1234", "5012", "3451"), Setup()), 2, derived(1))
    assert state.rows == [[1, 2, 3, 4], [5, 0, 1, 2], [3, 4, 5, 1]]
