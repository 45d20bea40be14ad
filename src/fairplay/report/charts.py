"""Ratings as SVG of any width: horizontal positions are percentages, so that text keeps its size on a phone."""

from collections.abc import Callable, Sequence
from html import escape
from itertools import pairwise
from math import floor
from typing import NamedTuple

from fairplay.contest.rating import MEAN_RATING
from fairplay.contest.scoreboard import StandingsRow
from fairplay.contest.statistics import Estimate
from fairplay.core import Picture

STYLE = (
    ".chart{display:block;width:100%;color:inherit;overflow:visible}"
    ".chart text{fill:currentColor;font:14px system-ui,sans-serif;font-variant-numeric:tabular-nums}"
    ".chart .mark,.chart .range{font-size:13px;fill-opacity:.72}.chart .grid{stroke:currentColor;stroke-opacity:.16}"
    ".chart .interval,.chart .trend{stroke:var(--bar,#2f7fb5);stroke-width:3;stroke-linecap:round}"
    ".chart .trend{stroke-width:2;stroke-dasharray:1 5}.chart circle{fill:var(--bar,#2f7fb5)}"
    ".chart a:focus-visible circle,.chart a:hover circle{stroke:currentColor;stroke-width:3}"
)
"""Colours follow the page: its text colour, and its variable `--bar` if it has one."""

_INTERVAL_REACH = 200.0
"""Points beyond all ratings that a chart shows of their intervals, if the ratings themselves are not further apart."""

_AXIS_STEPS = (10, 25, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)


class Axis(NamedTuple):
    """Round numbers from `first` to `last`, `step` apart."""

    first: int
    last: int
    step: int

    @property
    def marks(self) -> range:
        """The numbers on the axis."""
        return range(self.first, self.last + 1, self.step)

    def share(self, value: float) -> float:
        """Where `value` lies between the ends, from 0 to 1; what lies beyond them is at the end."""
        return min(max((value - self.first) / (self.last - self.first), 0.0), 1.0)


def make_axis(low: float, high: float, most: int) -> Axis:
    """An axis of at most `most` steps that covers everything from `low` to `high`."""
    step = next((step for step in _AXIS_STEPS if (high - low) / step <= most - 1), _AXIS_STEPS[-1])
    return Axis(floor(low / step) * step, (floor(high / step) + 1) * step, step)


def _find_range(estimates: Sequence[Estimate]) -> tuple[float, float]:
    """The lowest and the highest number that a chart shows.

    All values are on it, and of intervals what is near them: after few matches they are so long that nothing else
    could be told apart.
    """
    values = [estimate.value for estimate in estimates] or [float(MEAN_RATING)]
    lowest, highest = min(values), max(values)
    reach = max(_INTERVAL_REACH, highest - lowest)
    ends = [end for estimate in estimates for end in (estimate.low, estimate.high) if end is not None]
    near = [min(max(end, lowest - reach), highest + reach) for end in ends]
    return min([lowest, *near]), max([highest, *near])


def _draw_chart(height: int, name: str, body: str) -> Picture:
    """A chart with a name; an image only if it has no links, since an image hides them."""
    role = "group" if "<a " in body else "img"
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" height="{height}" role="{role}" aria-label="{name}">'
        f"<style>{STYLE}</style>{body}</svg>"
    )


# -- all players -------------------------------------------------------------------------------

_TOP_MARGIN = 26
_ROW_HEIGHT = 46
MAX_NAME_LENGTH = 24
"""Letters of a name that fit beside its figures on a phone."""


def rating_chart(rows: Sequence[StandingsRow], link: Callable[[str], str] | None = None) -> Picture:
    """Every player's rating as a dot with its 95 % interval as a line; `link` gives the address of a player.

    A player that has not played has a row too, so that the chart keeps its size while matches are played.
    """
    scale = make_axis(*_find_range([row.rating for row in rows if row.rating]), most=6)
    height = _TOP_MARGIN + _ROW_HEIGHT * len(rows)
    marks = "".join(_vertical_mark(2 + 96 * scale.share(mark), mark, height) for mark in scale.marks)
    drawn = "".join(_draw_rating(row, _TOP_MARGIN + _ROW_HEIGHT * index, scale, link) for index, row in enumerate(rows))
    return _draw_chart(height, "ratings with 95 % intervals", marks + drawn)


def _vertical_mark(x: float, mark: int, height: int) -> str:
    """A grid line from top to bottom, with its number above."""
    return (
        f'<line class="grid" x1="{x:.2f}%" y1="20" x2="{x:.2f}%" y2="{height}"/>'
        f'<text class="mark" x="{x:.2f}%" y="13" text-anchor="middle">{mark}</text>'
    )


def _draw_rating(row: StandingsRow, y: int, scale: Axis, link: Callable[[str], str] | None) -> str:
    """The name and the rating of one player, with a dot and a line for its interval."""
    name = escape(_shorten_name(row.player))
    if link is not None:
        name = f'<a href="{escape(link(row.player))}">{name}</a>'
    description, figures = "not rated yet", ""
    if row.matches and row.rating is not None:
        at = 2 + 96 * scale.share(row.rating.value)
        description = f"{row.rating:.0f}, {row.matches} match{'' if row.matches == 1 else 'es'}"
        bounds, line = "too few matches for an interval", ""
        if row.rating.interval is not None:
            low, high = row.rating.interval
            left, right = (2 + 96 * scale.share(number) for number in (low, high))
            bounds = f"[{low:.0f}, {high:.0f}]"
            line = f'<line class="interval" x1="{left:.2f}%" y1="{y + 31}" x2="{right:.2f}%" y2="{y + 31}"/>'
        figures = (
            f'<text x="100%" y="{y + 17}" text-anchor="end">{row.rating.value:.0f}'
            f' <tspan class="range">{bounds}</tspan></text>{line}<circle cx="{at:.2f}%" cy="{y + 31}" r="6"/>'
        )
    return f'<g><title>{escape(row.player)}: {description}</title><text x="0" y="{y + 17}">{name}</text>{figures}</g>'


def _shorten_name(name: str) -> str:
    """As much of a name as fits."""
    return name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 1]}…"


# -- one player over time ----------------------------------------------------------------------

_PLOT_HEIGHT = 240
_FOOT_HEIGHT = 24


class ChartPoint(NamedTuple):
    """A rating with its label and the address that it links to."""

    label: str
    rating: Estimate
    link: str


def rating_history_chart(points: Sequence[ChartPoint]) -> Picture:
    """One player's ratings from left to right, dots with their intervals, joined in order; ASSUME at least one."""
    scale = make_axis(*_find_range([point.rating for point in points]), most=6)
    spots = [(_point_x(index, len(points)), point) for index, point in enumerate(points)]
    pieces = [_horizontal_mark(_point_y(scale, mark), mark) for mark in scale.marks]
    for (x, one), (then, other) in pairwise(spots):
        y, next_y = _point_y(scale, one.rating.value), _point_y(scale, other.rating.value)
        pieces.append(f'<line class="trend" x1="{x:.2f}%" y1="{y:.1f}" x2="{then:.2f}%" y2="{next_y:.1f}"/>')
    every = -(-len(points) // 8)  # so that labels do not run into each other
    pieces += [_draw_point(x, point, scale, labelled=not index % every) for index, (x, point) in enumerate(spots)]
    return _draw_chart(_PLOT_HEIGHT + _FOOT_HEIGHT, "rating over time with 95 % intervals", "".join(pieces))


def _point_x(index: int, count: int) -> float:
    """The horizontal position of a dot, in per cent, to the right of the axis."""
    return 55.0 if count == 1 else 16 + 80 * index / (count - 1)


def _point_y(scale: Axis, value: float) -> float:
    """The vertical position of a value."""
    return 10 + (_PLOT_HEIGHT - 20) * (1 - scale.share(value))


def _horizontal_mark(y: float, mark: int) -> str:
    """A grid line from left to right, with its number at the left."""
    return (
        f'<line class="grid" x1="46" y1="{y:.1f}" x2="100%" y2="{y:.1f}"/>'
        f'<text class="mark" x="0" y="{y + 4:.1f}">{mark}</text>'
    )


def _draw_point(x: float, point: ChartPoint, scale: Axis, *, labelled: bool) -> str:
    """A dot that links somewhere, with a line for its interval."""
    bars, y = "", _point_y(scale, point.rating.value)
    if point.rating.interval is not None:
        bottom, top = (_point_y(scale, end) for end in point.rating.interval)
        bars = f'<line class="interval" x1="{x:.2f}%" y1="{top:.1f}" x2="{x:.2f}%" y2="{bottom:.1f}"/>'
    description = f"{point.label}: {point.rating:.0f}"
    below = f'<text class="mark" x="{x:.2f}%" y="{_PLOT_HEIGHT + 18}" text-anchor="middle">{escape(point.label)}</text>'
    return (
        f'<a href="{escape(point.link)}" aria-label="{escape(description)}"><title>{escape(description)}</title>{bars}'
        f'<circle cx="{x:.2f}%" cy="{y:.1f}" r="6"/></a>{below if labelled else ""}'
    )
