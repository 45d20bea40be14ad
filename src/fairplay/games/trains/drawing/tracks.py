"""The segments of a connection: each colour has its own shape, and an owned connection is a row of wagons."""

from __future__ import annotations

from math import atan2, degrees, hypot

from fairplay.games.trains.drawing.layout import SEGMENT, Strip
from fairplay.games.trains.map import Color, Connection

__all__ = ["draw_track", "draw_wagons"]


def draw_track(one: Connection, strip: Strip) -> str:
    """Draw a free connection: red has square ends, blue round ones, green pointed ones, and white is hollow."""
    return draw_segments(one, strip, f"segment {one.color}", "", one.color, SEGMENT / 2)


def draw_wagons(one: Connection, strip: Strip, paint: str) -> str:
    """Draw a connection in the colour of its owner."""
    (x, y), (to_x, to_y), _ = strip
    bed = f'<path class="bed" d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}"/>'
    return bed + draw_segments(one, strip, "segment", f' fill="{paint}"', "red", SEGMENT / 2 + 1.5)


def draw_segments(one: Connection, strip: Strip, kind: str, paint: str, shape: Color, half: float) -> str:
    """Draw the segments of one connection, one after the other."""
    (x, y), (to_x, to_y), _ = strip
    away, turn = hypot(to_x - x, to_y - y), degrees(atan2(to_y - y, to_x - x))
    gap = min(4.0, away / one.length / 4)
    long = (away - gap * (one.length - 1)) / one.length
    ends = min(half, long / 2)
    d = "".join(segment_outline(shape, at * (long + gap), long, half, ends) for at in range(one.length))
    return f'<path class="{kind}"{paint} transform="translate({x:.1f} {y:.1f})rotate({turn:.1f})" d="{d}"/>'


def segment_outline(shape: Color, x: float, long: float, half: float, ends: float) -> str:
    """The outline of one segment that begins at `x`; `ends` is the depth of its ends."""
    flat, high = long - 2 * ends, 2 * half
    match shape:
        case "blue":
            ring = f"a{ends:.1f} {half:g} 0 0 1 0"
            return f"M{x + ends:.1f} {-half:g}h{flat:.1f}{ring} {high:g}h{-flat:.1f}{ring} {-high:g}z"
        case "green":
            return f"M{x:.1f} 0l{ends:.1f} {-half:g}h{flat:.1f}l{ends:.1f} {half:g} {-ends:.1f} {half:g}h{-flat:.1f}z"
        case _:
            return f"M{x:.1f} {-half:g}h{long:.1f}v{high:g}h{-long:.1f}z"
