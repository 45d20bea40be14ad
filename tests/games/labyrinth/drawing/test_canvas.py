"""What is highlighted in a picture of Labyrinth, and where its parts lie."""

from __future__ import annotations

from fairplay.games.labyrinth import rules
from fairplay.games.labyrinth.drawing.canvas import (
    LANE,
    Canvas,
    canvas_size,
    position_key,
    seat_label,
    slide_key,
    slot_corner,
    tile_corner,
    turn_key,
)
from fairplay.games.labyrinth.drawing.shapes import TILE
from games.labyrinth.worlds import ANN, BOB, started


def canvas(*chosen: str, lit: tuple[str, ...] = (), seats: bool = True) -> Canvas:
    return Canvas(rules.view(started(), ANN), False, seats, frozenset(lit), frozenset(chosen))


def test_keys_name_tiles_arrows_and_turns() -> None:
    shift = started().board.grid.shift_for[2, "DOWN"]
    assert (position_key((2, 3)), slide_key(shift), turn_key(450)) == ("at=2,3", "slide=2,DOWN", "turn=90")


def test_what_was_chosen_is_found_by_its_keys() -> None:
    nothing, sliding = canvas(), canvas("slide=2,DOWN", "turn=270")
    assert (nothing.sliding, nothing.degree) == (None, None)
    assert sliding.sliding is sliding.board.grid.shift_for[2, "DOWN"]
    assert sliding.degree == 270


def test_classes_say_what_can_be_clicked_and_what_was() -> None:
    marked = canvas("at=0,0", lit=("at=0,0", "at=0,1"))
    assert [marked.class_attribute(f"at=0,{column}") for column in range(3)] == [
        ' class="lit chosen"',
        ' class="lit"',
        "",
    ]


def test_everything_lies_within_the_picture() -> None:
    for seats in (False, True):
        shown = canvas(seats=seats)
        width, height = canvas_size(shown)
        for x, y in (tile_corner((2, 4)), slot_corner(shown)):
            assert LANE <= x <= width - TILE and LANE <= y <= height - TILE
    assert tile_corner((0, 0)) == (LANE, LANE)


def test_a_seat_is_labelled_with_a_colour_that_has_a_name() -> None:
    view = rules.view(started(), ANN)
    assert [seat_label(view, seat) for seat in (ANN, BOB)] == ["player 1 (red)", "player 2 (blue)"]
    assert seat_label(started(), ANN) == "player 1 (red)"
