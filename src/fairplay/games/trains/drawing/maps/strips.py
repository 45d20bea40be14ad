"""The line along which a connection is drawn: from city to city, straight or with a bend."""

from __future__ import annotations

from math import atan2, degrees, hypot
from typing import Final, NamedTuple

__all__ = ["CITY", "LANE", "Point", "Strip", "place_strip"]

CITY: Final = 7.5  # radius
LANE: Final = 14.0  # between parallel connections


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
