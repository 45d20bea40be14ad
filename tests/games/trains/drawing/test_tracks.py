"""The segments of connections, and the trains on them."""

from __future__ import annotations

import re

from fairplay.games.trains.drawing.tracks import (
    Point,
    Strip,
    draw_track,
    draw_wagons,
    place_segments,
    place_strip,
    shorten,
)
from fairplay.games.trains.map import COLORS, Connection

FLAT = Strip(Point(0, 0), Point(88, 0), Point(44, 0), Point(44, 0))


def test_colours_have_shapes_of_their_own() -> None:
    """Who cannot tell the colours apart sees square, round and pointed ends, a stripe or a line; white is hollow."""
    shapes = {color: re.sub(r"[-0-9. ]", "", draw_track(Connection("A", "B", color, 3), FLAT)) for color in COLORS}
    assert {color: shape[shape.index("M") : shape.rindex("z") + 1] for color, shape in shapes.items()} == {
        "red": 3 * "Mhvhz",
        "white": 3 * "Mhvhz",
        "blue": 3 * "MhchczMhvhz",
        "green": 2 * "MlhllhzMv" + "Mlhllhz",
    }


def test_segments_fill_the_way_between_two_cities() -> None:
    for bend in (0, 0.3, -0.2):
        strip = place_strip(Point(0, 0), Point(200, 100), 0, bend)
        segments = list(place_segments(4, strip))
        assert len(segments) == 4
        for segment, part in zip(segments, (1 / 8, 3 / 8, 5 / 8, 7 / 8), strict=True):
            middle = strip.at(part)
            assert abs(segment.x - middle.x) < 6 and abs(segment.y - middle.y) < 6
        assert len({round(segment.turn, 2) for segment in segments}) == (4 if bend else 1)


def test_only_new_wagons_are_laid_one_by_one() -> None:
    one = Connection("A", "B", "red", 3)
    new, old = (draw_wagons(7, one, FLAT, newest=newest) for newest in (True, False))
    assert re.findall('data-key="([^"]+)" data-enter="drop" data-order="([^"]+)"', new) == [
        *(("rail-7-0", "0"), ("rail-7-1", "1"), ("rail-7-2", "2"))
    ]
    assert re.findall('href="([^"]+)"', old) == ["#trains-train3"] and "data-" not in old
    bent = place_strip(Point(0, 0), Point(200, 100), 0, 0.3)
    assert draw_wagons(7, one, bent, newest=False).count("<use") == 3


def test_numbers_are_written_as_short_as_can_be() -> None:
    assert [shorten(number) for number in (0, -0.04, 0.52, -0.52, 10, 10.04, -3.25)] == [
        *("0", "0", ".5", "-.5", "10", "10", "-3.2")
    ]
