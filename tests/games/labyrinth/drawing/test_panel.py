"""Beneath the board the spare tile, beside it the goal in words, and the seats."""

from __future__ import annotations

from xml.etree import ElementTree

from msgspec.structs import replace

from fairplay.core.chance import derived
from fairplay.games.labyrinth import GAME, rules
from fairplay.games.labyrinth.drawing.canvas import slot_middle
from fairplay.games.labyrinth.state import Setup
from games.labyrinth.drawing.pictures import marked, place_of
from games.labyrinth.worlds import ANN, BOB, started, to, turns


def test_the_owner_of_a_view_reads_what_it_looks_for() -> None:
    state = turns(started(), to(2, "RIGHT", (1, 2), 90), to(0, "LEFT", (1, 1)))
    assert ">nothing found yet<" in GAME.shown.picture(rules.view(state, ANN))
    assert ">(1,3)<" in GAME.shown.picture(rules.view(state, ANN))
    home = GAME.shown.picture(rules.view(state, BOB))
    assert ">home (1,3)<" in home
    assert ">1 found<" in home
    assert "player 2, you" in home
    gone = rules.remove(state, BOB)
    assert ">you are out<" in GAME.shown.picture(rules.view(gone, BOB))
    assert ">you are out<" not in GAME.shown.picture(rules.view(gone, ANN))


def test_long_names_are_squeezed_into_the_card() -> None:
    state = rules.start(Setup("original"), 2, derived(1))
    long = replace(state, targets=("apricot-square-radiant", state.targets[1]))
    assert "textLength" in GAME.shown.picture(rules.view(long, ANN))


def test_without_seats_the_panel_is_left_out() -> None:
    for shown in (started(), rules.view(started(), ANN)):
        drawing = GAME.shown.picture(shown, seats=False)
        root = ElementTree.fromstring(drawing)
        assert not [e for e in marked(root, "data-seat") if e.get("data-on") is None]
        assert ">Your goal<" not in drawing


def test_the_spare_tile_lies_between_two_knobs() -> None:
    for shown in (started(), rules.view(started(), ANN)):
        root = ElementTree.fromstring(GAME.shown.picture(shown))
        x, y = slot_middle(shown.board.grid)
        (spare,) = marked(root, "data-spare")
        assert (spare.get("data-spare"), place_of(spare)) == ("┐", f"translate({x} {y})")
        assert [knob.get("data-turn") for knob in marked(root, "data-turn")] == ["left", "right"]
    lit = ElementTree.fromstring(GAME.shown.picture(started(), lit=["turn=left"]))
    assert [knob.get("class") for knob in marked(lit, "data-turn")] == ["lit", None]
