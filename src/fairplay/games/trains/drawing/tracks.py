"""Connections: the lines along which they are drawn, their rails in the shape of each colour, and trains on them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import atan2, cos, degrees, hypot, sin
from typing import NamedTuple

from fairplay.games.trains.drawing.paint import WAGON, wagon_kinds, wagon_middles
from fairplay.games.trains.map import Color, Connection

# -- lines -------------------------------------------------------------------------------------

CITY = 7.5  # radius
LANE = 14.0  # between parallel connections


class Point(NamedTuple):
    """A point of the drawing."""

    x: float
    y: float


class Strip(NamedTuple):
    """One connection: from where to where it is drawn, where its owner's badge goes, and how it bends."""

    start: Point
    end: Point
    badge: Point
    control: Point  # of a quadratic curve; halfway between the ends if it is straight

    def at(self, part: float) -> Point:
        """The point after this part of the way, from 0 to 1."""
        one, two, three = (1 - part) ** 2, 2 * part * (1 - part), part * part
        (x, y), (to_x, to_y), _, (over_x, over_y) = self
        return Point(one * x + two * over_x + three * to_x, one * y + two * over_y + three * to_y)

    @property
    def is_straight(self) -> bool:
        """Does it go straight from one end to the other?"""
        (x, y), (to_x, to_y), _, (over_x, over_y) = self
        return hypot((x + to_x) / 2 - over_x, (y + to_y) / 2 - over_y) < 0.1

    @property
    def outline(self) -> str:
        """The line as SVG writes it."""
        (x, y), (to_x, to_y), _, (over_x, over_y) = self
        over = "L" if self.is_straight else f"Q{over_x:.0f} {over_y:.0f} "
        return f"M{x:.0f} {y:.0f}{over}{to_x:.0f} {to_y:.0f}"

    def turn_flat(self) -> tuple[str, Strip]:
        """A strip that is straight as one along the x-axis, and the transform that brings it back."""
        (x, y), (to_x, to_y), *_ = self
        away, turn = hypot(to_x - x, to_y - y), degrees(atan2(to_y - y, to_x - x))
        flat = Strip(Point(0, 0), Point(away, 0), self.badge, Point(away / 2, 0))
        return f"translate({x:.0f} {y:.0f})rotate({turn:.1f})", flat


def place_strip(first: Point, second: Point, aside: float, bend: float = 0.0) -> Strip:
    """Place the line between two cities, `aside` lanes off the middle, and bent by a part of their distance."""
    away = hypot(second.x - first.x, second.y - first.y) or 1.0
    along = Point((second.x - first.x) / away, (second.y - first.y) / away)
    gap = min(CITY + 3, away / 4)

    def at(distance: float, off: float) -> Point:
        return Point(first.x + along.x * distance - along.y * off, first.y + along.y * distance + along.x * off)

    off, peak = aside * LANE, bend * away
    ends = off + 4 * peak * gap / away  # where the curve has come to at its gap
    middle = at(away / 2 + aside * 18, off + peak)  # so the badges of parallel connections do not overlap
    return Strip(at(gap, ends), at(away - gap, ends), middle, at(away / 2, off + 2 * peak))


# -- rails -------------------------------------------------------------------------------------

_HALF = 4.0  # half of the height of a segment
_GAP = 4.0  # between segments


class _Segment(NamedTuple):
    """One segment of a connection: its middle, its direction and its length."""

    x: float
    y: float
    turn: float
    long: float


def place_segments(length: int, strip: Strip) -> Iterator[_Segment]:
    """Divide a strip into segments with gaps between them; whole numbers are enough if it lies on the x-axis."""
    away = hypot(strip.end.x - strip.start.x, strip.end.y - strip.start.y) or 1.0
    gap = min(_GAP, away / length / 4)
    step = (away + gap) / length
    flat = strip.start.y == strip.end.y == strip.control.y == 0
    for number in range(length):
        begin, end = number * step, (number + 1) * step - gap
        if flat:
            begin, end = round(begin), round(end)
        (x, y), (to_x, to_y) = strip.at(begin / away), strip.at(end / away)
        yield _Segment((x + to_x) / 2, (y + to_y) / 2, atan2(to_y - y, to_x - x), hypot(to_x - x, to_y - y))


# -- free connections --------------------------------------------------------------------------


def draw_track(one: Connection, strip: Strip) -> str:
    """Draw a free connection: red is plain, blue round with a stripe, green pointed with a bar, white hollow."""
    d = "".join(_segment_outline(one.color, segment) for segment in place_segments(one.length, strip))
    return f'<path class="{one.color}" d="{d}"/>'


def _segment_outline(shape: Color, segment: _Segment) -> str:
    """The outline of one segment, with the holes by which its colour is known."""
    half, ends = segment.long / 2, min(_HALF, segment.long // 4)
    match shape:
        case "blue":
            sides = [(-half + ends, -_HALF), (half - ends, -_HALF), (half - ends, _HALF), (-half + ends, _HALF)]
            return _outline_round(segment, sides) + outline(segment, _bar(half - ends, 1))
        case "green":
            tips = [(-half, 0.0), (-half + ends, -_HALF), (half - ends, -_HALF), (half, 0.0)]
            return outline(segment, [*tips, (half - ends, _HALF), (-half + ends, _HALF)]) + cross(segment)
        case _:
            return outline(segment, _bar(half, _HALF))


def cross(segment: _Segment) -> str:
    """A line across the middle of a segment."""
    start, step = _turn_points(segment, [(0, -_HALF), (0, _HALF)])
    return f"M{pair(*start)}{line(*step)}"


def _bar(half: float, high: float) -> list[tuple[float, float]]:
    """The corners of a bar around the middle of a segment."""
    return [(-half, -high), (half, -high), (half, high), (-half, high)]


def _turn_points(segment: _Segment, points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Bring points of a segment to where it lies; after the first one, each is seen from the one before."""
    right, down = cos(segment.turn), sin(segment.turn)
    turned = [(x * right - y * down, x * down + y * right) for x, y in points]
    first = (segment.x + turned[0][0], segment.y + turned[0][1])
    return [first, *((x - a, y - b) for (a, b), (x, y) in pairwise(turned))]


def outline(segment: _Segment, points: list[tuple[float, float]]) -> str:
    """A shape with these corners."""
    start, *steps = _turn_points(segment, points)
    return f"M{pair(*start)}{''.join(line(*step) for step in steps)}z"


def _outline_round(segment: _Segment, points: list[tuple[float, float]]) -> str:
    """A shape with round ends between its four corners."""
    start, along, (x, y), back = _turn_points(segment, points)
    wide, high = y / 1.6, -x / 1.6  # how far the ends bulge
    right, left = (pair(wide, high), pair(wide + x, high + y)), (pair(-wide, -high), pair(-wide - x, -high - y))
    ends = f"c{right[0]} {right[1]} {pair(x, y)}", f"c{left[0]} {left[1]} {pair(-x, -y)}"
    return f"M{pair(*start)}{line(*along)}{ends[0]}{line(*back)}{ends[1]}z"


def line(right: float, down: float) -> str:
    """A straight line as SVG writes it."""
    if shorten(down) == "0":
        return f"h{shorten(right)}"
    return f"v{shorten(down)}" if shorten(right) == "0" else f"l{pair(right, down)}"


def pair(right: float, down: float) -> str:
    """Two numbers as SVG writes them."""
    x, y = shorten(right), shorten(down)
    return x + y if y.startswith("-") else f"{x} {y}"


def shorten(number: float) -> str:
    """A number with one decimal, without what SVG can do without."""
    text = f"{number:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


# -- owned connections -------------------------------------------------------------------------


def draw_wagons(index: int, one: Connection, strip: Strip, *, newest: bool) -> str:
    """Draw a train on a connection: wagons, and an engine that pulls them; the `newest` are laid one by one.

    Only these have keys: nothing else about rails ever moves.
    """
    train = f'transform="{_place_train(one.length, strip)}"'
    if strip.is_straight and not newest:
        return f'<use href="#trains-train{one.length}" {train}/>'
    if strip.is_straight:
        places = [f'x="{x:g}"' for x in wagon_middles(one.length)]
    else:
        places = [f'transform="{_place_wagon(segment)}"' for segment in place_segments(one.length, strip)]
    wagons = []
    for number, (kind, place) in enumerate(zip(wagon_kinds(one.length), places, strict=True)):
        motion = f' data-key="rail-{index}-{number}" data-enter="drop" data-order="{number}"' if newest else ""
        wagons.append(f'<use href="#trains-{kind}"{motion} {place}/>')
    return f"<g {train}>{''.join(wagons)}</g>" if strip.is_straight else "".join(wagons)


def _place_train(length: int, strip: Strip) -> str:
    """The transform that brings a train of this length to a strip that is straight."""
    (x, y), (to_x, to_y), _, (middle_x, middle_y) = strip
    scale = (hypot(to_x - x, to_y - y) + _GAP) / length / WAGON
    turn = degrees(atan2(to_y - y, to_x - x))
    return f"translate({middle_x:.0f} {middle_y:.0f})rotate({turn:.1f})scale({scale:.3g} 1)"


def _place_wagon(segment: _Segment) -> str:
    """The transform that brings a wagon to its segment."""
    scale = (segment.long + _GAP) / WAGON
    return f"translate({segment.x:.0f} {segment.y:.0f})rotate({degrees(segment.turn):.0f})scale({scale:.2g} 1)"
