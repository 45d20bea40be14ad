"""Labyrinth by clicks."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fairplay.core import UsageError, WireError
from fairplay.core.chance import derived
from fairplay.games.labyrinth import rules
from fairplay.games.labyrinth.drawing.clicks import interpret_clicks
from fairplay.games.labyrinth.state import Move, Pass, Setup, View
from fairplay.parts.clicks import Choice, PartialMove
from games.labyrinth.worlds import ANN, open_board, player, started


def view() -> View:
    return rules.view(started(), ANN)


def wished(*clicked: str, view: View | None = None) -> PartialMove:
    wish = interpret_clicks(view or rules.view(started(), ANN), clicked)
    assert isinstance(wish, PartialMove)
    return wish


def keys(wish: PartialMove, name: str) -> list[str]:
    return [choice.key for choice in wish.choices if choice.key.startswith(name)]


def test_first_all_arrows_are_lit_but_the_one_that_undoes() -> None:
    wish = wished()
    assert wish.prompt.startswith("Turn the spare tile if you like")
    assert "slide=0,RIGHT" not in keys(wish, "slide")
    assert len(keys(wish, "slide")) == len(started().board.grid.shifts) - 1
    assert not keys(wish, "at")
    assert Choice("slide=2,UP", "slide column 2 up") in wish.choices
    assert wish.choices[-1] == Choice("pass=turn", "Pass")


def test_the_spare_tile_turns_either_way_before_and_after_the_slide() -> None:
    assert keys(wished(), "turn") == ["turn=90", "turn=270"]
    assert 'data-spare="┐"' in wished().picture
    assert 'data-spare="┌"' in wished("turn=90").picture
    assert keys(wished("turn=90"), "turn") == ["turn=180", "turn=0"]
    assert wished("turn=90", "slide=2,RIGHT") == wished("slide=2,RIGHT", "turn=90")


def test_the_slid_board_shows_where_to_go() -> None:
    """The rule book's example: red is carried to (2,0) and reaches (1,2)."""
    wish = wished("slide=2,RIGHT", "turn=90")
    assert wish.prompt.startswith("Go to a highlighted tile")
    assert 'data-seat="0" data-on="2,0"' in wish.picture
    assert "at=1,2" in keys(wish, "at")
    assert "at=2,0" not in keys(wish, "at")
    assert "slide=2,RIGHT" not in keys(wish, "slide")
    assert interpret_clicks(view(), ["slide=2,RIGHT", "turn=90", "at=1,2"]) == Move(2, "RIGHT", 90, (1, 2))


def test_another_arrow_begins_again_with_the_tile_as_it_lies() -> None:
    assert interpret_clicks(view(), ["slide=0,UP", "turn=90", "slide=2,RIGHT", "at=1,2"]) == Move(
        2, "RIGHT", 90, (1, 2)
    )


def test_a_slide_after_which_nothing_can_be_reached_says_so() -> None:
    shut = open_board([player((1, 1), (1, 1), "red", (3, 3)), player((3, 3), (3, 3), "blue", (1, 1))])
    shut["board"]["connectors"] = [["─"] * 5, ["─", "│", "─", "─", "─"], ["─"] * 5, ["│"] * 5, ["│"] * 5]
    wish = wished("slide=4,RIGHT", view=rules.view(started(shut), ANN))
    assert wish.prompt.startswith("You cannot move")
    assert not keys(wish, "at")


def test_the_goal_is_named_where_it_can_be_reached() -> None:
    state = started(open_board([player((1, 1), (1, 1), "red", (3, 3)), player((3, 3), (3, 3), "blue", (1, 1))]))
    wish = wished("slide=0,LEFT", view=rules.view(state, ANN))
    assert Choice("at=3,3", "go to (3,3), your goal") in wish.choices
    assert Choice("at=3,1", "go to (3,1)") in wish.choices
    lost = replace(rules.view(state, ANN), target=None)
    assert Choice("at=3,3", "go to (3,3)") in wished("slide=0,LEFT", view=lost).choices


def test_passing_is_a_click_and_in_the_original_game_forbidden() -> None:
    assert interpret_clicks(view(), ["pass=turn"]) == Pass()
    original = rules.view(rules.start(Setup("original"), 2, derived(1)), ANN)
    assert not keys(wished(view=original), "pass")
    refused = interpret_clicks(original, ["pass=turn"])
    assert isinstance(refused, Pass) and rules.why_illegal(original, refused) is not None
    assert f"at={original.at[0]},{original.at[1]}" in keys(wished("slide=1,LEFT", view=original), "at")


def test_undoing_is_for_the_referee_at_once() -> None:
    action = interpret_clicks(view(), ["turn=90", "slide=0,RIGHT"])
    assert isinstance(action, Move)
    assert rules.why_illegal(view(), action) == "0 RIGHT undoes the last slide"


@pytest.mark.parametrize(
    ("clicked", "error", "reason"),
    [
        (["at=1,2"], UsageError, "choose an arrow first"),
        (["slide=2,UP", "at=1"], WireError, "expected a tile"),
        (["turn=45"], WireError, "expected a quarter turn"),
        (["slide=1,LEFT"], WireError, "expected an arrow of this board"),
        (["slide=x,LEFT"], WireError, "expected an arrow of this board"),
        (["slide=0,AWAY"], WireError, "expected an arrow of this board"),
        (["pass=me"], WireError, "expected a click on an arrow"),
        (["pass=turn", "turn=90"], UsageError, "nothing left to click"),
    ],
)
def test_clicks_that_make_no_sense(clicked: list[str], error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        interpret_clicks(view(), clicked)
