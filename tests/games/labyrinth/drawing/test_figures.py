"""Pawns, gates and goals, and their colours."""

from __future__ import annotations

from re import findall
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from fairplay.core import Seat
from fairplay.games.labyrinth import GAME, rules
from fairplay.games.labyrinth.board import grid_of
from fairplay.games.labyrinth.drawing.figures import (
    HEADS,
    WAYS,
    define_tiles,
    draw_frame,
    draw_gate,
    draw_goal_sign,
    draw_shade,
    draw_token,
    gate_icon,
    goal_icon,
    letter_paint,
    paint_for,
    tile_art,
)
from fairplay.games.labyrinth.state import COLORS
from fairplay.games.labyrinth.tiles import EAST, NORTH, OPEN_SIDES, SOUTH, WEST
from games.labyrinth.drawing.pictures import SVG
from games.labyrinth.worlds import ANN, started


def test_colours_by_name_by_number_and_by_nonsense() -> None:
    """Labyrinth 1.1, 12.2: nothing that a given state says gets into the drawing unchecked."""
    odd = replace(started(), colors=("AA11BB", '"><script>'))
    drawing = GAME.shown.picture(odd)
    assert "#AA11BB" in drawing
    assert "script" not in drawing
    assert "red, to move" in GAME.shown.picture(started())


@pytest.mark.parametrize("color", COLORS)
def test_numbers_can_be_read_on_every_colour(color: str) -> None:
    """WCAG 2: at least 3 to 1 for large or bold letters."""

    def luminance(paint: str) -> float:
        digits = paint[1:] if len(paint) == 7 else "".join(2 * digit for digit in paint[1:])
        parts = [int(digits[start : start + 2], 16) / 255 for start in (0, 2, 4)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    paint = paint_for(color)
    light, dark = sorted((luminance(paint), luminance(letter_paint(paint))), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 3


def test_pawns_differ_by_more_than_colour() -> None:
    assert len(set(HEADS)) == len(HEADS) == len(COLORS)
    drawing = GAME.shown.picture(started())
    for seat in (0, 1):
        assert f'id="labyrinth-pawn-{seat}"' in drawing
        assert f'href="#labyrinth-pawn-{seat}"' in drawing
        assert f">{seat + 1}</text>" in drawing


def test_the_viewers_pawn_stands_in_a_ring() -> None:
    assert GAME.shown.picture(rules.view(started(), ANN)).count('class="mine"') == 1
    assert 'class="mine"' not in GAME.shown.picture(started())


def test_gates_of_a_shared_home_lie_inside_each_other() -> None:
    assert draw_gate(0, "#ffffff") != draw_gate(0, "#ffffff", 1)
    assert "scale(0.8)" in draw_gate(0, "#ffffff", 1)


def test_goals_of_several_seats_carry_numbers() -> None:
    assert "</text>" not in draw_goal_sign("#ffffff")
    assert ">3</text>" in draw_goal_sign("#ffffff", 2)


def test_tokens_are_small_pawns_in_the_colours_of_a_dealt_match() -> None:
    tokens = [ElementTree.fromstring(draw_token(Seat(seat))) for seat in range(len(COLORS))]
    for token, color in zip(tokens, COLORS, strict=True):
        assert token.get("viewBox") == "0 0 24 24"
        assert token[0].get("fill") == paint_for(color)
    assert len({ElementTree.tostring(token[0][1]) for token in tokens}) == len(tokens)


@pytest.mark.parametrize("icon", [goal_icon(), gate_icon(1, "#ffffff"), draw_token(Seat(0))])
def test_small_pictures_stand_alone(icon: str) -> None:
    root = ElementTree.fromstring(icon)
    assert root.tag == f"{SVG}svg"
    assert not [element for element in root.iter() if element.get("class") or element.get("href") or element.get("id")]


# -- the maze ---------------------------------------------------------------------------------


def test_corridors_reach_the_sides_that_are_open() -> None:
    """Labyrinth 1.4."""
    assert set(WAYS) == set(OPEN_SIDES.values())
    for tile, way in WAYS.items():
        ends = {
            NORTH: "-40" in "".join(findall(r"[V]-40|0-40", way)),
            SOUTH: "V40" in way,
            EAST: "H40" in way or way.startswith("M40"),
            WEST: "H-40" in way or "M-40" in way,
        }
        assert {side for side, open in ends.items() if open} == {side for side in ends if tile & side}


def test_every_tile_is_defined_once() -> None:
    defined = [element.get("id") for element in ElementTree.fromstring(f"<defs>{define_tiles()}</defs>")]
    assert defined == [f"labyrinth-tile-{tile}" for tile in WAYS]
    assert 'href="#labyrinth-tile-5"' in tile_art(5)
    assert "studs" in tile_art(5, still=True)
    assert "studs" not in tile_art(5)


def test_the_frame_counts_rows_and_columns_from_0() -> None:
    root = ElementTree.fromstring(f"<g>{''.join(draw_frame(grid_of(3, 5)))}</g>")
    assert [text.text for text in root.iter("text")] == ["0", "1", "2", "3", "4", "0", "1", "2"]
    assert ElementTree.fromstring(draw_shade(grid_of(3, 5))).get("class") == "over"
