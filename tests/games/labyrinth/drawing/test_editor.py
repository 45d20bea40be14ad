"""Drawing a board of Labyrinth."""

from __future__ import annotations

from typing import Any

import pytest

from fairplay.core import SetupError, UsageError, WireError
from fairplay.core.chance import derived
from fairplay.games.labyrinth.drawing import editor
from fairplay.games.labyrinth.rules import start
from fairplay.games.labyrinth.state import Maze, Setup
from fairplay.games.labyrinth.tiles import OPEN_SIDES


def drawn(*rows: str, spare: str = "│") -> Any:
    return {"tiles": rows, "spare": spare}


def test_a_drawing_begins_as_its_label_says() -> None:
    assert list(editor.STARTS) == ["random", "small", "open"]
    assert [len(editor.start_drawing(start)["tiles"]) for start in editor.STARTS] == [7, 5, 7]
    assert editor.start_drawing("open") == drawn(*["┼" * 7] * 7, spare="┼")


@pytest.mark.parametrize(
    ("tool", "before", "after"),
    [
        ("turn", "┐│├┼", "┌─┴┼"),
        ("shape", "│─└┐├┬┼", "└└├├┼┼│"),
        ("straight", "│─└┼", "─│││"),
        ("corner", "└┘┐┌┬", "┘┐┌└└"),
        ("fork", "├┴┤┬│", "┴┤┬├├"),
        ("crossing", "┼│", "┼┼"),
    ],
)
def test_a_click_turns_a_tile_or_gives_it_another_shape(tool: str, before: str, after: str) -> None:
    """Labyrinth 1.6: against the clock."""
    for old, new in zip(before, after, strict=True):
        assert editor.edit_drawing(drawn("┼┼", f"┼{old}"), tool, "at=1,1", "")["tiles"] == ("┼┼", f"┼{new}")
        assert editor.edit_drawing(drawn("┼┼", "┼┼", spare=old), tool, "spare=tile", "") == drawn("┼┼", "┼┼", spare=new)


def test_every_tile_can_be_made_of_every_other() -> None:
    reached = {"│"}
    while True:
        more = {
            editor.edit_drawing(drawn("┼┼", "┼┼", spare=tile), tool, "spare=tile", "")["spare"]
            for tile in reached
            for tool in ("turn", "shape")
        }
        if more <= reached:
            break
        reached |= more
    assert reached == set(OPEN_SIDES)


def test_the_size_can_change() -> None:
    grown = editor.edit_drawing(drawn("┐│", "├┼"), "turn", "size=3,4", "")["tiles"]
    assert [row[:2] for row in grown[:2]] == ["┐│", "├┼"]
    assert [len(row) for row in grown] == [4, 4, 4]
    assert editor.edit_drawing(drawn(*grown), "turn", "size=2,2", "")["tiles"] == ("┐│", "├┼")
    with pytest.raises(UsageError, match="2 to 25 rows"):
        editor.edit_drawing(drawn("┐│", "├┼"), "turn", "size=1,2", "")


def test_dealing_again_brings_other_tiles() -> None:
    first = editor.edit_drawing(editor.start_drawing("open"), "turn", "deal=again", "")
    second = editor.edit_drawing(first, "turn", "deal=again", "")
    assert first != second
    assert [len(row) for row in second["tiles"]] == [7] * 7


@pytest.mark.parametrize(
    ("tool", "click", "reason"),
    [
        ("spin", "at=0,0", "no tool 'spin'"),
        ("turn", "at=2,0", "row 2, column 0 is not on this board"),
        ("turn", "at=0,2", "row 0, column 2 is not on this board"),
        ("turn", "home=1,1", "no 'home=1,1' on this board"),
    ],
)
def test_what_makes_no_sense_is_said(tool: str, click: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        editor.edit_drawing(drawn("┼┼", "┼┼"), tool, click, "")


def test_everybody_needs_a_home() -> None:
    """Labyrinth 1.8."""
    sheet = editor.show_drawing(drawn("┼┼┼", "┼┼┼", "┼┼┼"))
    assert sheet.seats == ()
    assert sheet.problems == (
        "Two players need two homes, where an odd row crosses an odd column; 3 rows and 3 columns have 1.",
    )
    assert editor.show_drawing(drawn("┼┼┼┼", "┼┼┼┼")).seats == (2,)
    assert editor.show_drawing(editor.start_drawing("open")).seats == (2, 3, 4, 5, 6)


@pytest.mark.parametrize(
    ("drawing", "place"),
    [
        (drawn("┼┼", "┼┼┼"), r"\$\.tiles"),
        (drawn("┼┼"), r"\$\.tiles"),
        (drawn(*["┼┼"] * 26), r"\$\.tiles"),
        (drawn("┼" * 26, "┼" * 26), r"\$\.tiles"),
        (drawn("┼x", "┼┼"), r"\$\.tiles\[0\]"),
        (drawn("┼┼\n", "┼┼\n"), r"\$\.tiles\[0\]"),
        (drawn("┼┼", "┼┼", spare="x"), r"\$\.spare"),
    ],
)
def test_other_shapes_are_refused(drawing: Any, place: str) -> None:
    with pytest.raises(WireError, match=f" at {place}$"):
        editor.show_drawing(drawing)


def test_the_picture_says_where_every_tile_is_open() -> None:
    picture = editor.show_drawing(drawn("└┼", "┼┼", spare="┬")).picture
    assert "<title>row 0, column 0: open to north and east</title>" in picture
    assert "<title>row 1, column 1: open to north and east and south and west, never slides</title>" in picture
    assert '<g data-spare="tile" ' in picture
    assert "<title>the spare tile: open to east and south and west</title>" in picture


def test_what_is_drawn_is_dealt() -> None:
    drawing = editor.start_drawing("random")
    setup = editor.setup_on(drawing, Setup())
    assert setup == Setup(board=Maze(tuple(drawing["tiles"]), drawing["spare"]))
    board = start(setup, 3, derived(1)).board
    assert [[*row] for row in board.tiles] == [[OPEN_SIDES[tile] for tile in row] for row in drawing["tiles"]]
    assert board.spare == OPEN_SIDES[drawing["spare"]]


def test_many_goals_are_dealt_on_what_is_drawn() -> None:
    setup = editor.setup_on(editor.start_drawing("random"), Setup("multi-goal", goals=3))
    assert len(start(setup, 3, derived(1)).queue) == 3
    with pytest.raises(SetupError, match="its own tiles"):
        editor.setup_on(editor.start_drawing("random"), Setup("original"))
