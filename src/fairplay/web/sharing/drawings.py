"""Matches drawn for strangers: as everyone may see them, and with all that was hidden once there are no secrets."""

from __future__ import annotations

from fairplay.catalog import GAMES
from fairplay.core import Picture
from fairplay.match.record import read_record
from fairplay.report.moving_picture import animate_pictures, sample_moments
from fairplay.web.watching.timeline import Timeline, build_timeline

__all__ = ["animate_record", "describe_players", "draw_moment", "draw_record"]

MAX_ANIMATED = 150
"""Moments of an animation; of a longer match it shows some of them."""


def draw_moment(timeline: Timeline, number: int, *, open: bool) -> Picture:
    """A moment as the public sees it, or with everything that is hidden."""
    return timeline.game.shown.picture(timeline.states[number], timeline.last_turn(number), open=open, seats=False)


def draw_record(record: bytes, most: int, *, open: bool) -> tuple[str, list[Picture]]:
    """At most `most` moments of a recorded match, and what they show in words; raises RecordError."""
    lines = read_record(record.splitlines(keepends=True))
    timeline = build_timeline(GAMES[lines.header.game], lines)
    numbers = sample_moments(timeline.last, most)
    return describe_players(timeline), [draw_moment(timeline, number, open=open) for number in numbers]


def animate_record(record: bytes, open: bool) -> bytes:
    """A recorded match as an SVG that moves."""
    label, pictures = draw_record(record, MAX_ANIMATED, open=open)
    return animate_pictures(pictures, label).encode()


def describe_players(timeline: Timeline) -> str:
    """What is played, and by whom."""
    *others, last = timeline.names
    names = f"{', '.join(others)} and {last}" if others else last
    return f"A match of {timeline.game.name.capitalize()} between {names}"
