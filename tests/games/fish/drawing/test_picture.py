"""Pictures of Fish show what there is, for people and for screen readers."""

from __future__ import annotations

from xml.etree import ElementTree

from fairplay.core import Seat, Turn
from fairplay.games.fish import rules
from fairplay.games.fish.drawing.picture import draw_picture
from fairplay.games.fish.state import Move, View
from games.fish.samples import moving_state

SVG = "{http://www.w3.org/2000/svg}"


def test_a_picture_shows_tiles_holes_penguins_the_last_move_and_scores() -> None:
    state = moving_state()
    move = Move((0, 0), (2, 0))
    after = rules.apply(state, move)
    drawing = draw_picture(after, Turn(state, Seat(0), move, after))
    root = ElementTree.fromstring(drawing)
    tiles = {group.get("data-at"): group.get("data-fish") for group in root.iter(f"{SVG}g") if group.get("data-fish")}
    assert len(tiles) == 11  # all but the spot that never was a tile
    assert tiles["0,0"] == "0"
    assert tiles["2,1"] == "2"
    penguins = [group for group in root.iter(f"{SVG}g") if group.get("data-seat") and group.get("data-at")]
    assert sorted(group.get("data-at", "") for group in penguins if group.get("data-seat") == "0") == [
        "0,2",
        "1,0",
        "1,2",
        "2,0",
    ]
    assert len([path for path in root.iter(f"{SVG}path") if path.get("class") == "path"]) == 1
    assert root.get("aria-label") == "Fish: red 2 fish, white 0 fish; white to move"
    assert drawing._repr_svg_() == drawing


def test_a_view_says_which_seat_is_looking() -> None:
    assert "red (you)" in draw_picture(View(Seat(0), moving_state()))
    assert "(you)" not in draw_picture(moving_state())


def test_the_end_and_removals_are_shown() -> None:
    state = moving_state()
    for seat in range(2):
        state = rules.remove(state, Seat(seat))
    drawing = draw_picture(state)
    assert "nobody is left; over" in drawing
    assert drawing.count(">removed<") == 2
