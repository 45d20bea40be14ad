"""Ratings as SVG that fits any width: places across are per cent, so that text keeps its size on a telephone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from itertools import pairwise
from math import floor
from typing import Final, NamedTuple

from fairplay.contest.intervals import Estimate
from fairplay.contest.rating import MIDDLE, Rating
from fairplay.core import Picture

__all__ = ["STYLE", "Moment", "rating_chart", "ratings_over_time"]

STYLE: Final = (
    ".chart{display:block;width:100%;color:inherit;overflow:visible}"
    ".chart text{fill:currentColor;font:14px system-ui,sans-serif;font-variant-numeric:tabular-nums}"
    ".chart .mark,.chart .range{font-size:13px;fill-opacity:.72}.chart .grid{stroke:currentColor;stroke-opacity:.16}"
    ".chart .interval,.chart .trend{stroke:var(--bar,#2f7fb5);stroke-width:3;stroke-linecap:round}"
    ".chart .trend{stroke-width:2;stroke-dasharray:1 5}.chart circle{fill:var(--bar,#2f7fb5)}"
    ".chart a:focus-visible circle,.chart a:hover circle{stroke:currentColor;stroke-width:3}"
)
"""Colours follow the page: its ink, and its variable `--bar` where it has one."""

STEPS: Final = (10, 25, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)


class Axis(NamedTuple):
    """Round numbers from `first` to `last`, a `step` apart."""

    first: int
    last: int
    step: int

    @property
    def marks(self) -> range:
        return range(self.first, self.last + 1, self.step)

    def share(self, value: float) -> float:
        """Where `value` lies between the ends, 0 to 1."""
        return (value - self.first) / (self.last - self.first)


def axis(low: float, high: float, most: int) -> Axis:
    """An axis with at most so many steps that shows everything from `low` to `high`."""
    step = next((step for step in STEPS if (high - low) / step <= most - 1), STEPS[-1])
    return Axis(floor(low / step) * step, (floor(high / step) + 1) * step, step)


def ends(estimates: Sequence[Estimate]) -> tuple[float, float]:
    """The lowest and the highest that can be drawn."""
    numbers = [number for estimate in estimates for number in estimate if number is not None]
    return min(numbers, default=MIDDLE), max(numbers, default=MIDDLE)


def drawing(height: int, name: str, body: str) -> Picture:
    """A chart with a name; as one image where nothing in it leads anywhere, since an image hides its links."""
    role = "group" if "<a " in body else "img"
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" height="{height}" role="{role}" aria-label="{name}">'
        f"<style>{STYLE}</style>{body}</svg>"
    )


# -- everybody at one time ---------------------------------------------------------------------

TOP: Final = 26
ROW: Final = 46
LONGEST: Final = 24
"""Letters of a name that stand beside its figures on a telephone."""


def rating_chart(ratings: Sequence[Rating], link: Callable[[str], str] | None = None) -> Picture:
    """Every player's rating as a dot with its 95 % interval as a line; `link` gives the address of a player.

    Whoever has not played has a row too, so that the drawing keeps its size while matches are played.
    """
    scale = axis(*ends([line.rating for line in ratings]), most=6)
    height = TOP + ROW * len(ratings)
    marks = "".join(upright(2 + 96 * scale.share(mark), mark, height) for mark in scale.marks)
    lines = "".join(rating_line(line, TOP + ROW * row, scale, link) for row, line in enumerate(ratings))
    return drawing(height, "ratings with 95 % intervals", marks + lines)


def upright(x: float, mark: int, height: int) -> str:
    return (
        f'<line class="grid" x1="{x:.2f}%" y1="20" x2="{x:.2f}%" y2="{height}"/>'
        f'<text class="mark" x="{x:.2f}%" y="13" text-anchor="middle">{mark}</text>'
    )


def rating_line(line: Rating, y: int, scale: Axis, link: Callable[[str], str] | None) -> str:
    name = escape(shortened(line.player))
    if link is not None:
        name = f'<a href="{escape(link(line.player))}">{name}</a>'
    told, figures = "not rated yet", ""
    if line.rating.interval is not None:
        low, high = line.rating.interval
        at, left, right = (2 + 96 * scale.share(number) for number in (line.rating.value, low, high))
        told = f"{line.rating:.0f}, {line.matches} matches"
        figures = (
            f'<text x="100%" y="{y + 17}" text-anchor="end">{line.rating.value:.0f}'
            f' <tspan class="range">[{low:.0f}, {high:.0f}]</tspan></text>'
            f'<line class="interval" x1="{left:.2f}%" y1="{y + 31}" x2="{right:.2f}%" y2="{y + 31}"/>'
            f'<circle cx="{at:.2f}%" cy="{y + 31}" r="6"/>'
        )
    return f'<g><title>{escape(line.player)}: {told}</title><text x="0" y="{y + 17}">{name}</text>{figures}</g>'


def shortened(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


# -- one player over time ----------------------------------------------------------------------

HEIGHT: Final = 240
FOOT: Final = 24


class Moment(NamedTuple):
    """A rating with what it is called and the address where it comes from."""

    label: str
    rating: Estimate
    link: str


def ratings_over_time(moments: Sequence[Moment]) -> Picture:
    """One player's ratings from left to right, each a dot with its interval, joined in order; ASSUME there is one."""
    scale = axis(*ends([moment.rating for moment in moments]), most=6)
    spots = [(across(index, len(moments)), moment) for index, moment in enumerate(moments)]
    pieces = [level(down(scale, mark), mark) for mark in scale.marks]
    for (x, one), (then, other) in pairwise(spots):
        y, next_y = down(scale, one.rating.value), down(scale, other.rating.value)
        pieces.append(f'<line class="trend" x1="{x:.2f}%" y1="{y:.1f}" x2="{then:.2f}%" y2="{next_y:.1f}"/>')
    every = -(-len(moments) // 8)  # so that labels do not run into each other
    pieces += [spot(x, moment, scale, labelled=not index % every) for index, (x, moment) in enumerate(spots)]
    return drawing(HEIGHT + FOOT, "rating over time with 95 % intervals", "".join(pieces))


def across(index: int, count: int) -> float:
    """Where the dots stand, in per cent, beside the numbers of the axis."""
    return 55.0 if count == 1 else 16 + 80 * index / (count - 1)


def down(scale: Axis, value: float) -> float:
    return 10 + (HEIGHT - 20) * (1 - scale.share(value))


def level(y: float, mark: int) -> str:
    return (
        f'<line class="grid" x1="46" y1="{y:.1f}" x2="100%" y2="{y:.1f}"/>'
        f'<text class="mark" x="0" y="{y + 4:.1f}">{mark}</text>'
    )


def spot(x: float, moment: Moment, scale: Axis, *, labelled: bool) -> str:
    bars, y = "", down(scale, moment.rating.value)
    if moment.rating.interval is not None:
        bottom, top = (down(scale, end) for end in moment.rating.interval)
        bars = f'<line class="interval" x1="{x:.2f}%" y1="{top:.1f}" x2="{x:.2f}%" y2="{bottom:.1f}"/>'
    told = f"{moment.label}: {moment.rating:.0f}"
    below = f'<text class="mark" x="{x:.2f}%" y="{HEIGHT + 18}" text-anchor="middle">{escape(moment.label)}</text>'
    return (
        f'<a href="{escape(moment.link)}" aria-label="{escape(told)}"><title>{escape(told)}</title>{bars}'
        f'<circle cx="{x:.2f}%" cy="{y:.1f}" r="6"/></a>{below if labelled else ""}'
    )
