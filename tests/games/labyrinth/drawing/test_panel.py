"""Beside or beneath the board: the spare tile, the goal in words, and the seats."""

from __future__ import annotations

from xml.etree import ElementTree

from msgspec.structs import replace

from fairplay.core.chance import derived
from fairplay.games.labyrinth import GAME, rules
from fairplay.games.labyrinth.state import Setup
from games.labyrinth.drawing.pictures import marked
from games.labyrinth.worlds import ANN, BOB, started, to, turns


def test_the_owner_of_a_view_reads_what_it_looks_for() -> None:
    state = turns(started(), to(2, "RIGHT", (1, 2), 90), to(0, "LEFT", (1, 1)))
    assert ">nothing found yet<" in GAME.picture(rules.view(state, ANN))
    assert ">(1,3)<" in GAME.picture(rules.view(state, ANN))
    home = GAME.picture(rules.view(state, BOB))
    assert ">home (1,3)<" in home
    assert ">1 found<" in home
    assert "player 2, you" in home
    gone = rules.remove(state, BOB)
    assert ">you are out<" in GAME.picture(rules.view(gone, BOB))
    assert ">you are out<" not in GAME.picture(rules.view(gone, ANN))


def test_long_names_are_squeezed_into_the_card() -> None:
    state = rules.start(Setup("original"), 2, derived(1))
    long = replace(state, targets=("apricot-square-radiant", state.targets[1]))
    assert "textLength" in GAME.picture(rules.view(long, ANN))


def test_without_seats_the_spare_tile_and_the_goal_stand_beneath_the_board() -> None:
    for shown, goal in ((started(), False), (rules.view(started(), ANN), True)):
        drawing = GAME.picture(shown, seats=False)
        root = ElementTree.fromstring(drawing)
        assert not [e for e in marked(root, "data-seat") if e.get("data-on") is None]
        assert [e.get("data-spare") for e in marked(root, "data-spare")] == ["┐"]
        assert (">You are looking for<" in drawing) == goal
        assert root.get("width") == "480"
